"""Notice distances that were passed as a kernel.

A distance matrix D has a zero diagonal and no negative entries; so have the weights
of a graph without loops, and a kernel of constant self-similarity after a zero-trace
shift. Two properties of the spectrum tell them apart, with H = I - ee'/n:

- HDH has no positive eigenvalue worth mentioning, because objects far from each
  other in D are on different sides of the mean. It is exactly so for Euclidean
  and cosine distances, squared or not.
- D is much more indefinite than its largest entry d can account for: D + 2dI is not
  positive semi-definite, as a kernel with similarities up to d would be.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_kernelclust._utils._warnings import warn_user

# Objects that are looked at, and the fewest that tell anything.
MOST, FEWEST = 128, 10

# Largest share of pairs at distance 0, which graphs have many of.
DUPLICATES = 0.1

# Largest eigenvalue of HDH, relative to the smallest, that counts as none. Of 156
# matrices of real and random data, distances have up to 0.14 (0.47 for Chebyshev
# distances of noise in 50 dimensions), indefinite similarities at least 0.78.
POSITIVE_SHARE = 0.25


def looks_like_distances(K):
    """Whether a square array is a matrix of distances rather than similarities."""
    n = K.shape[0]
    if n < FEWEST or K.diagonal().any():
        return False
    index = np.random.RandomState(0).permutation(n)[:MOST]
    D = K[np.ix_(index, index)].astype(np.float64)
    m = len(D)
    n_zero = m * m - m - np.count_nonzero(D)
    if D.min() < 0 or n_zero > DUPLICATES * m * (m - 1):
        return False
    D /= D.max()
    means = D.mean(axis=0)
    low, *_, high = np.linalg.eigvalsh(D - means - means[:, None] + means.mean())
    return bool(low < -2 and high <= -POSITIVE_SHARE * low)


def warn_of_distances(K, n_objects=None):
    """Warn if what was passed as a kernel matrix looks like distances.

    `K` may be that of some of the objects.
    """
    if looks_like_distances(K):
        n = n_objects or K.shape[0]
        warn_user(
            f"The kernel matrix of {n} objects has a zero diagonal and no negative "
            "entries, and its spectrum is that of distances: large entries "
            "must mean similar objects. DistanceKernel(metric='precomputed') makes a "
            "kernel of distances: put it before this step, or pass features.",
        )

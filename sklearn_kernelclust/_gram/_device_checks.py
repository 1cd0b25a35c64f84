"""Checks of a kernel matrix on a device, by what little of it must be looked at."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_kernelclust._gram._device_leaves import StoredDeviceGram
from sklearn_kernelclust._gram._distances import MOST, warn_of_distances
from sklearn_kernelclust._gram._symmetry import asymmetry_error
from sklearn_kernelclust._utils._threads import batches
from sklearn_kernelclust._utils._tolerances import ASYMMETRY

# Rows that are compared with columns at a time, and rows and columns of a tile.
ROWS = 1024
TILE = 4096


def device_gram(K, *, training):
    """The Gram of a checked array of a device."""
    if not training:
        return StoredDeviceGram(K)
    if not is_symmetric(K):
        raise asymmetry_error(*largest_asymmetry(StoredDeviceGram(K)))
    gram = StoredDeviceGram.training(K)
    check_not_subnormal(gram)
    sample = np.random.RandomState(0).permutation(K.shape[0])[:MOST]
    if not gram.diagonal().any():
        warn_of_distances(gram.restrict(sample, sample).toarray(), K.shape[0])
    return gram


def is_symmetric(K):
    """Whether a square array is symmetric up to rounding.

    Tiles on one side of the diagonal are compared with those on the other; the
    largest entry is looked for only if the diagonal has none that is large enough.
    """
    gram, i = StoredDeviceGram(K), np.arange(K.shape[0])
    worst = largest_difference(gram)
    largest = float(gram.arrays.xp.max(abs(gram.arrays.at(K, i, i))))
    if worst > ASYMMETRY[gram.dtype] * largest:
        largest = largest_asymmetry(gram)[-1]
    return worst <= ASYMMETRY[gram.dtype] * largest


def largest_difference(gram):
    """Largest difference to the transpose."""
    K, xp, kernels = gram.K, gram.arrays.xp, gram.arrays.cuda_kernels()
    if kernels is not None:
        return float(kernels.largest_asymmetry(K))
    worst = []
    for rows in batches(K.shape[0], TILE):
        for cols in batches(rows.stop, TILE):
            difference = K[rows, cols] - K[cols, rows].T
            worst.append(xp.linalg.vector_norm(difference, ord=float("inf")))
    return float(xp.max(xp.stack(worst)))


def largest_asymmetry(gram):
    """Largest difference to the transpose, its place, and the largest entry."""
    arrays, xp, K = gram.arrays, gram.arrays.xp, gram.K
    peaks, sizes = [], []
    for rows in batches(K.shape[0], ROWS):
        difference = abs(K[rows, :] - K[:, rows].T)
        peaks.append(xp.max(difference, axis=1))
        sizes.append(xp.max(abs(K[rows, :])))
    peaks = arrays.host(xp.concat(peaks))
    i = int(peaks.argmax())
    j = int(xp.argmax(abs(K[i, :] - K[:, i])))
    return float(peaks[i]), i, j, float(xp.max(xp.stack(sizes)))


def check_not_subnormal(gram):
    """Refuse a kernel whose numbers are so small that they have lost digits."""
    smallest = 1e5 * float(np.finfo(gram.dtype).tiny)
    if not 0 < np.abs(gram.diagonal()).max() < smallest:
        return
    largest = float(gram.arrays.xp.max(abs(gram.K)))
    if largest < smallest:
        raise subnormal_error(largest, gram.dtype)


def subnormal_error(largest, dtype):
    """The error of a kernel without digits."""
    return ValueError(
        f"The largest entry of the kernel is {largest:.3g}, too small for the "
        f"digits of {dtype}: rescale it."
    )

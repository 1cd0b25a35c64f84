"""Measures of a kernel, alone and with a partition."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.sparse import csr_array
from sklearn.utils import column_or_1d

from sklearn_kernelclust._gram._checks import as_gram


def dominance_ratio(K):
    """Mean self-similarity over mean similarity of two different objects.

    Far above 1, the diagonal dominates: objects look orthogonal to each other,
    and kernel k-means stays where it starts [1]_.

    Parameters
    ----------
    K : array-like, sparse matrix or Gram of shape (n_samples, n_samples)
        Kernel of at least two objects.

    Returns
    -------
    ratio : float
        Infinite if the mean similarity of different objects is 0.

    References
    ----------
    .. [1] D. Greene and P. Cunningham, "Practical Solutions to the Problem of
       Diagonal Dominance in Kernel Document Clustering", ICML 2006.

    Examples
    --------
    >>> from sklearn_kernelclust.metrics import dominance_ratio
    >>> dominance_ratio([[1.0, 0.25], [0.25, 1.0]])
    4.0
    """
    K = as_gram(K)
    n = K.shape[0]
    if n < 2:
        raise ValueError("The dominance ratio needs at least 2 objects, got 1.")
    trace = float(K.diagonal().sum(dtype=np.float64))
    total = float((K @ np.ones(n)).sum(dtype=np.float64))
    rest = (total - trace) / (n - 1)
    return trace / rest if rest != 0 else np.inf


def kernel_inertia(K, labels, sample_weight=None):
    """Objective of kernel k-means: squared distances to the means, summed.

    Parameters
    ----------
    K : array-like, sparse matrix or Gram of shape (n_samples, n_samples)
        Symmetric kernel.

    labels : array-like of shape (n_samples,)
        Cluster of each object.

    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the objects; all equal by default.

    Returns
    -------
    inertia : float
        ``sum_i w_i K_ii - sum_c (sum_ij in c w_i w_j K_ij) / sum_i in c w_i``.
        Not negative for a positive semi-definite kernel.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_kernelclust.metrics import kernel_inertia
    >>> X = np.array([[0.0], [2.0], [7.0]])
    >>> kernel_inertia(X @ X.T, [0, 0, 1])
    2.0
    """
    K = as_gram(K)
    labels = column_or_1d(labels)
    weight = np.ones(len(labels)) if sample_weight is None else sample_weight
    weight = np.asarray(weight, dtype=np.float64)
    if not K.shape[0] == K.shape[1] == len(labels) == len(weight):
        raise ValueError(
            f"Found a kernel of shape {K.shape}, {len(labels)} labels and "
            f"{len(weight)} weights: all must agree."
        )
    if not (weight >= 0).all() or np.isinf(weight).any():
        raise ValueError("Weights must be finite numbers that are not negative.")
    # Products of two weights must not overflow or underflow.
    largest = weight.max(initial=0.0) or 1.0
    weight = weight / largest
    clusters, labels = np.unique(labels, return_inverse=True)
    n, k = len(labels), len(clusters)
    Z = csr_array((weight, labels, np.arange(n + 1)), shape=(n, k))
    within = np.asarray(Z.multiply(K @ Z).sum(axis=0)).ravel()
    mass = np.bincount(labels, weights=weight, minlength=k)
    filled = mass > 0
    inertia = weight @ K.diagonal() - (within[filled] / mass[filled]).sum()
    return float(inertia * largest)

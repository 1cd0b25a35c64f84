"""Silhouettes in the feature space of a kernel."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.sparse import csr_array
from sklearn.utils import column_or_1d

from sklearn_kernelclust._gram._checks import as_gram


def kernel_silhouette_samples(K, labels):
    """Silhouette of each object, by squared distances in feature space.

    ``(b - a) / max(a, b)``, where a is the mean squared distance of the object to
    the others of its cluster, and b that to the objects of the nearest other
    cluster: near 1 in the midst of a cluster, negative for an object that is nearer
    to another cluster. A low value marks outliers and doubtful members.

    Parameters
    ----------
    K : array-like, sparse matrix or Gram of shape (n_samples, n_samples)
        Symmetric kernel.

    labels : array-like of shape (n_samples,)
        Cluster of each object.

    Returns
    -------
    silhouette : ndarray of shape (n_samples,)
        Between -1 and 1 for a positive semi-definite kernel; 0 in clusters of one
        object.

    See Also
    --------
    kernel_silhouette_score : The mean.
    sklearn.metrics.silhouette_samples : By distances, not squared.

    Notes
    -----
    The squared distances of kernels, ``K_ii + K_jj - 2 K_ij``, are linear in the
    kernel. So all means come from the sums of the kernel over the clusters: one
    product with k columns, and O(n k) memory, also for a lazy kernel. Distances
    would need the root of each of n^2 entries. The result is that of scikit-learn's
    `silhouette_samples` with ``metric="precomputed"`` on the squared distances.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_kernelclust.metrics import kernel_silhouette_samples
    >>> X = np.array([[0.0], [1.0], [6.0], [8.0]])
    >>> kernel_silhouette_samples(X @ X.T, [0, 0, 1, 1]).round(2)
    array([0.98, 0.97, 0.87, 0.93])
    """
    K = as_gram(K)
    labels = column_or_1d(labels)
    if K.shape[0] != len(labels):
        raise ValueError(
            f"Found a kernel of {K.shape[0]} objects and {len(labels)} labels."
        )
    clusters, labels = np.unique(labels, return_inverse=True)
    n, k = len(labels), len(clusters)
    if not 1 < k < n:
        raise ValueError(
            f"Number of labels is {k}. Valid values are 2 to n_samples - 1 = {n - 1} "
            "(inclusive)."
        )
    Z = csr_array((np.ones(n), labels, np.arange(n + 1)), shape=(n, k))
    diagonal, sizes = K.diagonal().astype(np.float64), np.bincount(labels)
    means = mean_squared_distances(diagonal, K @ Z, Z.T @ diagonal, sizes)
    own = np.arange(n), labels
    # The distance to itself, which is 0, does not count.
    a = means[own] * sizes[labels] / np.maximum(sizes[labels] - 1, 1)
    means[own] = np.inf
    return silhouettes(a, means.min(axis=1), sizes[labels] > 1)


def kernel_silhouette_score(K, labels):
    """Mean silhouette of all objects, by squared distances in feature space.

    It compares partitions of one kernel, such as those into different numbers of
    clusters.

    Parameters
    ----------
    K : array-like, sparse matrix or Gram of shape (n_samples, n_samples)
        Symmetric kernel.

    labels : array-like of shape (n_samples,)
        Cluster of each object.

    Returns
    -------
    score : float
        Between -1 and 1 for a positive semi-definite kernel; larger is better.

    See Also
    --------
    kernel_silhouette_samples : That of each object.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_kernelclust.metrics import kernel_silhouette_score
    >>> X = np.array([[0.0], [1.0], [6.0], [8.0]])
    >>> round(kernel_silhouette_score(X @ X.T, [0, 0, 1, 1]), 2)
    0.94
    """
    return float(kernel_silhouette_samples(K, labels).mean())


def mean_squared_distances(diagonal, sums, diagonal_sums, sizes):
    """Mean squared distance of each object to the objects of each cluster.

    From the sums of kernel and diagonal over the clusters. What is only rounding
    is 0.
    """
    means = diagonal[:, None] + (diagonal_sums - 2 * sums) / sizes
    # An object far away must not hide the distances of the others.
    size = np.abs(diagonal)[:, None] + np.abs(diagonal_sums) / sizes
    means[np.abs(means) <= 64 * np.finfo(sums.dtype).eps * size] = 0
    return means


def silhouettes(a, b, counted):
    """``(b - a) / max(a, b)``, 0 where that is not defined."""
    larger = np.maximum(a, b)
    counted = counted & (larger > 0)
    return np.divide(b - a, larger, out=np.zeros_like(a), where=counted)

"""Sets of objects in clusters that nobody could mistake."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from sklearn.metrics.pairwise import cosine_similarity, linear_kernel, rbf_kernel

SHAPES = ["blobs", "blocks", "vocabularies"]
KERNELS = ["rbf", "linear", "cosine", "shifted"]


def separated_set(number):
    """Kernel, number of clusters, and whether to shift the diagonal.

    Sets 0 to 299 go through all shapes, kernels, and 2 to 12 clusters.
    """
    rng = np.random.default_rng(number)
    shape, kernel = SHAPES[number % 3], KERNELS[number // 3 % 4]
    n_clusters = 2 + number // 12 % 11
    sizes = rng.integers(14, 41, size=n_clusters)
    labels = rng.permutation(np.repeat(np.arange(n_clusters), sizes))
    if shape == "blocks":
        K = blocks(labels, rng)
    else:
        X = (blobs if shape == "blobs" else vocabularies)(labels, rng)
        K = kernel_of(X, kernel)
    return K, n_clusters, kernel == "shifted"


def kernel_of(X, kernel):
    if kernel in ("linear", "shifted"):
        return linear_kernel(X)
    return (
        rbf_kernel(X, gamma=1 / X.shape[1] / X.var())
        if kernel == "rbf"
        else (cosine_similarity(X))
    )


def blobs(labels, rng):
    """Normal clusters; no two means are nearer than 20 standard deviations.

    The means have equal length: the cosine tells them apart too.
    """
    n_clusters, n_features = labels.max() + 1, 8
    centers = np.empty((0, n_features))
    while len(centers) < n_clusters:
        new = rng.normal(size=n_features)
        new *= 40 / np.linalg.norm(new)
        if (np.linalg.norm(centers - new, axis=1) >= 20).all():
            centers = np.vstack([centers, new])
    return centers[labels] + rng.normal(size=(len(labels), n_features))


def blocks(labels, rng):
    """A block matrix: similarity 0.6 to 0.9 within clusters, below 0.1 between."""
    n = len(labels)
    together = labels[:, None] == labels
    within, between = rng.uniform(0.6, 0.9, (n, n)), rng.uniform(0, 0.1, (n, n))
    K = np.triu(np.where(together, within, between), 1)
    return K + K.T + np.eye(n)


def vocabularies(labels, rng):
    """Counts of 100 to 200 words, of the 15 words that only one cluster has."""
    n_clusters = labels.max() + 1
    X = np.zeros((len(labels), 15 * n_clusters))
    for row, label in zip(X, labels):
        words = rng.integers(15, size=rng.integers(100, 201))
        row[15 * label : 15 * (label + 1)] = np.bincount(words, minlength=15)
    return X

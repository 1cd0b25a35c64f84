"""Data with clusters in clusters, and data without any."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.sparse import csr_array
from sklearn.datasets import make_blobs
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.pipeline import make_pipeline

from sklearn_kernelclust import (
    DiagonalShift,
    EmpiricalKernelMap,
    KernelKMeans,
    PairwiseKernel,
)


def nested_blobs(seed, n_per_blob=60):
    """Three groups of two to four blobs; the features, blobs and groups."""
    rng = np.random.default_rng(seed)
    middles = np.zeros((3, 2))
    while min(np.linalg.norm(middles[i - 1] - middles[i]) for i in range(3)) < 60:
        middles = rng.uniform(-100, 100, size=(3, 2))
    centers, groups = [], []
    for group, middle in enumerate(middles):
        n_blobs = rng.integers(2, 5)
        angles = rng.uniform(0, 7) + np.arange(n_blobs) * 2 * np.pi / n_blobs
        centers += list(middle + 8 * np.c_[np.cos(angles), np.sin(angles)])
        groups += [group] * n_blobs
    n_samples = n_per_blob * len(centers)
    X, blob = make_blobs(n_samples, centers=np.array(centers), random_state=seed)
    return X, blob, np.array(groups)[blob]


def documents(seed, n_documents, n_terms=2000):
    """Counts of documents with terms of one distribution, by Zipf's law."""
    rng = np.random.default_rng(seed)
    share = 1 / (np.arange(n_terms) + rng.uniform(1, 20)) ** rng.uniform(0.8, 1.2)
    lengths = rng.lognormal(rng.uniform(3, 5), 0.6, size=n_documents).astype(int) + 5
    return csr_array([rng.multinomial(n, share / share.sum()) for n in lengths])


def text_pipeline():
    """Counts to clusters."""
    return make_pipeline(
        TfidfTransformer(sublinear_tf=True),
        PairwiseKernel("cosine", lazy=True),
        DiagonalShift(),
        EmpiricalKernelMap(),
        KernelKMeans(kernel="precomputed", init="random"),
    )

"""Small data that several test modules use."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_kernelclust._gram._stored import DenseGram
from sklearn_kernelclust._kmeans._runs import Problem


def normal_features(seed=0, n=40):
    return np.random.default_rng(seed).normal(size=(n, 5))


def problem_and_starts(seed, n=30, k=4, n_runs=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    starts = [np.r_[np.arange(k), rng.integers(0, k, n - k)] for _ in range(n_runs)]
    return Problem(DenseGram.training(X @ X.T)), starts


def like_negative_identity(seed, weighted, n=80):
    """All ones off the diagonal, up to rounding, and zeros on it; and weights."""
    rng = np.random.default_rng(seed)
    noise = rng.integers(-3, 4, size=(n, n)) * np.finfo(float).eps
    K = 1.0 + np.triu(noise, 1) + np.triu(noise, 1).T
    np.fill_diagonal(K, 0)
    return K, rng.uniform(0.5, 2, size=n) if weighted else None

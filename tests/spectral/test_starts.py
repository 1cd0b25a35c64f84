"""Starts drawn together, beside scikit-learn's one by one."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.cluster import KMeans, kmeans_plusplus

from sklearn_kernelclust._spectral import _starts
from sklearn_kernelclust._spectral._starts import PlusPlus, plus_plus


def groups(seed, n=200, k=5):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3)) + 4 * rng.normal(size=(k, 3))[rng.integers(k, size=n)]
    return X - X.mean(axis=0)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("k", [1, 2, 5, 9])
@pytest.mark.parametrize("block", [1, 2**19])
def test_same_rows_as_scikit_learn(monkeypatch, seed, k, weighted, block):
    monkeypatch.setattr(_starts, "BLOCK", block)
    X, rng, other = groups(seed), np.random.RandomState(1), np.random.RandomState(1)
    weight = np.random.default_rng(seed).random(len(X)) if weighted else None
    rows = plus_plus(X, k, 4, rng, weight)
    facts = {"sample_weight": weight, "random_state": other}
    expected = [kmeans_plusplus(X, k, **facts)[1] for _ in range(4)]
    assert_array_equal(rows, expected)
    assert rng.randint(2**30) == other.randint(2**30)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_same_labels_as_by_name(dtype, seed):
    X = groups(seed).astype(dtype)
    settings = {"n_init": 3, "random_state": 0}
    expected = KMeans(5, init="k-means++", **settings).fit(X)
    model = KMeans(5, init=PlusPlus(3), **settings).fit(X)
    assert_array_equal(model.labels_, expected.labels_)
    assert_array_equal(model.cluster_centers_, expected.cluster_centers_)


def test_fewer_places_than_rows_to_choose():
    X = np.repeat([[0.0, 0], [1, 1]], 10, axis=0)
    rows = plus_plus(X, 4, 3, np.random.RandomState(0))
    for chosen in rows:
        assert len(np.unique(X[chosen], axis=0)) == 2
    assert_array_equal(plus_plus(0 * X, 3, 2, np.random.RandomState(0))[:, 1:], 0)

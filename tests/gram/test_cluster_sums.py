"""Sums over clusters against full products."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from sklearn_kernelclust._gram._factored import FactoredGram
from sklearn_kernelclust._gram._stored import DenseGram
from sklearn_kernelclust._kmeans._cluster_sums import (
    indicator,
    move_sums,
    partition_sums,
    places_of_equals,
    totals,
)
from sklearn_kernelclust._kmeans._runs import Problem, start_together


def dense(X):
    return DenseGram.training(X @ X.T)


def factored(X):
    return FactoredGram(X, X)


def sums_over_clusters(K, labels, weight, k):
    """By the definition."""
    return np.array([weight[labels == c] @ K[labels == c] for c in range(k)])


@pytest.mark.parametrize("gram_of", [dense, factored])
@pytest.mark.parametrize("k", [2, 5])  # 2: many objects go the same way
@pytest.mark.parametrize("most_bytes", [2**20, 0])  # 0: no sums of classes or ways
def test_delta_updates_are_full_products(gram_of, k, most_bytes, seed, monkeypatch):
    monkeypatch.setattr("sklearn_kernelclust._kmeans._cluster_sums.WORTH_JOINING", 0)
    monkeypatch.setattr(
        "sklearn_kernelclust._kmeans._partition_products.CLASSES_BYTES", most_bytes
    )
    rng = np.random.default_rng(seed)
    X, weight = rng.normal(size=(80, 3)), rng.random(80)
    old = rng.integers(0, k, (4, 80))
    problem = Problem(gram_of(X), k, weight)
    runs = start_together([problem] * 4, list(old))
    new = old.copy()
    new[0][rng.permutation(80)[:7]] = 1  # few
    new[1] = (old[1] + 1) % k  # all: summed afresh
    new[2][:35] = (old[2][:35] + 1) % k  # many
    move_sums(runs, old, new)  # of the last, none
    for run, labels in zip(runs, new):
        expected = sums_over_clusters(X @ X.T, labels, weight, k)
        assert_allclose(run.S, expected, atol=1e-12)


@pytest.mark.parametrize("gram_of", [dense, factored])
@pytest.mark.parametrize("least", [0, 10**9])  # classes in common, or none
def test_sums_of_partitions_of_several_sizes(gram_of, least, seed, monkeypatch):
    monkeypatch.setattr(
        "sklearn_kernelclust._kmeans._cluster_sums.WORTH_JOINING", least
    )
    rng = np.random.default_rng(seed)
    X, weight, k = rng.normal(size=(60, 3)), rng.random(40), 5
    objects = rng.permutation(60)[:40]
    labels = np.array([rng.integers(0, size, 40) for size in (2, 5, 3)])
    found = partition_sums(gram_of(X), labels, weight, k, objects)
    K = X[objects] @ X.T
    expected = [sums_over_clusters(K, row, weight, k) for row in labels]
    assert_allclose(found, np.concatenate(expected), atol=1e-12)
    # The same objects, but each partition has its own row of columns.
    of_each = np.array([objects] * 3)
    apart = partition_sums(gram_of(X), labels, weight, k, of_each)
    assert_allclose(found, apart, atol=1e-12)


def test_places_of_equals():
    assert places_of_equals("abba") == [[0, 3], [1, 2]]


def test_totals_are_those_of_each_row():
    labels, values = np.array([[0, 2, 0], [1, 1, 1]]), np.array([1.0, 2.0, 4.0])
    assert_array_equal(totals(labels, values, 3), [[5, 0, 2], [0, 7, 0]])
    of_each = np.stack([values, 8 * values])
    assert_array_equal(totals(labels, of_each, 3), [[5, 0, 2], [0, 56, 0]])


def test_indicator():
    Z = indicator(np.array([1, 0, 1]), np.array([2.0, 3.0, 4.0]), 3)
    assert_array_equal(Z.toarray(), [[0, 2, 0], [3, 0, 0], [0, 4, 0]])

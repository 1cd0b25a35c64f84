"""Sums over clusters against full products."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array

from sklearn_kernelclust._gram import _cluster_sums, _factored
from sklearn_kernelclust._gram._cluster_sums import (
    indicator,
    indicators,
    sum_by_cluster,
)
from sklearn_kernelclust._gram._factored import FactoredGram
from sklearn_kernelclust._gram._stored import DenseGram, SparseGram

GRAMS = {
    "dense": lambda X: DenseGram.training(X @ X.T),
    "sparse": lambda X: SparseGram.training(csr_array(X @ X.T)),
    "factored": lambda X: FactoredGram(X, X, symmetric=True),
    "in blocks": lambda X: FactoredGram(*2 * [csr_array(X)], symmetric=True),
}


@pytest.fixture(params=GRAMS)
def gram_of(request, monkeypatch):
    monkeypatch.setattr(_factored, "LARGE", 0)
    monkeypatch.setattr(_factored, "BLOCK_COLUMNS", 3)
    monkeypatch.setattr(_factored, "BLOCK_BYTES", 8 * 3 * 25)
    return GRAMS[request.param]


def sums_over_clusters(K, labels, weight, k):
    """By the definition."""
    return np.array([weight[labels == c] @ K[labels == c] for c in range(k)])


def assert_sums(sums, run, K, labels, weight):
    k, n = sums.n_clusters[run], np.arange(K.shape[1])
    expected = sums_over_clusters(K, labels, weight, k)
    assert_allclose(sums.columns(run, n), expected, atol=1e-11)
    own = sums.own(np.array([run]), labels[None])[0]
    assert_allclose(own, expected[labels, n], atol=1e-11)
    [totals] = sums.totals(np.array([run]), labels[None])
    assert_allclose(
        totals[:k], np.bincount(labels, weight * own, minlength=k), atol=1e-11
    )


@pytest.mark.parametrize("worth_a_product", [0, np.inf])
@pytest.mark.parametrize("ks", [[2] * 4, [5] * 4, [5, 3, 4, 2]])
def test_updates_are_full_products(gram_of, ks, worth_a_product, seed, monkeypatch):
    monkeypatch.setattr(_cluster_sums, "WORTH_A_PRODUCT", worth_a_product)
    rng = np.random.default_rng(seed)
    X, weight = rng.normal(size=(80, 3)), rng.random(80)
    old = np.array([rng.integers(0, k, 80) for k in ks])
    sums = gram_of(X).cluster_sums(ks, weight)
    sums.set(np.arange(4), old)
    new = old.copy()
    new[0][rng.permutation(80)[:7]] = 1  # few
    new[1] = (old[1] + 1) % ks[1]  # all: summed afresh
    new[2][:35] = (old[2][:35] + 1) % ks[2]  # many
    runs = np.array([2, 0, 1])  # none of the last, in any order
    sums.update(runs, old[runs], new[runs])
    for run, labels in enumerate(new):
        assert_sums(sums, run, X @ X.T, labels, weight)


def test_some_runs_may_be_set_before_others(gram_of):
    rng = np.random.default_rng(0)
    X, weight = rng.normal(size=(30, 3)), np.ones(30)
    labels = rng.integers(0, 3, (2, 30))
    sums = gram_of(X).cluster_sums([3, 3])
    sums.set(np.array([1]), labels[1:])
    assert_sums(sums, 1, X @ X.T, labels[1], weight)


def test_all_runs_may_have_more_clusters_than_there_are_objects(gram_of, monkeypatch):
    monkeypatch.setattr(_cluster_sums, "WORTH_A_PRODUCT", 0)
    rng = np.random.default_rng(0)
    X, weight = rng.normal(size=(8, 3)), rng.random(8)
    labels = rng.integers(0, 4, (6, 8))
    sums = gram_of(X).cluster_sums([4] * 6, weight)
    for runs in (np.array([1, 3, 5]), np.array([4, 0, 2])):
        sums.set(runs, labels[runs])
    for run in range(6):
        assert_sums(sums, run, X @ X.T, labels[run], weight)


def test_nearest_means_of_new_objects(gram_of, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(50, 3))
    rows, columns = np.arange(20), np.arange(20, 50)
    ks = [2, 4, 3]
    labels = np.array([np.r_[np.arange(k), rng.integers(0, k, 30 - k)] for k in ks])
    block = gram_of(X).restrict(rows, columns)
    sums = block.cluster_sums(ks, self_similarity=np.ones(20))
    sums.set(np.arange(3), labels)
    mass, norms = np.zeros((3, 4)), np.full((3, 4), np.inf)
    expected = []
    for r, k in enumerate(ks):
        means = np.array([X[20:][labels[r] == c].mean(axis=0) for c in range(k)])
        mass[r, :k], norms[r, :k] = np.bincount(labels[r]), (means**2).sum(axis=1)
        distances = ((X[:20, None] - means) ** 2).sum(axis=2)
        expected.append(distances.argmin(axis=1))
    assert_array_equal(sums.nearest(np.arange(3), mass, norms), expected)


@pytest.mark.parametrize("integer", [False, True])  # with ties
def test_the_holding_shift_makes_a_fixed_point(integer, seed):
    rng = np.random.default_rng(seed)
    n, k = 40, 4
    A = rng.integers(-2, 3, (n, n)) if integer else rng.normal(size=(n, n))
    K, weight = (A + A.T).astype(float), rng.integers(1, 4, n).astype(float)
    labels = np.r_[np.arange(k), rng.integers(0, k, n - k)]
    run = np.array([0])

    def nearest(K):
        sums = DenseGram.training(K).cluster_sums([k], weight)
        sums.set(run, labels[None])
        mass = np.bincount(labels, weight)
        norms = sums.totals(run, labels[None])[0] / mass**2
        shift = sums.holding_shift(0, labels, mass, norms)
        return sums.nearest(run, mass[None], norms[None])[0], shift

    plain, shift = nearest(K)
    assert (plain != labels).any() and shift > 0
    held, _ = nearest(K + shift * np.diag(1 / weight))
    assert_array_equal(held, labels)
    less, _ = nearest(K + 0.99 * shift * np.diag(1 / weight))
    assert (less != labels).any()


def test_a_fixed_point_needs_no_shift():
    X = np.r_[np.zeros((5, 1)), np.ones((5, 1))]
    labels = np.repeat([0, 1], 5)
    sums = DenseGram.training(X @ X.T).cluster_sums([2])
    sums.set(np.array([0]), labels[None])
    means = np.array([5.0, 5.0]), np.array([0.0, 1.0])
    assert sums.holding_shift(0, labels, *means) == 0


def test_sums_are_those_of_each_row():
    labels, values = np.array([[0, 2, 0], [1, 1, 1]]), np.array([1.0, 2.0, 4.0])
    assert_array_equal(sum_by_cluster(labels, values, 3), [[5, 0, 2], [0, 7, 0]])
    both = np.stack([values, 8 * values])
    assert_array_equal(sum_by_cluster(labels, both, 3), [[5, 0, 2], [0, 56, 0]])


def test_indicator():
    Z = indicator(np.array([1, 0, 1]), np.array([2.0, 3.0, 4.0]), 3)
    assert_array_equal(Z.toarray(), [[0, 2, 0], [3, 0, 0], [0, 4, 0]])


def test_indicators_of_several_partitions():
    places, weight = np.array([[1, 0], [2, 2]]), np.array([5.0, 7.0])
    Z = indicators(places, weight, (4, 3), np.array([3, 1]))
    assert_array_equal(Z.toarray().T, [[0, 7, 0, 0], [0, 0, 0, 5], [0, 7, 0, 5]])
    Z = indicators(places[:1], weight, (2, 2))
    assert_array_equal(Z.toarray(), [[0, 5], [7, 0]])


def test_runs_that_share_classes_have_the_sums_of_each_alone(seed):
    """Partitions with a common refinement and others, with empty clusters."""
    rng = np.random.default_rng(seed)
    X, ks = rng.normal(size=(320, 3)), [4, 5, 3, 40, 2, 2]
    labels = np.array([rng.integers(k, size=320) for k in ks])
    labels[0] = rng.integers(1, 3, size=320)
    labels[4] = 1
    labels[5] = 0
    sums, runs = DenseGram.training(X @ X.T).cluster_sums(ks), np.arange(6)
    sums.set(runs, labels)
    for run in runs:
        expected = [(X @ X.T)[labels[run] == c].sum(axis=0) for c in range(ks[run])]
        assert_allclose(sums.columns(run, np.arange(320)), expected, atol=1e-10)

"""Batch kernel k-means against the textbook."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from itertools import pairwise

import numpy as np
import pytest
import references
from another_machine import rounded_otherwise
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs

from sklearn_kernelclust import KernelKMeans, SubpolynomialKernel
from sklearn_kernelclust._gram._base import Gram
from sklearn_kernelclust._gram._factored import FactoredGram
from sklearn_kernelclust._kmeans._lloyd import fill_empty, fingerprints
from sklearn_kernelclust._kmeans._runs import Problem
from sklearn_kernelclust.metrics import kernel_inertia


@st.composite
def starts(draw, elements):
    """Objects, labels of all clusters, and weights."""
    n, d, k = draw(st.integers(4, 14)), draw(st.integers(1, 3)), draw(st.integers(2, 4))
    rows = st.lists(elements, min_size=n * d, max_size=n * d)
    X = np.array(draw(rows), dtype=float).reshape(n, d)
    labels = draw(st.lists(st.integers(0, k - 1), min_size=n, max_size=n))
    labels = np.array(labels)
    labels[:k] = np.arange(k)
    return X, labels, k


grids = starts(st.integers(-2, 2))  # full of ties
wild = starts(st.sampled_from([0.0, 1 / 3, -2 / 3, 0.1, 1e-2, 7.0, -1e2]))
generic = st.integers(0, 10**6).map(
    lambda seed: (
        np.random.default_rng(seed).normal(size=(15, 2)),
        np.r_[np.arange(3), np.random.default_rng(seed).integers(0, 3, 12)],
        3,
    )
)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("algorithm", ["lloyd", "split-merge"])
@given(start=st.one_of(grids, wild, generic))
@settings(max_examples=150)
def test_equal_to_explicit_means(algorithm, start):
    """Every iteration moves as many objects as the textbook, to the same end."""
    X, labels, k = start
    loo = algorithm == "split-merge"
    X = X - np.median(X, axis=0)  # ties are relative to the distance to it
    try:
        path = references.lloyd(X, labels, k, leave_one_out=loo)
    except references.Emptied:
        assume(False)
    model = KernelKMeans(k, kernel="linear", algorithm=algorithm, init=labels).fit(X)
    moved = [np.count_nonzero(a != b) for a, b in pairwise(path)]
    n = min(len(moved), model.n_iter_)
    assert_array_equal(model.n_reassignments_[:n], moved[:n])
    if model.converged_ and not loo:
        same = np.unique(path[-1], return_inverse=True)[1]
        assert_array_equal(model.labels_, same)
        assert_array_equal(model.predict(X), model.labels_)


@pytest.mark.parametrize("k", [2, 5, 12])
def test_equal_to_scikit_learn(k, seed):
    X, _ = make_blobs(300, 4, centers=k, cluster_std=4, random_state=seed)
    labels = np.random.default_rng(seed).integers(0, k, len(X))
    centers = np.array([X[labels == c].mean(axis=0) for c in range(k)])
    theirs = KMeans(k, init=centers, n_init=1, tol=0, algorithm="lloyd").fit(X)
    ours = KernelKMeans(k, kernel="linear", init=labels).fit(X)
    assert_array_equal(ours.labels_, theirs.labels_)
    assert_allclose(ours.inertia_, theirs.inertia_)


@pytest.mark.filterwarnings("ignore:Number of distinct clusters")
@pytest.mark.parametrize("init", ["k-means++", "random"])
@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_empty_clusters_are_filled_whatever_the_rounding(kernel, init, monkeypatch):
    """Equal objects are at distances of their mean that only rounding tells apart."""
    fits = []
    for _ in range(2):
        for s in range(6):
            X = np.random.RandomState(s).standard_normal((4, 2)) * (s % 2)
            X = np.repeat(np.vstack([X, np.zeros((1, 2)), 7 * np.eye(2)]), 5, axis=0)
            model = KernelKMeans(9, kernel=kernel, init=init, n_init=1, random_state=s)
            fits.append(model.fit(X))
            assert_array_equal(model.predict(X), model.labels_)
            assert len({*map(tuple, np.c_[X, model.labels_])}) == len({*map(tuple, X)})
        monkeypatch.setattr(Gram, "__matmul__", rounded_otherwise(Gram.__matmul__))
    for model, other in zip(fits, fits[6:]):
        assert_array_equal(model.labels_, other.labels_)
        assert_array_equal(model.n_reassignments_, other.n_reassignments_)


def test_keys_of_partitions_do_not_depend_on_others():
    few, many = np.zeros(300, dtype=int), np.arange(300)
    assert fingerprints([few]) == fingerprints([few, many])[:1]
    assert len(set(fingerprints([few, many, 299 - many]))) == 3


def test_keys_of_partitions_differ():
    rng = np.random.default_rng(0)
    partitions = rng.integers(8, size=(5000, 40))
    partitions[1::2] = partitions[::2]
    partitions[1::2, 7] ^= 4  # one object, to a cluster a power of two away
    assert len(set(fingerprints(partitions))) == len(np.unique(partitions, axis=0))


def test_empty_clusters_get_the_farthest_objects():
    X = np.array([[0.0], [0.1], [5.0], [9.0]])
    problem = Problem(FactoredGram(X, X))
    labels = np.array([0, 0, 0, 0])
    filled = fill_empty(problem, labels, [1, 3], np.array([0.2, 0.1, 2.0, 7.0]))
    assert_array_equal(filled, [0, 0, 3, 1])


def test_the_last_object_and_weightless_ones_are_not_taken():
    X = np.array([[0.0], [9.0], [9.0]])
    problem = Problem(FactoredGram(X, X), np.array([1.0, 1.0, 0.0]))
    labels = np.array([0, 1, 1])
    distances = np.array([5.0, 5.0, 5.0])
    assert_array_equal(fill_empty(problem, labels, [2], distances), labels)


def test_clusters_that_empty_are_filled_again():
    X = np.array([[0.0], [1.0], [10.0], [11.0], [40.0]])
    model = KernelKMeans(3, kernel="linear", init=[0, 1, 0, 1, 2]).fit(X)
    assert_array_equal(np.bincount(model.labels_), [2, 2, 1])


def cycling():
    """A kernel on which batch kernel k-means runs in a circle."""
    for seed in range(100):
        rng = np.random.default_rng(seed)
        A = rng.normal(size=(20, 20))
        labels = np.r_[0, 1, rng.integers(0, 2, 18)]
        yield A + A.T, labels


def test_cycles_are_finished_by_single_moves():
    n_cycles = 0
    for K, labels in cycling():
        model = KernelKMeans(2, kernel="precomputed", init=labels, max_oscillations=3)
        model.fit(K)
        long = KernelKMeans(2, kernel="precomputed", init=labels, max_oscillations=9)
        long.fit(K)
        assert model.converged_ and long.converged_
        assert_array_equal(model.labels_, long.labels_)
        if model.n_iter_ < long.n_iter_:
            n_cycles += 1
            assert long.n_iter_ == model.n_iter_ + 6
            assert references.best_single_move(K, model.labels_, 2) >= -1e-9
        start = kernel_inertia(K, labels)
        assert model.inertia_ <= start + 1e-9
        assert_allclose(model.inertia_, kernel_inertia(K, model.labels_))
        assert_array_equal(model.predict(K), model.labels_)
    assert n_cycles > 50


def nearest_by_definition(K, labels, k):
    """Clusters of the nearest means; None if there is none without objects."""
    Z = (labels[:, None] == np.arange(k)) / np.bincount(labels, minlength=k)
    norms = np.einsum("ic,ij,jc->c", Z, K, Z)
    new = (norms - 2 * K @ Z).argmin(axis=1)
    return new if len(set(new)) == k else None


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("max_iter", [100, 7])
def test_laps_are_counted_as_if_they_were_computed(max_iter):
    limits = {"max_oscillations": 9, "max_iter": max_iter}
    n_compared = 0
    for K, labels in cycling():
        model = KernelKMeans(2, kernel="precomputed", init=labels, **limits).fit(K)
        moves, visited, n_returns = [], {tuple(labels)}, 0
        while labels is not None and len(moves) < max_iter and n_returns < 9:
            new = nearest_by_definition(K, labels, 2)
            moves.append(-1 if new is None else np.count_nonzero(new != labels))
            labels = new
            if new is None or not moves[-1]:
                break
            n_returns += tuple(new) in visited
            visited.add(tuple(new))
        if labels is not None:
            n_compared += n_returns > 1
            assert_array_equal(moves, model.n_reassignments_[: len(moves)])
            assert model.n_iter_ <= max_iter
    assert n_compared > 12


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_empty_clusters_get_no_object_that_predict_would_return(seed):
    """At 1e6 from the origin, objects differ by about what counts as a tie."""
    X = np.random.default_rng(seed).normal(size=(80, 3)) + 1e6
    K = SubpolynomialKernel().fit_transform(X @ X.T)
    model = KernelKMeans(4, kernel="precomputed", n_init=3, random_state=0).fit(K)
    assert_array_equal(model.predict(K), model.labels_)

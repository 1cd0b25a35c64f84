"""One object at a time."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
import references
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import make_blobs

from sklearn_kernelclust import KernelKMeans
from sklearn_kernelclust._gram._stored import DenseGram
from sklearn_kernelclust._kmeans import _hartigan
from sklearn_kernelclust._kmeans._hartigan import improvable, move_among
from sklearn_kernelclust._kmeans._runs import Problem, begin


def indefinite(seed, n=18):
    A = np.random.default_rng(seed).normal(size=(n, n))
    return A + A.T


def start(seed, n, k):
    return np.r_[np.arange(k), np.random.default_rng(seed).integers(0, k, n - k)]


def make_run(K, labels, k, weight=None):
    problem = Problem(DenseGram.training(K), weight)
    sums = problem.gram.cluster_sums([k], problem.weight)
    return problem, sums, begin(problem, sums, [labels])[0]


@pytest.mark.parametrize("integer", [False, True])
def test_no_move_improves_the_end(integer, seed):
    """And every single move was tried by recomputing the objective."""
    K = indefinite(seed)
    K = np.round(K) if integer else K
    labels = start(seed, len(K), 3)
    model = KernelKMeans(3, kernel="precomputed", algorithm="hartigan", init=labels)
    model.fit(K)
    assert model.converged_
    assert references.best_single_move(K, model.labels_, 3) >= -1e-7
    assert model.inertia_ <= references.kernel_objective(K, labels)
    assert_allclose(model.inertia_, references.kernel_objective(K, model.labels_))


def test_candidates_are_those_that_a_move_improves(seed):
    K = indefinite(seed)
    labels = start(seed, len(K), 4)
    expected = []
    now = references.kernel_objective(K, labels)
    for i in range(len(K)):
        others = [np.where(np.arange(len(K)) == i, c, labels) for c in range(4)]
        alone = np.count_nonzero(labels == labels[i]) == 1
        if not alone and min(references.kernel_objective(K, o) for o in others) < now:
            expected.append(i)
    problem, sums, run = make_run(K, labels, 4)
    assert_array_equal(improvable(problem, sums, [run]), [expected])


def test_each_move_sees_the_moves_before_it(seed):
    K, k = indefinite(seed), 3
    labels = start(seed, len(K), k)
    found = move_among(*make_run(K, labels, k), np.arange(len(K)))
    for i in range(len(K)):
        if np.count_nonzero(labels == labels[i]) == 1:
            continue
        tries = []
        for c in range(k):
            other = labels.copy()
            other[i] = c
            tries.append(references.kernel_objective(K, other))
        labels[i] = np.argmin(tries)
    assert_array_equal(found, labels)


@pytest.mark.parametrize("unit", [0.01, 100.0])
def test_the_unit_of_weights_does_not_matter(unit, seed):
    K, weight = indefinite(seed), np.random.default_rng(seed).uniform(1, 2, 18)
    labels, every = start(seed, 18, 3), np.arange(18)
    expected = move_among(*make_run(K, labels, 3, weight), every)
    assert (expected != labels).any()
    found = move_among(*make_run(K, labels, 3, unit * weight), every)
    assert_array_equal(found, expected)


def test_batches_do_not_matter(seed, monkeypatch):
    K = indefinite(seed, 60)
    labels = start(seed, 60, 4)
    model = KernelKMeans(4, kernel="precomputed", algorithm="hartigan", init=labels)
    whole = model.fit(K).labels_
    monkeypatch.setattr(_hartigan, "CANDIDATES", 1)
    # In the same sweep a batch of one hears of all moves before it, too.
    assert_array_equal(model.fit(K).labels_, whole)


def test_a_diagonal_shift_cancels(seed):
    X, _ = make_blobs(80, 3, centers=4, random_state=seed)
    K = X @ X.T
    labels = start(seed, 80, 4)
    model = KernelKMeans(4, kernel="precomputed", algorithm="hartigan", init=labels)
    plain = model.fit(K)
    path, found, inertia = plain.n_reassignments_, plain.labels_, plain.inertia_
    shifted = model.fit(K - 7 * np.eye(80))
    assert_array_equal(shifted.n_reassignments_, path)
    assert_array_equal(shifted.labels_, found)
    assert_allclose(shifted.inertia_, inertia - 7 * (80 - 4))


def test_weights_are_copies(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(25, 2))
    weight = rng.integers(1, 4, 25)
    copies = np.repeat(np.arange(25), weight)
    labels = start(seed, 25, 3)
    model = KernelKMeans(3, kernel="linear", algorithm="hartigan", init=labels)
    model.fit(X, sample_weight=weight)
    twin = KernelKMeans(
        3, kernel="linear", algorithm="hartigan", init=model.labels_[copies]
    )
    twin.fit(X[copies])
    assert_allclose(
        references.objective(X[copies], model.labels_[copies]), model.inertia_
    )
    assert twin.inertia_ <= model.inertia_ * (1 + 1e-12)


def test_on_a_positive_kernel_the_end_is_a_fixed_point_of_lloyd(seed):
    X, _ = make_blobs(100, 3, centers=5, cluster_std=3, random_state=seed)
    model = KernelKMeans(5, algorithm="hartigan", gamma=0.02, random_state=seed).fit(X)
    assert_array_equal(model.predict(X), model.labels_)
    batch = KernelKMeans(5, gamma=0.02, init=model.labels_).fit(X)
    assert batch.n_iter_ == 1

"""Means in feature space, against explicit ones."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from samples import problem_and_starts

from sklearn_kernelclust._gram._stored import DenseGram
from sklearn_kernelclust._kmeans._means import Means
from sklearn_kernelclust._kmeans._runs import Problem
from sklearn_kernelclust._kmeans._solve import solve


def test_distances_to_explicit_means(seed):
    rng = np.random.default_rng(seed)
    X, Y, weight = rng.normal(size=(40, 3)), rng.normal(size=(9, 3)), rng.random(40)
    problem = Problem(DenseGram.training(X @ X.T), weight)
    [run] = solve(problem, [np.arange(40) % 4], 4)
    means = Means(problem, run)
    centers = [
        np.average(X[means.labels == c], axis=0, weights=weight[means.labels == c])
        for c in range(4)
    ]
    new = (Y @ X.T @ means.coef).T, (Y**2).sum(axis=1)
    exact = ((Y[:, None] - np.array(centers)) ** 2).sum(axis=2)
    squared, labels = means.squared_distances(*new)
    assert_allclose(squared, exact, atol=1e-12)
    assert_array_equal(labels, exact.argmin(axis=1))
    assert_array_equal(means.nearest(*new), labels)
    assert_allclose(means.distances(*new), np.sqrt(exact), atol=1e-7)
    assert_allclose(means.coef.T @ X, centers)
    assert_allclose(means.norms, (np.array(centers) ** 2).sum(axis=1))


def test_a_shift_holds_the_training_objects_only(seed):
    """Any partition of the training objects is repeated; new objects have no shift."""
    problem, [start] = problem_and_starts(seed, n_runs=1)
    [run] = solve(problem, [start], 4, algorithm="split-merge", max_iter=1)
    run.labels = run.members = start
    run.mass = np.bincount(start).astype(float)
    K = problem.gram.toarray()
    run.norms = np.array([K[np.ix_(start == c, start == c)].mean() for c in range(4)])
    sums = problem.gram.cluster_sums([4])
    sums.set(np.array([0]), start[None])
    run.shift = sums.holding_shift(0, start, run.mass, run.norms)
    means = Means(problem, run)
    S, everyone = (K @ means.coef).T, np.arange(len(K))
    assert_array_equal(means.nearest(S, problem.diagonal, everyone), start)
    S, nobody = ((K + 1e-3) @ means.coef).T, np.full(len(K), -1)
    plain = (run.norms + run.shift / run.mass - 2 * (K + 1e-3) @ means.coef).argmin(1)
    assert_array_equal(means.nearest(S, problem.diagonal, nobody), plain)

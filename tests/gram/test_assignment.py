"""The nearest means, and the rule for ties."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import references
from numpy.testing import assert_array_equal

from sklearn_kernelclust._gram._assignment import assign
from sklearn_kernelclust._kmeans._means import nearest as nearest_mean


def nearest(S, mass, norms, diagonal, tie):
    """By the rule of runs and by that of means, which must be the same."""
    [result] = assign([S], mass[None], norms[None], diagonal, tie)
    means = S / np.where(mass > 0, mass, 1)[:, None]
    by_means = nearest_mean(means, norms, diagonal, tie)
    assert_array_equal(by_means, result)
    return result


def assign_one(S, mass, norms, diagonal, tie, labels, *rule):
    [result] = assign([S], mass[None], norms[None], diagonal, tie, labels[None], *rule)
    return result


def test_tie_rule():
    S = np.array(
        [[1.0, 1.0, 1.0], [1.0 + 1e-13, 1.0 + 1e-6, 1.0 - 1e-13], [0.0, 0.0, 0.0]]
    )
    mass, norms, diagonal = np.ones(3), np.zeros(3), np.ones(3)
    assert_array_equal(nearest(S, mass, norms, diagonal, 1e-10), [0, 1, 0])
    labels = np.array([1, 0, 1])
    assert_array_equal(assign_one(S, mass, norms, diagonal, 1e-10, labels), [1, 1, 1])
    away = np.array([2, 2, 2])
    assert_array_equal(assign_one(S, mass, norms, diagonal, 1e-10, away), [0, 1, 0])


def test_nearest_over_many_blocks(seed):
    rng = np.random.default_rng(seed)
    k, n = 700, 400
    S, mass, norms = rng.normal(size=(k, n)), 1 + rng.random(k), rng.random(k)
    expected = (norms[:, None] - 2 * S / mass[:, None]).argmin(axis=0)
    assert_array_equal(nearest(S, mass, norms, np.zeros(n), 1e-10), expected)


def clusters(seed, k=4, n=40):
    """Weighted objects in clusters, of which one has a single object."""
    rng = np.random.default_rng(seed)
    X, weight = rng.normal(size=(n, 3)), 1 + rng.random(n)
    labels = np.r_[np.arange(k), rng.integers(0, k - 1, n - k)]
    Z = weight[:, None] * (labels[:, None] == np.arange(k))
    S, mass, diagonal = (X @ X.T @ Z).T, Z.sum(axis=0), (X**2).sum(axis=1)
    norms = (S * Z.T).sum(axis=1) / mass**2
    return X, weight, labels, (S, mass, norms, diagonal, 1e-12)


def test_the_own_mean_may_leave_the_object_out(seed):
    X, weight, labels, means = clusters(seed)
    D = references.distances(X, labels, 4, weight, leave_one_out=True)
    result = assign_one(*means, labels, weight, "leave-one-out")
    assert_array_equal(result, D.argmin(axis=1))
    assert result[3] == 3


def test_single_moves_go_where_the_objective_is_lowest(seed):
    X, weight, labels, means = clusters(seed)
    result = assign_one(*means, labels, weight, "single-move")
    for i in range(len(X)):
        others = np.array([np.where(np.arange(40) == i, c, labels) for c in range(4)])
        objectives = [references.objective(X, other, weight) for other in others]
        # The only object of a cluster stays.
        expected = 3 if i == 3 else np.argmin(objectives)
        assert result[i] == expected


def test_an_empty_cluster_attracts_a_single_move():
    _, weight, labels, (S, mass, norms, *rest) = clusters(0)
    S, mass = np.r_[S, np.zeros((1, 40))], np.r_[mass, 0]
    norms = np.r_[norms, np.inf]
    result = assign_one(S, mass, norms, *rest, labels, weight, "single-move")
    assert (result[labels != 3] == 4).all()
    assert_array_equal(
        nearest(S, mass, norms, *rest), nearest(S[:4], mass[:4], norms[:4], *rest)
    )


def test_several_runs_are_each_alone(seed):
    rng = np.random.default_rng(seed)
    S, mass = rng.normal(size=(3, 5, 80)), 1 + rng.random((3, 5))
    norms, diagonal, weight = rng.random((3, 5)), rng.random(80), rng.random(80)
    labels = rng.integers(0, 3, (3, 80))
    mass[1, 3:], norms[1, 3:] = 0, np.inf  # three clusters, not five
    sums = [S[0], S[1, :3], S[2]]
    for rule in ("mean", "leave-one-out", "single-move"):
        batch = assign(sums, mass, norms, diagonal, 1e-12, labels, weight, rule)
        for r, result in enumerate(batch):
            k = len(sums[r])
            alone = sums[r], mass[r, :k], norms[r, :k], diagonal, 1e-12, labels[r]
            assert_array_equal(result, assign_one(*alone, weight, rule))
            assert result.max() < k

"""Several runs in step."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import references
from numpy.testing import assert_allclose, assert_array_equal
from samples import problem_and_starts

from sklearn_kernelclust._kmeans._assignment import nearest
from sklearn_kernelclust._kmeans._runs import (
    nearest_of,
    place_together,
    start_together,
)


def test_objectives_are_those_of_the_partitions(seed):
    problem, starts = problem_and_starts(seed)
    K = problem.gram.toarray()
    runs = start_together([problem] * 3, starts)
    place_together(runs, starts[1:] + starts[:1])
    for run, start in zip(runs, starts):
        before = references.kernel_objective(K, start)
        now = references.kernel_objective(K, run.labels)
        assert_allclose([run.start_objective, run.objective], [before, now])
        assert_allclose(run.best[0], min(before, now))


def test_nearest_of_runs_with_fewer_clusters(seed):
    problem, starts = problem_and_starts(seed)
    starts[1] = starts[1] % 2
    runs = start_together([problem] * 3, starts, [4, 2, 4])
    found = nearest_of(runs)
    assert found[1].max() == 1
    for run, labels in zip(runs, found):
        k = run.n_clusters
        alone = run.S[:k], run.mass[:k], run.norms[:k], problem.diagonal, problem.tie
        assert_array_equal(labels, nearest(*alone))


def test_returns_are_counted():
    problem, starts = problem_and_starts(0, n_runs=1)
    [run] = start_together([problem], starts)
    for n_moved, key in enumerate([b"a", b"b", b"a"]):
        run.n_reassignments.append(n_moved)
        run.move(starts[0], key)
    assert (run.n_returns, run.period) == (1, 2)


def test_rounds_after_a_return():
    problem, starts = problem_and_starts(0, n_runs=1)
    for max_iter, max_oscillations, expected in [(100, 5, 4), (100, 1, 0), (6, 5, 2)]:
        [run] = start_together([problem], starts)
        run.n_reassignments, run.period, run.n_returns = [9, 8, 3, 2], 2, 1
        run.go_round(max_iter, max_oscillations)
        assert run.n_reassignments == [9, 8, 3, 2] + [3, 2, 3, 2][:expected]
        assert run.n_returns == 1 + expected

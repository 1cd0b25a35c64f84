"""Runs and their objectives."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import references
from numpy.testing import assert_allclose
from samples import problem_and_starts

from sklearn_kernelclust._kmeans._runs import Run, begin, place


def test_objectives_are_those_of_the_partitions(seed):
    problem, starts = problem_and_starts(seed)
    K = problem.gram.toarray()
    sums = problem.gram.cluster_sums([4] * 3)
    runs = begin(problem, sums, starts)
    place(problem, sums, runs, starts[1:] + starts[:1])
    for run, start in zip(runs, starts):
        before = references.kernel_objective(K, start)
        now = references.kernel_objective(K, run.labels)
        assert_allclose([run.start_objective, run.objective], [before, now])
        assert_allclose(run.best_objective, min(before, now))
        assert_allclose(
            references.kernel_objective(K, run.best_labels), min(before, now)
        )


def test_returns_are_counted():
    labels = np.arange(3)
    run = Run(0, labels, 3)
    for n_moved, key in enumerate([b"a", b"b", b"a"]):
        run.n_reassignments.append(n_moved)
        run.take(labels, key)
    assert (run.n_returns, run.period) == (1, 2)


def test_laps_after_a_return():
    for max_iter, max_oscillations, expected in [(100, 5, 4), (100, 1, 0), (6, 5, 2)]:
        run = Run(0, np.arange(3), 3)
        run.n_reassignments, run.period, run.n_returns = [9, 8, 3, 2], 2, 1
        run.count_laps(max_iter, max_oscillations)
        assert run.n_reassignments == [9, 8, 3, 2] + [3, 2, 3, 2][:expected]
        assert run.n_returns == 1 + expected


def test_no_laps_without_a_return():
    run = Run(0, np.arange(3), 3)
    run.n_reassignments = [9, 8]
    run.count_laps(100, 5)
    assert run.n_reassignments == [9, 8]

"""Runs and their objectives."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import references
from numpy.testing import assert_allclose
from samples import problem_and_starts
from scipy.sparse import csr_array, random

from sklearn_kernelclust._gram._factored import FactoredGram
from sklearn_kernelclust._kmeans._runs import (
    FEW_OBJECTS,
    Run,
    begin,
    place,
    stored_for,
)


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


def factored(n, density=0.3):
    A = csr_array(random(n, 20, density=density, random_state=0))
    return FactoredGram(A, A, symmetric=True)


def test_few_sparse_objects_are_stored_for_many_runs():
    gram = factored(50)
    stored = stored_for(gram, 10, 10)
    assert stored.cost == 50 * 50
    assert_allclose(stored.toarray(), gram.toarray())
    assert_allclose(stored.diagonal(), gram.diagonal())


def test_factors_are_kept_where_they_cost_less():
    many, empty, wanted = factored(FEW_OBJECTS + 1), factored(1000, 0.01), factored(50)
    assert stored_for(many, 10, 10) is many
    assert stored_for(empty, 2, 1) is empty
    dense = FactoredGram(*2 * (wanted.A.toarray(),), symmetric=True)
    assert stored_for(dense, 10, 10) is dense

"""Several runs at once, and the choice of the best."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from samples import problem_and_starts

from sklearn_kernelclust import KernelKMeans
from sklearn_kernelclust._gram._factored import FactoredGram
from sklearn_kernelclust._gram._stored import DenseGram
from sklearn_kernelclust._kmeans._runs import Problem, Run
from sklearn_kernelclust._kmeans._solve import best_run, draw_starts, run_batches, solve

ALGORITHMS = ["lloyd", "split-merge", "hartigan"]


def test_batched_runs_are_fits(seed):
    X = np.random.default_rng(seed).normal(size=(120, 3))
    X -= X.mean(axis=0)
    starts = [np.random.default_rng(s).integers(0, 6, 120) for s in range(4)]
    for start, run in zip(starts, solve(Problem(FactoredGram(X, X)), starts, 6)):
        model = KernelKMeans(6, kernel="linear", init=start).fit(X)
        labels = np.unique(run.labels, return_inverse=True)[1]
        assert_array_equal(model.labels_, labels)
        assert_array_equal(model.n_reassignments_, run.n_reassignments)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("definite", [True, False])
def test_runs_do_not_depend_on_others(algorithm, definite, seed):
    """With other numbers of clusters, and in other batches."""
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(50, 50))
    problem = Problem(DenseGram.training(A @ A.T if definite else A + A.T))
    ks = [2, 5, 3, 5]
    starts = [np.r_[np.arange(k), rng.integers(0, k, 50 - k)] for k in ks]
    runs = solve(problem, starts, ks, algorithm=algorithm)
    for run, start, k in zip(runs, starts, ks):
        [alone] = solve(problem, [start], k, algorithm=algorithm)
        assert_array_equal(run.labels, alone.labels)
        assert run.n_reassignments == alone.n_reassignments
        assert run.converged
        assert_allclose([run.objective, run.shift], [alone.objective, alone.shift])


def test_a_run_that_is_cut_short_has_the_means_before(seed):
    problem, starts = problem_and_starts(seed)
    for run in solve(problem, starts, 4, max_iter=1):
        if not run.converged:
            assert run.objective <= run.start_objective
            sums = problem.gram.cluster_sums([4])
            sums.set(np.array([0]), run.members[None])
            means = run.mass[None], run.norms[None]
            assert_array_equal(sums.nearest(np.array([0]), *means)[0], run.labels)
            assert run.shift == 0


def test_starts():
    problem, _ = problem_and_starts(0)
    for init in ("random", "k-means++"):
        starts = draw_starts(problem, 4, init, [3, 5])
        [again] = draw_starts(problem, 4, init, [5])
        assert_array_equal(starts[1], again)
        assert (starts[0] != starts[1]).any()


def test_batches_keep_within_memory(monkeypatch):
    monkeypatch.setattr("sklearn_kernelclust._kmeans._solve.SUMS_BYTES", 8 * 10 * 3 * 4)
    assert run_batches(10, 9, 3) == [slice(0, 4), slice(4, 8), slice(8, 9)]
    assert run_batches(10**9, 2, 3) == [slice(0, 1), slice(1, 2)]


def ended(objective):
    run = Run(0, np.arange(3), 3)
    run.objective = objective
    return run


def test_of_equally_good_runs_the_first():
    problem, _ = problem_and_starts(0)
    runs = [ended(objective) for objective in (5.0, 2.0 + 1e-14, 2.0)]
    assert best_run(problem, runs) is runs[1]


def test_an_objective_that_is_not_finite_is_refused():
    problem, _ = problem_and_starts(0)
    with pytest.raises(ValueError, match="objective of kernel k-means is inf"):
        best_run(problem, [ended(np.inf)])

"""Two clusters of features against the general solver."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest

from sklearn_kernelclust._gram._factored import FactoredGram
from sklearn_kernelclust._gram._stored import DenseGram
from sklearn_kernelclust._kmeans._runs import Problem
from sklearn_kernelclust._kmeans._solve import best_run, draw_starts, solve
from sklearn_kernelclust._kmeans._two_means import (
    DenseFeatures,
    two_means_of_features,
    two_means_of_problem,
)


def centred(seed, n=200, m=6):
    rng = np.random.RandomState(seed)
    X = rng.standard_normal((n, m)) + 2 * rng.standard_normal((5, m))[rng.randint(5)]
    return X - X.mean(axis=0)


def factored(A, weight=None):
    return Problem(FactoredGram(A, A, symmetric=True), weight)


@pytest.mark.parametrize("init", ["random", "k-means++"])
@pytest.mark.parametrize("n_init", [1, 5])
@pytest.mark.parametrize("seed", range(5))
def test_the_result_is_that_of_the_general_solver(seed, n_init, init):
    problem = factored(centred(seed))
    starts = draw_starts(problem, 2, init, range(n_init))
    result = two_means_of_problem(problem, starts, 100)
    runs = solve(problem, starts, 2, max_iter=100, single_moves=False)
    expected = best_run(problem, runs)
    assert np.array_equal(result.members, expected.members)
    assert np.array_equal(result.mass, expected.mass)
    assert (result.n_iter, result.converged) == (expected.n_iter, True)


@pytest.mark.parametrize("n_init", [1, 5])
@pytest.mark.parametrize("shift", [0, 1, 10])
def test_features_need_not_be_centred(shift, n_init):
    A = centred(shift)
    problem = factored(A)
    starts = draw_starts(problem, 2, "random", range(n_init))
    expected = two_means_of_problem(problem, starts, 100)
    X = A + shift
    longest = (X**2).sum(axis=1).max()
    features = DenseFeatures(X, X.mean(axis=0), problem.total, longest)
    result = two_means_of_features(features, starts, 100)
    assert np.array_equal(result.members, expected.members)
    assert result.n_iter == expected.n_iter
    total = A[result.members == 1].sum(axis=0)
    np.testing.assert_allclose(result.sum, total, atol=1e-10)
    np.testing.assert_allclose(expected.sum, total, atol=1e-10)


def test_the_general_solver_is_needed_for_other_kernels_and_weights():
    A = centred(0)
    starts = draw_starts(factored(A), 2, "random", [0])
    others = [
        Problem(DenseGram.training(A @ A.T)),
        factored(A.astype(np.float32)),
        factored(A, np.linspace(0.5, 1, len(A))),
    ]
    for problem in others:
        assert two_means_of_problem(problem, starts, 100) is None


def test_the_general_solver_is_needed_where_rounding_would_decide():
    """An object between the means, an empty cluster, too few iterations."""
    line = np.array([[-2.0], [-1], [0], [1], [2]])
    between = [np.array([0, 0, 0, 1, 1])]
    assert two_means_of_problem(factored(line), between, 100) is not None
    assert (
        two_means_of_problem(factored(line), [np.array([0, 1, 0, 1, 0])], 100) is None
    )
    assert two_means_of_problem(factored(line), [np.zeros(5, int)], 100) is None
    problem = factored(centred(1))
    starts = draw_starts(problem, 2, "random", [0])
    assert two_means_of_problem(problem, starts, 1) is None

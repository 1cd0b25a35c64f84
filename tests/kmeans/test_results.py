"""The ends of runs."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from samples import problem_and_starts

from sklearn_kernelclust._kmeans._results import Result, finish, first_of_the_best
from sklearn_kernelclust._kmeans._runs import nearest_of, place_together, start_together


def test_the_means_give_the_labels_back(seed):
    problem, starts = problem_and_starts(seed)
    runs = start_together([problem] * 3, starts)
    for result in finish(runs):
        assert not result.converged
        assert result.objective <= result.start_objective
        place_together(runs[:1], [result.members])
        assert_array_equal(nearest_of(runs[:1])[0], result.labels)
        assert_allclose(runs[0].mass, result.mass)
        assert_allclose(runs[0].norms, result.norms)


def ended(objective):
    none = np.empty(0)
    return Result(none, none, none, none, objective, objective, True, 0, [])


def test_of_equally_good_ends_the_first():
    problem, _ = problem_and_starts(0)
    results = [ended(objective) for objective in (5.0, 2.0 + 1e-14, 2.0)]
    assert first_of_the_best(results, problem) is results[1]


def test_an_objective_that_is_not_finite_is_refused():
    problem, _ = problem_and_starts(0)
    with pytest.raises(ValueError, match="objective of kernel k-means is inf"):
        first_of_the_best([ended(np.inf)], problem)

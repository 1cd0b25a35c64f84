"""The means of a run give its labels back."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from sklearn_kernelclust._gram._stored import DenseGram
from sklearn_kernelclust._kmeans._means import Means
from sklearn_kernelclust._kmeans._runs import Problem
from sklearn_kernelclust._kmeans._solve import solve


def kernel(seed, kind):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, (40, 3)) if kind == "ties" else rng.normal(size=(40, 3))
    K = (X @ X.T).astype(float)
    return K - np.diag(K.diagonal()) if kind == "indefinite" else K


@pytest.mark.parametrize("max_iter", [1, 2, 100])
@pytest.mark.parametrize("algorithm", ["lloyd", "split-merge", "hartigan"])
@pytest.mark.parametrize("kind", ["plain", "ties", "indefinite"])
def test_labels_come_back(kind, algorithm, max_iter, seed):
    K = kernel(seed, kind)
    problem = Problem(DenseGram.training(K))
    start = np.random.default_rng(seed).permutation(40) % 4
    [run] = solve(problem, [start], 4, algorithm=algorithm, max_iter=max_iter)
    means, everyone = Means(problem, run), np.arange(40)
    S = np.ascontiguousarray((K @ means.coef).T)
    assert_array_equal(means.nearest(S, problem.diagonal, everyone), means.labels)
    assert run.shift >= 0


def test_a_fixed_point_of_a_definite_kernel_needs_no_shift(seed):
    problem = Problem(DenseGram.training(kernel(seed, "plain")))
    [run] = solve(problem, [np.arange(40) % 4], 4)
    assert run.converged and run.shift == 0
    assert_array_equal(run.members, run.labels)

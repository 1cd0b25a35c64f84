"""Cuts by two means: of features as they are against those of centred ones."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from clusterings import spread
from grams import make_gram
from numpy.testing import assert_allclose, assert_array_equal

from sklearn_kernelclust._divisive._splitters import KernelObjects
from sklearn_kernelclust._divisive._two_means_cut import (
    centered_problem,
    two_means,
    two_means_as_they_are,
)
from sklearn_kernelclust._kmeans._solve import draw_starts


def of_features(X):
    return KernelObjects(make_gram(X, kernel="linear"))


@pytest.mark.parametrize("n_init", [1, 4])
@pytest.mark.parametrize("shape", [(60, 5), (20, 50)])
@pytest.mark.parametrize("shift", [10, 11])
def test_the_cut_is_that_of_centred_features(shift, shape, n_init, seed):
    objects, seeds = of_features(spread(*shape, seed) - shift), np.arange(n_init)
    gram, centered_gram = objects.prepared(store=False)
    problem = centered_problem(gram, centered_gram)
    starts = draw_starts(problem, 2, "random", seeds)
    expected, expected_side = two_means(objects, gram, centered_gram, starts, 100)
    cut, side = two_means_as_they_are(objects, seeds, None, 100)
    assert_array_equal(side, expected_side)
    assert_allclose(cut.directions, expected.directions, atol=1e-12)
    for name in ("offset", "norms", "scale"):
        values = getattr(expected, name)
        size = np.abs(values).max() + np.abs(expected.norms).max()
        assert_allclose(getattr(cut, name), values, atol=1e-9 * size)
    assert (cut.n_iter, cut.converged) == (expected.n_iter, expected.converged)
    assert_array_equal(cut.side(gram.toarray()), side)


def test_centred_features_are_needed_far_from_the_mean_and_for_other_kernels():
    X = spread(60, 5, 0)
    others = [
        of_features(X + 1e4),
        of_features(X.astype(np.float32)),
        KernelObjects(make_gram(X, kernel="linear"), np.linspace(1, 2, 60)),
        KernelObjects(make_gram(X, kernel="rbf", gamma=0.1)),
        of_features(np.ones((5, 2))),
    ]
    for objects in others:
        assert two_means_as_they_are(objects, [0], None, 100) is None

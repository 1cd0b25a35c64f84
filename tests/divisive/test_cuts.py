"""Cuts beside brute force."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from grams import make_gram
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array

from sklearn_kernelclust._divisive._cuts import (
    Gaps,
    NearestMeanCut,
    OrthantCut,
    inner_sums_of_prefixes,
    inner_sums_on_line,
    nearest_mean_cut,
    orthant_cut,
)
from sklearn_kernelclust._gram._wrappers import centered
from sklearn_kernelclust.metrics import kernel_inertia


def best_by_trying_all(K, values):
    """Objective and first part of the best of all cuts in the order of values."""
    order = np.argsort(values, kind="stable")
    found = []
    for t in range(1, len(values)):
        labels = np.zeros(len(values), dtype=int)
        labels[order[t:]] = 1
        found.append((kernel_inertia(K, labels), t))
    return min(found)[0]


@pytest.mark.parametrize("kind", [np.asarray, csr_array])
@pytest.mark.parametrize("kernel", ["linear", "rbf", "poly"])
def test_best_cut_is_the_best_of_all_cuts(kind, kernel, seed):
    X = np.random.default_rng(seed).normal(size=(40, 3))
    gram = make_gram(kind(X), kernel=kernel, gamma=0.3)
    values = X[:, 0] - X[:, 0].mean()
    gaps = Gaps(values, 1e-12)
    threshold = gaps.best(inner_sums_of_prefixes(centered(gram), gaps.order))
    found = kernel_inertia(gram, values > threshold)
    assert found == pytest.approx(best_by_trying_all(gram, values))


def test_best_cut_on_a_line_is_the_best_of_all_cuts(seed):
    values = np.random.default_rng(seed).normal(size=50) + 3
    gaps = Gaps(values, 1e-12)
    threshold = gaps.best(inner_sums_on_line(gaps.sorted))
    K = np.outer(values, values)
    found = kernel_inertia(K, values > threshold)
    assert found == pytest.approx(best_by_trying_all(K, values))


def test_no_cut_between_values_that_are_the_same():
    values = np.array([0.0, 1e-14, -1e-14, 2.0, 2.0 + 1e-14])
    gaps = Gaps(values, 1e-12)
    assert_array_equal(gaps.before, [3])
    assert 0 < gaps.at(0.0) < 1e-11
    assert gaps.at(1.0) == 1.0
    assert 1.9 < gaps.at(7.0) < 2
    assert gaps.best(inner_sums_on_line(gaps.sorted)) == pytest.approx(1.0)
    assert len(Gaps(np.ones(4), 1e-12).before) == 0


def test_orthants_in_order_and_the_nearest_for_empty_ones():
    values = np.array([[-1.0, -1], [1, -1], [1, 1], [2, 1]])
    cut, side = orthant_cut(np.eye(2), np.zeros(2), values, np.zeros(2))
    assert_array_equal(cut.orthants, [[False, False], [True, False], [True, True]])
    assert_array_equal(side, [0, 1, 2, 2])
    assert_array_equal(cut.side(values), side)
    # Above in the second, below in the first: nobody was there.
    assert_array_equal(cut.side(np.array([[-0.1, 5.0], [-5.0, 0.1]])), [2, 0])


def test_values_are_relative_to_the_node():
    cut = OrthantCut(np.eye(1), np.array([5.0]), np.zeros(1), np.array([[0], [1]]) > 0)
    assert_allclose(cut.values(np.array([[7.0]])), [[2.0]])
    assert_array_equal(cut.side(np.array([[4.9], [5.1]])), [0, 1])


def test_means_without_members_are_left_out():
    values = np.array([[-1.0, 1, 0.0], [1, -1, 0], [2, -2, 0]])
    weights = np.array([[-0.4, 0.4, 1e-3], [0.2, -0.2, 0], [0.2, -0.2, 0]])
    cut, side = nearest_mean_cut(
        np.eye(3), np.zeros(3), values, weights, scale=1.0, tie=1e-10
    )
    assert isinstance(cut, NearestMeanCut)
    assert_array_equal(np.unique(side), np.arange(len(cut.norms)))


@pytest.mark.parametrize("seed", range(20))
def test_the_threshold_is_the_nearest_of_all_gaps(seed):
    """Whether or not the place itself lies within a gap, far from both ends.

    Of two that only rounding tells apart, the first.
    """
    rng = np.random.RandomState(seed)
    values = np.round(rng.standard_normal(30), rng.randint(3))
    rounding = rng.choice([1e-9, 0.03, 0.2])
    gaps, place = Gaps(values, rounding), rng.choice([0.0, values[0], 5.0])
    order = np.sort(values)
    wide = np.flatnonzero(np.diff(order) > rounding)
    assert gaps.any == (len(wide) > 0)
    if len(wide):
        lower, upper = order[wide], order[wide + 1]
        margin = np.minimum(rounding, (upper - lower) / 2)
        cuts = np.clip(place, lower + margin, upper - margin)
        away = np.abs(cuts - place)
        assert gaps.at(place) == cuts[away <= away.min() + rounding][0]

"""Distances of objects as Grams."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from samples import normal_features as data
from sklearn.metrics import pairwise_distances

from sklearn_kernelclust._gram._stored import DenseGram
from sklearn_kernelclust._kernels import _metric
from sklearn_kernelclust._kernels._metric import (
    METRICS,
    FittedMetric,
    median_distance,
    nearest_distances,
)
from sklearn_kernelclust.gram import check_gram


@pytest.mark.parametrize("metric", sorted(METRICS))
def test_all_metrics_of_scikit_learn(metric):
    X = data()[:, :2]
    of_bools = metric in _metric.PAIRWISE_BOOLEAN_FUNCTIONS
    D = pairwise_distances(X != 0 if of_bools else X, metric=metric)
    assert_allclose(FittedMetric(X, metric, {}).gram().toarray(), D, atol=1e-7)


def test_the_contract():
    X, new = data(), data(1, 10)
    metric = FittedMetric(X, "cityblock", {})
    check_gram(metric.gram(), pairwise_distances(X, metric="cityblock"))
    D = pairwise_distances(new, X, metric="cityblock")
    check_gram(metric.against(new), D, self_similarity=np.zeros(10))


def test_distances_far_from_the_origin_keep_their_digits():
    X = data()
    near, far = (FittedMetric(A, "euclidean", {}).gram() for A in (X, X + 2.0**30))
    assert_allclose(far.toarray(), near.toarray(), atol=1e-5)


def test_nearest_distances(monkeypatch):
    monkeypatch.setattr(_metric, "PASS_ENTRIES", 100)
    D = pairwise_distances(data())
    D[3, 5] = 0
    nearest, index = nearest_distances(DenseGram(D), 2)
    assert_array_equal(nearest, np.sort(D, axis=1)[:, 2])
    expected = np.arange(len(D))
    assert_array_equal(index, expected)
    few, index = nearest_distances(DenseGram(np.array([[1.0, 2.0]])), 5)
    assert (few, index) == (2, -1)


@pytest.mark.parametrize("unit", [1e-3, 1.0, 1e3])
def test_where_most_pairs_coincide_the_median_is_that_of_others(unit):
    """Eight objects at one place, one each at distance 1 and 3: the median is 2."""
    x = unit * np.array([0] * 8 + [1, 3])
    D = abs(x[:, None] - x)
    assert median_distance(DenseGram(D)) == pytest.approx(2 * unit)


def test_the_median_of_many_is_that_of_a_sample(monkeypatch):
    monkeypatch.setattr(_metric, "MEDIAN_OBJECTS", 50)
    D = pairwise_distances(np.random.default_rng(0).normal(size=(400, 3)))
    exact = np.median(D[np.triu_indices(400, 1)])
    assert_allclose(median_distance(DenseGram(D)), exact, rtol=0.2)

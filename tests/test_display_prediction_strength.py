"""What PredictionStrengthDisplay shows."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import BaseEstimator

from sklearn_kernelclust import PDDP, PredictionStrengthDisplay

pytest.importorskip("matplotlib")


class Chosen(BaseEstimator):
    """Has what PredictionStrengthK has."""

    def __init__(self, select="max", threshold=0.8, criterion="prediction-strength"):
        self.select, self.threshold, self.criterion = select, threshold, criterion

    def fit(self, scores):
        self.best_k_ = 3
        self.cv_results_ = {
            "param_n_clusters": np.ma.array([2, 3, 4], dtype=object),
            "mean_test_score": np.mean(scores, axis=1),
            "std_test_score": np.std(scores, axis=1),
        }
        return self


SCORES = np.array([[0.4, 0.6], [0.9, 0.8], [0.1, 0.2]])


def test_mean_and_deviation_of_each_k():
    display = PredictionStrengthDisplay.from_estimator(Chosen().fit(SCORES))
    curve, _, (bars,) = display.errorbar_
    assert_array_equal(curve.get_xdata(), [2, 3, 4])
    assert_allclose(curve.get_ydata(), [0.5, 0.85, 0.15])
    ends = np.array(bars.get_segments())[:, :, 1]
    assert_allclose(ends, [[0.4, 0.6], [0.8, 0.9], [0.1, 0.2]])
    assert display.best_.get_xdata()[0] == 3
    assert display.best_k == 3
    assert display.ax_.get_ylabel() == "prediction strength"


def test_a_threshold_is_drawn_if_it_had_a_say():
    free = PredictionStrengthDisplay.from_estimator(Chosen().fit(SCORES))
    assert free.threshold_ is None
    bound = Chosen(select="threshold", threshold=0.7).fit(SCORES)
    display = PredictionStrengthDisplay.from_estimator(bound)
    assert_array_equal(display.threshold_.get_ydata(), [0.7, 0.7])


def test_a_k_without_a_score_leaves_a_gap():
    scores = SCORES.copy()
    scores[1] = np.nan
    display = PredictionStrengthDisplay.from_estimator(Chosen().fit(scores))
    assert_allclose(display.errorbar_[0].get_ydata(), [0.5, np.nan, 0.15])


def test_bare_numbers():
    display = PredictionStrengthDisplay([2, 3], [0.5, 0.6]).plot(color="red")
    assert display.best_ is None and display.threshold_ is None
    assert display.ax_.get_legend() is None
    assert display.errorbar_[0].get_color() == "red"


def test_who_chose_no_k():
    with pytest.raises(TypeError, match=r"PDDP did not choose a number of clusters"):
        PredictionStrengthDisplay.from_estimator(PDDP(2).fit(SCORES))
    with pytest.raises(TypeError, match="is not an estimator"):
        PredictionStrengthDisplay.from_estimator(SimpleNamespace(best_k_=3))

"""What PredictionStrengthDisplay shows."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import make_blobs
from sklearn.mixture import GaussianMixture
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_kernelclust import (
    PDDP,
    KernelKMeans,
    PredictionStrengthDisplay,
    PredictionStrengthK,
)
from sklearn_kernelclust.metrics import prediction_strength_score

pytest.importorskip("matplotlib")

X, _ = make_blobs(80, centers=3, cluster_std=1.5, random_state=4)


def choice(estimator=None, **params):
    estimator = KernelKMeans(kernel="linear") if estimator is None else estimator
    params = {"n_clusters": [2, 3, 5], "n_splits": 4, "random_state": 0} | params
    return PredictionStrengthK(estimator, **params).fit(X)


def test_mean_and_deviation_of_each_k():
    model = choice()
    display = PredictionStrengthDisplay.from_estimator(model)
    curve, _, (bars,) = display.errorbar_
    mean, std = model.scores_.mean(axis=1), model.scores_.std(axis=1)
    assert_array_equal(curve.get_xdata(), [2, 3, 5])
    assert_allclose(curve.get_ydata(), mean)
    ends = np.array(bars.get_segments())[:, :, 1]
    assert_allclose(ends, np.transpose([mean - std, mean + std]))
    assert display.best_.get_xdata()[0] == display.best_k == model.best_k_
    assert display.threshold_ is None
    assert display.ax_.get_ylabel() == "prediction strength above chance"


def test_a_threshold_comes_with_the_scores_it_is_for():
    model = choice(select="threshold", threshold=0.5)
    display = PredictionStrengthDisplay.from_estimator(model)
    assert_array_equal(display.threshold_.get_ydata(), [0.5, 0.5])
    assert_allclose(display.mean_scores, model.cv_results_["mean_raw_score"])
    assert_allclose(display.std_scores, model.cv_results_["std_raw_score"])
    above = display.n_clusters[display.mean_scores > 0.5]
    assert display.best_k == above.max()
    assert display.ax_.get_ylabel() == "prediction strength"


def test_other_parameters_and_criteria():
    model = choice(
        GaussianMixture(random_state=0),
        param_name="n_components",
        criterion=prediction_strength_score,
        adjust_for_chance=False,
    )
    display = PredictionStrengthDisplay.from_estimator(model)
    assert_array_equal(display.n_clusters, [2, 3, 5])
    assert display.ax_.get_ylabel() == "prediction_strength_score"
    similar = choice(criterion="partition-similarity")
    display = PredictionStrengthDisplay.from_estimator(similar)
    assert display.ax_.get_ylabel() == "partition similarity above chance"


def test_a_k_without_a_score_leaves_a_gap():
    with pytest.warns(UserWarning, match="could not be scored"):
        model = choice(n_clusters=[2, 50])
    display = PredictionStrengthDisplay.from_estimator(model)
    assert_array_equal(np.isnan(display.errorbar_[0].get_ydata()), [False, True])


def test_bare_numbers():
    display = PredictionStrengthDisplay([2, 3], [0.5, 0.6]).plot(color="red")
    assert display.best_ is None and display.threshold_ is None
    assert display.ax_.get_legend() is None
    assert display.errorbar_[0].get_color() == "red"


def test_pipelines_and_searches_are_looked_into():
    model = PredictionStrengthK(
        KernelKMeans(kernel="linear"), n_clusters=[2, 3], n_splits=4, random_state=0
    )
    pipeline = make_pipeline(StandardScaler(), model).fit(X)
    search = GridSearchCV(
        pipeline,
        {"predictionstrengthk__n_splits": [4]},
        scoring=lambda model, X: 0,
        cv=2,
    ).fit(X)
    for outer in (pipeline, search, make_pipeline(search)):
        display = PredictionStrengthDisplay.from_estimator(outer)
        assert_allclose(display.mean_scores, pipeline[-1].scores_.mean(axis=1))
        assert display.best_k == pipeline[-1].best_k_


def test_who_chose_no_k():
    with pytest.raises(TypeError, match=r"PDDP did not choose a number of clusters"):
        PredictionStrengthDisplay.from_estimator(PDDP(2).fit(X))
    with pytest.raises(TypeError, match="is not an estimator"):
        PredictionStrengthDisplay.from_estimator(SimpleNamespace(best_k_=3))

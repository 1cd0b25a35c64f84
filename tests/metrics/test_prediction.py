"""Scores of predictions, and searches without labels by them."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from corpora import documents
from sklearn.base import clone
from sklearn.metrics import adjusted_rand_score
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV
from sklearn.pipeline import make_pipeline

from sklearn_kernelclust import (
    DiagonalShift,
    KernelKMeans,
    PowerMeanNormalizer,
    SubpolynomialKernel,
)
from sklearn_kernelclust.metrics import (
    partition_similarity_score,
    prediction_strength_score,
    prediction_strength_scorer,
)
from sklearn_kernelclust.metrics._agreement import agreement, expected_agreement

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

SCORES = {
    "prediction-strength": prediction_strength_score,
    "partition-similarity": partition_similarity_score,
}


@pytest.mark.parametrize("criterion", SCORES)
def test_scores_are_those_of_the_criteria(criterion, seed):
    labels, predicted = np.random.default_rng(seed).integers(3, size=(2, 30))
    score = SCORES[criterion]
    value = agreement(criterion, labels, predicted)
    chance = expected_agreement(criterion, 30, 3)
    assert score(labels, predicted) == value
    adjusted = score(labels, predicted, adjust_for_chance=True)
    assert adjusted == pytest.approx((value - chance) / (1 - chance))
    assert score(labels, labels, adjust_for_chance=True) == 1


@pytest.mark.parametrize("score", SCORES.values())
def test_labels_that_do_not_fit(score):
    with pytest.raises(ValueError, match=r"inconsistent numbers of samples: \[2, 3\]"):
        score([0, 1], [0, 1, 1])
    with pytest.raises(ValueError, match="Found 0 labels"):
        score([], [])


@pytest.fixture(scope="module")
def corpus():
    return documents(n=240, n_terms=800, k=3, topical=0.5)


class TestSearchWithoutLabels:
    @pytest.mark.parametrize("search", [GridSearchCV, RandomizedSearchCV])
    def test_over_everything_together(self, corpus, search):
        X, y = corpus
        pipeline = make_pipeline(
            PowerMeanNormalizer(),
            SubpolynomialKernel(),
            DiagonalShift(),
            KernelKMeans(kernel="precomputed", n_init=3, random_state=0),
        )
        grid = {
            "powermeannormalizer__t": [0.0, 1.0],
            "subpolynomialkernel__p": [0.7, 1.0],
            "diagonalshift__sigma": ["zero-trace", 0.0],
            "kernelkmeans__n_clusters": [4, 3, 2],
        }
        more = {"n_iter": 24, "random_state": 0} if search is RandomizedSearchCV else {}
        found = search(pipeline, grid, scoring=prediction_strength_scorer, cv=2, **more)
        found.fit(X)
        assert np.isfinite(found.cv_results_["mean_test_score"]).all()
        assert found.best_params_["kernelkmeans__n_clusters"] == 3
        assert adjusted_rand_score(y, found.predict(X)) > 0.9

    def test_is_the_score_of_predictions(self, corpus):
        X, _ = corpus
        model = KernelKMeans(3, kernel="cosine", random_state=0).fit(X[:120])
        expected = prediction_strength_score(
            clone(model).fit_predict(X[120:]),
            model.predict(X[120:]),
            adjust_for_chance=True,
        )
        assert prediction_strength_scorer(model, X[120:]) == expected

    def test_a_kernel_matrix_is_refused(self):
        model = KernelKMeans(2, kernel="precomputed").fit(np.eye(4))
        with pytest.raises(ValueError, match="takes a kernel matrix"):
            prediction_strength_scorer(model, np.eye(4))

    @pytest.mark.filterwarnings("ignore:One or more of the test scores are non-finite")
    def test_not_as_many_clusters_as_objects(self):
        noise = np.random.default_rng(0).uniform(size=(24, 5))
        search = GridSearchCV(
            KernelKMeans(kernel="linear", n_init=2, random_state=0),
            {"n_clusters": [11, 2]},
            scoring=prediction_strength_scorer,
            cv=2,
        )
        with pytest.warns(
            UserWarning, match="12 new objects are not two for each of 11"
        ):
            assert search.fit(noise).best_params_ == {"n_clusters": 2}

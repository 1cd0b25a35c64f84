"""Scores of the numbers of clusters at a node."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from one_topic import nested_blobs
from sklearn.cluster import KMeans

from sklearn_kernelclust import KernelKMeans, PredictionStrengthK
from sklearn_kernelclust._model_selection import _node_scores
from sklearn_kernelclust._model_selection._node_data import NodeModel
from sklearn_kernelclust._model_selection._node_scores import gaps_of, score_node

KS = np.array([2, 3, 4])
X, _, _ = nested_blobs(0, n_per_blob=10)
NOISE = np.random.default_rng(0).normal(size=(60, 3))


def setting(estimator=None, X=X, n_references=3):
    estimator = estimator or KernelKMeans(kernel="linear")
    model = NodeModel(estimator, "n_clusters", 1)
    return model.sources(X, n_references, None, range(n_references + 1))


@pytest.mark.filterwarnings("ignore:.*clusters are not chosen")
def test_scores_are_those_of_prediction_strength():
    scores = score_node(setting(), KS, 8, [5, 6, 7, 8])
    by_hand = PredictionStrengthK(
        KernelKMeans(kernel="linear", n_init=1),
        n_clusters=KS,
        n_splits=8,
        refit=False,
        random_state=5,
    ).fit(X)
    assert_allclose(scores.values, by_hand.scores_)
    assert scores.reference_values.shape == (3, 3, 2)


def test_other_clusterers_are_scored_one_by_one():
    scores = score_node(setting(KMeans()), KS, 4, range(4))
    assert scores.values.shape == (3, 4)
    assert scores.means[1] > 0.9


@pytest.mark.parametrize("clear", [True, False])
def test_more_splits_where_the_answer_is_not_clear(monkeypatch, clear):
    """The first ones are the same."""
    few = score_node(setting(X=NOISE), KS, 24, range(4))
    monkeypatch.setattr(_node_scores, "is_clear", lambda scores: clear)
    scores = score_node(setting(X=NOISE), KS, 40, range(4))
    assert scores.values.shape == (3, 24 if clear else 40)
    assert scores.reference_values.shape == (3, 3, 6 if clear else 10)
    assert_array_equal(scores.values[:, :24], few.values)
    assert_array_equal(scores.reference_values[..., :6], few.reference_values)


def test_scores_go_on_from_those_of_the_objects_alone():
    """Nothing is scored twice, and the result is the same."""
    alone = score_node(setting(n_references=0), KS, 3, range(4))
    went_on = score_node(setting(), KS, 8, range(4), scores=alone)
    at_once = score_node(setting(), KS, 8, range(4))
    assert_array_equal(went_on.values, at_once.values)
    assert_array_equal(went_on.reference_values, at_once.reference_values)
    assert_array_equal(went_on.alone, at_once.alone)


def test_a_fixed_number_of_splits_without_references():
    scores = score_node(setting(n_references=0), KS, 30, [0])
    assert scores.values.shape == (3, 30)
    assert scores.reference_values.shape[0] == 0
    assert gaps_of(scores, setting(n_references=0), 0) is None


def test_progress_is_that_of_the_first_round():
    shares = []
    score_node(setting(), KS, 30, range(4), on_progress=shares.append)
    assert shares == sorted(shares) and shares[-1] == 1


def test_gaps_of_well_separated_candidates():
    scores = score_node(setting(), KS, 8, range(4))
    gap, error = gaps_of(scores, setting(), seed=0)
    assert gap[1] > 5 * error[1] > 0
    assert np.isnan(gap[scores.means < 0.8]).all()
    unclear = score_node(setting(X=NOISE), KS, 8, range(4))
    assert gaps_of(unclear, setting(X=NOISE), seed=0) is None

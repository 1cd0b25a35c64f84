"""Fits of k-means on all splits together against those of the estimator."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs

from sklearn_kernelclust import PredictionStrengthK
from sklearn_kernelclust._model_selection._kmeans_splits import fits_together


class OneByOne(KMeans):
    """Another class, so that the same work is done estimator by estimator."""


def blobs(n=61, dtype=np.float64):
    return make_blobs(n, 3, centers=4, cluster_std=2, random_state=0)[0].astype(dtype)


def scores(model, X, n_clusters=(2, 3, 7)):
    choice = PredictionStrengthK(
        model, n_clusters=n_clusters, n_splits=3, random_state=0, refit=False
    )
    return choice.fit(X).scores_


@pytest.mark.parametrize("n_init", [1, 2])
@pytest.mark.parametrize("init", ["random", "k-means++"])
def test_scores_are_those_of_the_estimator(init, n_init):
    X, settings = blobs(), {"init": init, "n_init": n_init}
    expected = scores(OneByOne(**settings), X)
    np.testing.assert_allclose(scores(KMeans(**settings), X), expected)
    np.testing.assert_allclose(scores(KMeans(**settings), X + 1e6), expected)


@pytest.mark.filterwarnings("ignore:.*could not be scored")
@pytest.mark.filterwarnings("ignore:.*clusters")
def test_empty_clusters_go_through_the_estimator():
    """Of three distinct objects there are no four clusters."""
    X = np.repeat(blobs(30), 4, axis=0)
    X[:100] = X[:3].repeat(34, axis=0)[:100]
    settings = {"init": "random", "n_init": 1}
    expected = scores(OneByOne(**settings), X, (2, 9))
    np.testing.assert_allclose(scores(KMeans(**settings), X, (2, 9)), expected)


def test_plain_settings_and_arrays_only():
    X, model = blobs(), KMeans()
    assert fits_together(model, "n_clusters", X)
    assert fits_together(model, "n_clusters", blobs(dtype=np.float32))
    assert not fits_together(OneByOne(), "n_clusters", X)
    assert not fits_together(model, "max_iter", X)
    for other in (KMeans(algorithm="elkan"), KMeans(init=X[:2]), KMeans(verbose=1)):
        assert not fits_together(other, "n_clusters", X)
    for given in (
        X.tolist(),
        X.astype(int),
        np.where(X > 3, np.nan, X),
        X[:3],
        X[:, :0],
    ):
        assert not fits_together(model, "n_clusters", given)

"""K-means on several data sets against scikit-learn's, one by one."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs

from sklearn_kernelclust._kmeans._feature_kmeans import (
    fit_kmeans,
    lloyd,
    nearest,
    with_ones,
)

SETTINGS = [
    {"init": "random", "n_init": 1},
    {"init": "random", "n_init": 3, "tol": 0.0},
    {"init": "k-means++", "n_init": "auto", "tol": 0.01},
    {"init": "random", "n_init": 1, "max_iter": 2},
    {"init": "random", "n_init": "auto"},
]


def data_sets(n_sets=4, n=120, m=3):
    sets = [
        make_blobs(n, m, centers=5, cluster_std=3, random_state=i)[0]
        for i in range(n_sets)
    ]
    X = np.array(sets)
    return X - X.mean(axis=1, keepdims=True)


@pytest.mark.filterwarnings("ignore:Number of distinct clusters")
@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("k", [2, 6])
def test_fits_are_those_of_scikit_learn(settings, k):
    X, seeds = data_sets(), [3, 1, 4, 1]
    model = KMeans(**settings)
    fits = fit_kmeans(model, k, with_ones(X), seeds, X.var(axis=1).mean(axis=1))
    assert fits.filled.all()
    for i, seed in enumerate(seeds):
        expected = KMeans(k, **settings, random_state=seed).fit(X[i])
        assert np.array_equal(fits.labels[i], expected.labels_)
        np.testing.assert_allclose(fits.centers[i], expected.cluster_centers_)
        np.testing.assert_allclose(fits.inertia[i], expected.inertia_)


def test_the_nearest_of_equal_centres_is_the_first():
    centers = np.array([[[1.0], [-1.0], [1.0]]])
    labels, costs = nearest(with_ones(np.array([[[2.0], [0.0], [-3.0]]])), centers)
    assert labels.tolist() == [[0, 0, 1]]
    assert costs.tolist() == [[-3.0, 1.0, -5.0]]


def test_empty_clusters_are_noted():
    X = with_ones(np.array([[[0.0], [1.0], [2.0]], [[0.0], [1.0], [2.0]]]))
    starts = np.array([[[0.0], [9.0]], [[0.0], [2.0]]])
    assert lloyd(X, starts, np.zeros(2), 10).filled.tolist() == [False, True]

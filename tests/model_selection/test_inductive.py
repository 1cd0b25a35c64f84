"""Predictions for clusterers that have none."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from another_machine import rounded_otherwise
from numpy.testing import assert_array_equal
from scipy.sparse import csr_array
from sklearn.cluster import (
    DBSCAN,
    HDBSCAN,
    AgglomerativeClustering,
    FeatureAgglomeration,
    KMeans,
)
from sklearn.cluster import SpectralClustering as Spectral
from sklearn.datasets import make_blobs, make_moons
from sklearn.metrics import adjusted_rand_score, pairwise_distances
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from sklearn_kernelclust import (
    DistanceKernel,
    InductiveClusterer,
    KernelKMeans,
    PairwiseKernel,
    PredictionStrengthK,
    PredictionStrengthTree,
)
from sklearn_kernelclust._gram._base import Gram

X, Y = make_blobs(80, 3, centers=3, random_state=0)
NEW, _ = make_blobs(40, 3, centers=3, random_state=1)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@parametrize_with_checks(
    [
        InductiveClusterer(AgglomerativeClustering()),
        InductiveClusterer(AgglomerativeClustering(), KNeighborsClassifier(1)),
    ]
)
def test_checks_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.parametrize("offset", [0, 1e6])
def test_nearest_mean_is_that_of_scikit_learn(offset):
    model = InductiveClusterer(AgglomerativeClustering(3)).fit(X + offset)
    assert_array_equal(model.labels_, AgglomerativeClustering(3).fit(X).labels_)
    expected = NearestCentroid().fit(X, model.labels_)
    assert_array_equal(model.predict(NEW + offset), expected.predict(NEW))


@pytest.mark.parametrize("container", [np.asarray, csr_array])
def test_of_means_at_the_same_distance_the_first_counts(container, monkeypatch):
    monkeypatch.setattr(Gram, "__matmul__", rounded_otherwise(Gram.__matmul__))
    grid = np.array([[x, y / 10] for x in (0.1, 0.3, 2.1, 2.3) for y in range(9)])
    between = np.array([[1.2, y / 70] for y in range(60)])
    model = InductiveClusterer(KMeans(2, n_init=1, init=grid[[0, -1]]))
    model.fit(container(grid))
    assert_array_equal(np.bincount(model.labels_), [18, 18])
    assert_array_equal(model.predict(container(between)), np.zeros(60))


def test_sparse_features():
    model = InductiveClusterer(KMeans(3, random_state=0)).fit(csr_array(X))
    dense = InductiveClusterer(KMeans(3, random_state=0)).fit(X)
    assert adjusted_rand_score(model.predict(csr_array(NEW)), dense.predict(NEW)) == 1


def test_distances():
    """The mean of Euclidean distances is the mean of the features."""
    by_features = InductiveClusterer(AgglomerativeClustering(3, linkage="average"))
    clusterer = AgglomerativeClustering(3, metric="precomputed", linkage="average")
    model = InductiveClusterer(clusterer).fit(pairwise_distances(X))
    expected = by_features.fit(X).predict(NEW)
    assert_array_equal(model.predict(pairwise_distances(NEW, X)), expected)


@pytest.mark.parametrize("lazy", [False, True])
def test_kernels(lazy):
    kernel = PairwiseKernel("rbf", gamma=0.1, lazy=lazy)
    K = kernel.fit_transform(X)
    model = InductiveClusterer(Spectral(3, affinity="precomputed", random_state=0))
    labels = model.fit(K).labels_
    assert adjusted_rand_score(labels, Y) > 0.9
    P = np.eye(3)[labels] / np.bincount(labels)
    K, K_new = rbf_kernel(X, gamma=0.1), rbf_kernel(NEW, X, gamma=0.1)
    distances = (P.T @ K @ P).diagonal() - 2 * K_new @ P
    assert_array_equal(model.predict(kernel.transform(NEW)), distances.argmin(axis=1))


def test_noise_is_not_learnt():
    rng = np.random.default_rng(0)
    noisy = np.vstack([X, rng.uniform(-30, 30, size=(15, 3))])
    clusterer = DBSCAN(eps=2.0)
    for classifier in ("nearest-mean", KNeighborsClassifier(1)):
        model = InductiveClusterer(clusterer, classifier).fit(noisy)
        assert -1 in model.labels_
        assert_array_equal(model.clusters_, np.unique(model.labels_)[1:])
        assert model.predict(noisy).min() >= 0
        clustered = model.labels_ >= 0
        labels = model.labels_[clustered]
        assert adjusted_rand_score(model.predict(noisy[clustered]), labels) > 0.95
    everything = InductiveClusterer(DBSCAN(eps=1e-9))
    with pytest.raises(ValueError, match="DBSCAN calls all 80 objects noise"):
        everything.fit(X)


def test_other_classifiers():
    moons, y = make_moons(200, noise=0.05, random_state=0)
    new, y_new = make_moons(200, noise=0.05, random_state=1)
    clusterer = AgglomerativeClustering(2, linkage="single")
    model = InductiveClusterer(clusterer, KNeighborsClassifier(3)).fit(moons)
    assert adjusted_rand_score(model.labels_, y) == 1
    assert adjusted_rand_score(model.predict(new), y_new) == 1
    assert model.predict_proba(new).shape == (200, 2)
    assert not hasattr(InductiveClusterer(clusterer), "predict_proba")
    assert not hasattr(InductiveClusterer(clusterer, SVC()), "predict_proba")


def test_classifiers_of_kernels_without_noise():
    D = pairwise_distances(np.vstack([X, [[99.0, 99.0, 99.0]]]))
    clusterer = DBSCAN(eps=3.0, metric="precomputed")
    classifier = KNeighborsClassifier(3, metric="precomputed")
    model = InductiveClusterer(clusterer, classifier).fit(D)
    assert model.labels_[-1] == -1
    assert_array_equal(model.predict(D[:80]), model.labels_[:80])


def test_one_cluster():
    one = AgglomerativeClustering(1)
    model = InductiveClusterer(one, SVC(probability=False)).fit(X)
    assert not model.predict(NEW).any()
    assert not InductiveClusterer(one).fit(X).predict(NEW).any()
    nearest = InductiveClusterer(one, KNeighborsClassifier()).fit(X)
    assert_array_equal(nearest.predict_proba(NEW), np.ones((40, 1)))


def test_hdbscan():
    model = InductiveClusterer(HDBSCAN(copy=True)).fit(X)
    assert adjusted_rand_score(model.predict(X), Y) > 0.9


def test_the_number_of_clusters_of_agglomerative_clustering():
    points, _ = make_blobs(90, 3, centers=3, cluster_std=0.5, random_state=2)
    params = {"n_clusters": [2, 3, 4], "n_splits": 5, "random_state": 0}
    with pytest.raises(TypeError, match=r"use InductiveClusterer\(Agglomerative"):
        PredictionStrengthK(AgglomerativeClustering(), **params).fit(points)
    choice = PredictionStrengthK(
        InductiveClusterer(AgglomerativeClustering()), **params
    ).fit(points)
    assert choice.best_k_ == 3
    assert choice.best_estimator_.estimator_.n_clusters == 3
    assert len(choice.predict(points)) == 90


@pytest.mark.filterwarnings("ignore:The default value of `copy`:FutureWarning")
def test_a_clusterer_that_writes_into_distances():
    D = pairwise_distances(X)
    given = D.copy()
    model = InductiveClusterer(HDBSCAN(metric="precomputed")).fit(given)
    assert_array_equal(given, D)
    kept = model.labels_ >= 0
    expected = NearestCentroid().fit(X[kept], model.labels_[kept])
    new = pairwise_distances(NEW, X)
    assert_array_equal(model.predict(new), expected.predict(NEW))


def test_a_clusterer_of_features_is_refused():
    with pytest.raises(ValueError, match="gives 3 labels for 80 objects"):
        InductiveClusterer(FeatureAgglomeration(2)).fit(X)


def test_one_weight_and_negative_weights():
    dbscan = DBSCAN(eps=2.0, min_samples=3)
    weight = np.ones(80)
    weight[Y == 0] = np.where(np.arange(np.sum(Y == 0)) % 5, 1.0, -1e-3)
    models = [
        InductiveClusterer(dbscan).fit(X, sample_weight=w)
        for w in (1.0, weight, weight.clip(0))
    ]
    assert_array_equal(
        models[0].predict(NEW), InductiveClusterer(dbscan).fit(X).predict(NEW)
    )
    assert_array_equal(models[1].labels_, models[2].labels_)
    assert_array_equal(models[1].predict(NEW), models[2].predict(NEW))


def test_the_number_of_clusters_from_distances():
    points, _ = make_blobs(60, 3, centers=3, cluster_std=0.5, random_state=2)
    D = pairwise_distances(points)
    average = AgglomerativeClustering(metric="precomputed", linkage="average")
    kernel = DistanceKernel("precomputed")
    models = [
        InductiveClusterer(average),
        make_pipeline(kernel, KernelKMeans(kernel="precomputed", random_state=0)),
    ]
    params = {"n_clusters": [2, 3], "n_splits": 5, "random_state": 0}
    for model in models:
        # Nothing warns that these are distances, which is what the models want.
        assert PredictionStrengthK(model, **params).fit(D).best_k_ == 3
        with pytest.raises(ValueError, match="reduction_rate=2 takes a kernel"):
            PredictionStrengthK(model, reduction_rate=2, **params).fit(D)
        with pytest.raises(
            ValueError, match=r"A tree takes a kernel, and .* distances"
        ):
            PredictionStrengthTree(model).fit(D)

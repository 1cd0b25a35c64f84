"""Weights through meta-estimators."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import config_context
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.datasets import make_blobs
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from sklearn_kernelclust import (
    InductiveClusterer,
    KernelKMeans,
    PairwiseKernel,
    PredictionStrengthK,
)

X, _ = make_blobs(60, 3, centers=3, random_state=0)
WEIGHT = np.random.default_rng(0).integers(0, 4, size=60) * 1.0
FEW = {"n_clusters": [2, 3], "n_splits": 3, "random_state": 0}


class Recorder(KMeans):
    """Remembers with which weights it was fitted."""

    seen = []

    def fit(self, X, y=None, sample_weight=None):
        self.seen.append((np.asarray(X), sample_weight))
        return super().fit(X, sample_weight=sample_weight)


def of_rows(rows):
    """The weights of objects, found by their features."""
    return np.array([WEIGHT[(X == row).all(axis=1).argmax()] for row in rows])


def test_each_half_gets_its_weights():
    Recorder.seen.clear()
    choice = PredictionStrengthK(Recorder(n_init=1), **FEW)
    choice.fit(X, sample_weight=WEIGHT)
    assert len(Recorder.seen) == 2 * 2 * 3 + 1
    for rows, weight in Recorder.seen:
        assert_array_equal(weight, of_rows(rows))
    expected = KMeans(choice.best_k_, n_init=1)
    expected.set_params(random_state=choice.best_estimator_.random_state)
    assert_array_equal(choice.labels_, expected.fit(X, sample_weight=WEIGHT).labels_)


@pytest.mark.parametrize("kernel", ["linear", "precomputed"])
def test_weights_of_one_make_no_difference(kernel):
    A = X @ X.T if kernel == "precomputed" else X
    model = KernelKMeans(kernel=kernel, n_init=2)
    plain = PredictionStrengthK(model, **FEW).fit(A)
    weighted = PredictionStrengthK(model, **FEW).fit(A, sample_weight=np.ones(60))
    assert_allclose(weighted.scores_, plain.scores_)
    assert_array_equal(weighted.labels_, plain.labels_)


def test_weights_change_the_answer():
    """Where one of two clusters has no weight, three split the other."""
    points = np.r_[np.zeros(20), 10 + np.arange(20)][:, None] + 0.01 * X[:40, :1]
    weight = np.r_[np.ones(20), np.full(20, 1e-9)]
    model = KernelKMeans(kernel="linear", n_init=5)
    plain = PredictionStrengthK(model, **FEW).fit(points)
    weighted = PredictionStrengthK(model, **FEW).fit(points, sample_weight=weight)
    assert not np.allclose(plain.scores_, weighted.scores_)


def pipelines():
    kmeans = KernelKMeans(kernel="linear", n_init=2)
    yield make_pipeline(StandardScaler(), kmeans)
    kmeans = KernelKMeans(kernel="precomputed", n_init=2)
    yield make_pipeline(PairwiseKernel("linear"), kmeans)


@pytest.mark.parametrize("pipeline", pipelines(), ids=["features", "kernel"])
def test_pipelines_with_and_without_routing(pipeline):
    by_name = PredictionStrengthK(pipeline, **FEW)
    by_name.fit(X, kernelkmeans__sample_weight=WEIGHT)
    plain = PredictionStrengthK(pipeline, **FEW).fit(X)
    assert not np.array_equal(by_name.scores_, plain.scores_)
    with config_context(enable_metadata_routing=True):
        pipeline[-1].set_fit_request(sample_weight=True)
        if isinstance(pipeline[0], StandardScaler):
            pipeline[0].set_fit_request(sample_weight=False)
        routed = PredictionStrengthK(pipeline, **FEW).fit(X, sample_weight=WEIGHT)
    assert_allclose(routed.scores_, by_name.scores_)
    assert_array_equal(routed.labels_, by_name.labels_)


def test_routing_asks_for_a_request():
    with config_context(enable_metadata_routing=True):
        choice = PredictionStrengthK(KernelKMeans(), **FEW)
        with pytest.raises(ValueError, match=r"sample_weight.* not explicitly set"):
            choice.fit(X, sample_weight=WEIGHT)
        model = KernelKMeans(kernel="linear").set_fit_request(sample_weight=False)
        ignored = PredictionStrengthK(model, **FEW)
        with pytest.raises(TypeError, match="sample_weight"):
            ignored.fit(X, sample_weight=WEIGHT)


def test_prototypes_have_no_weights():
    choice = PredictionStrengthK(KernelKMeans(kernel="linear"), reduction_rate=2, **FEW)
    with pytest.raises(ValueError, match=r"sample_weight cannot .* reduction_rate=2"):
        choice.fit(X, sample_weight=WEIGHT)


def test_means_of_weighted_objects():
    clusterer = KernelKMeans(3, kernel="linear", random_state=0)
    model = InductiveClusterer(clusterer).fit(X, sample_weight=WEIGHT)
    new, _ = make_blobs(40, 3, centers=3, random_state=1)
    assert_array_equal(model.predict(new), model.estimator_.predict(new))


def test_a_classifier_gets_weights_by_routing():
    noisy = np.vstack([X, [[99.0, 99.0, 99.0]]])
    weight = np.r_[WEIGHT, 1.0]
    with config_context(enable_metadata_routing=True):
        tree = DecisionTreeClassifier(max_depth=1).set_fit_request(sample_weight=True)
        kmeans = KMeans(3, random_state=0, n_init=1).set_fit_request(
            sample_weight=False
        )
        model = InductiveClusterer(kmeans, tree).fit(noisy, sample_weight=weight)
    labels = KMeans(3, random_state=0, n_init=1).fit(noisy).labels_
    assert_array_equal(model.labels_, labels)
    expected = DecisionTreeClassifier(max_depth=1).fit(noisy, labels, weight)
    assert_array_equal(model.predict(noisy), expected.predict(noisy))


def test_without_routing_weights_are_the_clusterer_s():
    model = InductiveClusterer(AgglomerativeClustering(3), KNeighborsClassifier())
    with pytest.raises(TypeError, match="sample_weight"):
        model.fit(X, sample_weight=WEIGHT)

"""Estimators on a device: the labels of the host, in the namespace of the input."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle

import numpy as np
import pytest
from clusterings import four_blobs, last, lazily, of_four
from namespaces import dispatch, host, on_devices
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score
from sklearn.pipeline import make_pipeline

from sklearn_kernelclust import (
    KPDDP,
    PDDP,
    BisectingKernelKMeans,
    DiagonalShift,
    DistanceKernel,
    EmpiricalKernelMap,
    KernelKMeans,
    KernelPCAKMeans,
    KernelUnion,
    LocalScalingKernel,
    PairwiseKernel,
    PowerMeanNormalizer,
    SpectralClustering,
    SubpolynomialKernel,
)

RBF = PairwiseKernel("rbf", gamma=0.02, lazy=True)
COSINE = PairwiseKernel("cosine", lazy=True)


def of_arrays(*steps):
    """Makes kernel k-means after steps that give arrays, from a seed."""
    kmeans = of_four(KernelKMeans, kernel="precomputed")
    return lambda seed: make_pipeline(*map(clone, steps), kmeans(seed))


MODELS = {
    **{
        kernel: of_four(KernelKMeans, kernel=kernel, gamma=0.02)
        for kernel in ("linear", "cosine", "rbf", "polynomial", "laplacian", "sigmoid")
    },
    "split-merge": of_four(KernelKMeans, gamma=0.02, algorithm="split-merge"),
    "hartigan": of_four(KernelKMeans, gamma=0.02, algorithm="hartigan"),
    "shift": lazily(RBF, DiagonalShift()),
    "power": lazily(PairwiseKernel("linear", lazy=True), SubpolynomialKernel()),
    "normalizer": lazily(PowerMeanNormalizer(2.0, lazy=True)),
    "scaling": lazily(PowerMeanNormalizer(lazy=True)),
    "DSM": lazily(COSINE, DiagonalShift(), EmpiricalKernelMap()),
    "arrays": of_arrays(
        PairwiseKernel("cosine"), DiagonalShift(), EmpiricalKernelMap()
    ),
    "KPDDP": of_four(KPDDP, gamma=0.02),
    "optimal cut": of_four(KPDDP, gamma=0.02, split="optimal-cut-2-means"),
    "PDDP": of_four(PDDP),
    "bisecting": of_four(BisectingKernelKMeans, gamma=0.02),
    "spectral": of_four(SpectralClustering, gamma=0.02),
    "kernel PCA": of_four(KernelPCAKMeans, gamma=0.02),
    "neighbors": of_four(SpectralClustering, kernel="nearest_neighbors"),
    "start": of_four(KernelKMeans, kernel="linear", init=KPDDP()),
    "start of the host": of_four(KernelKMeans, init=KMeans(n_init=1)),
    "union": lazily(KernelUnion([("a", RBF, [0, 1]), ("b", COSINE)])),
    "product": lazily(KernelUnion([("a", RBF), ("b", COSINE)], combine="product")),
    "union of arrays": of_arrays(
        KernelUnion([("a", PairwiseKernel()), ("b", LocalScalingKernel())])
    ),
    "distances": of_arrays(DistanceKernel("cityblock")),
    "local scaling": of_arrays(LocalScalingKernel()),
    "local distances": of_arrays(LocalScalingKernel(metric="cosine")),
}

on_models = pytest.mark.parametrize("make", MODELS.values(), ids=MODELS)


@on_devices
@on_models
def test_labels_are_those_of_the_host(to_device, make, seed):
    X = four_blobs(seed)
    A, expected = to_device(X), make(seed).fit(X)
    with dispatch():
        model = make(seed).fit(A)
        labels, predicted, score = last(model).labels_, model.predict(A), model.score(A)
    assert type(labels) is type(predicted) is type(A)
    assert_array_equal(host(labels), last(expected).labels_)
    assert_array_equal(host(predicted), host(labels))
    assert score == pytest.approx(expected.score(X), rel=1e-8)


@on_devices
@on_models
def test_float32(to_device, make, seed):
    X = four_blobs(seed, np.float32)
    expected = last(make(seed).fit(X))
    with dispatch():
        model = last(make(seed).fit(to_device(X)))
    assert adjusted_rand_score(host(model.labels_), expected.labels_) >= 0.99
    assert model.inertia_ == pytest.approx(expected.inertia_, rel=2e-3)


@on_devices
@on_models
def test_new_objects(to_device, make):
    X, new = four_blobs(0), four_blobs(0)[::3] + 0.1
    expected = make(0).fit(X)
    with dispatch():
        model = make(0).fit(to_device(X))
        assert_array_equal(host(model.predict(to_device(new))), expected.predict(new))
        if hasattr(model, "transform"):
            embedded = host(model.transform(to_device(new)))
            assert_allclose(embedded, expected.transform(new), atol=1e-6)


@on_devices
@on_models
def test_pickles(to_device, make):
    A = to_device(four_blobs(0))
    with dispatch():
        model = make(0).fit(A)
        again = pickle.loads(pickle.dumps(model))
        assert_array_equal(host(again.predict(A)), host(model.predict(A)))


@on_devices
@on_models
def test_moves_to_numpy(to_device, make):
    array_api = pytest.importorskip("sklearn.utils._array_api")
    if not hasattr(array_api, "move_estimator_to"):
        pytest.skip("this version of scikit-learn does not move estimators")
    X = four_blobs(0)
    with dispatch():
        model = make(0).fit(to_device(X))
        moved = array_api.move_estimator_to(model, np, "cpu")
        labels = host(last(model).labels_)
    assert_array_equal(moved.predict(X), labels)


@on_devices
def test_another_namespace_is_refused(to_device):
    X = four_blobs(0)
    with dispatch():
        model = KernelKMeans(4, random_state=0).fit(to_device(X))
        with pytest.raises(ValueError, match="namespace"):
            model.predict(X)


@on_devices
def test_a_host_only_kernel_is_refused(to_device):
    with dispatch(), pytest.raises(ValueError, match="'chi2' is evaluated on the host"):
        KernelKMeans(4, kernel="chi2").fit(to_device(np.abs(four_blobs(0))))


@on_devices
def test_a_callable_kernel(to_device):
    def kernel(A, B):
        return (1 + A @ B.T) ** 2

    X = four_blobs(0)
    expected = KernelKMeans(4, kernel=kernel, random_state=0).fit(X)
    with dispatch():
        model = KernelKMeans(4, kernel=kernel, random_state=0).fit(to_device(X))
    assert_array_equal(host(model.labels_), expected.labels_)


@on_devices
def test_sample_weight(to_device, seed):
    X, weight = four_blobs(seed), np.random.RandomState(seed).randint(3, size=70 + seed)
    expected = KernelKMeans(4, random_state=0).fit(X, sample_weight=weight)
    with dispatch():
        model = KernelKMeans(4, random_state=0)
        model.fit(to_device(X), sample_weight=weight)
        assert_array_equal(host(model.labels_), expected.labels_)
        model.fit(to_device(X), sample_weight=to_device(weight.astype(float)))
        assert_array_equal(host(model.labels_), expected.labels_)

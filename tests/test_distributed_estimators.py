"""Estimators on dask arrays: the labels of arrays in memory."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle

import numpy as np
import pytest
from clusterings import four_blobs, last, lazily, of_four
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from sklearn import config_context
from sklearn.base import clone
from sklearn.cluster import KMeans

workers = pytest.importorskip("workers")
da = workers.da

from sklearn_kernelclust import (  # noqa: E402
    KPDDP,
    PDDP,
    BisectingKernelKMeans,
    DiagonalShift,
    EmpiricalKernelMap,
    KernelKMeans,
    KernelPCAKMeans,
    PairwiseKernel,
    PowerMeanNormalizer,
    SubpolynomialKernel,
)

# Megabytes that leave no part of the features in the memory of the host.
TINY = 0.002


RBF = PairwiseKernel("rbf", gamma=0.02, lazy=True)
COSINE = PairwiseKernel("cosine", lazy=True)

MODELS = {
    **{
        kernel: of_four(KernelKMeans, kernel=kernel, gamma=0.02)
        for kernel in ("linear", "cosine", "rbf", "polynomial", "laplacian")
    },
    "split-merge": of_four(KernelKMeans, kernel="linear", algorithm="split-merge"),
    "hartigan": of_four(KernelKMeans, kernel="cosine", algorithm="hartigan"),
    "shift": lazily(RBF, DiagonalShift()),
    "power": lazily(PairwiseKernel("linear", lazy=True), SubpolynomialKernel()),
    "normalizer": lazily(RBF, PowerMeanNormalizer(2.0, lazy=True)),
    "DSM": lazily(COSINE, DiagonalShift(), EmpiricalKernelMap()),
    "KPDDP": of_four(KPDDP, kernel="cosine"),
    "optimal cut": of_four(KPDDP, kernel="linear", split="optimal-cut-2-means"),
    "PDDP": of_four(PDDP),
    "PDDP 2-means": of_four(PDDP, split="optimal-cut-2-means", n_components=2),
    "bisecting": of_four(BisectingKernelKMeans, kernel="cosine"),
    "kernel PCA": of_four(KernelPCAKMeans, kernel="cosine"),
}

on_models = pytest.mark.parametrize("make", MODELS.values(), ids=MODELS)


@on_models
@pytest.mark.parametrize("container", workers.CONTAINERS)
def test_labels_are_those_of_an_array_in_memory(make, container):
    X = four_blobs(0)
    X = np.abs(X) if container is csr_array else X
    expected = make(0).fit(container(X))
    with config_context(working_memory=TINY):
        model = make(0).fit(workers.dask_array(X, container, 19))
    labels = last(model).labels_
    assert type(labels) is np.ndarray
    assert_array_equal(labels, last(expected).labels_)
    assert last(model).inertia_ == pytest.approx(last(expected).inertia_, rel=1e-8)


LAZY = ["linear", "cosine", "hartigan", "split-merge", "PDDP"]


@pytest.mark.parametrize("name", LAZY)
@pytest.mark.parametrize("container", workers.CONTAINERS)
def test_predict_is_lazy(name, container):
    X, new = np.abs(four_blobs(1)), np.abs(four_blobs(1))[::3] + 0.1
    model = MODELS[name](1).fit(workers.dask_array(X, container))
    assert_array_equal(model.predict(container(X)), model.labels_)
    expected = MODELS[name](1).fit(container(X)).predict(container(new))
    before = workers.counted.n_blocks
    labels = model.predict(workers.counted_array(new, container, 7))
    assert isinstance(labels, da.Array) and labels.chunks == ((7, 7, 7, 3),)
    assert workers.counted.n_blocks == before  # nothing was read
    assert_array_equal(labels.compute(), expected)
    assert_array_equal(model.predict(container(new)), expected)
    again = model.predict(workers.dask_array(X, container))
    assert_array_equal(again.compute(), model.labels_)


@pytest.mark.parametrize("name", ["rbf", "KPDDP", "bisecting"])
def test_predict_by_training_objects_on_workers(name):
    X, new = four_blobs(2), four_blobs(2)[::3] + 0.1
    expected = MODELS[name](2).fit(X)
    model = MODELS[name](2).fit(workers.dask_array(X))
    labels = model.predict(workers.dask_array(new, height=10))
    assert isinstance(labels, da.Array) and labels.chunks == ((10, 10, 4),)
    assert_array_equal(labels.compute(), expected.predict(new))
    assert_array_equal(model.predict(X), expected.labels_)


def test_predict_of_a_model_in_memory():
    X = four_blobs(3)
    for make in (MODELS["rbf"], MODELS["KPDDP"], MODELS["PDDP"]):
        model = make(3).fit(X)
        labels = model.predict(workers.dask_array(X))
        assert isinstance(labels, da.Array)
        assert_array_equal(labels.compute(), model.labels_)


def test_transform_and_score_are_computed():
    X = four_blobs(4)
    expected = MODELS["cosine"](4).fit(X)
    A = workers.dask_array(X)
    model = MODELS["cosine"](4).fit(A)
    assert_allclose(model.transform(A), expected.transform(X), atol=1e-7)
    assert model.score(A) == pytest.approx(-model.inertia_)


@on_models
@pytest.mark.parametrize(
    "container", [np.asarray, pytest.param(csr_array, marks=pytest.mark.slow)]
)
def test_scores_are_those_of_an_array_in_memory(make, container):
    X, new = np.abs(four_blobs(4)), np.abs(four_blobs(4))[::3] + 0.1
    expected = make(4).fit(container(X)).score(container(new))
    model = make(4).fit(workers.dask_array(X, container))
    assert model.score(workers.dask_array(new, container)) == pytest.approx(expected)


def test_weights_and_medoids():
    X, weight = (
        four_blobs(5),
        np.random.RandomState(0).randint(3, size=75).astype(float),
    )
    for name in ("cosine", "linear", "PDDP"):
        expected = MODELS[name](5).fit(X, sample_weight=weight)
        model = MODELS[name](5).fit(workers.dask_array(X), sample_weight=weight)
        assert_array_equal(model.labels_, expected.labels_)
        assert model.inertia_ == pytest.approx(expected.inertia_)
        if name != "PDDP":
            assert_array_equal(model.medoids_, expected.medoids_)


@pytest.mark.parametrize("container", [np.array, csr_array])
def test_far_from_the_origin(container):
    X = four_blobs(5) + 1e8
    for name in ("linear", "split-merge", "optimal cut", "PDDP", "PDDP 2-means"):
        expected = MODELS[name](5).fit(container(X))
        assert len(set(expected.labels_)) == 4
        model = MODELS[name](5).fit(workers.dask_array(X, container))
        assert_array_equal(model.labels_, expected.labels_)
        assert_array_equal(model.predict(container(X)), expected.labels_)


def test_empty_clusters_are_filled():
    X, init = four_blobs(6), np.zeros(76, dtype=int)
    model = KernelKMeans(4, kernel="linear", init=init)
    with pytest.warns(UserWarning, match="init leaves 3 of 4 clusters empty"):
        expected = clone(model).fit(X)
    with pytest.warns(UserWarning, match="init leaves 3 of 4 clusters empty"):
        model.fit(workers.dask_array(X))
    assert_array_equal(model.labels_, expected.labels_)


def test_a_start_that_would_read_all_into_memory_is_refused():
    X, how = four_blobs(6), {"kernel": "linear", "random_state": 0}
    A = workers.dask_array(X)
    with pytest.raises(TypeError, match=r"init=KMeans\(\) takes data in memory"):
        KernelKMeans(4, init=KMeans(), **how).fit(A)
    for clusterer in (PDDP(), KPDDP()):
        model = KernelKMeans(4, init=clusterer, **how)
        assert_array_equal(clone(model).fit(A).labels_, model.fit(X).labels_)


def test_the_model_pickles():
    X = four_blobs(7)
    model = MODELS["cosine"](7).fit(workers.dask_array(X))
    model = pickle.loads(pickle.dumps(model))
    assert_array_equal(model.predict(X), model.labels_)
    assert model.X_fit_.shape == X.shape


def test_an_iteration_is_one_pass():
    X = workers.counted_array(np.abs(four_blobs(8)), csr_array, 20)
    model = KernelKMeans(4, kernel="cosine", init="random", n_init=1, random_state=0)
    before = workers.counted.n_blocks
    model.fit(X)
    # Types, lengths, the first sums, the last step without labels, medoids, means.
    n_others, n_blocks = 6, 4
    n_passes = (workers.counted.n_blocks - before) / n_blocks
    assert n_passes <= model.n_iter_ + n_others


def test_nothing_else_is_as_large_as_the_kernel_or_the_features(monkeypatch):
    def refuse(self):
        raise AssertionError("all rows on the host")

    monkeypatch.setattr("sklearn_kernelclust._utils._blocks.RowBlocks.fetched", refuse)
    X = workers.dask_array(np.abs(four_blobs(9)), csr_array)
    KernelKMeans(4, kernel="cosine", init="random", n_init=1, random_state=0).fit(X)


@pytest.mark.slow
@on_models
def test_labels_of_many_problems(make):
    for seed in range(50):
        X = four_blobs(seed)
        expected = last(make(seed).fit(X))
        model = last(make(seed).fit(workers.dask_array(X, height=40)))
        assert_array_equal(model.labels_, expected.labels_)
        assert model.inertia_ == pytest.approx(expected.inertia_, rel=1e-8)


def test_threads_of_this_process():
    X = np.abs(four_blobs(10))
    expected = MODELS["cosine"](10).fit(csr_array(X))
    with workers.dask.config.set(scheduler="threads"):
        model = MODELS["cosine"](10).fit(workers.dask_array(X, csr_array))
    assert_array_equal(model.labels_, expected.labels_)


@pytest.mark.parametrize("name", ["cosine", "linear", "PDDP"])
def test_float32(name):
    X = np.abs(four_blobs(11)).astype(np.float32)
    expected = MODELS[name](11).fit(X)
    model = MODELS[name](11).fit(workers.dask_array(X))
    assert_array_equal(model.labels_, expected.labels_)
    assert model.inertia_ == pytest.approx(expected.inertia_, rel=1e-4)

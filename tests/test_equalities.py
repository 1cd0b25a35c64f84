"""Equalities that hold for every estimator, pipeline, storage and setting."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import re
from itertools import product

import numpy as np
import pytest
from equal_sets import (
    CLUSTERERS,
    FEATURE_CLUSTERERS,
    FEATURE_KERNELS,
    KERNELS,
    TRANSFORMS,
    data,
    texts,
    transforms,
)
from numpy.testing import assert_array_equal
from scipy.sparse import csc_array, csr_array, csr_matrix
from sklearn import clone, config_context
from sklearn.pipeline import make_pipeline
from threadpoolctl import threadpool_limits

from sklearn_kernelclust import (
    DiagonalShift,
    EmpiricalKernelMap,
    KernelKMeans,
    PredictionStrengthK,
    PrototypeReducer,
    StringKernel,
)

# Some of these sets are hard on purpose; whether there is a warning is tested
# elsewhere.
pytestmark = pytest.mark.filterwarnings("ignore")

SLOW = pytest.mark.slow


def sample(cases, count):
    """All cases, of which all but a random few are slow."""
    cases = list(cases)
    fast = set(np.random.default_rng(0).choice(len(cases), count, replace=False))
    return [
        pytest.param(
            *case, marks=[] if i in fast else SLOW, id="-".join(map(str, case))
        )
        for i, case in enumerate(cases)
    ]


def as_array(K):
    return K if isinstance(K, np.ndarray) else K.toarray()


PIPELINES = list(product(data(), KERNELS, TRANSFORMS, [False, True]))


@pytest.mark.parametrize("name, kernel, steps, lazy", sample(PIPELINES, 60))
def test_transform_of_the_training_objects(name, kernel, steps, lazy):
    """A power of what rounding leaves of 0 is more than rounding."""
    pipeline = transforms(kernel, steps, lazy)
    K = as_array(pipeline.fit_transform(data()[name]))
    again = as_array(pipeline.transform(data()[name]))
    tol = 1e-4 if "power" in steps else 1e-9
    assert np.abs(K - again).max() <= tol * np.abs(K).max()
    assert np.isfinite(K).all()


@pytest.mark.parametrize("name, kernel, steps, lazy", sample(PIPELINES, 15))
def test_prediction_of_the_training_objects(name, kernel, steps, lazy):
    pipeline = transforms(kernel, steps, lazy)
    K = pipeline.fit_transform(data()[name])
    again = pipeline.transform(data()[name])
    for model in CLUSTERERS.values():
        model = clone(model).set_params(kernel="precomputed")
        if not is_refused(model, K):
            assert_array_equal(model.predict(again), model.labels_)
            if isinstance(model, KernelKMeans):
                nearest = model.transform(again).argmin(axis=1)
                assert_array_equal(nearest, model.labels_)


def is_refused(model, X):
    """Whether a kernel is none for the model: a graph has no negative weights."""
    try:
        model.fit(X)
    except ValueError as error:
        assert re.search("negative|no positive|no edges", str(error))
        return True
    return False


def wide_indices(X):
    X = csr_array(X)
    X.indices, X.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
    return X


STORAGES = {
    "by columns": np.asfortranarray,
    "writable": np.array,
    "list": np.ndarray.tolist,
    "csr": csr_array,
    "csr matrix": csr_matrix,
    "csc": csc_array,
    "csr int64": wide_indices,
}
SETTINGS = {
    "0.01 MB": lambda: config_context(working_memory=0.01),
    "0.1 MB": lambda: config_context(working_memory=0.1),
    "1 MB": lambda: config_context(working_memory=1),
    "1 thread": lambda: threadpool_limits(1),
    "2 threads": lambda: threadpool_limits(2),
}
MODELS = list(product(data(), FEATURE_CLUSTERERS, FEATURE_KERNELS))


def fitted(clusterer, kernel, X):
    model = clone(FEATURE_CLUSTERERS[clusterer])
    if hasattr(model, "kernel"):
        model.set_params(kernel=kernel, gamma="scale")
    return None if is_refused(model, X) else model


@pytest.mark.parametrize("name, clusterer, kernel", sample(MODELS, 15))
def test_storage_and_settings(name, clusterer, kernel):
    X = data()[name]
    model = fitted(clusterer, kernel, X)
    if model is None:
        return
    assert_array_equal(model.predict(X), model.labels_)
    for store in STORAGES.values():
        stored = clone(model).fit(store(X))
        assert_array_equal(stored.labels_, model.labels_)
        assert_array_equal(stored.predict(X), model.labels_)
        assert_array_equal(model.predict(store(X)), model.labels_)
    for setting in SETTINGS.values():
        with setting():
            assert_array_equal(clone(model).fit_predict(X), model.labels_)
            assert_array_equal(model.predict(X), model.labels_)


STRINGS = sample(product(["boundrange", "spectrum", "subsequence"], [False, True]), 3)


@pytest.mark.parametrize("kind, lazy", STRINGS)
def test_strings(kind, lazy):
    strings = [text[:40] for text in texts()[:25]] + ["", "a"]
    kernel = StringKernel(3, kind=kind, lazy=lazy)
    for steps in ([], [DiagonalShift()], [DiagonalShift(), EmpiricalKernelMap()]):
        pipeline = make_pipeline(kernel, *steps)
        K, again = pipeline.fit_transform(strings), pipeline.transform(strings)
        np.testing.assert_allclose(as_array(again), as_array(K), atol=1e-9)
        model = KernelKMeans(3, kernel="precomputed", random_state=0).fit(K)
        assert_array_equal(model.predict(again), model.labels_)


PROTOTYPES = sample(product(data(), ["linear", "rbf"], [False, True]), 8)


@pytest.mark.parametrize("name, kernel, lazy", PROTOTYPES)
def test_prototypes(name, kernel, lazy):
    """Objects are transformed to similarities to prototypes, themselves too."""
    pipeline = make_pipeline(transforms(kernel, "nothing", lazy), PrototypeReducer())
    reduced = as_array(pipeline.fit_transform(data()[name]))
    reducer = pipeline[-1]
    K = as_array(transforms(kernel, "nothing").fit_transform(data()[name]))
    again = as_array(clone(reducer).fit_transform(K))
    np.testing.assert_allclose(again, reduced, atol=1e-9 * np.abs(K).max())


CHOICES = sample(product(data(), ["lloyd", "bisecting", "KPDDP", "spectral"]), 4)


@pytest.mark.parametrize("name, clusterer", CHOICES)
def test_number_of_jobs(name, clusterer):
    """And the model that is chosen predicts its own labels."""
    X, base = data()[name], clone(CLUSTERERS[clusterer])
    base.set_params(gamma="scale")
    choices = [
        PredictionStrengthK(
            base, n_clusters=(2, 3), n_splits=2, n_jobs=n_jobs, random_state=0
        ).fit(X)
        for n_jobs in (1, 2)
    ]
    assert_array_equal(choices[0].scores_, choices[1].scores_)
    assert_array_equal(choices[0].labels_, choices[1].labels_)
    assert_array_equal(choices[0].predict(X), choices[0].labels_)

"""Training objects in pipelines: ``fit_transform(X) == fit(X).transform(X)``."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.pipeline import make_pipeline

from sklearn_kernelclust import (
    DiagonalShift,
    EmpiricalKernelMap,
    KernelKMeans,
    LocalScalingKernel,
    PairwiseKernel,
    PowerMeanNormalizer,
)
from sklearn_kernelclust.datasets import load_docstrings

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def degenerate():
    """Duplicates, scaled copies and rows of zeros."""
    X = np.random.default_rng(0).normal(size=(30, 4))
    return np.vstack([X, X[:15], 3 * X, 0.1 * X, np.zeros((3, 4))])


SETS = {
    "iris": lambda: load_iris().data,
    "wine": lambda: load_wine().data,
    "breast cancer": lambda: load_breast_cancer().data[::3],
    "digits": lambda: load_digits().data[:120],
    "docstrings": lambda: csr_array(
        TfidfVectorizer().fit_transform(load_docstrings().data[:120])
    ),
    "degenerate": degenerate,
}
KERNELS = {
    "rbf": PairwiseKernel("rbf"),
    "rbf, scale": PairwiseKernel("rbf", gamma="scale"),
    "linear": PairwiseKernel("linear"),
    "cosine": PairwiseKernel("cosine"),
    "poly": PairwiseKernel("poly"),
    "sigmoid": PairwiseKernel("sigmoid", gamma="scale"),
    "laplacian": PairwiseKernel("laplacian"),
    "local scaling": LocalScalingKernel(),
    "geometric mean": PowerMeanNormalizer(0),
    "mean of poly": PowerMeanNormalizer(1, kernel="poly"),
    "largest of rbf": PowerMeanNormalizer(np.inf, kernel="rbf"),
}


def as_array(K):
    return K if isinstance(K, np.ndarray) else K.toarray()


@pytest.fixture(params=SETS)
def X(request):
    return SETS[request.param]()


@pytest.mark.parametrize("lazy", [pytest.param(False, marks=pytest.mark.slow), True])
@pytest.mark.parametrize("name", KERNELS)
def test_pipelines(X, name, lazy):
    kernel = KERNELS[name].set_params(lazy=lazy)
    pipe = make_pipeline(kernel, DiagonalShift())
    K = as_array(pipe.fit_transform(X))
    size = np.abs(K).max()
    assert_allclose(as_array(pipe.transform(X)), K, rtol=1e-9, atol=1e-11 * size)
    order = np.random.default_rng(0).permutation(X.shape[0])[:40]
    part = as_array(pipe.transform(X[order]))
    assert_allclose(part.sum(axis=1), K[order].sum(axis=1), atol=1e-8 * size)


@pytest.mark.parametrize("lazy", [pytest.param(False, marks=pytest.mark.slow), True])
@pytest.mark.parametrize("name", KERNELS)
def test_clusters_of_training_objects(X, name, lazy):
    kernel = KERNELS[name].set_params(lazy=lazy)
    for steps in ([DiagonalShift()], [DiagonalShift(), EmpiricalKernelMap()]):
        model = KernelKMeans(3, kernel="precomputed", n_init=1, random_state=0)
        pipe = make_pipeline(kernel, *steps, model).fit(X)
        if model.converged_:
            assert_array_equal(pipe.predict(X), model.labels_)


@pytest.mark.parametrize("name", KERNELS)
def test_float32(name):
    X = load_wine().data.astype(np.float32)
    pipe = make_pipeline(KERNELS[name].set_params(lazy=True), DiagonalShift())
    K = pipe.fit_transform(X).toarray()
    again = pipe.transform(X).toarray()
    assert_allclose(again, K, rtol=1e-4, atol=1e-4 * np.abs(K).max())

"""Kernels that remember their training side."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle

import numpy as np
import pytest
from call_path import files_of
from contract import features
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from sklearn import clone
from sklearn.metrics.pairwise import pairwise_kernels

from sklearn_kernelclust import (
    KPDDP,
    PDDP,
    BisectingKernelKMeans,
    EmpiricalKernelMap,
    KernelKMeans,
    KernelPCAKMeans,
    LocalScalingKernel,
    PairwiseKernel,
    PowerMeanNormalizer,
    SpectralClustering,
)
from sklearn_kernelclust._kernels import _fitted
from sklearn_kernelclust._kernels._evaluate import KERNELS, fit_kernel
from sklearn_kernelclust._kernels._fitted import gaussian_factor, largest_terms

KINDS = [np.asarray, csr_array]
NAMES = [*KERNELS, "callable"]


def inner(X, Y):
    return pairwise_kernels(X, Y, metric="linear")


def fitted(name, X, **params):
    return fit_kernel(X, kernel=inner if name == "callable" else name, **params)


def skip_dense_only(name, kind):
    if kind is csr_array and "chi2" in name:
        pytest.skip("takes dense features only")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", NAMES)
def test_training_rows_are_known_and_equal(name, kind):
    skip_dense_only(name, kind)
    X = features()
    X[11] = X[5]
    kernel = fitted(name, kind(X))
    order = np.random.default_rng(0).permutation(60)[:30]
    gram = kernel.against(kind(np.vstack([X[order], features(5, seed=1)])))
    expected = np.where(order == 11, 5, order)
    assert_array_equal(gram.training_index, [*expected, *[-1] * 5])
    K = kernel.gram().toarray()
    assert_allclose(gram.toarray()[:30], K[order], rtol=1e-12, atol=1e-13)
    some = gram.restrict([3, 1])
    assert_array_equal(some.training_index, gram.training_index[[3, 1]])
    assert gram.restrict(cols=[0, 1]).training_index is None


@pytest.mark.parametrize("block", [2**19, 1])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", NAMES)
def test_similarities_are_a_product_with_the_gram(name, kind, block, monkeypatch):
    skip_dense_only(name, kind)
    monkeypatch.setattr(_fitted, "ONE_BLOCK", block)
    kernel = fitted(name, kind(features()))
    new = kind(features(25, seed=1))
    coef = csr_array(features(60, 3, seed=2))
    gram = kernel.against(new)
    for means in (None, kernel.means(coef)):
        S, diagonal = kernel.similarities(new, coef, means)
        assert_allclose(S, gram.toarray() @ coef.toarray(), rtol=1e-9)
        assert_allclose(diagonal, gram.diagonal())


def test_means_are_explicit_where_they_are_small(monkeypatch):
    X, coef = features(), csr_array(features(60, 3, seed=2))
    means = fit_kernel(csr_array(X), kernel="linear").means(coef)
    assert_allclose(means, X.T @ coef.toarray())
    assert fit_kernel(X, kernel="rbf").means(coef) is None
    monkeypatch.setattr(_fitted, "ONE_BLOCK", 1)
    many = csr_array(features(60, 300, seed=2))
    assert fit_kernel(X, kernel="linear").means(many) is None


def test_nothing_of_the_training_side_is_computed_again(monkeypatch):
    X = features()
    models = [KernelKMeans(3, kernel=k, n_init=1).fit(X) for k in ("linear", "rbf")]
    monkeypatch.setattr(np, "median", None)
    for model in models:
        assert_array_equal(model.predict(X), model.labels_)


def test_other_training_objects_with_the_same_parameters():
    X = features()
    kernel = fit_kernel(X, kernel="rbf")
    again = kernel.on(X[:20])
    assert again.gamma == kernel.gamma
    assert_allclose(again.gram().toarray(), kernel.gram().toarray()[:20, :20])
    linear = fit_kernel(X, kernel="linear", center=True)
    assert_allclose(linear.on(X, center=False).gram().toarray(), X @ X.T)


@pytest.mark.parametrize("sizes", [(1, 1), (100, 1), (1, 100)])
@pytest.mark.parametrize("kind", KINDS)
def test_the_bound_of_the_terms_of_exponents(kind, sizes):
    """``u_x u_y ||x||^2`` and ``u_x u_y ||y||^2``, whichever side is far away."""
    rng = np.random.default_rng(0)
    X, Y = (size * rng.normal(size=(7, 3)) for size in sizes)
    for u, v in (rng.uniform(0.5, 2, size=(2, 7)), np.ones((2, 7))):
        of_X, of_Y = (X**2).sum(axis=1), (Y**2).sum(axis=1)
        rows = gaussian_factor(kind(X), of_X, u, np.float64)
        columns = gaussian_factor(kind(Y), of_Y, v, np.float64, column=True)
        terms = max(np.outer(u * of_X, v).max(), np.outer(u, v * of_Y).max())
        assert largest_terms(rows, columns) >= terms * (1 - 1e-12)
    assert largest_terms(rows, columns) == pytest.approx(terms)  # of one width


@pytest.mark.parametrize("gamma, dtype", [(1.0, np.float32), (1e3, np.float64)])
@pytest.mark.parametrize("unit", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("kind", KINDS)
def test_the_type_of_factors_depends_on_no_unit(kind, unit, gamma, dtype):
    """Of exponents up to about 10 and 10,000, whatever features are measured in."""
    X = kind((unit * features()).astype(np.float32))
    kernel = fit_kernel(X, kernel="rbf", gamma=gamma / unit**2)
    rows, _ = kernel._form.rows(X)
    assert rows.dtype == kernel._form.columns.dtype == dtype


@pytest.mark.parametrize("name", [*KERNELS])
def test_pickle(name):
    kernel = fit_kernel(features(), kernel=name)
    again = pickle.loads(pickle.dumps(kernel))
    new = features(25, seed=1)
    assert_array_equal(again.against(new).toarray(), kernel.against(new).toarray())


def test_new_objects_that_overflow_float32_alone():
    X = features(dtype=np.float32)
    kernel = fit_kernel(X, kernel="poly", degree=20, gamma=1.0)
    assert kernel.gram().dtype == np.float32
    far = kernel.against(100 * X[:3])
    assert far.dtype == np.float64
    assert np.isfinite(far.toarray()).all()
    with pytest.raises(ValueError, match=r"'poly' overflowed.*object 1 "):
        kernel.against(np.vstack([X[:1], np.full((1, 11), 1e30)]))


MODELS = {
    "KernelKMeans, linear": KernelKMeans(3, kernel="linear", random_state=0),
    "KernelKMeans, rbf": KernelKMeans(3, random_state=0),
    "KernelKMeans, poly": KernelKMeans(3, kernel="poly", random_state=0),
    "KernelKMeans, laplacian": KernelKMeans(3, kernel="laplacian", random_state=0),
    "KPDDP": KPDDP(3),
    "BisectingKernelKMeans": BisectingKernelKMeans(3, kernel="linear", random_state=0),
    "PDDP": PDDP(3),
    "SpectralClustering": SpectralClustering(3, random_state=0),
    "KernelPCAKMeans": KernelPCAKMeans(3, kernel="poly", random_state=0),
    "PairwiseKernel": PairwiseKernel("poly"),
    "PairwiseKernel, lazy": PairwiseKernel("linear", lazy=True),
    "LocalScalingKernel": LocalScalingKernel(),
    "PowerMeanNormalizer": PowerMeanNormalizer(1.0),
}


def answers(model, X):
    """All that a model says of new objects."""
    names = [name for name in ("predict", "transform") if hasattr(model, name)]
    results = [getattr(model, name)(X) for name in names]
    return [r if isinstance(r, np.ndarray) else r.toarray() for r in results]


def overwrite(X):
    if isinstance(X, np.ndarray):
        X[:] = 7.0
    else:
        X.data[:] = 7.0


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", MODELS)
def test_a_model_keeps_its_own_copy(name, kind):
    X, new = kind(features()), features(25, seed=1)
    model = clone(MODELS[name]).fit(X)
    expected = answers(model, new)
    overwrite(X)
    for answer, before in zip(answers(model, new), expected):
        assert_array_equal(answer, before)


PRECOMPUTED = [
    KernelKMeans(3, kernel="precomputed", random_state=0),
    KPDDP(3, kernel="precomputed"),
    SpectralClustering(3, kernel="precomputed", random_state=0),
    KernelPCAKMeans(3, kernel="precomputed", random_state=0),
    PowerMeanNormalizer(1.0, kernel="precomputed"),
    EmpiricalKernelMap(),
    EmpiricalKernelMap(normalize=False),
]


@pytest.mark.parametrize("model", PRECOMPUTED, ids=str)
def test_of_a_kernel_matrix_too(model):
    K = features() @ features().T
    rows, model = K[:9].copy(), clone(model).fit(K)
    expected = answers(model, rows)
    overwrite(K)
    for answer, before in zip(answers(model, rows), expected):
        assert_array_equal(answer, before)


@pytest.mark.parametrize("kernel", ["linear", "cosine", "rbf"])
def test_predict_is_read_in_few_files(kernel):
    X = features()
    model = KernelKMeans(3, kernel=kernel, random_state=0).fit(X)
    path = files_of(lambda: model.predict(X[:1]))
    assert len(set(path)) <= 5, path
    assert len(path) - 1 <= 10, path


@pytest.mark.parametrize("take", [np.asarray, csr_array])
def test_features_of_unit_length_are_kept_once(take):
    X = features()
    X = take(X / np.linalg.norm(X, axis=1, keepdims=True))
    assert _fitted.unit_rows(X) is X
    longer = _fitted.unit_rows(2 * X)
    assert longer is not X
    assert abs(longer - X).max() < 1e-15

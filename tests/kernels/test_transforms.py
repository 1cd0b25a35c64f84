"""Kernel matrices to better kernel matrices."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle
import tracemalloc

import numpy as np
import pytest
from corpora import documents
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import clone, config_context
from sklearn.metrics.pairwise import pairwise_kernels, rbf_kernel
from sklearn.pipeline import make_pipeline

from sklearn_kernelclust import (
    DiagonalShift,
    EmpiricalKernelMap,
    KernelKMeans,
    PairwiseKernel,
    PowerMeanNormalizer,
    SubpolynomialKernel,
)
from sklearn_kernelclust._gram._base import Gram
from sklearn_kernelclust._gram._checks import as_gram
from sklearn_kernelclust._gram._stored import SparseGram

# The methods of the paper on diagonal dominance, from a cosine kernel.
METHODS = {
    "DS": [DiagonalShift()],
    "SP": [SubpolynomialKernel()],
    "SPM": [SubpolynomialKernel(), EmpiricalKernelMap()],
    "DSM": [DiagonalShift(), EmpiricalKernelMap()],
    "all": [
        PowerMeanNormalizer(t=2.0, kernel="precomputed"),
        SubpolynomialKernel(p=0.7),
        DiagonalShift(sigma=-0.3),
        EmpiricalKernelMap(normalize=False),
    ],
}


def data(seed=0, n=60):
    return np.random.default_rng(seed).normal(size=(n, 6))


def by_hand(name, K, K_new):
    """The formulas of the paper, on arrays."""
    n = len(K)
    if name in ("DS", "DSM"):
        K = K - np.trace(K) / n * np.eye(n)
    else:
        K, K_new = (np.sign(M) * np.abs(M) ** 0.6 for M in (K, K_new))
    if name in ("SPM", "DSM"):
        R, R_new = (M / np.linalg.norm(M, axis=1, keepdims=True) for M in (K, K_new))
        K, K_new = R @ R.T, R_new @ R.T
    return K, K_new


@pytest.mark.parametrize("kernel", ["linear", "rbf", "cosine"])
@pytest.mark.parametrize("name", ["DS", "SP", "SPM", "DSM"])
def test_formulas(name, kernel):
    X, new = data(), data(1, 20)
    K, K_new = (
        pairwise_kernels(X, metric=kernel),
        pairwise_kernels(new, X, metric=kernel),
    )
    pipe = make_pipeline(*map(clone, METHODS[name]))
    expected, expected_new = by_hand(name, K, K_new)
    assert_allclose(pipe.fit_transform(K), expected, atol=1e-12)
    assert_allclose(pipe.transform(K_new), expected_new, atol=1e-12)
    assert_allclose(pipe.transform(K), expected, atol=1e-12)


@pytest.mark.parametrize("name", METHODS)
def test_columns_of_new_rows_are_the_training_objects(name):
    pipe = make_pipeline(PairwiseKernel("rbf", lazy=True), *map(clone, METHODS[name]))
    K = pipe.fit_transform(data()).toarray()
    gram = pipe.transform(data(1, 20))
    assert_allclose(gram.column_self_similarity, K.diagonal(), atol=1e-12)
    assert_allclose(gram.T.self_similarity, K.diagonal(), atol=1e-12)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("kernel", ["linear", "rbf", "cosine", "laplacian"])
@pytest.mark.parametrize("name", METHODS)
def test_grams_give_the_numbers_of_arrays(name, kernel, dtype):
    X, new = data().astype(dtype), data(1, 20).astype(dtype)
    X[7] = X[3]  # an object that is there twice
    X[11] = 0 if kernel == "laplacian" else X[11]
    tol = {"rtol": 1e-3, "atol": 1e-4} if dtype == np.float32 else {"atol": 1e-10}
    eager = make_pipeline(PairwiseKernel(kernel), *map(clone, METHODS[name]))
    lazy = make_pipeline(PairwiseKernel(kernel, lazy=True), *map(clone, METHODS[name]))
    with config_context(working_memory=0.05):
        K, gram = eager.fit_transform(X), lazy.fit_transform(X)
        assert isinstance(gram, Gram) and gram.shape == (60, 60)
        assert K.dtype == gram.dtype == dtype
        assert_allclose(gram.toarray(), K, **tol)
        assert_allclose(gram.diagonal(), K.diagonal(), **tol)
        assert_allclose(gram @ np.eye(60)[:, :5], K[:, :5], **tol)
        for rows in (X[20:30], X):  # training objects, some and all
            there = lazy.transform(rows).toarray()
            start = 20 if len(rows) == 10 else 0
            assert_allclose(there, K[start : start + len(rows)], **tol)
        if kernel == "linear" and name == "all":
            return  # k(y, y) of new rows is not in an array
        assert_allclose(lazy.transform(new).toarray(), eager.transform(new), **tol)


def test_shift_of_rows_in_any_order():
    K = data() @ data().T
    shift = DiagonalShift(sigma=-2.0).fit(K)
    order = np.random.default_rng(0).permutation(60)[:25]
    expected = (K - 2 * np.eye(60))[order]
    assert_allclose(shift.transform(K[order]), expected)
    mixed = np.vstack([data(5, 3) @ data().T, K[order]])
    assert_allclose(shift.transform(mixed)[3:], expected)
    assert_array_equal(shift.transform(mixed)[:3], mixed[:3])


def test_shift_of_equal_objects():
    """Each has its own diagonal entry, as in K + sigma I."""
    X = data()
    X[7] = X[3]
    K = X @ X.T
    shift = DiagonalShift(sigma=-1.0)
    assert_allclose(shift.fit_transform(K), K - np.eye(60))
    assert_allclose(shift.transform(K), K - np.eye(60))
    row = shift.transform(K[[7]])[0] - K[7]
    assert row[3] == -1 and np.count_nonzero(row) == 1


@pytest.mark.parametrize("sigma", [0.0, 0, -1.5, 3])
def test_shift_by_a_number(sigma):
    K = data() @ data().T
    assert_allclose(DiagonalShift(sigma).fit_transform(K), K + sigma * np.eye(60))


def test_zero_trace():
    shift = DiagonalShift().fit(data() @ data().T)
    assert_allclose(shift.sigma_, -np.mean((data() ** 2).sum(axis=1)))
    assert abs(np.trace(shift.fit_transform(data() @ data().T))) < 1e-10


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("lazy", [False, True])
def test_labels_of_the_training_objects_come_back(lazy, seed):
    """Through a shift, which has to know its own objects again."""
    X = data(seed, 80)
    pipe = make_pipeline(
        PairwiseKernel("rbf", gamma=0.3, lazy=lazy),
        DiagonalShift(),
        KernelKMeans(4, kernel="precomputed", random_state=0, n_init=3),
    ).fit(X)
    assert_array_equal(pipe.predict(X), pipe[-1].labels_)
    assert_array_equal(pipe.predict(X[::-1])[::-1], pipe[-1].labels_)
    assert_array_equal(pipe.predict(X[5:9]), pipe[-1].labels_[5:9])


def test_map_is_positive_semi_definite():
    A = np.random.default_rng(0).normal(size=(30, 30))
    K = EmpiricalKernelMap().fit_transform(A + A.T)
    assert np.linalg.eigvalsh(K).min() > -1e-10
    assert_allclose(K.diagonal(), 1)


def test_map_of_a_row_of_zeros():
    K = np.diag([0.0, 1.0, 2.0])
    for lazy in (K, SparseGram.training(K)):
        gram = EmpiricalKernelMap().fit_transform(lazy)
        found = gram.toarray() if isinstance(gram, Gram) else gram
        assert_allclose(found, np.diag([0, 1, 1]))


@pytest.mark.filterwarnings("ignore:.*rows of zeros")
def test_map_of_a_lazy_kernel_forms_no_matrix():
    """Not in fit, not in seeding, not in iterations, not for new objects."""
    X, _ = documents(n=3000, n_terms=500, length=10)
    pipe = make_pipeline(
        PairwiseKernel("cosine", lazy=True),
        DiagonalShift(),
        EmpiricalKernelMap(),
        KernelKMeans(3, kernel="precomputed", n_init=1, max_iter=20, random_state=0),
    )
    tracemalloc.start()
    try:
        labels = pipe.fit_predict(X)
        assert_array_equal(pipe.predict(X[:50]), labels[:50])
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 8 * 3000**2 / 3


def test_map_of_an_evaluated_kernel_is_stored_where_it_fits():
    X = data(n=200)
    pipe = make_pipeline(PairwiseKernel("rbf", lazy=True), EmpiricalKernelMap())
    gram = pipe.fit_transform(X)
    stored = gram.stored()
    assert stored is not gram and stored.stored() is stored
    assert_allclose(stored.toarray(), gram.toarray())
    with config_context(working_memory=0.01):
        assert gram.stored() is gram


@pytest.mark.parametrize(
    "transformer, message",
    [
        (DiagonalShift("trace"), "'zero-trace'"),
        (DiagonalShift(np.inf), "sigma"),
        (SubpolynomialKernel(0.0), r"range \(0.0, 1.0\]"),
        (SubpolynomialKernel(1.1), r"range \(0.0, 1.0\]"),
        (EmpiricalKernelMap("yes"), "normalize"),
    ],
)
def test_bad_parameters(transformer, message):
    with pytest.raises(ValueError, match=message):
        transformer.fit(np.eye(3))


def test_neutral_elements():
    K = rbf_kernel(data())
    for neutral in (DiagonalShift(0), SubpolynomialKernel(1)):
        assert_allclose(neutral.fit_transform(K), K)


def test_input_is_not_written_to():
    K = rbf_kernel(data())
    K.flags.writeable = False
    before = K.copy()
    for name in METHODS:
        make_pipeline(*map(clone, METHODS[name])).fit_transform(K)
    assert_array_equal(K, before)


@pytest.mark.parametrize("lazy", [False, True])
@pytest.mark.parametrize("name", METHODS)
def test_fitted_transforms_pickle(name, lazy):
    X = data()
    pipe = make_pipeline(
        PairwiseKernel("rbf", lazy=lazy), *map(clone, METHODS[name])
    ).fit(X)
    again = pickle.loads(pickle.dumps(pipe))
    found, expected = again.transform(X[:9]), pipe.transform(X[:9])
    if lazy:
        found, expected = found.toarray(), expected.toarray()
    assert_array_equal(found, expected)


@pytest.mark.parametrize("steps", [[], [DiagonalShift()]])
def test_a_lazy_kernel_is_no_frame(steps):
    pipe = make_pipeline(PairwiseKernel(lazy=True), *steps)
    pipe.set_output(transform="pandas")
    with pytest.raises(ValueError, match=r"lazy kernel, which cannot be pandas output"):
        pipe.fit_transform(data())


def test_names_out():
    shift = DiagonalShift().fit(np.eye(3))
    assert_array_equal(
        shift.get_feature_names_out(),
        ["diagonalshift0", "diagonalshift1", "diagonalshift2"],
    )


@pytest.mark.parametrize("lazy", [False, True])
@pytest.mark.parametrize("scale", [1e-25, 1e15, 1e30])
def test_the_map_does_not_depend_on_the_scale_of_a_float32_kernel(scale, lazy):
    X = np.random.default_rng(0).normal(size=(20, 3))
    K = (X @ X.T).astype(np.float32)
    expected = EmpiricalKernelMap().fit_transform(K)
    K = as_gram(K * np.float32(scale)) if lazy else K * np.float32(scale)
    found = EmpiricalKernelMap().fit_transform(K)
    assert_allclose(found.toarray() if lazy else found, expected, atol=1e-5)


def test_squares_that_overflow():
    K = np.eye(3, dtype=np.float32) * 1e30
    with pytest.raises(ValueError, match="float32 overflow in 3 rows: scale"):
        EmpiricalKernelMap(normalize=False).fit(K)
    with pytest.raises(ValueError, match="float64 overflow in 3 rows: scale"):
        EmpiricalKernelMap().fit(np.eye(3) * 1e160)


def test_a_shift_that_overflows():
    K = (data() @ data().T).astype(np.float32)
    with pytest.raises(ValueError, match=r"sigma=1e\+39 is too large .* of float32"):
        DiagonalShift(1e39).fit(K)
    assert DiagonalShift(1e39).fit(K.astype(float)).sigma_ == 1e39


@pytest.mark.parametrize("lazy", [False, True])
@pytest.mark.parametrize("scale", [1e-170, 1e-300])
def test_map_of_a_tiny_kernel(scale, lazy):
    K = data() @ data().T
    K[:, 3] = K[3] = 0
    expected = EmpiricalKernelMap().fit_transform(K)
    tiny = as_gram(K * scale) if lazy else K * scale
    result = EmpiricalKernelMap().fit_transform(tiny)
    assert_allclose(result.toarray() if lazy else result, expected, atol=1e-9)


def test_map_of_a_row_without_digits():
    K = np.eye(3, dtype=np.float32)
    K[2, 2] = np.finfo(np.float32).smallest_subnormal
    expected = np.diag([1, 1, 0])
    assert_allclose(EmpiricalKernelMap().fit_transform(K), expected)


def test_the_map_of_new_rows_of_zeros_is_silent():
    steps = PairwiseKernel("cosine", lazy=True), DiagonalShift(), EmpiricalKernelMap()
    model = make_pipeline(*steps).fit(data())
    new = np.zeros((2, data().shape[1]))
    assert not model.transform(new).toarray().any()

"""Centres of features, dense and sparse."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array, random
from sklearn.metrics import adjusted_rand_score

from sklearn_kernelclust import (
    KPDDP,
    PDDP,
    BisectingKernelKMeans,
    DistanceKernel,
    KernelKMeans,
    LocalScalingKernel,
    PairwiseKernel,
    PowerMeanNormalizer,
)
from sklearn_kernelclust._kernels import _centers
from sklearn_kernelclust._kernels._centers import (
    FAR,
    medians,
    origin_for,
    some_rows,
)
from sklearn_kernelclust._utils._block_rows import moved


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("n", [1, 2, 3, 10, 101])
def test_medians_are_those_of_numpy(n, dtype):
    X = (np.random.default_rng(n).normal(size=(n, 7)) * [1, 2, 3, 4, 5, 1e9, 0]).astype(
        dtype
    )
    for rows in (X, np.round(X), np.asfortranarray(X), X[:, :1]):
        before = rows.copy()
        result = medians(rows)
        assert_array_equal(result, np.median(rows, axis=0))
        assert_array_equal(rows, before)
        assert result.dtype == dtype


@pytest.mark.parametrize("n", [1, 2, 5, 40])
@pytest.mark.parametrize("density", [0.1, 0.5, 0.9, 1.0])
def test_sparse_origin_is_that_of_dense_features(n, density, first_seed):
    rng = np.random.default_rng([n, first_seed])
    kept = rng.random((n, 6)) < density
    X = np.where(kept, rng.normal(size=(n, 6)) + 1e6, 0)
    center = origin_for(csr_array(X))
    about_median = X - np.median(X, axis=0)
    far, near = (X**2).sum(axis=1), (about_median**2).sum(axis=1)
    if sum(far > FAR * near) - sum(near > FAR * far) > n / 10:
        assert_array_equal(center, origin_for(X))
        assert_array_equal(moved(csr_array(X), center).toarray(), about_median)
    else:
        assert center is None


def test_entries_of_moved_features_are_at_most_twice_as_many(first_seed):
    rng = np.random.default_rng(first_seed)
    X = np.where(rng.random((60, 8)) < np.linspace(0, 1, 8), 1e3, 0)
    center = np.median(X, axis=0)
    Y = moved(csr_array(X), center)
    assert_array_equal(Y.toarray(), X - center)
    assert Y.nnz <= 2 * np.count_nonzero(X)


def test_sparse_features_near_the_origin_stay():
    """Of texts, no word is moved: their entries, and their speed, remain."""
    X = csr_array(abs(random(200, 50, density=0.1, random_state=0)))
    common = csr_array(np.ones((200, 3)))
    rng = np.random.default_rng(0)
    counts = csr_array(rng.poisson(20 / np.arange(1, 200) ** 1.2, size=(200, 199)))
    for Y in (X, csr_array(-X), csr_array(np.eye(5)), csr_array((4, 3)), counts):
        assert origin_for(Y.astype(np.float64)) is None
    assert_array_equal(origin_for(common), [1, 1, 1])


def test_an_outlier_changes_nothing(first_seed):
    X = np.random.default_rng(first_seed).normal(size=(50, 3)) + 1e8
    X[7] = 1e14
    assert_array_equal(origin_for(csr_array(X)), np.median(X, axis=0))


def test_squares_that_overflow_are_no_error():
    X = csr_array(1e200 * np.random.default_rng(0).normal(size=(9, 3)))
    assert origin_for(X) is None


def test_some_rows_are_all_of_few(monkeypatch):
    X = np.arange(10.0)[:, None]
    assert_array_equal(some_rows(X), X)
    monkeypatch.setattr(_centers, "CENTER_ROWS", 3)
    assert_array_equal(some_rows(X), X[[0, 4, 9]])
    assert_array_equal(some_rows(csr_array(X)).toarray(), X[[0, 4, 9]])


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_medians_of_the_largest_numbers(dtype):
    largest = np.finfo(dtype).max
    assert_array_equal(medians(np.full((4, 2), largest)), [largest, largest])


def table_with_an_offset(seed):
    """A category of 30 as indicators, beside a time in seconds around 100,000,000."""
    rng = np.random.default_rng(seed)
    group = np.arange(90) % 3
    X = np.zeros((90, 31))
    X[np.arange(90), rng.integers(0, 30, 90)] = 1
    X[:, 30] = 1e8 + 20 * group + rng.normal(size=90)
    return X, group


@pytest.mark.parametrize(
    "model",
    [
        KernelKMeans(3, kernel="linear", random_state=0, n_init=5),
        KernelKMeans(3, kernel="linear", algorithm="hartigan", random_state=0),
        BisectingKernelKMeans(3, kernel="linear", random_state=0),
        KPDDP(3, kernel="linear", split="optimal-cut"),
        PDDP(3, split="optimal-cut"),
    ],
    ids=lambda model: f"{type(model).__name__} {getattr(model, 'algorithm', '')}",
)
def test_sparse_table_far_from_the_origin(model, first_seed):
    """Squares of the time leave no digit for the rest, about the origin."""
    X, group = table_with_an_offset(first_seed)
    labels = model.fit_predict(csr_array(X))
    assert_array_equal(labels, model.fit_predict(X))
    assert adjusted_rand_score(labels, group) == 1
    for store in (np.array, csr_array):
        model.fit(store(X))
        assert_array_equal(model.predict(csr_array(X)), labels)
        assert_array_equal(model.predict(X[:7]), labels[:7])
        assert_array_equal(model.predict(csr_array(X[:1])), labels[:1])


@pytest.mark.parametrize("what", ["outlier", "outlier elsewhere", "missing", "zeros"])
def test_few_rows_elsewhere_hide_no_digits(what, first_seed):
    """What most rows gain counts, not the sum of squares, which goes by the largest."""
    X, _ = table_with_an_offset(first_seed)
    if what == "outlier":
        X[0, 30] = 1e11
    elif what == "outlier elsewhere":
        X[0, 3] = 1e11
    else:
        X[np.random.default_rng(first_seed).random(90) < 0.3, 30] = 0
    if what == "zeros":
        X[:, 5] = 1e8 * (np.arange(90) % 4 == 0)
    for model in (
        KernelKMeans(4, kernel="linear", random_state=0),
        KPDDP(4, kernel="linear", split="optimal-cut"),
    ):
        expected = model.fit_predict(X)
        assert len(set(expected)) == 4
        assert_array_equal(model.fit_predict(csr_array(X)), expected)
        assert_array_equal(model.predict(csr_array(X)), expected)


def test_distances_of_sparse_objects_far_from_the_origin():
    X, _ = table_with_an_offset(0)
    model = KernelKMeans(3, kernel="linear", random_state=0).fit(csr_array(X))
    Y = X - 1e8 * (X == X.max(axis=1, keepdims=True))
    means = np.stack([Y[model.labels_ == j].mean(axis=0) for j in range(3)])
    expected = np.linalg.norm(Y[:, None] - means, axis=2)
    assert_allclose(model.transform(csr_array(X)), expected, rtol=1e-9)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("lazy", [False, True])
@pytest.mark.parametrize(
    "transformer",
    [
        PairwiseKernel("rbf", gamma=0.1),
        PowerMeanNormalizer(1.0, kernel="rbf", gamma=0.1),
        LocalScalingKernel(),
        DistanceKernel("euclidean"),
        DistanceKernel("euclidean", kind="centered"),
    ],
    ids=str,
)
def test_kernels_of_distances_far_from_the_origin(transformer, lazy, dtype):
    """Those of sparse features are those of dense ones, of new objects too."""
    rng = np.random.default_rng(0)
    far = 1e8 if dtype == np.float64 else 1e3
    X = (rng.normal(size=(40, 4)) + [far, -far, far, 0]).astype(dtype)
    new = (X[:9] + rng.normal(size=(9, 4)) / 4).astype(dtype)
    transformer.set_params(lazy=lazy)
    expected = np.asarray(transformer.fit_transform(X))
    expected_of_new = np.asarray(transformer.transform(new))
    K = transformer.fit_transform(csr_array(X))
    assert K.dtype == dtype
    rounding = {"rtol": 0, "atol": 100 * np.finfo(dtype).eps * np.abs(expected).max()}
    assert_allclose(np.asarray(K), expected, **rounding)
    assert_allclose(transformer.transform(csr_array(new)), expected_of_new, **rounding)

"""Distances to kernels."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from samples import normal_features as data
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score, pairwise_distances
from sklearn.pipeline import make_pipeline

from sklearn_kernelclust import (
    DiagonalShift,
    DistanceKernel,
    KernelKMeans,
    LocalScalingKernel,
    PairwiseKernel,
)
from sklearn_kernelclust._gram._checks import as_gram
from sklearn_kernelclust.gram import Gram, check_gram

KINDS = ["gaussian", "laplacian", "centered"]


def plain(D, kind, D_fit):
    """The formulas, of distances to training objects with the distances `D_fit`."""
    median = np.median(D_fit[np.triu_indices(len(D_fit), 1)])
    if kind == "gaussian":
        return np.exp(-(D**2) / (2 * median**2))
    if kind == "laplacian":
        return np.exp(-D / median)
    S, S_fit = D**2, D_fit**2
    return -0.5 * (S - S.mean(1, keepdims=True) - S_fit.mean(0) + S_fit.mean())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("metric", ["euclidean", "cosine", "cityblock", "braycurtis"])
def test_the_formulas(kind, metric):
    X, new = np.abs(data()), np.abs(data(1, 10))
    D, D_new = (pairwise_distances(A, X, metric=metric) for A in (X, new))
    model = DistanceKernel(metric, kind=kind)
    K = model.fit_transform(X)
    assert_allclose(K, plain(D, kind, D), atol=1e-7)
    assert_allclose(model.transform(X), K, atol=1e-12)
    assert_allclose(model.transform(new), plain(D_new, kind, D), atol=1e-12)

    matrix = DistanceKernel("precomputed", kind=kind)
    assert_allclose(matrix.fit_transform(D), K, atol=1e-7)
    assert_allclose(matrix.transform(D_new), model.transform(new), atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("metric", ["euclidean", "jaccard", "precomputed"])
def test_lazy_is_explicit(kind, metric):
    X, new = data() > 0, data(1, 10) > 0
    if metric == "precomputed":
        X, new = (pairwise_distances(A * 1.0, X * 1.0) for A in (X, new))
    explicit = DistanceKernel(metric, kind=kind)
    lazy = DistanceKernel(metric, kind=kind, lazy=True)
    K, gram = explicit.fit_transform(X), lazy.fit_transform(X)
    check_gram(gram, K)
    new_gram = lazy.transform(new)
    assert isinstance(new_gram, Gram)
    assert_allclose(new_gram.toarray(), explicit.transform(new), atol=1e-12)


def test_centered_distances_are_inner_products():
    X, new = data(), data(1, 5)
    centered = X - X.mean(axis=0)
    model = DistanceKernel(kind="centered", lazy=True)
    assert_allclose(model.fit_transform(X).toarray(), centered @ centered.T, atol=1e-9)
    moved = new - X.mean(axis=0)
    gram = model.transform(new)
    assert_allclose(gram.toarray(), moved @ centered.T, atol=1e-9)
    assert_allclose(gram.diagonal(), (moved**2).sum(axis=1), atol=1e-9)


@pytest.mark.parametrize(
    "metric", ["cityblock", "cosine", "euclidean", "l1", "l2", "manhattan"]
)
def test_sparse_features(metric):
    X, new = data(), data(1, 10)
    dense, sparse = DistanceKernel(metric), DistanceKernel(metric)
    assert_allclose(
        sparse.fit_transform(csr_array(X)), dense.fit_transform(X), atol=1e-7
    )
    assert_allclose(sparse.transform(csr_array(new)), dense.transform(new), atol=1e-7)


@pytest.mark.parametrize("metric", ["seuclidean", "mahalanobis"])
def test_metrics_that_learn_do_so_from_training_objects(metric):
    X, new = data(), data(1, 10)
    K = DistanceKernel(metric, gamma=0.1).fit(X).transform(new)
    params = {"seuclidean": {"V": X.var(axis=0, ddof=1)}}
    params["mahalanobis"] = {"VI": np.linalg.inv(np.cov(X.T))}
    D = pairwise_distances(new, X, metric=metric, **params[metric])
    assert_allclose(K, np.exp(-0.1 * D**2))
    given = DistanceKernel(metric, gamma=0.1, metric_params=params[metric])
    assert_allclose(given.fit(X).transform(new), K)


def edit_distance(s, t):
    row = list(range(len(t) + 1))
    for i, a in enumerate(s, 1):
        before, row[0] = row[0], i
        for j, b in enumerate(t, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (a != b))
    return row[-1]


WORDS = ["kitten", "sitting", "mitten", "saturday", "sunday", "saturdays", "fitting"]


@pytest.mark.parametrize("lazy", [False, True])
def test_objects_of_any_kind(lazy):
    D = np.array([[edit_distance(s, t) for t in WORDS] for s in WORDS])
    model = DistanceKernel(edit_distance, kind="laplacian", lazy=lazy)
    expected = plain(D, "laplacian", D)
    assert_allclose(model.fit_transform(WORDS), expected)
    assert_allclose(model.transform(WORDS[2:4]), expected[2:4])
    assert model.X_fit_ == WORDS
    pipeline = make_pipeline(
        model, KernelKMeans(2, kernel="precomputed", random_state=0)
    )
    labels = pipeline.fit_predict(WORDS)
    assert adjusted_rand_score(labels, [0, 0, 0, 1, 1, 1, 0]) == 1
    assert pipeline.predict(["bitten"]) == labels[0]


def test_a_callable_of_features():
    X = data()

    def largest(x, y, power=1):
        return np.abs(x - y).max() ** power

    K = DistanceKernel(largest, gamma=1.0).fit_transform(X)
    assert_allclose(K, DistanceKernel("chebyshev", gamma=1.0).fit_transform(X))
    squared = DistanceKernel(largest, gamma=1.0, metric_params={"power": 2})
    D = pairwise_distances(X, metric="chebyshev")
    assert_allclose(squared.fit_transform(X), np.exp(-(D**4)))


def test_training_objects_are_recognized():
    model = make_pipeline(
        DistanceKernel(edit_distance, gamma=0.1, lazy=True), DiagonalShift(-1.0)
    )
    gram = model.fit_transform(WORDS)
    assert_allclose(np.asarray(model.transform(WORDS[::-1])), np.asarray(gram)[::-1])


def test_the_median():
    X = [[0.0], [0.0], [0.0], [3.0]]  # half of the pairs coincide
    assert DistanceKernel(kind="laplacian").fit(X).gamma_ == 1 / 1.5
    X = [[0.0]] * 5 + [[3.0]]
    assert DistanceKernel(kind="laplacian").fit(X).gamma_ == 1 / 3
    with pytest.warns(UserWarning, match="median distance of 2 objects, which is 0"):
        assert DistanceKernel().fit([[1.0], [1.0]]).gamma_ == 1
    with pytest.warns(UserWarning, match="median distance of 1 objects"):
        assert_array_equal(DistanceKernel().fit_transform([[1.0]]), [[1.0]])


def test_the_unit_of_distances_makes_no_difference():
    D = pairwise_distances(data())
    for kind in ("gaussian", "laplacian"):
        model = DistanceKernel("precomputed", kind=kind)
        assert_allclose(model.fit_transform(1e6 * D), clone(model).fit_transform(D))


def test_float32():
    X = data().astype(np.float32)
    for kind in KINDS:
        assert DistanceKernel(kind=kind).fit_transform(X).dtype == np.float32


@pytest.mark.parametrize(
    "D, message",
    [
        (np.ones((2, 3)), r"distances must be square, got \(2, 3\)"),
        ([[0, 1], [2, 0]], r"distances K must be symmetric: K\[0, 1\] and K\[1, 0\]"),
        ([[0, -1], [-1, 0]], r"passed as distances: D\[0, 1\] is -1"),
        ([[0, 1], [1, 0.5]], r"0 on the diagonal, D\[1, 1\] is 0.5. Is it a kernel"),
    ],
)
def test_what_is_no_matrix_of_distances_is_refused(D, message):
    with pytest.raises(ValueError, match=message):
        DistanceKernel("precomputed").fit(D)


def test_lazy_distances():
    X, new = data(), data(1, 10)
    D = DistanceKernel(gamma=0.1).fit(X)._metric
    lazy = DistanceKernel("precomputed", gamma=0.1, lazy=True)
    expected = DistanceKernel(gamma=0.1).fit(X)
    assert_allclose(lazy.fit_transform(D.gram()), expected.fit_transform(X))
    assert_allclose(lazy.transform(D.against(new)), expected.transform(new))
    kernel = PairwiseKernel("rbf", lazy=True).fit_transform(X)
    with pytest.raises(ValueError, match=r"D\[0, 0\] is 1. Is it a kernel matrix"):
        lazy.fit(kernel)


def test_new_rows_are_checked():
    model = DistanceKernel("precomputed").fit([[0.0, 1.0], [1.0, 0.0]])
    with pytest.raises(ValueError, match=r"D\[0, 1\] is -2"):
        model.transform([[0.0, -2.0]])
    with pytest.raises(ValueError, match="X has 3 features, but DistanceKernel"):
        model.transform([[0.0, 1.0, 1.0]])


@pytest.mark.parametrize("bad", [-1.0, np.nan, np.inf])
def test_values_that_are_no_distances(bad):
    with pytest.raises(ValueError, match=f"gives {bad} for a pair.*finite and not neg"):
        DistanceKernel(lambda x, y: bad).fit(["a", "b", "c"])


def test_a_metric_must_be_symmetric():
    with pytest.raises(ValueError, match="the callable gives 1 for objects 0 and 1"):
        DistanceKernel(lambda x, y: float(len(x))).fit(["a", "bb", "ccc"])


def test_a_bad_gamma_warns():
    with pytest.warns(UserWarning, match="nearly the identity.*or gamma='median'"):
        DistanceKernel(gamma=1e9).fit(data())


def test_distances_as_a_kernel_are_warned_of_with_the_cure():
    X, _ = make_blobs(100, centers=4, random_state=0)
    D = pairwise_distances(X)
    with pytest.warns(UserWarning, match=r"DistanceKernel\(metric='precomputed'\)"):
        KernelKMeans(4, kernel="precomputed", n_init=1).fit(D)


def test_parameters_of_the_euclidean_metric_count():
    X = data()
    squared = {"metric_params": {"squared": True}}
    for make in (DistanceKernel, LocalScalingKernel):
        expected = make(metric="sqeuclidean").fit_transform(X)
        assert_allclose(make(metric="euclidean", **squared).fit_transform(X), expected)
        with pytest.raises(TypeError, match="'nothing'"):
            make(metric_params={"nothing": 1}).fit(X)
        with pytest.warns(UserWarning, match="'squared': True} are ignored"):
            make(metric="precomputed", **squared).fit(pairwise_distances(X))


def test_what_a_metric_needs_may_be_given():
    X = np.column_stack([data(), np.ones(len(data()))])
    VI = np.diag(np.arange(1.0, X.shape[1] + 1))
    kernel = DistanceKernel("mahalanobis", gamma=0.1, metric_params={"VI": VI})
    expected = DistanceKernel(gamma=0.1).fit_transform(X * np.sqrt(np.diag(VI)))
    assert_allclose(kernel.fit_transform(X), expected)
    kernel = DistanceKernel("seuclidean", gamma=0.1, metric_params={"V": np.diag(VI)})
    expected = DistanceKernel(gamma=0.1).fit_transform(X / np.sqrt(np.diag(VI)))
    assert_allclose(kernel.fit_transform(X), expected)


@pytest.mark.parametrize("unit", [1e-9, 1e9])
def test_units_are_nothing_to_mahalanobis_distances(unit):
    X, scale = data(), np.ones(data().shape[1])
    scale[0] = unit
    kernel = DistanceKernel("mahalanobis")
    assert_allclose(kernel.fit_transform(X * scale), kernel.fit_transform(X))


def test_metrics_without_what_they_need():
    X = data()[:, :2]
    constant = np.column_stack([X, np.ones(len(X))])
    for metric in ("mahalanobis", "seuclidean"):
        with pytest.raises(ValueError, match=r"1 of 3 features are constant .* 2"):
            DistanceKernel(metric).fit(constant)
        with pytest.raises(ValueError, match="2 or more objects, got 1"):
            DistanceKernel(metric).fit(X[:1])
    collinear = np.column_stack([X, X.sum(axis=1)])
    with pytest.raises(ValueError, match=r"of 3 features .* has rank 2"):
        DistanceKernel("mahalanobis").fit(collinear)
    with pytest.raises(TypeError, match="metric='chebyshev' takes dense features"):
        DistanceKernel("chebyshev").fit(csr_array(X))


@pytest.mark.parametrize("container", [np.asarray, csr_array])
def test_rows_of_zeros_are_at_distance_0_from_each_other(container):
    X = data()
    X[[3, 8]] = 0
    D = pairwise_distances(X, metric="cosine")
    D[3, 8] = D[8, 3] = 0
    lazy = DistanceKernel("cosine", kind="laplacian", gamma=1.0, lazy=True)
    gram = lazy.fit_transform(container(X))
    assert_allclose(gram @ np.eye(len(X)), np.exp(-D))
    assert_allclose(lazy.transform(container(X[5:])).toarray(), np.exp(-D[5:]))


@pytest.mark.parametrize("X", [["a", "bb", "c"], [[1.0], [2.0], [4.0]]])
def test_an_object_is_at_distance_0_from_itself(X):
    def metric(x, y):
        return 1.0 if len(x) == len(y) else 2.0

    with pytest.raises(ValueError, match=r"0 on the diagonal, D\[0, 0\] is 1. Is it a"):
        DistanceKernel(metric).fit(X)
    with pytest.raises(ValueError, match="'russellrao'"):
        DistanceKernel("russellrao").fit([[1.0], [2.0]])


@pytest.mark.parametrize("unit", [1e-200, 1e200])
def test_squares_of_distances_that_are_no_numbers(unit):
    D = unit * pairwise_distances(data())
    with pytest.raises(ValueError, match="overflow or underflow"):
        DistanceKernel("precomputed").fit(D)
    laplacian = DistanceKernel("precomputed", kind="laplacian")
    assert_allclose(laplacian.fit_transform(D), laplacian.fit_transform(D / unit))
    if unit > 1:
        with pytest.raises(ValueError, match="overflow or underflow"):
            DistanceKernel("precomputed", kind="centered").fit(D)


def test_negative_distances_in_a_gram():
    gram = as_gram(-pairwise_distances(data()))
    with pytest.raises(ValueError, match=r"passed as distances: D\[0, "):
        DistanceKernel("precomputed").fit(gram)


def test_distances_of_objects_to_themselves_may_round():
    X = data() + 30
    norms = np.square(X).sum(axis=1)
    D = np.sqrt(np.maximum(norms[:, None] + norms - 2 * X @ X.T, 0))
    # What rounding leaves of differences of norms, on some machines.
    np.fill_diagonal(D, np.sqrt(np.finfo(float).eps * norms))
    kernel = DistanceKernel("precomputed").fit_transform(D)
    assert_allclose(kernel, DistanceKernel().fit_transform(X), atol=1e-6)

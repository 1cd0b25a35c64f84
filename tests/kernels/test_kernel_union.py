"""Several kernels as one."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from namespaces import dispatch, on_devices
from numpy.testing import assert_allclose
from samples import normal_features as data
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.compose import make_column_selector
from sklearn.datasets import make_blobs
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.impute import SimpleImputer
from sklearn.metrics import pairwise_distances
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import FeatureUnion, make_pipeline, make_union
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.utils import get_tags

from sklearn_kernelclust import (
    DiagonalShift,
    DistanceKernel,
    KernelKMeans,
    KernelUnion,
    LocalScalingKernel,
    PairwiseKernel,
    StringKernel,
)
from sklearn_kernelclust.gram import Gram, check_gram

X, NEW = data(), data(1, 10)
COLUMNS = [slice(0, 2), [2, 3, 4]]


def union(lazy=False, **params):
    transformers = [
        ("rbf", PairwiseKernel("rbf", gamma=0.3, lazy=lazy), COLUMNS[0]),
        ("linear", PairwiseKernel("linear"), COLUMNS[1]),
    ]
    return KernelUnion(transformers, **params)


def kernels(A):
    a, b = (A[:, columns] for columns in COLUMNS)
    c, d = (X[:, columns] for columns in COLUMNS)
    return np.exp(-0.3 * ((a[:, None] - c) ** 2).sum(axis=-1)), b @ d.T


SCALES = [K.diagonal().mean() for K in kernels(X)]


def plain(A, normalize, combine, weights):
    K, L = kernels(A)
    if normalize:
        K, L = K / SCALES[0], L / SCALES[1]
    if combine == "sum":
        return weights[0] * K + weights[1] * L
    return K ** weights[0] * np.sign(L) * np.abs(L) ** weights[1]


@pytest.mark.parametrize("lazy", [False, True])
@pytest.mark.parametrize("normalize", [False, True])
@pytest.mark.parametrize("combine", ["sum", "product"])
@pytest.mark.parametrize("weights", [None, [1.0, 0.25]])
def test_against_plain_numpy(lazy, normalize, combine, weights):
    params = {"normalize": normalize, "combine": combine, "weights": weights}
    model = union(lazy, **params)
    K, transformed = model.fit_transform(X), model.transform(NEW)
    assert isinstance(K, Gram) == isinstance(transformed, Gram) == lazy
    params["weights"] = weights or [1.0, 1.0]
    assert_allclose(np.asarray(K), plain(X, **params), atol=1e-12)
    assert_allclose(np.asarray(transformed), plain(NEW, **params), atol=1e-12)
    assert_allclose(np.asarray(model.transform(X)), np.asarray(K), atol=1e-12)
    if lazy:
        check_gram(K, plain(X, **params))


@pytest.mark.parametrize("combine", ["sum", "product"])
def test_normalized_kernels_have_no_unit(combine):
    pair = [("all", PairwiseKernel()), ("some", PairwiseKernel(), COLUMNS[1])]
    model = KernelUnion(pair, combine=combine)
    K, block = model.fit_transform(X), model.transform(NEW)
    for unit in (0.01, 100.0):
        assert_allclose(model.fit_transform(unit * X), K, atol=1e-12)
        assert_allclose(model.transform(unit * NEW), block, atol=1e-12)


def test_weights_by_name_and_zero():
    only = union(weights={"linear": 0}, normalize=False)
    assert_allclose(only.fit_transform(X), kernels(X)[0])
    assert_allclose(only.transform(NEW), kernels(NEW)[0])
    by_name = union(weights={"linear": 0.25}).fit_transform(X)
    assert_allclose(by_name, union(weights=[1, 0.25]).fit_transform(X))


def test_sparse_features():
    assert_allclose(
        union().fit(csr_array(X)).transform(csr_array(NEW)),
        union().fit(X).transform(NEW),
    )


FRAME = pd.DataFrame(
    {
        "text": ["red wine", "white wine", "red car", "fast car", "old car"],
        "kind": ["drink", "drink", "thing", "thing", "thing"],
        "price": [3.0, 4.0, 90.0, 80.0, 70.0],
        "weight": [1.0, 1.0, 9.0, 8.0, 9.5],
    }
)


def of_frame(numbers, lazy=False):
    kernel = PairwiseKernel("linear", lazy=lazy)
    return KernelUnion(
        [
            ("text", make_pipeline(TfidfVectorizer(), clone(kernel)), "text"),
            ("kind", make_pipeline(OneHotEncoder(), clone(kernel)), ["kind"]),
            ("numbers", make_pipeline(StandardScaler(), clone(kernel)), numbers),
        ]
    )


@pytest.mark.parametrize(
    "numbers",
    [
        ["price", "weight"],
        [2, 3],
        slice("price", "weight"),
        slice(2, 4),
        make_column_selector(dtype_include="number"),
        [False, False, True, True],
    ],
    ids=["names", "places", "slice of names", "slice", "selector", "mask"],
)
@pytest.mark.parametrize("lazy", [False, True])
def test_columns_of_a_frame(numbers, lazy):
    model = of_frame(numbers, lazy)
    K = np.asarray(model.fit_transform(FRAME))
    T = TfidfVectorizer().fit_transform(FRAME["text"])
    kinds = FRAME["kind"].to_numpy()
    N = StandardScaler().fit_transform(FRAME[["price", "weight"]])
    expected = (T @ T.T).toarray() + (kinds[:, None] == kinds) + N @ N.T / 2
    assert_allclose(K, expected, atol=1e-12)
    assert_allclose(np.asarray(model.transform(FRAME[2:4])), K[2:4], atol=1e-12)
    if not callable(numbers) and not isinstance(numbers, slice):
        polars = of_frame(numbers, lazy)
        assert_allclose(
            np.asarray(polars.fit_transform(pl.DataFrame(FRAME.to_dict("list")))), K
        )


def test_columns_in_another_order_are_refused():
    model = of_frame(["price", "weight"]).fit(FRAME)
    with pytest.raises(ValueError, match="Feature names must be in the same order"):
        model.transform(FRAME[["weight", "text", "kind", "price"]])


def test_missing_values_are_for_the_transformers():
    holes = X.copy()
    holes[3, 0] = np.nan
    filled = make_pipeline(SimpleImputer(), PairwiseKernel())
    model = KernelUnion([("filled", filled, [0, 1])], normalize=False)
    expected = clone(filled).fit_transform(holes[:, :2])
    assert_allclose(model.fit_transform(holes), expected)
    assert_allclose(model.fit_transform(holes.tolist()), expected)


def test_objects_without_columns():
    words = ["kitten", "mitten", "monday", "sunday"]

    def length(s, t):
        return abs(len(s) - len(t))

    strings, lengths = StringKernel(2), DistanceKernel(length, gamma=1.0)
    model = KernelUnion([("strings", strings), ("lengths", lengths)], normalize=False)
    expected = clone(strings).fit_transform(words) + clone(lengths).fit_transform(words)
    assert_allclose(model.fit_transform(words), expected)
    assert_allclose(model.transform(words[:2]), expected[:2])


def test_search_over_weights_and_nested_parameters():
    points, y = make_blobs(60, 5, centers=3, random_state=0)
    model = make_pipeline(
        union(), KernelKMeans(3, kernel="precomputed", n_init=2, random_state=0)
    )
    grid = {
        "kernelunion__weights": [[1, 0], [0.5, 0.5]],
        "kernelunion__rbf__gamma": [0.01, 1.0],
        "kernelunion__linear": [PairwiseKernel("linear"), PairwiseKernel("cosine")],
    }
    search = GridSearchCV(model, grid, scoring="adjusted_rand_score", cv=2)
    search.fit(points, y)
    assert set(search.best_params_) == set(grid)
    assert search.predict(points).shape == (60,)


def test_searches_take_rows_and_columns_of_kernels():
    points, y = make_blobs(60, 5, centers=3, random_state=0)
    D = pairwise_distances(points)
    kinds = {"a": "gaussian", "b": "laplacian"}
    both = KernelUnion(
        [(name, DistanceKernel("precomputed", kind=k)) for name, k in kinds.items()]
    )
    assert get_tags(both).input_tags.pairwise
    assert not get_tags(union()).input_tags.pairwise
    assert not get_tags(KernelUnion([])).input_tags.pairwise
    model = make_pipeline(both, KernelKMeans(3, kernel="precomputed", random_state=0))
    grid = {"kernelunion__weights": [[1, 0], [0, 1], [1, 1]]}
    search = GridSearchCV(model, grid, scoring="adjusted_rand_score", cv=3).fit(D, y)
    assert search.best_score_ > 0.9
    assert search.predict(D[:7]).shape == (7,)


def test_parameters_as_in_column_transformer():
    model = union()
    params = model.get_params()
    assert params["rbf__gamma"] == 0.3 and params["linear"] is model.transformers[1][1]
    model.set_params(rbf__gamma=0.5, linear=PairwiseKernel("cosine"), weights=[1, 2])
    assert model.transformers[0][1].gamma == 0.5
    assert model.transformers[1][1].kernel == "cosine"
    assert model.transformers[1][2] == COLUMNS[1]
    fitted = clone(model).fit(X)
    assert fitted.named_transformers_.rbf is fitted.transformers_[0][1]
    assert fitted.transformers[0][1] is not fitted.transformers_[0][1]
    assert_allclose(
        pickle.loads(pickle.dumps(fitted)).transform(X), fitted.transform(X)
    )


def test_lazy_training_rows_are_recognized_by_later_steps():
    model = make_pipeline(union(lazy=True), DiagonalShift(-1.0))
    K = np.asarray(model.fit_transform(X))
    assert_allclose(np.asarray(model.transform(X[3:6])), K[3:6], atol=1e-12)


def test_lazy_kernels_cannot_become_frames():
    with pytest.raises(ValueError, match="KernelUnion hands on a lazy kernel"):
        union(lazy=True).set_output(transform="pandas").fit_transform(X)


@pytest.mark.parametrize(
    "params, error, message",
    [
        ({"transformers": []}, ValueError, "transformers is empty"),
        ({"transformers": [PairwiseKernel()]}, TypeError, "must be tuples .* got Pair"),
        ({"transformers": [("a", "drop")]}, TypeError, "'a' must be a transformer"),
        (
            {"transformers": [("a", StandardScaler())]},
            ValueError,
            r"\(40, 40\): end Sta",
        ),
        ({"weights": [1, 2, 3]}, ValueError, r"each of 2 kernels, got shape \(3,\)"),
        ({"weights": {"other": 1}}, ValueError, r"'other', and the names are \['rbf'"),
        ({"weights": [1, -1]}, ValueError, r"not negative.* got \[1.0, -1.0\]"),
        ({"weights": [0, 0]}, ValueError, "not all zero"),
        ({"weights": [1, np.nan]}, ValueError, "must be finite"),
    ],
)
def test_what_is_wrong_is_said(params, error, message):
    with pytest.raises(error, match=message):
        union().set_params(**params).fit(X)


def test_names_are_unique():
    step = ("a", PairwiseKernel())
    with pytest.raises(ValueError, match="Names provided are not unique"):
        KernelUnion([step, step]).fit(X)


def test_a_kernel_without_self_similarities_cannot_be_normalized():
    shifted = make_pipeline(PairwiseKernel("rbf"), DiagonalShift())
    with pytest.raises(ValueError, match=r"self-similarity of 'shifted' is 0, so that"):
        KernelUnion([("shifted", shifted)]).fit(X)
    KernelUnion([("shifted", shifted)], normalize=False).fit(X)


@pytest.mark.parametrize("lazy", [False, True])
def test_kernels_side_by_side_are_pointed_here(lazy):
    both = make_union(PairwiseKernel("rbf", lazy=lazy), PairwiseKernel(lazy=lazy))
    assert isinstance(both, FeatureUnion)
    model = make_pipeline(both, KernelKMeans(2, kernel="precomputed"))
    with pytest.raises(ValueError, match=r"2 kernels side by side.*use KernelUnion"):
        model.fit(X)


class Similarities(TransformerMixin, BaseEstimator):
    """Inner products with the training objects, handed on by `hand_on`."""

    def __init__(self, hand_on):
        self.hand_on = hand_on

    def fit(self, X, y=None):
        self.X_ = X
        return self

    def transform(self, X):
        K = X @ self.X_.T
        return K if X is self.X_ else self.hand_on(K)


def test_sparse_kernels_of_new_objects():
    union = KernelUnion([("a", Similarities(csr_array))], normalize=False)
    assert_allclose(union.fit(X).transform(X[:3] + 1), (X[:3] + 1) @ X.T)


def test_kernels_of_new_objects_are_looked_at():
    def short(K):
        return K[:, :2]

    def broken(K):
        return np.where(K == K[0, 0], np.nan, K)

    union = KernelUnion([("a", Similarities(short)), ("b", PairwiseKernel())]).fit(X)
    with pytest.raises(ValueError, match=r"'a' gave shape \(3, 2\) for 3 objects"):
        union.transform(X[:3])
    union = KernelUnion([("a", Similarities(broken)), ("b", PairwiseKernel())]).fit(X)
    with pytest.raises(ValueError, match="NaN"):
        union.transform(X[:3])


@on_devices
def test_kernels_of_a_device_and_of_the_host(to_device):
    steps = [("a", PairwiseKernel(lazy=True)), ("b", LocalScalingKernel(lazy=True))]
    with dispatch(), pytest.raises(ValueError, match="on a device and some on the ho"):
        KernelUnion(steps).fit_transform(to_device(X))

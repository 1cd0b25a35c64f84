"""The self-tuning Gaussian kernel."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose
from samples import normal_features as data
from scipy.sparse import csr_array
from sklearn.metrics import pairwise_distances

from sklearn_kernelclust import LocalScalingKernel
from sklearn_kernelclust.gram import check_gram


def self_tuning(X, n_neighbors):
    """NK Eq. 12, by loops."""
    n = len(X)
    D = np.array([[np.linalg.norm(x - y) for y in X] for x in X])
    scale = [np.sort(np.delete(D[i], i))[n_neighbors - 1] for i in range(n)]
    return np.exp(-(D**2) / np.outer(scale, scale))


def manhattan(x, y):
    return np.abs(x - y).sum()


@pytest.mark.parametrize("metric", ["sqeuclidean", "cosine", "precomputed", "call"])
def test_local_scaling_of_other_metrics(metric):
    X, new = data(), data(1, 10)
    name = {"precomputed": "euclidean", "call": "cityblock"}.get(metric, metric)
    D, D_new = (pairwise_distances(A, X, metric=name) for A in (X, new))
    A, A_new = (D, D_new) if metric == "precomputed" else (X, new)
    metric = manhattan if metric == "call" else metric
    model = LocalScalingKernel(3, metric=metric)
    K = model.fit_transform(A)
    scale = np.sort(D, axis=1)[:, 3]
    assert_allclose(model.scale_, scale, atol=1e-12)
    assert_allclose(K, np.exp(-(D**2) / np.outer(scale, scale)), atol=1e-12)
    assert_allclose(model.transform(A), K, atol=1e-12)
    new_scale = np.sort(D_new, axis=1)[:, 2]
    expected = np.exp(-(D_new**2) / np.outer(new_scale, scale))
    assert_allclose(model.transform(A_new), expected, atol=1e-12)
    lazy = LocalScalingKernel(3, metric=metric, lazy=True).fit(A)
    assert_allclose(lazy.transform(A_new).toarray(), expected, atol=1e-12)
    check_gram(lazy.fit_transform(A), K)


def test_distances_give_the_kernel_of_features():
    X = np.vstack([np.zeros((9, 2)), data(0, 20)[:, :2]])
    for n_neighbors in (3, 12):
        K = LocalScalingKernel(n_neighbors).fit_transform(X)
        model = LocalScalingKernel(n_neighbors, metric="precomputed")
        D = pairwise_distances(X)
        assert_allclose(model.fit_transform(D), K, atol=1e-12)
        assert_allclose(model.transform(D[5:15]), K[5:15], atol=1e-12)


@pytest.mark.parametrize("container", [np.asarray, csr_array])
@pytest.mark.parametrize("n_neighbors", [1, 7])
def test_local_scaling(container, n_neighbors):
    X = data()
    model = LocalScalingKernel(n_neighbors)
    K = model.fit_transform(container(X))
    assert_allclose(K, self_tuning(X, n_neighbors), atol=1e-12)
    assert_allclose(model.transform(container(X)), K, atol=1e-9)
    assert_allclose(model.transform(container(X[7:9])), K[7:9], atol=1e-9)
    lazy = LocalScalingKernel(n_neighbors, lazy=True).fit(container(X))
    new = container(data(1, 10))
    assert_allclose(lazy.transform(new).toarray(), model.transform(new))


def test_local_scaling_of_new_objects():
    X, new = data(), data(1, 1)
    model = LocalScalingKernel(3).fit(X)
    D = np.linalg.norm(X - new, axis=1)
    scale = np.sort(D)[2]
    assert_allclose(model.transform(new)[0], np.exp(-(D**2) / (scale * model.scale_)))


def test_local_scaling_of_coinciding_objects():
    X = np.vstack([np.zeros((9, 2)), np.ones((2, 2))])
    model = LocalScalingKernel(3)
    K = model.fit_transform(X)
    assert np.isfinite(K).all()
    assert_allclose(K[:9, :9], 1)
    assert_allclose(K[:9, 9:], 0)
    assert_allclose(model.transform(X), K)


def test_local_scaling_with_few_objects():
    assert_allclose(LocalScalingKernel(7).fit_transform([[1.0]]), [[1.0]])
    assert LocalScalingKernel(7).fit_transform([[1.0], [2.0]]).shape == (2, 2)


def test_local_scaling_does_not_see_the_scale(seed):
    X = data(seed)
    K = LocalScalingKernel().fit_transform(X)
    for factor in (1e-10, 1e10):
        assert_allclose(LocalScalingKernel().fit_transform(factor * X), K, rtol=1e-6)


def test_many_coinciding_objects_have_similarity_one(seed):
    rng = np.random.default_rng(seed)
    which = rng.integers(6, size=60)
    X = 3 * rng.normal(size=(6, 10))[which]
    model = LocalScalingKernel(3)
    for K in (model.fit_transform(X), model.transform(X[:5])):
        same = which[: len(K), None] == which
        assert_allclose(K[same], 1, atol=1e-4)
        assert_allclose(K[~same], 0, atol=1e-4)


def test_dense_and_sparse_may_be_mixed():
    X, new = data(), data(1, 10)
    expected = LocalScalingKernel().fit(X).transform(new)
    assert_allclose(LocalScalingKernel().fit(X).transform(csr_array(new)), expected)
    assert_allclose(LocalScalingKernel().fit(csr_array(X)).transform(new), expected)


def test_distances_that_overflow():
    model = LocalScalingKernel().fit(data())
    with pytest.raises(ValueError, match=r"Squared distances overflowed.*1e150"):
        model.transform(1e200 * data())
    X = np.array([[-1.0], [1.0], [1.0]]) * np.finfo(float).max
    with pytest.raises(ValueError, match="Differences of features overflow"):
        LocalScalingKernel().fit(X)


def test_distances_that_underflow():
    X = 1e-200 * data()
    X[0] = 1.0
    with pytest.raises(ValueError, match="underflow beside the largest feature"):
        LocalScalingKernel().fit(X)


@pytest.mark.parametrize("n_features", [3, 20])
@pytest.mark.parametrize("offset", [0.0, 1e6, 1e8])
def test_local_scaling_does_not_see_the_offset(offset, n_features):
    X = np.random.RandomState(0).standard_normal((200, n_features)) + offset
    expected = self_tuning(X - offset, 7)
    assert_allclose(LocalScalingKernel().fit_transform(X), expected, atol=1e-7)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("exponent", [-300, -80, -25, 19, 37, 200, 300])
def test_local_scaling_in_any_unit(exponent, dtype):
    X = np.array([[0.0], [1.0], [3.0]])
    if dtype == np.float32 and abs(exponent) > 37:
        pytest.skip("out of the range of float32")
    K = LocalScalingKernel(1).fit_transform((X * 10.0**exponent).astype(dtype))
    assert K.dtype == dtype
    assert_allclose(K, LocalScalingKernel(1).fit_transform(X), rtol=1e-5)

"""Kernels normalised by power means."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from samples import normal_features as data
from scipy.sparse import csr_array
from sklearn.metrics.pairwise import cosine_similarity, pairwise_kernels, rbf_kernel

from sklearn_kernelclust import PairwiseKernel, PowerMeanNormalizer
from sklearn_kernelclust._gram._factored import FactoredGram

ORDERS = [0.0, 0.5, 1.0, 10.0, np.inf]


def power_mean(a, b, t):
    a, b = a[:, None], b[None, :]
    if t == 0:
        return np.sqrt(a * b)
    if np.isinf(t):
        return np.maximum(a, b)
    return ((a**t + b**t) / 2) ** (1 / t)


@pytest.mark.parametrize("t", ORDERS)
@pytest.mark.parametrize("kernel", ["linear", "poly"])
def test_order_t(t, kernel):
    X, new = data(), data(1, 10)
    K, K_new = (
        pairwise_kernels(X, metric=kernel),
        pairwise_kernels(new, X, metric=kernel),
    )
    diag, new_diag = K.diagonal(), pairwise_kernels(new, metric=kernel).diagonal()
    expected = K / power_mean(diag, diag, t)
    expected_new = K_new / power_mean(new_diag, diag, t)
    features = PowerMeanNormalizer(t, kernel=kernel, gamma=None)
    given_kernel = PowerMeanNormalizer(t, kernel="precomputed")
    assert_allclose(features.fit_transform(X), expected)
    assert_allclose(features.transform(new), expected_new)
    assert_allclose(given_kernel.fit_transform(K), expected)
    assert_allclose(
        given_kernel.transform(K_new, self_similarity=new_diag), expected_new
    )
    assert_allclose(given_kernel.transform(K[5:9]), expected[5:9])
    gram = PairwiseKernel(kernel, gamma=None, lazy=True).fit(X)
    of_gram = PowerMeanNormalizer(t, kernel="precomputed")
    assert_allclose(of_gram.fit_transform(gram.fit_transform(X)).toarray(), expected)
    assert_allclose(of_gram.transform(gram.transform(new)).toarray(), expected_new)


def test_order_zero_is_the_cosine_and_stays_factored():
    X = csr_array(data())
    lazy = PowerMeanNormalizer(lazy=True).fit_transform(X)
    assert isinstance(lazy, FactoredGram)
    assert_allclose(lazy.toarray(), cosine_similarity(X))


def test_value_of_the_paper():
    """NK section 2.2, corrected: cosine 1, length ratio 2, order 1 is 0.8."""
    K = PowerMeanNormalizer(t=1.0).fit_transform([[1.0], [2.0]])
    assert_allclose(K[0, 1], 0.8)


@given(st.floats(0, 50), st.integers(0, 10**6))
@settings(max_examples=50)
def test_positive_semi_definite_for_every_order(t, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(12, 3)) * rng.lognormal(sigma=3, size=(12, 1))
    K = PowerMeanNormalizer(t=t).fit_transform(X)
    assert np.linalg.eigvalsh(K).min() > -1e-9
    assert_allclose(K.diagonal(), 1)
    assert (np.abs(K) <= 1 + 1e-9).all()


def test_constant_self_similarities_are_those_of_new_objects():
    X, new = data(), data(1, 10)
    model = PowerMeanNormalizer(t=1.0, kernel="precomputed").fit(4 * rbf_kernel(X))
    assert_allclose(model.transform(4 * rbf_kernel(new, X)), rbf_kernel(new, X))


def test_unknown_self_similarities_are_asked_for():
    X, new = data(), data(1, 10)
    model = PowerMeanNormalizer(kernel="precomputed").fit(X @ X.T)
    with pytest.raises(ValueError, match=r"of 10 new objects.*pass self_similarity="):
        model.transform(new @ X.T)
    with pytest.raises(ValueError, match=r"must have shape \(10,\), got \(3,\)"):
        model.transform(new @ X.T, self_similarity=[1, 2, 3])


@pytest.mark.parametrize("t", ORDERS)
def test_objects_without_a_direction(t):
    X = data()
    X[[3, 5]] = 0
    with pytest.warns(UserWarning, match="2 objects have self-similarity 0"):
        K = PowerMeanNormalizer(t=t).fit_transform(X)
    assert not K[[3, 5]].any() and not K[:, [3, 5]].any()
    assert np.isfinite(K).all()


def test_negative_self_similarity():
    K = np.diag([1.0, -2.0, 1.0])
    model = PowerMeanNormalizer(kernel="precomputed")
    with pytest.raises(ValueError, match=r"object 1 is negative \(-2\)"):
        model.fit_transform(K)


@pytest.mark.parametrize("t", [-1.0, -np.inf, np.nan, "0"])
def test_bad_order(t):
    with pytest.raises(ValueError, match="'t' parameter"):
        PowerMeanNormalizer(t=t).fit(data())


@pytest.mark.parametrize("t", ORDERS)
def test_small_self_similarities_are_not_zero(t):
    X = data()
    expected = PowerMeanNormalizer(t).fit_transform(X)
    assert_allclose(PowerMeanNormalizer(t).fit_transform(1e-90 * X), expected)


def test_given_self_similarities_must_be_numbers():
    model = PowerMeanNormalizer(kernel="precomputed").fit(data() @ data().T)
    with pytest.raises(ValueError, match="self-similarity of object 0 is nan"):
        model.transform((data() @ data().T)[:2], self_similarity=[np.nan, 1])


def test_zeros_are_told_once_and_only_of_the_rows():
    X = data()
    X[3] = 0
    model = PowerMeanNormalizer(t=1.0)
    with pytest.warns(UserWarning, match="1 objects have self-similarity 0") as caught:
        model.fit_transform(X)
    assert len(caught) == 1
    model.transform(X[5:])  # no warning


@pytest.mark.parametrize("t", [0, 1, np.inf])
def test_fit_refuses_a_negative_self_similarity(t):
    K = np.diag([1.0, -2.0, 1.0])
    with pytest.raises(ValueError, match=r"object 1 is negative \(-2\)"):
        PowerMeanNormalizer(t, kernel="precomputed").fit(K)


def test_orders_beyond_float32():
    X = data().astype(np.float32)
    expected = PowerMeanNormalizer(np.inf).fit_transform(X)
    assert_allclose(PowerMeanNormalizer(1e39).fit_transform(X), expected)
    assert_allclose(
        PowerMeanNormalizer(1e-50).fit_transform(X),
        PowerMeanNormalizer(0).fit_transform(X),
        rtol=1e-4,
        atol=1e-6,
    )

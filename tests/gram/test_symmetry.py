"""Symmetry that is looked at, and what is said where there is none."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import re

import numpy as np
import pytest
from contract import features
from numpy.testing import assert_array_equal
from scipy.sparse import csr_array
from scipy.sparse import random as random_sparse
from sklearn.base import clone

from sklearn_kernelclust import DiagonalShift, KernelKMeans, PairwiseKernel
from sklearn_kernelclust._gram._symmetry import check_symmetric, probe_products
from sklearn_kernelclust.metrics import kernel_silhouette_samples


@pytest.fixture(params=["dense", "sparse"])
def symmetric(request):
    A = random_sparse(300, 300, density=0.2, random_state=0)
    A = csr_array(A + A.T)
    return A if request.param == "sparse" else A.toarray()


def plus(K, difference):
    """`K` with one entry changed."""
    one = np.zeros(K.shape)
    one[3, 200] = difference
    return K + (one if isinstance(K, np.ndarray) else csr_array(one))


def test_rounding_is_no_asymmetry(symmetric):
    check_symmetric(symmetric)
    check_symmetric(plus(symmetric, 1e-9))
    check_symmetric(plus(symmetric, 1e-9).astype(np.float32))
    check_symmetric(plus(symmetric, 1e-5).astype(np.float32))


def test_asymmetry_is_refused_with_its_place(symmetric):
    place = r"K\[(3, 200|200, 3)\] and K\[(200, 3|3, 200)\] differ by 1e-06"
    with pytest.raises(ValueError, match=place):
        check_symmetric(plus(symmetric, 1e-6))


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype, change", [(np.float64, 1e-4), (np.float32, 0.1)])
def test_every_single_asymmetric_entry_is_seen(dtype, change, order):
    rng = np.random.default_rng(0)
    A = rng.normal(size=(40, 40))
    A = np.array(A + A.T, dtype, order=order)
    check_symmetric(A)
    for i, j in np.argwhere(~np.eye(40, dtype=bool)):
        B = A.copy(order)
        B[i, j] += change
        with pytest.raises(ValueError, match="must be symmetric"):
            check_symmetric(B)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_products_show_every_entry_that_is_not_finite(value, dtype, order):
    A = np.ones((20, 20), dtype, order=order)
    assert np.isfinite(probe_products(A)).all()
    for i, j in np.ndindex(A.shape):
        B = A.copy(order)
        B[i, j] = value
        assert not np.isfinite(probe_products(B)).all()


@pytest.mark.parametrize(
    "size, dtype",
    [
        (1e-30, np.float32),
        (1e20, np.float32),
        (3e38, np.float32),
        (1e-200, np.float64),
        (1e160, np.float64),
        (1e308, np.float64),
    ],
)
def test_asymmetry_does_not_depend_on_the_scale(size, dtype):
    A = size * np.random.default_rng(0).uniform(-1, 1, size=(50, 50))
    A = np.triu(A).astype(dtype)
    check_symmetric(A + np.triu(A, 1).T)
    with pytest.raises(ValueError, match="must be symmetric"):
        check_symmetric(A - np.triu(A, 1).T)


def test_asymmetries_in_a_circle_do_not_cancel():
    for i, j, k in np.random.default_rng(0).permuted(np.arange(30))[:9].reshape(3, 3):
        A = np.eye(30)
        A[i, j] = A[j, k] = A[k, i] = 0.5
        with pytest.raises(ValueError, match="must be symmetric"):
            check_symmetric(A)


def lopsided(X, Y):
    return X @ np.tril(np.ones((3, 3))) @ Y.T


@pytest.mark.parametrize("estimator", [KernelKMeans(2), PairwiseKernel()], ids=repr)
@pytest.mark.parametrize("n", [2, 5, 100])
def test_a_callable_that_is_not_symmetric(estimator, n):
    X = np.random.default_rng(0).normal(size=(n, 3))
    with pytest.raises(ValueError, match="must be symmetric: the callable") as caught:
        clone(estimator).set_params(kernel=lopsided).fit(X)
    message, K = str(caught.value), lopsided(X, X)
    i, j = map(int, re.search(r"objects (\d+) and (\d+)", message).groups())
    assert f"gives {K[i, j]:.3g} for objects {i} and {j}," in message
    assert f"and {K[j, i]:.3g} for {j} and {i}." in message


def test_a_callable_may_round():
    def single(X, Y):
        return X.astype(np.float32) @ Y.astype(np.float32).T

    X = np.random.default_rng(0).normal(size=(100, 200))
    for n in (1, 2, 100):
        PairwiseKernel(single).fit(X[:n])


def test_a_square_gram_of_other_objects():
    X = features()
    kernel = PairwiseKernel(lazy=True).fit(X)
    other = kernel.transform(X[::-1])
    for take in (
        KernelKMeans(2, kernel="precomputed").fit,
        DiagonalShift().fit,
        lambda K: kernel_silhouette_samples(K, np.arange(len(X)) % 2),
    ):
        with pytest.raises(ValueError, match=r"gram\[\d+, \d+\] is .* as transform"):
            take(other)
    again = KernelKMeans(2, kernel="precomputed", random_state=0)
    labels = clone(again).fit(kernel.transform(X)).labels_
    assert_array_equal(labels, again.fit(X @ X.T).labels_)

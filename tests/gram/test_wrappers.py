"""Grams made of other Grams."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import partial

import numpy as np
import pytest
from contract import DTYPES, check_gram, features
from numpy.testing import assert_allclose
from scipy.sparse import csr_array, eye
from sklearn import config_context
from sklearn.preprocessing import KernelCenterer

from sklearn_kernelclust import PairwiseKernel
from sklearn_kernelclust._gram._chunked import ChunkedGram
from sklearn_kernelclust._gram._factored import FactoredGram
from sklearn_kernelclust._gram._product import ProductGram
from sklearn_kernelclust._gram._stored import DenseGram
from sklearn_kernelclust._gram._wrappers import (
    CenteredGram,
    EntrywiseGram,
    ScaledGram,
    ShiftedGram,
    inverse_root,
)
from sklearn_kernelclust._kernels._entrywise import signed_power

INNER = {
    "dense": lambda X, Y: DenseGram(
        X @ Y.T, (X**2).sum(axis=1), (Y**2).sum(axis=1), X is Y
    ),
    "factored": lambda X, Y: FactoredGram(X, Y, symmetric=X is Y),
    "sparse-factored": lambda X, Y: FactoredGram(csr_array(X), csr_array(Y)),
    "chunked": lambda X, Y: ChunkedGram(
        lambda_free_linear, X, Y, (X**2).sum(axis=1), (Y**2).sum(axis=1), X is Y
    ),
}


def lambda_free_linear(X, Y):
    return X @ Y.T


@pytest.fixture(params=DTYPES, ids=["float64", "float32"])
def X(request):
    return features(dtype=request.param)


@pytest.fixture
def Y(X):
    return features(25, dtype=X.dtype, seed=1)


@pytest.fixture(params=INNER)
def inner(request):
    return INNER[request.param]


def test_shifted(inner, X, Y):
    K, eye = X @ X.T, np.eye(len(X), dtype=X.dtype)
    check_gram(ShiftedGram(inner(X, X), -0.5), K - 0.5 * eye, K - 0.5 * eye)
    rows = np.r_[Y, X[[3, 7]]]
    same = csr_array(([1, 1], ([25, 26], [3, 7])), shape=(27, len(X)))
    shifted = rows @ X.T - 0.5 * same.toarray()
    square = rows @ rows.T - 0.5 * np.eye(27)
    check_gram(ShiftedGram(inner(rows, X), -0.5, same), shifted, square)


def test_row_norms_of_shifted_rows_whose_self_similarity_is_unknown(X):
    block, same = DenseGram(X[:9] @ X.T), eye(9, len(X), format="csr")
    shifted = ShiftedGram(block, -0.5, same)
    assert shifted.self_similarity is None
    expected = np.square(shifted.toarray(), dtype=np.float64).sum(axis=1)
    assert_allclose(shifted.squared_row_norms(), expected, rtol=1e-6)


def test_scaled(inner, X, Y):
    left, right = np.arange(1.0, 26) / 10, 2 - np.arange(60.0) / 40
    K = left[:, None] * (Y @ X.T) * right
    square = left[:, None] * (Y @ Y.T) * left
    check_gram(ScaledGram(inner(Y, X), left, right), K, square)
    check_gram(inner(Y, X).scaled(left, right), K, square)


def test_scaled_factors_stay_factored(X):
    ones = np.ones(len(X))
    assert isinstance(FactoredGram(X, X).scaled(ones, ones), FactoredGram)
    assert isinstance(DenseGram(X @ X.T).scaled(ones, ones), DenseGram)
    lazy = INNER["chunked"](X, X)
    assert isinstance(lazy.scaled(ones, ones), ScaledGram)


def test_centered(inner, X, Y):
    K = X @ X.T
    centerer = KernelCenterer().fit(K)
    check_gram(
        CenteredGram.training(inner(X, X)),
        centerer.transform(K),
        centerer.transform(K),
    )
    means = K.mean(axis=1)
    new = CenteredGram(inner(Y, X), (Y @ X.T).mean(axis=1), means, means.mean())
    Z = Y - X.mean(axis=0)
    check_gram(new, centerer.transform(Y @ X.T), Z @ Z.T)


def test_entrywise(inner, X, Y):
    root = partial(signed_power, p=0.5)
    check_gram(EntrywiseGram(inner(Y, X), root), np.sqrt(Y @ X.T), np.sqrt(Y @ Y.T))


def weigh(block, left, right):
    block *= left
    block *= right
    block += left + right
    return block


def test_entrywise_with_numbers_of_rows_and_columns(inner, X, Y):
    left, right = np.arange(1.0, 26) / 10, np.arange(60.0) / 40
    K = left[:, None] * (Y @ X.T) * right + left[:, None] + right
    square = left[:, None] * (Y @ Y.T) * left + left[:, None] + left
    check_gram(
        EntrywiseGram(
            inner(Y, X),
            weigh,
            left.astype(X.dtype),
            right.astype(X.dtype),
        ),
        K,
        square,
    )


def test_product(inner, X, Y):
    R, C = Y @ X.T, X @ X.T
    gram = ProductGram(inner(Y, X), inner(X, X), (R**2).sum(axis=1), (C**2).sum(axis=1))
    check_gram(gram, R @ C.T, R @ R.T)


def gaussian(X, Y):
    """As `rbf_kernel`, without the checks, which take longer than a small tile."""
    squares = (X**2).sum(axis=1)[:, None] + (Y**2).sum(axis=1)
    return np.exp(X @ Y.T - squares / 2)


def test_wrappers_stack(X):
    """What a pipeline makes of a lazy kernel is the matrix it would have made."""
    ones = np.ones(60, X.dtype)
    K, gram = gaussian(X, X), ChunkedGram(gaussian, X, X, ones, ones)
    root = ShiftedGram(EntrywiseGram(gram, partial(signed_power, p=0.5)), -1.0)
    R = np.sqrt(K) - np.eye(60)
    check_gram(root, R, R)
    norms = (R**2).sum(axis=1)
    check_gram(ProductGram(root, root, norms, norms), R @ R.T, R @ R.T)


@pytest.mark.parametrize("name, stored", [("dense", True), ("chunked", False)])
def test_what_is_stored(name, stored, X):
    """A Gram that evaluates its entries; a wrapper, if what it wraps would be."""
    gram, ones = INNER[name](X, X), [np.ones(60, X.dtype)] * 2
    for lazy in (
        gram,
        ShiftedGram(gram, 1.0),
        ScaledGram(gram, np.ones(60), np.ones(60)),
        CenteredGram.training(gram),
        ProductGram(gram, gram, None, None),
    ):
        assert (lazy.stored() is lazy) is stored
    assert isinstance(EntrywiseGram(gram, weigh, *ones).stored(), DenseGram)


def test_a_product_stores_its_factors_unless_many_columns_are_to_come(X):
    lazy = INNER["chunked"](X, X)
    product = ProductGram(lazy, lazy, None, None, symmetric=True)
    stored = product.stored()
    assert isinstance(stored, ProductGram) and stored.left is stored.right
    assert isinstance(stored.left, DenseGram)
    assert isinstance(product.stored(20), DenseGram)
    with config_context(working_memory=0.001):
        assert product.stored() is product and product.stored(20) is product


def test_inverse_root_of_zero_is_zero():
    assert inverse_root(np.array([4.0, 0.0])).tolist() == [0.5, 0.0]


@pytest.mark.filterwarnings("ignore:.*no similarity")
@pytest.mark.parametrize("wrap", [lambda gram: gram, lambda gram: half_of(gram)])
def test_shift_leaves_the_digits_of_what_is_off_the_diagonal(wrap):
    """A kernel that is the identity but for 1e-20 is 1e-20 after the shift."""
    X = 6.8 * np.arange(30.0)[:, None]
    kernel = PairwiseKernel("rbf", gamma=1.0, lazy=True)
    gram = wrap(kernel.fit_transform(X))
    shifted = ShiftedGram(gram, -gram.diagonal()[0])
    Z = np.random.default_rng(0).normal(size=(30, 3))
    assert_allclose(shifted @ Z, shifted.toarray() @ Z, rtol=1e-9)
    new = ShiftedGram(wrap(kernel.transform(X)), -gram.diagonal()[0], eye(30))
    assert_allclose(new @ csr_array(Z), shifted.toarray() @ Z, rtol=1e-9)


def half_of(gram):
    root = np.full(30, np.sqrt(0.5))
    return gram.scaled(root, root)

"""Sparse products that fill a dense matrix."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from sklearn import config_context

from sklearn_kernelclust._gram import _sparse_products
from sklearn_kernelclust._gram._sparse_products import dense_product, dense_sums


@pytest.fixture
def matrices(seed):
    density = np.linspace(0, 0.5, 60) ** 2
    rng = np.random.RandomState(seed)
    X = rng.normal(size=(70, 60)) * (rng.uniform(size=(70, 60)) < density)
    return csr_array(X[:40]), csr_array(X)


@pytest.mark.parametrize("share", [1, 32, 500])
@pytest.mark.parametrize("working_memory", [0.01, 1024])
@pytest.mark.parametrize("n_rows", [0, 1, 40])
def test_dense_product(matrices, n_rows, working_memory, share, monkeypatch):
    monkeypatch.setattr(_sparse_products, "SHARE", share)
    monkeypatch.setattr(_sparse_products, "LEAST_ENTRIES", 1)
    monkeypatch.setattr(_sparse_products, "FEW_HEAVY", 3)
    A, B = matrices[0][:n_rows], matrices[1]
    with config_context(working_memory=working_memory):
        assert_allclose(dense_product(A, B), A.toarray() @ B.toarray().T, atol=1e-12)


def test_any_number_of_rows_on_the_right(matrices):
    A, B = matrices
    for n in range(1, 34):
        K = dense_product(A, B[:n])
        assert_allclose(K, A.toarray() @ B[:n].toarray().T, atol=1e-12)


def test_product_with_itself_is_symmetric(matrices):
    _, B = matrices
    K = dense_product(B, B)
    assert_allclose(K, B.toarray() @ B.toarray().T, atol=1e-12)
    assert_array_equal(K, K.T)


@pytest.mark.parametrize("heavy", [0.0, 1.0])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_all_features_may_be_heavy_or_light(matrices, heavy, dtype, monkeypatch):
    monkeypatch.setattr(_sparse_products, "HEAVY", heavy)
    A, B = (X.astype(dtype) for X in matrices)
    for left, right in ((A, B), (B, A), (B, B)):
        K = dense_product(left, right)
        assert K.dtype == dtype
        assert_allclose(K, left.toarray() @ right.toarray().T, atol=1e-5)


@pytest.mark.parametrize("few_bytes", [0, 2**20])
def test_sums_into_an_array(matrices, few_bytes, monkeypatch):
    monkeypatch.setattr(_sparse_products, "FEW_BYTES", few_bytes)
    B = matrices[1]
    Z = csr_array(np.random.default_rng(0).poisson(0.7, size=(5, 70)).astype(float))
    for X in (B, B.toarray()):
        out = np.full((60, 5), np.nan)
        sums = dense_sums(Z, X, out=out.T)
        assert_allclose(sums, Z.toarray() @ B.toarray())
        assert_array_equal(sums, out.T)

"""Lengths of rows from pairs of features, against the product itself."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_array
from scipy.sparse import random as random_sparse
from sklearn import config_context
from threadpoolctl import threadpool_limits

from sklearn_kernelclust._gram import _sparse_row_norms
from sklearn_kernelclust._gram._factored import FactoredGram
from sklearn_kernelclust._gram._sparse_row_norms import few_pairs, squared_row_norms
from sklearn_kernelclust._gram._wrappers import ShiftedGram


def features(n, d, density=0.1, seed=0):
    X = random_sparse(n, d, density=density, random_state=seed, format="csr")
    X.data -= 0.4
    return csr_array(X)


@pytest.mark.parametrize("entries", [2**20, 100, 1])
@pytest.mark.parametrize("rare", [0, 3, 1000])
@pytest.mark.parametrize("d, density", [(1, 1.0), (30, 0.1), (30, 0.9), (200, 0.02)])
def test_norms_are_those_of_the_product(monkeypatch, entries, rare, d, density):
    monkeypatch.setattr(_sparse_row_norms, "ENTRIES", entries)
    monkeypatch.setattr(_sparse_row_norms, "RARE", rare)
    A, B = features(40, d, density), features(25, d, density, seed=1)
    for left, right in ((A, A), (A, B), (B, A)):
        expected = ((left @ right.T).toarray() ** 2).sum(axis=1)
        norms = squared_row_norms(left, right)
        assert_allclose(norms, expected, rtol=1e-12, atol=1e-14)


def test_empty_rows_unsorted_indices_and_float32():
    A = features(30, 50).toarray()
    A[[0, 7]] = 0
    A = csr_array(A)
    expected = ((A @ A.T).toarray() ** 2).sum(axis=1)
    turned = A.copy()
    for i in range(A.shape[0]):
        row = slice(A.indptr[i], A.indptr[i + 1])
        turned.indices[row] = A.indices[row][::-1]
        turned.data[row] = A.data[row][::-1]
    turned.has_sorted_indices = False
    assert_allclose(squared_row_norms(turned, turned), expected, rtol=1e-12)
    single = squared_row_norms(A.astype(np.float32), A.astype(np.float32))
    assert single.dtype == np.float64
    assert_allclose(single, expected, rtol=1e-5)


def test_few_objects_have_many_features_in_common():
    """One frequent feature, rare ones of two objects each, and features of nobody."""
    rare = np.kron(np.eye(300), np.ones((2, 1)))
    A = csr_array(np.hstack([np.full((600, 1), 0.1), rare, np.zeros((600, 50))]))
    expected = ((A @ A.T).toarray() ** 2).sum(axis=1)
    for budget in (1024, 0.01):
        with config_context(working_memory=budget), threadpool_limits(2, "blas"):
            assert_allclose(squared_row_norms(A, A), expected, rtol=1e-12)


def test_no_objects():
    A, none = features(30, 50), csr_array((0, 50))
    assert_allclose(squared_row_norms(A, none), np.zeros(30))
    assert squared_row_norms(none, A).shape == (0,)


def test_pairs_are_counted_only_where_they_are_fewer():
    many, long = features(3000, 500, 0.01), features(200, 500, 0.5)
    assert few_pairs(many, many)
    assert not few_pairs(long, long)


@pytest.mark.parametrize("sigma", [-1.0, -0.3, 0.5])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_lengths_of_shifted_rows(sigma, dtype):
    X = features(3000, 500, 0.01)
    X = csr_array(X.multiply(1 / np.sqrt(X.multiply(X).sum(axis=1) + 1e-300)[:, None]))
    X = csr_array(X, dtype=dtype)
    gram = ShiftedGram(FactoredGram(X, X, symmetric=True), sigma)
    expected = (gram.toarray().astype(np.float64) ** 2).sum(axis=1)
    tolerance = 1e-9 if dtype == np.float64 else 1e-4
    assert_allclose(gram.squared_row_norms(), expected, rtol=tolerance, atol=1e-12)


def test_a_shift_that_leaves_nothing_leaves_no_rounding():
    """Objects without a common feature: the shifted rows are zero, not 1e-16."""
    blocks = np.kron(np.eye(2000, dtype=np.float64), [[0.6, 0.8]])
    X = csr_array(blocks)
    gram = ShiftedGram(FactoredGram(X, X, symmetric=True), -1.0)
    assert few_pairs(X, X)
    assert gram.squared_row_norms().max() < 1e-30

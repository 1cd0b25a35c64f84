"""Sparse products that fill a dense matrix."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from sklearn import config_context

from sklearn_kernelclust._gram._sparse_products import (
    dense_product,
    without_rows,
)


@pytest.fixture
def matrices(seed):
    density = np.linspace(0, 0.5, 60) ** 2
    rng = np.random.RandomState(seed)
    X = rng.normal(size=(70, 60)) * (rng.uniform(size=(70, 60)) < density)
    return csr_array(X[:40]), csr_array(X)


@pytest.mark.parametrize("working_memory", [0.01, 1024])
@pytest.mark.parametrize("n_rows", [0, 1, 40])
def test_dense_product(matrices, n_rows, working_memory):
    A, B = matrices[0][:n_rows], matrices[1]
    with config_context(working_memory=working_memory):
        assert_allclose(dense_product(A, B), A.toarray() @ B.toarray().T, atol=1e-12)


def test_product_with_itself_is_symmetric(matrices):
    _, B = matrices
    K = dense_product(B, B)
    assert_allclose(K, B.toarray() @ B.toarray().T, atol=1e-12)
    assert_array_equal(K, K.T)


def test_without_rows():
    A = csr_array(np.random.default_rng(0).poisson(0.7, size=(6, 5)).astype(float))
    marked = np.array([True, False, False, True, False, True])
    assert_array_equal(
        without_rows(A, marked).toarray(), A.toarray() * ~marked[:, None]
    )

"""Weighted sums of objects against the matrices they stand for."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from contract import DTYPES, close, features
from numpy.testing import assert_allclose
from scipy.sparse import csr_array
from scipy.sparse import random as random_sparse

from sklearn_kernelclust._gram._chunked import ChunkedGram
from sklearn_kernelclust._gram._factored import FactoredGram
from sklearn_kernelclust._gram._stored import DenseGram, SparseGram
from sklearn_kernelclust._gram._wrappers import ShiftedGram


def inner(X, Y):
    return X @ Y.T


def chunked(X):
    diagonal = inner(X, X).diagonal()
    return ChunkedGram(inner, X, X, diagonal, diagonal, symmetric=True)


GRAMS = {
    "dense": lambda X: DenseGram.training(inner(X, X)),
    "sparse": lambda X: SparseGram.training(csr_array(inner(X, X))),
    "one factor": lambda X: FactoredGram(X, X, symmetric=True),
    "sparse factor": lambda X: FactoredGram(*[csr_array(X)] * 2, symmetric=True),
    "two factors": lambda X: FactoredGram(X, X.copy(), symmetric=True),
    "chunked": chunked,
    "shifted": lambda X: ShiftedGram(DenseGram.training(inner(X, X)), 0.0),
}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", GRAMS)
def test_equal_to_dense_products(name, dtype):
    X = features(dtype=dtype)
    gram, K = GRAMS[name](X), inner(X, X)
    # Rows with few entries and with none, more than are looked up at a time.
    W = csr_array(random_sparse(70, len(X), density=0.04, random_state=0))
    assert np.diff(W.indptr).min() == 0
    expected = W @ K @ W.T.toarray()
    sums = gram.combine(W)
    forms = gram.quadratic_forms(W)
    assert sums.symmetric and sums.dtype == forms.dtype == dtype
    tol = {"atol": 1e-12, **close(dtype)}
    assert_allclose(sums.toarray(), expected, **tol)
    assert_allclose(sums.diagonal(), expected.diagonal(), **tol)
    assert_allclose(forms, expected.diagonal(), **tol)


def test_one_factor_stays_factored():
    X = features()
    W = np.eye(3, len(X))
    assert isinstance(FactoredGram(X, X, symmetric=True).combine(W), FactoredGram)

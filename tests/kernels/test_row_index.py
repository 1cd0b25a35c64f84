"""Training objects found by their features."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.sparse import csr_array

from sklearn_kernelclust._kernels._row_index import RowIndex, row_hashes

KINDS = [np.asarray, csr_array]


def data(seed=0, n=50):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 6)) * (rng.random((n, 6)) < 0.6)
    X[:, 2] = rng.normal(size=n)
    return X


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("kind", KINDS)
def test_rows_in_any_order_and_new_ones(kind, dtype):
    X, new = data().astype(dtype), data(1).astype(dtype)
    order = np.random.default_rng(2).permutation(len(X))
    index = RowIndex(kind(X))
    assert_array_equal(index.find(kind(X[order])), order)
    assert (index.find(kind(new)) == -1).all()
    nearly = X * (1 + np.finfo(dtype).eps)
    assert (index.find(kind(nearly)) == -1).all()


@pytest.mark.parametrize("kind", KINDS)
def test_of_equal_rows_the_one_in_position_else_the_first(kind):
    X = data()
    X[7] = X[9] = X[3]
    index = RowIndex(kind(X))
    assert_array_equal(index.find(kind(X)), np.arange(len(X)))
    assert_array_equal(index.find(kind(X[[9, 1, 2, 7]])), [3, 1, 2, 3])


@pytest.mark.parametrize("kind", KINDS)
def test_rows_of_zeros_of_either_sign(kind):
    X = np.vstack([data(), np.zeros((2, 6))])
    assert_array_equal(RowIndex(kind(X)).find(kind(-X[-1:])), [50])


def test_hashes_of_dense_and_sparse_agree_and_of_small_integers_differ():
    X = np.indices((40, 40)).reshape(2, -1).T.astype(float)
    assert len(np.unique(row_hashes(X))) == len(X)
    assert_array_equal(row_hashes(X), row_hashes(csr_array(X)))


def test_a_row_with_the_hash_of_another_is_new():
    X = data()
    index = RowIndex(X)
    hashes = row_hashes(X + 1)
    index._hashes = hashes, np.argsort(hashes)
    assert (index.find(X + 1) == -1).all()


def test_empty():
    X = data()
    assert RowIndex(X).find(X[:0]).shape == (0,)

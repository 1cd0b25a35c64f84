"""Training objects found by their features."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator

from sklearn_kernelclust._kernels._row_index import RowIndex, index_of
from sklearn_kernelclust._utils._block_checks import check_blocks

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
    rounded = X[order] * (1 + 4 * np.finfo(dtype).eps)
    assert_array_equal(index.find(kind(rounded)), order)
    different = X * (1 + 1000 * np.finfo(dtype).eps ** 0.9)
    assert (index.find(kind(different)) == -1).all()


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


@pytest.mark.parametrize("scale", [1e-300, 1e-30, 1e30, 1e300])
def test_any_unit_of_measurement(scale):
    X = data()
    assert_array_equal(RowIndex(scale * X).find(scale * X[::-1])[::-1], range(50))


def test_rows_with_the_projection_of_another_are_new():
    X = np.indices((40, 40)).reshape(2, -1).T.astype(float)
    index = RowIndex(X)
    index.projections[:] = 0
    order = np.random.default_rng(0).permutation(len(X))[:30]
    index._project = lambda rows: (np.zeros(len(rows)), np.ones(len(rows)))
    assert_array_equal(index.find(X[order]), order)
    assert (index.find(X[order] + 0.5) == -1).all()


def test_many_equal_rows():
    X = np.ones((500, 3))
    assert_array_equal(RowIndex(X).find(X[:3]), [0, 1, 2])


@pytest.mark.parametrize("kind", KINDS)
def test_empty(kind):
    X = kind(data())
    assert RowIndex(X).find(X[:0]).shape == (0,)
    without_features = kind(np.zeros((3, 0)))
    assert_array_equal(RowIndex(without_features).find(without_features), [0, 1, 2])


def test_blocks_without_rows():
    """As dask has them after a filter."""
    workers = pytest.importorskip("workers")
    X = data()
    blocks = workers.da.from_array(X, chunks=((20, 0, 30), (6,)))
    index = index_of(check_blocks(BaseEstimator(), blocks, reset=True))
    assert_array_equal(index.find(X[::-1]), range(50)[::-1])

"""Matrices whose rows are in blocks on workers."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array, issparse
from scipy.sparse import random as random_sparse

workers = pytest.importorskip("workers")

from sklearn_kernelclust._utils._blocks import RowBlocks, is_sparse, like_blocks  # noqa: E402

X = random_sparse(40, 6, density=0.5, random_state=0).toarray()
INDICES = [slice(None), slice(5, 30), np.array([39, 0, 0, 17, 16]), X[:, 0] > 0, []]

on_containers = pytest.mark.parametrize("container", workers.CONTAINERS)


def dense(rows):
    return rows.toarray() if issparse(rows) else rows


@on_containers
def test_facts(container):
    rows = workers.on_workers(X, container)
    assert rows.shape == X.shape and len(rows) == 40 and rows.dtype == np.float64
    assert is_sparse(rows) == (container is csr_array)
    assert rows.n_entries == (np.count_nonzero(X) if rows.sparse else X.size)
    assert rows.var() == pytest.approx(X.var())
    assert rows.mean() == pytest.approx(X.mean())
    assert_allclose(rows.mean(axis=0), X.mean(axis=0))


@on_containers
def test_parts(container):
    rows, scale = workers.on_workers(X, container), np.linspace(1, 2, 40)
    C = np.random.RandomState(0).standard_normal((6, 2))
    for index in INDICES:
        index = np.array(index, dtype=int) if isinstance(index, list) else index
        expected = (scale[:, None] * X)[index]
        part = rows.scaled(scale)[index]
        assert part.shape == expected.shape
        assert_allclose(dense(part.fetched()), expected)
        assert_allclose(part @ C, expected @ C)
        again = part[::-1]
        assert_allclose(dense(again.fetched()), expected[::-1])


@on_containers
def test_sums(container):
    rows = workers.on_workers(X, container)[::-1]
    Z = random_sparse(40, 3, density=0.2, random_state=0)
    expected = Z.T.toarray() @ X[::-1]
    assert_allclose(rows.sums(csr_array(Z)), expected)
    assert_allclose(rows.sums(Z.toarray()), expected)
    assert_allclose(rows.T @ Z.toarray(), expected.T)
    assert_array_equal(rows.sums(csr_array((40, 2))), np.zeros((2, 6)))


def test_blocks_without_entries_are_not_read():
    array = workers.counted_array(X, height=10)
    rows = workers.check_blocks(workers.BaseEstimator(), array, reset=True)
    before, Z = workers.counted.n_blocks, np.zeros((40, 1))
    Z[12] = 1
    rows.sums(csr_array(Z))
    rows[[31, 38]].fetched()
    assert workers.counted.n_blocks == before + 2


def test_types():
    rows = workers.on_workers(X)
    assert rows.astype(np.float64) is rows
    narrow = rows.astype(np.float32)
    assert narrow.dtype == narrow.fetched().dtype == np.float32
    sparse = like_blocks(rows, workers.on_workers(X, csr_array))
    assert sparse.sparse and issparse(sparse.fetched())
    back = like_blocks(sparse, rows.astype(np.float32))
    assert back.dtype == np.float32 and not back.sparse
    assert_allclose(back.fetched(), X, rtol=1e-6)
    assert_allclose((rows - X[0]).fetched(), X - X[0])


def test_rows_pickle():
    rows = workers.on_workers(X)[3:7]
    assert_allclose(pickle.loads(pickle.dumps(rows)).fetched(), X[3:7])
    light = rows.without_blocks()
    assert isinstance(light, RowBlocks) and light.shape == (4, 6)
    assert len(pickle.dumps(light)) < 2000

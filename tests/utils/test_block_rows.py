"""Rows of a block and their factors."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csc_array, csr_array, issparse
from scipy.sparse import random as random_sparse

from sklearn_kernelclust._utils import _block_rows
from sklearn_kernelclust._utils._block_rows import (
    BlockRows,
    Kept,
    Recipe,
    dense_sums,
    entry_batches,
    sparse_sums,
    sums_of_powers,
)

A = random_sparse(12, 5, density=0.5, random_state=0).toarray()
FACTOR, SQUARES = np.linspace(1, 2, 12), np.square(A).sum(axis=1)

on_rows = pytest.mark.parametrize(
    "rows, X",
    [
        (BlockRows(A), A),
        (BlockRows(csr_array(A)), A),
        (BlockRows(A, FACTOR), FACTOR[:, None] * A),
        (BlockRows(csr_array(A), FACTOR), FACTOR[:, None] * A),
        (
            BlockRows(csr_array(A), FACTOR, np.square(A).sum(axis=1)),
            FACTOR[:, None] * A,
        ),
    ],
    ids=["dense", "sparse", "dense, scaled", "sparse, scaled", "lengths known"],
)


def dense(X):
    return X.toarray() if issparse(X) else X


@on_rows
def test_rows(rows, X):
    C = np.random.RandomState(0).standard_normal((5, 3))
    assert_allclose(rows @ C, X @ C)
    assert_allclose(rows.squared_lengths(), np.square(X).sum(axis=1))
    assert_allclose(dense(rows.multiplied_out()), X)
    for index in (slice(3, 9), slice(0, 12), np.array([7, 1, 1])):
        assert_allclose(dense(rows[index].multiplied_out()), X[index])
        assert_allclose(rows[index].squared_lengths(), np.square(X[index]).sum(axis=1))


@on_rows
def test_sums(rows, X):
    rng = np.random.RandomState(0)
    labels, weight = rng.randint(3, size=12), rng.uniform(size=12)
    Z = np.zeros((12, 4))
    Z[np.arange(12), labels] = weight
    assert_allclose(rows.sums_by_label(labels, weight, 4), Z.T @ X)
    assert_allclose(sparse_sums(rows, csc_array(Z.T)), Z.T @ X)
    assert_allclose(dense_sums(rows, Z.T), Z.T @ X)
    several = Z + np.roll(Z, 1, axis=1)
    assert_allclose(sparse_sums(rows, csc_array(several.T)), several.T @ X)
    nothing = rows[slice(0, 0)].sums_by_label(labels[:0], weight[:0], 4)
    assert nothing.dtype == np.float64
    assert_array_equal(nothing, np.zeros((4, 5)))


@on_rows
def test_powers(rows, X):
    assert_allclose(sums_of_powers(rows, 0.3), [X.sum(), np.square(X - 0.3).sum()])


def test_sums_in_batches(monkeypatch):
    monkeypatch.setattr(_block_rows, "ENTRIES", 1)
    X = random_sparse(200, 2, density=0.5, random_state=0, format="csr")
    assert len(entry_batches(X, 7)) > 20
    labels = np.arange(200) % 3
    expected = [X[labels == c].sum(axis=0) for c in range(3)]
    sums = BlockRows(X).sums_by_label(labels, np.ones(200), 3)
    assert_allclose(sums, np.reshape(expected, (3, 2)))


def test_factors_are_kept_for_the_next_pass(monkeypatch):
    monkeypatch.setattr(_block_rows, "KEPT", Kept())
    calls = []

    def unit(X):
        calls.append(1)
        squares = np.square(X).sum(axis=1)
        return X, 1 / np.sqrt(squares), squares

    X = A + 1
    expected = X / np.linalg.norm(X, axis=1)[:, None]
    for _ in range(3):
        rows = Recipe(None, (), unit, None, "a")(X)
        assert_allclose(rows.multiplied_out(), expected)
        assert_allclose(rows.squared_lengths(), 1)
    assert len(calls) == 1
    Recipe(None, (), unit, None)(X)
    assert len(calls) == 2


def test_the_oldest_factors_go_first(monkeypatch):
    monkeypatch.setattr(_block_rows, "KEPT_BYTES", 200)
    kept = Kept()
    for key in "abc":
        kept.put(key, np.ones(10))
    kept.put("c", np.zeros(10))
    kept.put("large", np.ones(100))
    assert list(kept.factors) == ["b", "c"] and kept.n_bytes == 160
    assert kept.get("c")[0] == 1 and kept.get("large") is None


def test_recipe():
    recipe = Recipe(np.array([2, 0]), (np.negative,), None, np.array([2.0, 3.0]))
    assert_allclose(recipe(A).multiplied_out(), -A[[2, 0]] * [[2], [3]])
    assert_allclose(recipe(csc_array(A)).multiplied_out().toarray()[0], -2 * A[2])

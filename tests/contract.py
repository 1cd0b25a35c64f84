"""What every Gram promises, checked against the plain matrix it stands for."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csc_array, csr_array, csr_matrix
from scipy.sparse import random as random_sparse
from sklearn import config_context

MEGABYTES = [1024, 0.001]  # the second forces many tiny tiles
DTYPES = [np.float64, np.float32]
CONTAINERS = [np.asarray, csr_array, csr_matrix]


def features(n=60, d=11, dtype=np.float64, seed=0):
    X = random_sparse(n, d, density=0.4, random_state=seed).toarray()
    return (X + 0.1 * (X > 0)).astype(dtype)


def close(dtype):
    return {"rtol": 1e-4, "atol": 2e-5} if dtype == np.float32 else {"rtol": 1e-9}


def check_gram(gram, K, K_rows=None):
    """All verbs of `gram` against the matrix `K`.

    `K_rows` is the square matrix of the row objects, which has their
    self-similarities; None if they cannot be known.
    """
    tol = close(gram.dtype)
    scale = {**tol, "atol": tol.get("atol", 1e-10) * max(1, np.abs(K).max())}
    assert gram.shape == K.shape
    for megabytes in MEGABYTES:
        with config_context(working_memory=megabytes):
            check_products(gram, K, scale)
            assert_allclose(gram.toarray(), K, **scale)
            assert_allclose(
                gram.squared_row_norms(), (K**2).sum(axis=1), rtol=1e-3, atol=1e-6
            )
    assert gram.toarray().dtype == gram.dtype
    check_products(gram.T, K.T, scale)
    assert_allclose(gram.T.toarray(), K.T, **scale)
    assert_allclose((gram.T).T.toarray(), K, **scale)
    if K_rows is None:
        with pytest.raises(ValueError, match="not in a precomputed block"):
            gram.diagonal()
    else:
        assert_allclose(gram.diagonal(), K_rows.diagonal(), **scale)
    check_parts(gram, K, scale)
    again = pickle.loads(pickle.dumps(gram))
    assert_allclose(again.toarray(), K, **scale)


def check_products(gram, K, scale):
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(K.shape[1], 3))
    few = csr_array(random_sparse(K.shape[1], 4, density=0.1, random_state=0))
    few_columns = csc_array(few)
    none = csr_array(few.shape)
    wide = {**scale, "atol": scale["atol"] * K.shape[1]}
    assert_allclose(gram @ Z, K @ Z, **wide)
    assert_allclose(gram @ Z[:, 0], K @ Z[:, 0], **wide)
    assert_allclose(gram.matvec(Z[:, 1]), K @ Z[:, 1], **wide)
    assert_allclose(gram @ few, K @ few.toarray(), **wide)
    assert_allclose(gram @ few_columns, K @ few_columns.toarray(), **wide)
    assert not (gram @ none).any()
    assert (gram @ Z).dtype == np.float64
    assert (gram @ Z.astype(gram.dtype)).dtype == gram.dtype
    with pytest.raises(ValueError, match="Cannot multiply"):
        gram @ Z[:-1]


def check_parts(gram, K, scale):
    m, n = K.shape
    rows, cols = np.arange(0, m, 2)[::-1], np.array([n - 1, 0, 0, n // 2])
    every = slice(None)
    for r, c in [(rows, cols), (every, cols), (rows, every), ([], cols), (rows, [])]:
        part = gram.restrict(r, c)
        expected = K[np.asarray(r, dtype=int)] if r is not every else K
        expected = expected[:, np.asarray(c, dtype=int)] if c is not every else expected
        assert part.shape == expected.shape
        assert_allclose(part.toarray(), expected, **scale)
        assert_allclose(part @ np.ones(part.shape[1]), expected.sum(axis=1), **scale)
    if gram._row_diagonal is not None:
        assert_allclose(gram.restrict(rows).diagonal(), gram.diagonal()[rows], **scale)
    if gram._col_diagonal is not None:
        assert_allclose(
            gram.restrict(rows, cols).T.diagonal(), gram.T.diagonal()[cols], **scale
        )

"""The leaves of the Gram."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from contract import check_gram
from numpy.testing import assert_allclose
from scipy.sparse import csr_array, csr_matrix
from scipy.sparse import random as random_sparse
from scipy.sparse.linalg import eigsh
from sklearn.metrics.pairwise import laplacian_kernel

from sklearn_kernelclust._gram import (
    ChunkedGram,
    DenseGram,
    FactoredGram,
    SparseGram,
)
from sklearn_kernelclust._memory import GramTooLargeError

DTYPES = [np.float64, np.float32]
CONTAINERS = [np.asarray, csr_array, csr_matrix]


def features(n=60, d=11, dtype=np.float64, seed=0):
    X = random_sparse(n, d, density=0.4, random_state=seed).toarray()
    return (X + 0.1 * (X > 0)).astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("order", ["C", "F", "strided"])
def test_dense(dtype, order):
    X = features(dtype=dtype)
    K = X @ X.T
    given = np.repeat(K, 2, axis=1)[:, ::2] if order == "strided" else K.copy(order)
    check_gram(DenseGram.training(given), K, K)


@pytest.mark.parametrize("dtype", DTYPES)
def test_dense_block_of_new_rows(dtype):
    K = features(40, dtype=dtype) @ features(60, dtype=dtype, seed=1).T
    check_gram(DenseGram(K), K)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("container", CONTAINERS[1:])
def test_sparse(dtype, container):
    K = random_sparse(50, 50, density=0.1, random_state=0).toarray().astype(dtype)
    K += K.T
    check_gram(SparseGram.training(container(K)), K, K)
    check_gram(SparseGram(container(K[:20])), K[:20])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("container", CONTAINERS)
def test_factored(dtype, container):
    X, Y = features(dtype=dtype), features(30, dtype=dtype, seed=1)
    A, B = container(X), container(Y)
    gram = FactoredGram(A, A, symmetric=True)
    assert gram.dtype == dtype
    check_gram(gram, X @ X.T, X @ X.T)
    check_gram(FactoredGram(A, B), X @ Y.T, X @ X.T)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("container", CONTAINERS)
def test_chunked(dtype, container):
    X, Y = features(dtype=dtype), features(30, dtype=dtype, seed=1)
    A, B = container(X), container(Y)
    ones = np.ones(60, dtype), np.ones(30, dtype)
    K, K_new = laplacian_kernel(X), laplacian_kernel(X, Y)
    check_gram(ChunkedGram(laplacian_kernel, A, A, ones[0], ones[0], True), K, K)
    check_gram(ChunkedGram(laplacian_kernel, A, B, *ones), K_new, K)


def test_dense_copies_nothing():
    K = np.eye(4)
    gram = DenseGram.training(K)
    assert gram.toarray() is K
    assert np.shares_memory(gram.restrict(slice(0, 2)).toarray(), K)


def test_symmetry_is_known():
    gram = DenseGram.training(np.eye(5))
    index = np.array([3, 1])
    assert gram.T.symmetric
    assert gram.restrict(index, index.copy()).symmetric
    assert gram.restrict(slice(0, 3), slice(0, 3)).symmetric
    assert not gram.restrict(index, index[::-1]).symmetric
    assert not gram.restrict(index).symmetric


def test_toarray_refuses_before_it_allocates():
    X = np.zeros((3_000_000, 1))
    gram = FactoredGram(X, X)
    with pytest.raises(
        GramTooLargeError, match=r"\(3000000, 3000000\).*GiB.*lazy=True"
    ):
        gram.toarray()


def test_eigsh_takes_a_gram():
    X = features()
    gram = FactoredGram(X, X)
    largest = eigsh(gram, k=2, v0=np.ones(60), return_eigenvectors=False)
    assert_allclose(largest, np.linalg.eigvalsh(X @ X.T)[-2:])


def test_an_array_on_the_left_is_refused():
    with pytest.raises(TypeError):
        np.ones((2, 3)) @ DenseGram(np.ones((3, 3)))


def test_repr():
    assert repr(DenseGram(np.ones((2, 3)))) == "<DenseGram of shape (2, 3), float64>"


def test_squares_are_parts(seed):
    """An array holds those of one size side by side, any other Gram each alone."""
    A = np.random.default_rng(seed).normal(size=(11, 3))
    sets = [np.array([0, 3, 4]), np.array([7, 1]), np.array([10, 2, 5])]
    K = A @ A.T
    for gram in (DenseGram.training(K), FactoredGram(A, A, symmetric=True)):
        seen = []
        for which, beside, parts in gram.squares(sets):
            seen += list(which)
            expected = [K[np.ix_(sets[i], sets[i])] for i in which]
            assert_allclose(beside.toarray(), np.hstack(expected))
            for part, square in zip(parts, expected):
                assert_allclose(part.toarray(), square)
                assert_allclose(part.diagonal(), square.diagonal())
        assert sorted(seen) == [0, 1, 2]

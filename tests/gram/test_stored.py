"""Arrays and sparse matrices as Grams."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from contract import CONTAINERS, DTYPES, check_gram, features
from scipy.sparse import random as random_sparse

from sklearn_kernelclust._gram._stored import DenseGram, SparseGram


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


@pytest.mark.parametrize("order", ["C", "F"])
def test_dense_copies_nothing(order):
    K = np.eye(4, order=order)
    gram = DenseGram.training(K)
    assert gram.toarray() is K
    assert np.shares_memory(gram.restrict(slice(0, 2)).toarray(), K)


@pytest.mark.parametrize("container", CONTAINERS)
def test_zero_is_in_the_range_of_entries(container):
    leaf = DenseGram if container is np.asarray else SparseGram
    negative = container(2 * np.eye(3) - 1)
    assert leaf.training(negative).entry_range() == (-1.0, 0.0)
    smallest, largest = leaf.training(container(np.eye(3))).entry_range()
    assert smallest == 0 <= largest  # which may be a bound

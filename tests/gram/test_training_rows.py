"""Training objects recognised among new rows."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics.pairwise import pairwise_kernels

from sklearn_kernelclust._gram._factored import FactoredGram
from sklearn_kernelclust._gram._stored import DenseGram
from sklearn_kernelclust._gram._training_rows import (
    TrainingRows,
    is_constant,
    with_self_similarity,
)


def data(seed=0, n=200, d=5):
    return np.random.default_rng(seed).normal(size=(n, d))


@pytest.mark.parametrize("kernel", ["linear", "rbf", "poly", "cosine"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_recomputed_rows_are_recognised(kernel, dtype):
    """Computed one by one, hardly a row is equal to the last bit."""
    X, new = data().astype(dtype), data(1, 50).astype(dtype)
    rows = TrainingRows(DenseGram.training(pairwise_kernels(X, metric=kernel)))
    one_by_one = np.vstack([pairwise_kernels(x[None], X, metric=kernel) for x in X])
    order = np.random.default_rng(2).permutation(len(X))
    assert_array_equal(rows.match(DenseGram(one_by_one[order])), order)
    K_new = pairwise_kernels(new, X, metric=kernel)
    assert (rows.match(DenseGram(K_new)) == -1).all()


@pytest.mark.parametrize("kernel", ["linear", "cosine", "poly"])
def test_rows_that_are_alike_in_float32(kernel):
    """Far from the origin, all rows agree to three digits or more."""
    X, new = (data(seed, 100, 30).astype(np.float32) + 10 for seed in (0, 1))
    K = pairwise_kernels(X, metric=kernel)
    rows = TrainingRows(DenseGram.training((K + K.T) / 2))
    order = np.random.default_rng(2).permutation(len(X))
    assert_array_equal(rows.match(DenseGram(K[order])), order)
    K_new = pairwise_kernels(new, X, metric=kernel)
    assert (rows.match(DenseGram(K_new)) == -1).all()


def test_across_types():
    K = data() @ data().T
    low = K.astype(np.float32)
    index = np.arange(len(K))
    wide, narrow = DenseGram.training(K), DenseGram.training(low)
    assert_array_equal(TrainingRows(wide).match(DenseGram(low)), index)
    assert_array_equal(TrainingRows(narrow).match(DenseGram(K)), index)


def test_of_equal_rows_the_one_in_place_else_the_first():
    X = data()
    X[7] = X[3]
    X[9] = X[3]
    gram = FactoredGram(X, X)
    rows = TrainingRows(gram)
    assert_array_equal(rows.match(gram), np.arange(len(X)))
    assert_array_equal(rows.match(gram.restrict([9, 9, 9, 9])), [3, 3, 3, 3])
    assert_array_equal(rows.match(gram.restrict([9, 1, 2, 7])), [3, 1, 2, 3])


def test_rows_of_zeros():
    rows = TrainingRows(DenseGram.training(np.zeros((4, 4))))
    assert_array_equal(rows.match(DenseGram(np.zeros((6, 4)))), [0, 1, 2, 3, 0, 0])


def test_self_similarity():
    X, new = data(), data(1, 10)
    gram = FactoredGram(X, X)
    rows = TrainingRows(gram)
    known = rows.self_similarity(DenseGram(np.vstack([X[5], new]) @ X.T))
    assert_allclose(known[0], gram.diagonal()[5])
    assert np.isnan(known[1:]).all()


def test_rows_of_training_objects_have_their_self_similarity():
    K, index = np.zeros((4, 3)), np.array([2, -1, 0, 1])
    gram = DenseGram(K, np.array([5.0, 6, 7, 8]))
    assert_array_equal(with_self_similarity(K.copy(), gram), K)
    gram.training_index = index
    expected = [[0, 0, 5], [0, 0, 0], [7, 0, 0], [0, 8, 0]]
    assert_array_equal(with_self_similarity(K.copy(), gram), expected)


def test_constant_self_similarity_needs_no_product():
    K = pairwise_kernels(data(), metric="rbf")
    rows = TrainingRows(DenseGram.training(K), unless_constant=True)
    assert rows.signatures is None
    assert_array_equal(rows.self_similarity(DenseGram(K[:3])), [1, 1, 1])
    one = TrainingRows(DenseGram.training(np.array([[3.0]])))
    assert_array_equal(one.self_similarity(DenseGram(np.ones((2, 1)))), [3, 3])
    assert is_constant(np.array([1.0, 1 + 1e-15]))
    assert not is_constant(np.array([1.0, 1 + 1e-9]))

"""Prefix sums of every Gram beside the plain sums."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from grams import make_gram
from numpy.testing import assert_allclose
from scipy.sparse import csr_array
from scipy.sparse import random as sparse_random
from sklearn import config_context

from sklearn_kernelclust._gram._factored import FactoredGram
from sklearn_kernelclust._gram._prefix_sums import (
    prefix_sums_of_blocks,
    prefix_sums_of_sparse,
)
from sklearn_kernelclust._gram._product import ProductGram
from sklearn_kernelclust._gram._stored import DenseGram, SparseGram
from sklearn_kernelclust._gram._wrappers import CenteredGram, ShiftedGram, centered

N = 60


def features(density=0.3):
    return sparse_random(N, 17, density=density, format="csr", random_state=0)


def product():
    left = DenseGram.training(np.cov(features().toarray()))
    return ProductGram(left, left, None, None, symmetric=True)


GRAMS = {
    "dense": lambda: DenseGram.training(np.cov(features().toarray())),
    "sparse": lambda: SparseGram.training(csr_array(features() @ features().T)),
    "factored, dense": lambda: make_gram(features().toarray(), kernel="linear"),
    "factored, sparse": lambda: make_gram(features(), kernel="linear"),
    "two factors": lambda: FactoredGram(features(), features(0.5)),
    "two dense factors": lambda: FactoredGram(
        features().toarray(), features(0.5).toarray()
    ),
    "chunked": lambda: make_gram(features(), kernel="laplacian"),
    "entrywise": lambda: make_gram(features(), kernel="rbf"),
    "float32": lambda: make_gram(features().astype(np.float32), kernel="linear"),
    "shifted": lambda: ShiftedGram(make_gram(features(), kernel="linear"), 0.7),
    "centred": lambda: CenteredGram.training(make_gram(features(), kernel="linear")),
    "centred, evaluated": lambda: centered(make_gram(features(), kernel="rbf")),
    "centred factors": lambda: centered(
        make_gram(features().toarray(), kernel="linear")
    ),
    "product": product,
}


@pytest.mark.parametrize("name", GRAMS)
def test_prefix_sums_are_sums_of_all_before(name, seed):
    gram = GRAMS[name]()
    order = np.random.default_rng(seed).permutation(N)
    K = gram.toarray()[order][:, order]
    expected = np.tril(K, -1).sum(axis=1)
    with config_context(working_memory=0.002):
        found = gram.prefix_sums(order)
    tolerance = 1e-5 if gram.dtype == np.float32 else 1e-11
    assert_allclose(found, expected, atol=tolerance * np.abs(K).sum())


def test_blocks_carry_over(monkeypatch):
    A = features().toarray()
    monkeypatch.setattr("sklearn_kernelclust._gram._prefix_sums.BLOCK", 40)
    found = prefix_sums_of_blocks(lambda b: A[b], lambda b: A[b], *A.shape)
    assert_allclose(found, np.tril(A @ A.T, -1).sum(axis=1), atol=1e-12)


def test_empty_columns_and_rows():
    A = csr_array((5, 3))
    assert_allclose(prefix_sums_of_sparse(A, A), np.zeros(5))


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
@pytest.mark.parametrize("kind", [np.asarray, csr_array])
def test_centred_gram_is_the_centred_matrix(kernel, kind):
    X = 1e3 + features().toarray()
    gram = make_gram(kind(X), kernel=kernel)
    H = np.eye(N) - 1 / N
    expected = H @ gram.toarray() @ H
    moved = centered(gram)
    assert_allclose(moved.toarray(), expected, atol=1e-8 * gram.diagonal().max())
    assert (moved.factor() is not None) == (kernel == "linear" and kind is np.asarray)


def test_only_dense_factors_are_handed_out():
    X = features()
    dense = make_gram(X.toarray(), kernel="linear")
    assert_allclose(dense.factor() @ dense.factor().T, dense.toarray())
    part = dense.restrict([3, 1], [3, 1])
    assert_allclose(part.factor(), X.toarray()[[3, 1]])
    assert dense.restrict([3, 1], [1, 3]).factor() is None
    for gram in (make_gram(X, kernel="linear"), make_gram(X, kernel="rbf")):
        assert gram.factor() is None

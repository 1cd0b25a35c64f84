"""Passes over the pairs of blocks of a Gram."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from contract import features
from numpy.testing import assert_allclose

workers = pytest.importorskip("workers")

from sklearn_kernelclust._gram._chunked import ChunkedGram  # noqa: E402
from sklearn_kernelclust._gram._distributed import Grid  # noqa: E402
from sklearn_kernelclust._gram._distributed_leaves import (  # noqa: E402
    DistributedGram,
    gram_of_rows,
)
from sklearn_kernelclust._gram._product import ProductGram  # noqa: E402
from sklearn_kernelclust._gram._wrappers import (  # noqa: E402
    EntrywiseGram,
    ShiftedGram,
)

X = features(40)


class Products:
    """Inner products, and how many were evaluated."""

    n_entries = 0

    def __call__(self, A, B):
        Products.n_entries += len(A) * len(B)
        return A @ B.T


def local(A, B, same):
    known = np.square(A).sum(axis=1), np.square(B).sum(axis=1)
    return ChunkedGram(Products(), A, B, *known, symmetric=same)


def squares(block, left, right):
    return block**2


@pytest.fixture
def gram():
    norms, A = np.square(X).sum(axis=1), workers.on_workers(X, height=10)
    return DistributedGram(A, A, local, norms, norms, symmetric=True)


@pytest.mark.parametrize(
    "verb",
    [
        lambda gram: gram @ np.ones((40, 2)),
        lambda gram: gram.toarray(),
        lambda gram: gram.squared_row_norms(),
    ],
    ids=["product", "toarray", "squared_row_norms"],
)
def test_pairs_of_blocks_are_evaluated_once(gram, verb):
    before = Products.n_entries
    verb(gram)
    # Four blocks: six pairs, and the blocks on the diagonal, at most twice each.
    assert Products.n_entries - before <= (6 + 2 * 4) * 10**2


def test_few_columns_evaluate_few_entries(gram):
    Z = workers.csr_array(([1.0, 2.0], ([3, 30], [0, 1])), shape=(40, 2))
    before = Products.n_entries
    assert_allclose(gram @ Z, X @ X.T @ Z.toarray())
    assert Products.n_entries - before == 40 * 2


def test_wrappers_work_on_the_workers(gram):
    K = (X @ X.T - 0.5 * np.eye(40)) ** 2
    wrapped = EntrywiseGram(ShiftedGram(gram, -0.5), squares)
    assert Grid.of(wrapped).leaf is gram
    assert_allclose(wrapped @ np.eye(40), K)
    assert_allclose(wrapped.toarray(), K)


def test_a_function_of_a_product_is_evaluated_here():
    gram = gram_of_rows(workers.on_workers(X))
    K = (X @ X.T) @ (X @ X.T)
    product = ProductGram(gram, gram, K.diagonal(), K.diagonal(), symmetric=True)
    wrapped = EntrywiseGram(product, squares)
    assert Grid.of(wrapped) is None
    assert_allclose(wrapped @ np.eye(40), K**2)
    assert_allclose(wrapped.toarray(), K**2)

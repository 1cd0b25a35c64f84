"""Products of features as Grams."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from contract import CONTAINERS, DTYPES, check_gram, features
from numpy.testing import assert_array_equal
from scipy.sparse import csr_array

from sklearn_kernelclust._gram import _factored
from sklearn_kernelclust._gram._factored import FactoredGram


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("container", CONTAINERS)
def test_factored(dtype, container):
    X, Y = features(dtype=dtype), features(30, dtype=dtype, seed=1)
    A, B = container(X), container(Y)
    gram = FactoredGram(A, A, symmetric=True)
    assert gram.dtype == dtype
    check_gram(gram, X @ X.T, X @ X.T)
    check_gram(FactoredGram(A, B), X @ Y.T, X @ X.T)


@pytest.mark.same_machine
@pytest.mark.parametrize("dtype", DTYPES)
def test_blocks_of_a_product_are_the_product(dtype, monkeypatch):
    """To the last bit: no block depends on what else is computed."""
    X = csr_array(features(90, dtype=dtype))
    gram = FactoredGram(X, X, symmetric=True)
    Z = csr_array(np.eye(90)[:, :21] + features(90, seed=1)[:, :1])
    whole = gram @ Z
    n_bytes = gram.dtype.itemsize * (X.shape[1] + 90) * 21  # of sums and products
    monkeypatch.setattr(_factored, "LARGE", n_bytes)
    [(rows, cols, one)] = gram.product_parts(Z)
    assert_array_equal(one, whole[rows, cols])
    monkeypatch.setattr(_factored, "LARGE", n_bytes - 1)
    monkeypatch.setattr(_factored, "BLOCK_BYTES", 8 * 8 * 20)
    blocks, found = list(gram.product_parts(Z)), np.zeros_like(whole)
    assert len(blocks) >= 9
    for rows, cols, block in blocks:
        assert block.size <= 8 * 40
        found[rows, cols] = block
    assert_array_equal(found, whole)


@pytest.mark.parametrize("container", CONTAINERS)
def test_objects_that_share_a_term_need_not_be_similar(container):
    A = container(np.array([[1.0, -1.0], [1.0, 1.0], [2.0, 2.0]]))
    gram = FactoredGram(A, A, symmetric=True)
    first, second, third = gram.connected_components(np.ones(3))
    assert first != second == third


def test_scaled_alike_it_keeps_one_factor():
    X = features()
    gram = FactoredGram(X, X, symmetric=True)
    scale = 1 / np.sqrt(gram.diagonal())
    alike = gram.scaled(scale, scale)
    assert alike.A is alike.B
    K = X * scale[:, None] @ (X * scale[:, None]).T
    check_gram(alike, K, K)
    assert gram.scaled(scale, 2 * scale).factor() is None


@pytest.mark.parametrize("container", CONTAINERS)
def test_one_factor_may_have_negative_entries(container):
    K = np.array([[1.0, -0.5, 0.0], [-0.5, 1.0, 0.25], [0.0, 0.25, 1.0]])
    A, B = container(np.eye(3)), container(K)
    for factors in ((A, B), (B, A)):
        gram = FactoredGram(*factors, K.diagonal(), K.diagonal(), symmetric=True)
        check_gram(gram, K, K)
        assert gram.entry_range() == (-0.5, 0.25)

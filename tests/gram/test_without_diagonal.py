"""Small entries beside a large diagonal keep their digits."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array

from sklearn_kernelclust import PairwiseKernel
from sklearn_kernelclust._gram._checks import as_gram
from sklearn_kernelclust._gram._without_diagonal import without_diagonal


def tiny_kernel(n=30):
    """Entries of 1e-12 and less beside ones."""
    A = np.random.RandomState(0).uniform(size=(n, n)) * 1e-12
    K = A + A.T
    np.fill_diagonal(K, 1)
    return K


@pytest.mark.parametrize("lazy", [False, True])
def test_products_have_the_digits_of_small_entries(lazy):
    if lazy:
        X = 6.0 * np.random.RandomState(0).standard_normal((30, 3))
        gram = PairwiseKernel("rbf", gamma=1.0, lazy=True).fit_transform(X)
    else:
        gram = as_gram(tiny_kernel())
    expected = gram.toarray().copy()
    np.fill_diagonal(expected, 0)
    found = without_diagonal(gram)
    assert_array_equal(found.toarray(), expected)
    assert not found.diagonal().any()
    ones = np.ones(len(expected))
    assert_allclose(found @ ones, expected @ ones, rtol=1e-12)


def test_what_is_given_stays_as_it_is():
    K = tiny_kernel()
    without_diagonal(as_gram(K))
    assert_array_equal(K.diagonal(), 1)


def test_any_diagonal_of_a_stored_matrix():
    K = tiny_kernel()
    K.flat[:: len(K) + 1] = 1 + np.random.RandomState(1).uniform(size=len(K))
    expected = K - np.diag(K.diagonal())
    assert_array_equal(without_diagonal(as_gram(K)).toarray(), expected)


def test_not_where_an_array_costs_too_much():
    gram = as_gram(csr_array(np.eye(30)))
    assert without_diagonal(gram) is gram


def test_not_where_the_diagonal_of_evaluated_tiles_varies():
    X = np.random.RandomState(0).standard_normal((30, 3))
    gram = PairwiseKernel("poly", lazy=True).fit_transform(X)
    assert without_diagonal(gram) is gram

"""The product of two Grams, against numpy."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from grams import make_gram
from numpy.testing import assert_allclose, assert_array_equal

from sklearn_kernelclust._gram._product import ProductGram
from sklearn_kernelclust._gram._stored import DenseGram

X = np.random.default_rng(0).normal(size=(20, 4))


def product():
    rows = make_gram(X, kernel="rbf", gamma=0.3)
    K = rows.toarray()
    norms = (K**2).sum(axis=1)
    return ProductGram(rows, rows, norms, norms, symmetric=True), K @ K.T


def test_equal_to_the_product_of_the_matrices():
    gram, expected = product()
    Z = np.random.default_rng(1).normal(size=(20, 3))
    assert_allclose(gram.toarray(), expected)
    assert_array_equal(gram.toarray(), gram.toarray().T)
    assert_allclose(gram @ Z, expected @ Z)
    assert_allclose(gram.T.toarray(), expected.T)
    part = gram.restrict([3, 1], [0, 5, 6])
    assert_allclose(part.toarray(), expected[[3, 1]][:, [0, 5, 6]])


def test_its_factors_are_stored_and_it_is_not():
    gram, expected = product()
    stored = gram.stored()
    assert isinstance(stored, ProductGram)
    assert isinstance(stored.left, DenseGram) and stored.left is stored.right
    assert_allclose(stored.toarray(), expected)

"""What all Grams share."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pandas as pd
import pytest
from contract import features
from numpy.testing import assert_allclose
from scipy.sparse import csr_array
from scipy.sparse.linalg import eigsh
from sklearn import config_context

from sklearn_kernelclust._gram._factored import FactoredGram
from sklearn_kernelclust._gram._stored import DenseGram, SparseGram
from sklearn_kernelclust._utils._memory import GramTooLargeError


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


def test_stored_as_an_array_if_that_saves_work():
    """Products with 20 columns cost more multiply-adds than there are entries."""
    A = np.random.default_rng(0).normal(size=(50, 2))
    factored = FactoredGram(A, A, symmetric=True)
    assert isinstance(factored.stored(20), DenseGram)
    assert factored.stored() is factored
    wide = np.random.default_rng(0).normal(size=(500, 2))
    assert isinstance(FactoredGram(wide, wide, symmetric=True).stored(20), FactoredGram)
    few = SparseGram.training(csr_array(np.eye(100)))
    assert few.stored(20) is few
    with config_context(working_memory=0.001):
        assert factored.stored(20) is factored


def test_repr():
    assert repr(DenseGram(np.ones((2, 3)))) == "<DenseGram of shape (2, 3), float64>"


def test_products_with_what_numpy_takes_for_an_array():
    X = features()
    gram, K, Z = FactoredGram(X, X), X @ X.T, X[:, :2]
    for other in (Z.tolist(), pd.DataFrame(Z)):
        assert_allclose(gram @ other, K @ Z)
    assert_allclose(gram @ gram, K @ K)
    with pytest.raises(ValueError, match="Cannot multiply"):
        gram @ [1.0]

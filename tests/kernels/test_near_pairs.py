"""Distances of near objects far from the origin."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from grams import make_gram
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist
from sklearn.datasets import load_breast_cancer

SETS = {
    "incomes": np.repeat(np.random.default_rng(0).lognormal(8, 2, (75, 2)), 2, axis=0),
    "two far groups": np.random.default_rng(1).normal(size=(60, 3))
    + 1e6 * (np.arange(60)[:, None] % 2),
    "breast cancer": load_breast_cancer().data[:200],
}


@pytest.mark.parametrize("kind", [np.asarray, csr_array])
@pytest.mark.parametrize("name", SETS)
def test_rounding_of_a_gaussian_kernel_is_bounded(name, kind):
    X = SETS[name]
    K = make_gram(kind(X), kernel="rbf", gamma=0.5).toarray()
    exact = np.exp(-0.5 * cdist(X, X, "sqeuclidean"))
    assert_allclose(K, exact, atol=1e-9)
    assert_allclose(K, K.T, atol=1e-11)
    assert (K[cdist(X, X) == 0] == 1).all()


@pytest.mark.parametrize("name", SETS)
def test_of_new_rows_too_whichever_side_they_are_on(name):
    X = SETS[name]
    gram = make_gram(X[::3], X, kernel="rbf", gamma=0.5)
    K = make_gram(X, kernel="rbf", gamma=0.5).toarray()
    assert_allclose(gram.toarray(), K[::3], atol=1e-11)
    assert_allclose(gram.T.toarray(), K[:, ::3], atol=1e-11)
    own = gram.toarray()[np.arange(len(X[::3])), np.arange(len(X))[::3]]
    assert_array_equal(own, 1)

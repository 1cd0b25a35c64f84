"""A Gram as a graph, beside the dense matrix it stands for."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from grams import make_gram
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from sklearn_kernelclust._gram._factored import FactoredGram
from sklearn_kernelclust._gram._stored import DenseGram, SparseGram
from sklearn_kernelclust._spectral._graph import (
    Graph,
    check_weights,
    grouped,
    in_order_of_appearance,
)


def features(seed, n=60, m=40):
    """Few terms an object, so that some share none, even by others."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, m)) * (rng.random((n, m)) < 0.03)
    X[np.arange(n), rng.integers(0, m, n)] = 1
    return X


def distant(X):
    return 1000 * X


GRAMS = {
    "dense": lambda X: DenseGram.training(X @ X.T),
    "sparse": lambda X: SparseGram.training(csr_array(X @ X.T)),
    "factored": lambda X: make_gram(X, kernel="linear"),
    "sparse factors": lambda X: make_gram(csr_array(X), kernel="linear"),
    "two factors": lambda X: FactoredGram(X, X.copy(), symmetric=True),
    "negative factors": lambda X: FactoredGram(-X, -X.copy(), symmetric=True),
    "evaluated": lambda X: make_gram(distant(X), kernel="rbf", gamma=1.0),
}


@pytest.mark.parametrize("name", GRAMS)
def test_weights_degrees_and_components(name, seed):
    gram = GRAMS[name](features(seed))
    K = gram.toarray().copy()
    graph = Graph(gram)
    np.fill_diagonal(K, 0)
    assert_allclose(graph.degree, K.sum(axis=1), atol=1e-12)
    assert_array_equal(graph.isolated, K.sum(axis=1) <= 1e-14)
    low, high = gram.entry_range()
    assert low == 0
    assert high >= K.max()
    check_weights(gram)
    kept = np.flatnonzero(~graph.isolated)
    if len(kept):
        part = graph.restrict(kept)
        expected = connected_components(csr_array(K[np.ix_(kept, kept)]))[1]
        assert_array_equal(part.components(), in_order_of_appearance(expected))


@pytest.mark.parametrize("name", [n for n in GRAMS if n != "evaluated"])
def test_negative_weights(name):
    X = np.random.default_rng(0).normal(size=(50, 3))
    gram = GRAMS[name](X)
    K = X @ X.T
    np.fill_diagonal(K, 0)
    assert_allclose(gram.entry_range(), (K.min(), K.max()))
    with pytest.raises(ValueError, match=f"smallest affinity is {K.min():.3g}"):
        check_weights(gram)


def test_rounding_is_not_negative():
    K = np.ones((4, 4))
    K[0, 1] = K[1, 0] = -1e-14
    check_weights(DenseGram.training(K))


def test_edges_that_no_normalised_weight_shows():
    K = np.kron(np.eye(2), np.ones((5, 5))) + 1e-18
    for leaf in (DenseGram, SparseGram):
        gram = leaf.training(K if leaf is DenseGram else csr_array(K))
        assert_array_equal(Graph(gram).components(), np.repeat([0, 1], 5))


def test_rows_are_searched_in_batches(monkeypatch):
    monkeypatch.setattr("sklearn_kernelclust._gram._graph_search.ROW_ENTRIES", 1)
    path = np.eye(40, k=1) + np.eye(40, k=-1)
    path[20, 21] = path[21, 20] = 0
    graph = Graph(DenseGram.training(path))
    assert_array_equal(graph.components(), np.arange(40) > 20)


def test_grouped():
    component = np.repeat([0, 1, 2, 3], [1, 3, 2, 3])
    assert_array_equal(grouped(component, 4), component)
    assert_array_equal(grouped(component, 3), np.array([0, 1, 0, 2])[component])
    assert_array_equal(grouped(component, 2), np.array([0, 1, 0, 0])[component])
    assert_array_equal(grouped(component, 1), 0)

"""Laplacians that are multiplied, beside those that are formed."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.polynomial.chebyshev import chebval
from numpy.testing import assert_allclose
from scipy.sparse import csr_array
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.neighbors import kneighbors_graph

from sklearn_kernelclust._gram._stored import DenseGram, SparseGram
from sklearn_kernelclust._linalg import _solvers
from sklearn_kernelclust._spectral._graph import Graph
from sklearn_kernelclust._spectral._laplacians import (
    Extension,
    TurnedLaplacian,
    is_flat,
    smallest_eigenvectors,
)


@pytest.fixture
def A(seed):
    return rbf_kernel(np.random.default_rng(seed).normal(size=(40, 2)), gamma=0.5)


def laplacian(A, normalized):
    A = A - np.diag(A.diagonal())
    d = A.sum(axis=1)
    L = np.diag(d) - A
    return L / np.sqrt(np.outer(d, d)) if normalized else L


@pytest.mark.parametrize("normalized", [True, False])
def test_products(A, normalized):
    graph = Graph(DenseGram.training(A))
    V = np.linalg.qr(np.random.default_rng(0).normal(size=(40, 2)))[0]
    operator = TurnedLaplacian(graph, V, normalized)
    L = laplacian(A, normalized)
    expected = operator.c * (np.eye(40) - 2 * V @ V.T) - L
    assert_allclose(operator @ np.eye(40), expected, atol=1e-12)
    assert operator.c >= np.linalg.eigvalsh(L)[-1]


@pytest.mark.parametrize("normalized", [True, False])
def test_polynomials(A, normalized):
    graph = Graph(SparseGram.training(csr_array(np.where(A > 0.01, A, 0))))
    L = laplacian(graph.gram.toarray(), normalized)
    mass = graph.degree if normalized else np.ones(40)
    V = np.sqrt(mass / mass.sum())[:, None]
    operator = TurnedLaplacian(graph, V, normalized)
    cut, Z = 0.7 * operator.top, np.random.default_rng(0).normal(size=(40, 3))
    values, vectors = np.linalg.eigh(operator.top * np.eye(40) - L)
    size = chebval(2 * values / cut - 1, np.eye(8)[7])
    rest = Z - V @ (V.T @ Z)
    expected = (vectors * size) @ (vectors.T @ rest)
    assert_allclose(operator.damped(Z, 7, cut), expected, atol=1e-9 * size.max())


@pytest.mark.parametrize("k", [2, 4, 9])
@pytest.mark.parametrize("normalized", [True, False])
def test_graphs_of_neighbors_by_polynomials(monkeypatch, seed, normalized, k):
    """The same vectors as from a Krylov basis, after far fewer products with it."""
    X = np.random.default_rng(seed).normal(size=(400, 2))
    A = kneighbors_graph(X, 8)
    graph = Graph(SparseGram.training(csr_array(A + A.T)))
    facts = graph, graph.components(), k, normalized
    values, U = smallest_eigenvectors(*facts)
    monkeypatch.setattr(_solvers, "CHEAP", 0)
    expected, W = smallest_eigenvectors(*facts)
    assert_allclose(values, expected, atol=1e-10 * graph.degree.max())
    assert_allclose(U, W, atol=1e-4)


@pytest.mark.parametrize("normalized", [True, False])
def test_eigenvectors_and_their_extension(A, normalized):
    graph = Graph(DenseGram.training(A))
    values, U = smallest_eigenvectors(graph, np.zeros(40, int), 4, normalized)
    L = laplacian(A, normalized=False)
    mass = np.diag(graph.degree) if normalized else np.eye(40)
    assert_allclose(L @ U, mass @ U * values, atol=1e-8)
    assert_allclose(U[:, 0], U[0, 0])
    assert_allclose(np.diag(U.T @ mass @ U), mass.sum())
    own = A.sum(axis=1), A.diagonal()
    extended = Extension(*own, values, normalized)(A @ U, *own)
    assert_allclose(extended, U, atol=1e-6)


def test_the_extension_of_what_is_similar_to_none_is_zero():
    extend = Extension(np.full(2, 3.0), np.ones(2), np.array([0, 0.5]), True)
    assert_allclose(extend(np.zeros((1, 2)), np.zeros(1), np.ones(1)), 0)


def test_the_extension_has_no_poles():
    sums, own = np.array([2.0, 3.0, 5.0]), np.ones(3)
    extend = Extension(sums, own, np.array([0.0, 1.2]), True)
    new = np.linspace(1, 20, 1000)  # the equation has one at a sum of 6
    U = extend(np.column_stack([new, new]), new, np.ones(1000))
    assert_allclose(U[:, 0], 1)
    least = np.abs(1 - 1.2 * (1 - 1 / sums)).min()
    assert np.abs(U[:, 1]).max() <= 1 / least + 1e-9


def test_flat_spectra():
    ones = Graph(DenseGram.training(np.ones((10, 10))))
    assert is_flat(np.array([0, 10 / 9]), ones, normalized=True)
    assert is_flat(np.array([0, 10.0]), ones, normalized=False)
    assert not is_flat(np.array([0, 0.3]), ones, normalized=True)


@pytest.mark.parametrize("n", [2, 3, 10])
def test_flat_where_no_eigenvalue_is_left_out(n):
    """Objects that are the same are, not those that are equally far apart."""
    for similarity, flat in [(1.0, True), (0.9, False)]:
        A = np.full((n, n), similarity)
        np.fill_diagonal(A, 1)
        for normalized in (True, False):
            values = np.linalg.eigvalsh(laplacian(A, normalized))
            graph = Graph(DenseGram.training(A))
            assert is_flat(values, graph, normalized) == flat

"""Blocks filtered by polynomials, beside LAPACK."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import partial

import numpy as np
import pytest
from numpy.polynomial import chebyshev as polynomials
from numpy.testing import assert_allclose
from spectra import check_pairs, force, some_counts, some_matrix

from sklearn_kernelclust._linalg import _filtered, _solvers
from sklearn_kernelclust._linalg._eigenpairs import leading_eigenpairs
from sklearn_kernelclust._linalg._eigenspaces import random_directions
from sklearn_kernelclust._linalg._filtered import chebyshev, filtered
from sklearn_kernelclust._linalg._solvers import Start

# The solver is not chosen where blocks are narrower than the pairs asked for.
pytestmark = pytest.mark.same_machine


class Positive:
    """A symmetric matrix, shifted so that it has no negative eigenvalue."""

    arrays, cost = None, 0

    def __init__(self, matrix):
        values = np.linalg.eigvalsh(matrix.astype(float))
        shift = max(-values[0], 0)
        self.matrix = matrix + (shift * np.eye(len(matrix))).astype(matrix.dtype)
        self.shape, self.dtype = matrix.shape, matrix.dtype
        self.top = (1 + 1e-12) * (values[-1] + shift)

    def __matmul__(self, Z):
        return self.matrix @ Z

    def damped(self, Z, degree, cut):
        def twice(Z):
            return ((4 / cut) * (self.matrix @ Z) - 2 * Z).astype(self.dtype)

        return chebyshev(twice, Z, degree)


def start_of(operator):
    return Start(operator, partial(random_directions, operator.shape[0]))


def solve(matrix, k, tol=1e-9):
    operator = Positive(matrix)
    return operator, *filtered(operator, k, start_of(operator), tol)


def with_spectrum(values, seed=0):
    rng = np.random.default_rng(seed)
    Q = np.linalg.qr(rng.normal(size=(len(values), len(values))))[0]
    A = (Q * values) @ Q.T
    return (A + A.T) / 2


@pytest.mark.parametrize("wanted", [[0.99, 0.45], [0.5, 0.49], [1.0, 1.0]])
def test_degrees_are_as_high_as_rounding_allows(wanted):
    cut, points = 0.4, np.array([1.0, *wanted])
    degree = _filtered._degree(1.0, cut, np.array(wanted), 1e40)

    def magnifies_too_much(degree):
        top, first, last = polynomials.chebval(2 * points / cut - 1, [0] * degree + [1])
        limits = _filtered.GROWTH, _filtered.KNOWN_GROWTH, _filtered.LARGEST
        return (np.array([first / last, top / last, top]) > limits).any()

    assert not magnifies_too_much(degree - 1) and magnifies_too_much(degree + 1)


@pytest.mark.parametrize("degree", [1, 2, 3, 12])
def test_chebyshev(degree, seed):
    X = with_spectrum(np.linspace(-1.2, 1.2, 20), seed)
    Z = np.random.default_rng(seed).normal(size=(20, 3))
    values, vectors = np.linalg.eigh(X)
    size = polynomials.chebval(values, np.eye(degree + 1)[degree])
    expected = (vectors * size) @ (vectors.T @ Z)
    assert_allclose(chebyshev(lambda Z: 2 * X @ Z, Z, degree), expected, atol=1e-9)


SPECTRA = {
    "gaps": 0.9 ** np.arange(300),
    "near": 1 - 1e-3 * np.arange(300),
    "at the top": np.r_[1 - 1e-4 * np.arange(10), np.linspace(0.9, 0, 290)],
    "copies": np.repeat([5.0, 4.0, 3.0, 2.0], [2, 2, 2, 294]),
    "low rank": np.r_[4.0, 3.0, 2.0, 1.0, np.zeros(296)],
}


@pytest.mark.parametrize("name", SPECTRA)
@pytest.mark.parametrize("k", [1, 3, 7])
def test_same_as_lapack(name, k, seed):
    matrix = with_spectrum(SPECTRA[name], seed)
    if name in ("copies", "low rank"):
        k = min(k, 3)  # of the next value there are more than fit a block
    operator, values, vectors = solve(matrix, k)
    expected = np.linalg.eigh(operator.matrix)
    check_pairs(values[:k], vectors[:, :k], expected, k, angle=1e-4)


def test_copies_of_the_last_come_along():
    _, values, _ = solve(with_spectrum(SPECTRA["copies"]), 3)
    assert_allclose(values, [5, 5, 4, 4])


def test_what_is_left_to_other_solvers():
    with pytest.raises(np.linalg.LinAlgError, match="has 3 copies or more"):
        solve(np.eye(300), 3)
    far = with_spectrum(np.r_[1e6, 1e3, 1.0, np.linspace(0.1, 0, 297)])
    with pytest.raises(np.linalg.LinAlgError, match=r"1(\.0\d)? is far below 1e"):
        solve(far, 3)


def test_float32():
    matrix = with_spectrum(SPECTRA["gaps"]).astype(np.float32)
    _, values, vectors = solve(matrix, 3, tol=1e-6)
    assert values.dtype == vectors.dtype == np.float32
    assert_allclose(values, SPECTRA["gaps"][:3], rtol=1e-5)


def test_few_columns_fit(monkeypatch):
    monkeypatch.setattr(_filtered, "BASIS_BYTES", 1)
    _, values, _ = solve(with_spectrum(SPECTRA["gaps"]), 3)
    assert_allclose(values[:3], SPECTRA["gaps"][:3])


def test_no_convergence(monkeypatch):
    monkeypatch.setattr(_filtered, "MAX_PRODUCTS", 10)
    with pytest.raises(np.linalg.LinAlgError, match=r"residual was .* after \d+ prod"):
        solve(with_spectrum(SPECTRA["near"]), 5)


def test_spectra_with_repeated_eigenvalues(monkeypatch):
    """In the one wrapper: what is too much for a block is left to the others."""
    force(monkeypatch, "blocks")
    rng, tried = np.random.default_rng(0), []

    def counted(*args):
        tried.append(args[1])
        return filtered(*args)

    monkeypatch.setattr(_solvers, "filtered", counted)
    for _ in range(60):
        operator = Positive(some_matrix(rng, 100))
        expected = np.linalg.eigh(operator.matrix)
        for k in some_counts(len(expected[0]), rng, 4):
            check_pairs(*leading_eigenpairs(operator, k), expected, k)
    assert len(tried) > 20


def test_same_vectors_of_an_eigenspace_as_by_other_solvers(monkeypatch):
    """A ring: all eigenvalues but the first are double, and k ends amid a pair."""
    force(monkeypatch, "blocks")
    ring = np.roll(np.eye(200), 1, axis=0)
    ring = ring + ring.T + np.eye(200)
    for k in (2, 4):
        operator = Positive(ring)
        vectors = leading_eigenpairs(operator, k)[1]
        reference = leading_eigenpairs(operator.matrix, k)[1]
        assert_allclose(np.abs(vectors.T @ reference), np.eye(k), atol=1e-6)
        assert_allclose(vectors, leading_eigenpairs(operator, k)[1], atol=1e-10)

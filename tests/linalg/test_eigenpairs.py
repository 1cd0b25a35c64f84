"""Eigenpairs beside LAPACK's, and what happens when a solver fails."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from grams import make_gram
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from scipy.sparse.linalg import aslinearoperator
from spectra import PATHS, check_pairs, force, some_counts, some_matrix

from sklearn_kernelclust._gram._stored import DenseGram
from sklearn_kernelclust._gram._wrappers import CenteredGram, centered
from sklearn_kernelclust._linalg import _block_lanczos, _eigenpairs, _solvers
from sklearn_kernelclust._linalg._eigenpairs import (
    leading_eigenpairs,
    pairs_of_scatter_matrix,
    relative_residual,
)
from sklearn_kernelclust._linalg._eigenspaces import random_directions


def spread(n, m, seed):
    """Features with a gap between all leading variances."""
    X = np.random.default_rng(seed).normal(size=(n, m))
    return X * 0.7 ** np.arange(m)


class Matvec:
    """The least that scipy asks of an operator."""

    def __init__(self, matrix):
        self.matrix, self.shape, self.dtype = matrix, matrix.shape, matrix.dtype

    def matvec(self, v):
        return self.matrix @ v


OPERATORS = {
    "array": lambda X: np.cov(X),
    "matvec": lambda X: Matvec(np.cov(X)),
    "scipy": lambda X: aslinearoperator(np.cov(X)),
    "dense": lambda X: DenseGram.training(np.cov(X)),
    "narrow factor": lambda X: centered(make_gram(X, kernel="linear")),
    "implicit": lambda X: CenteredGram.training(
        make_gram(csr_array(X), kernel="linear")
    ),
}


def dense(operator):
    if isinstance(operator, np.ndarray):
        return operator
    if hasattr(operator, "toarray"):
        return operator.toarray()
    return (
        operator @ np.eye(operator.shape[0])
        if not isinstance(operator, Matvec)
        else operator.matrix
    )


@pytest.mark.parametrize("n", [3, 40, 300])
@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("k", [1, 3])
def test_same_as_lapack(name, n, k, seed):
    operator = OPERATORS[name](spread(n, 12, seed))
    values, vectors = leading_eigenpairs(operator, k)
    expected, W = np.linalg.eigh(dense(operator))
    assert_allclose(values, expected[::-1][: len(values)], rtol=1e-9, atol=1e-12)
    for j in np.flatnonzero(values > 1e-9 * values[0]):
        assert abs(W[:, ::-1][:, j] @ vectors[:, j]) == pytest.approx(1, abs=1e-9)
    assert_allclose(vectors.T @ vectors, np.eye(len(values)), atol=1e-7)


@pytest.mark.parametrize("m", [5, 200])
@pytest.mark.parametrize("unit", [1e-50, 1.0, 1e50])
def test_scatter_matrices(m, unit):
    A = spread(300, m, 0)
    C = A.T @ A
    for operator in (unit**2 * C, DenseGram.training(unit**2 * C)):
        values, vectors = pairs_of_scatter_matrix(
            operator, 3, lambda count: unit * A.T @ random_directions(300, count)
        )
        expected, W = np.linalg.eigh(C)
        assert_allclose(values / unit**2, expected[:-4:-1], rtol=1e-9)
        overlap = np.abs(W[:, :-4:-1].T @ vectors)
        assert_allclose(overlap, np.eye(3), atol=1e-7)


@pytest.mark.parametrize("name", OPERATORS)
def test_scale_makes_no_difference(name):
    X = spread(200, 12, 0)
    expected = leading_eigenpairs(OPERATORS[name](X), 2)
    for power in (-100, -20, 20, 100):
        values, vectors = leading_eigenpairs(OPERATORS[name](X * 2.0**power), 2)
        assert_allclose(values / 4.0**power, expected[0], rtol=1e-12)
        assert_allclose(vectors, expected[1], atol=1e-10)


@pytest.mark.parametrize("n", [4, 200])
def test_repeated_eigenvalues_are_deterministic(n):
    first = leading_eigenpairs(Matvec(np.eye(n)), 2)
    for _ in range(3):
        again = leading_eigenpairs(Matvec(np.eye(n)), 2)
        assert_array_equal(first[1], again[1])
    assert_allclose(first[0], 1)


def test_largest_algebraic_of_an_indefinite_matrix():
    K = np.diag(np.r_[np.linspace(-50, -1, 199), 3.0])
    values, vectors = leading_eigenpairs(K)
    assert_allclose(values, 3)
    assert_allclose(np.abs(vectors[-1]), 1)


def test_more_pairs_than_the_order_and_zero_matrices():
    values, vectors = leading_eigenpairs(np.diag([1.0, 2.0]), 5)
    assert_allclose(values, [2, 1])
    assert vectors.shape == (2, 2)
    assert_allclose(leading_eigenpairs(np.zeros((300, 300)))[0], 0)
    zero = make_gram(np.zeros((20, 2)), kernel="linear")
    assert_allclose(leading_eigenpairs(zero)[0], 0)


def test_failing_solvers_are_replaced_in_turn(monkeypatch):
    K = np.cov(spread(200, 12, 0))
    expected = leading_eigenpairs(K)
    calls = []

    def fail(*args, **kwargs):
        calls.append(args[1])
        raise np.linalg.LinAlgError("nothing converged")

    monkeypatch.setattr(_solvers, "MAX_STEPS", 1)
    restarted = leading_eigenpairs(K)
    assert_allclose(restarted[1], expected[1], atol=1e-7)
    monkeypatch.setattr(_solvers, "block_lanczos", fail)
    values, vectors = leading_eigenpairs(K)
    assert calls == [1]
    assert_allclose(values, expected[0])
    assert_allclose(vectors, expected[1], atol=1e-7)
    monkeypatch.setattr(_solvers, "LARGEST_DENSE", 100)
    message = r"1 leading .* of order 200 .* 2 attempts: no conv.* in 1 steps.*nothing"
    with pytest.raises(np.linalg.LinAlgError, match=message):
        leading_eigenpairs(K)


@pytest.mark.parametrize("rubbish", ["random", "nan", "scaled", "too few"])
def test_rubbish_is_caught(monkeypatch, rubbish):
    K = np.cov(spread(200, 12, 0))
    vectors = {
        "random": np.random.default_rng(0).normal(size=(200, 1)),
        "nan": np.full((200, 1), np.nan),
        "scaled": 2 * np.linalg.eigh(K)[1][:, -1:],
        "too few": np.zeros((200, 0)),
    }[rubbish]

    def wrong(operator, k, start, tol):
        return np.full(vectors.shape[1], 3.0), vectors

    reason = "wrong gave 0 of 1" if rubbish == "too few" else "the residual was"
    monkeypatch.setattr(_eigenpairs, "solvers", lambda *facts: [wrong, wrong])
    with pytest.raises(np.linalg.LinAlgError, match=f"2 attempts: .*{reason}"):
        leading_eigenpairs(K)


@pytest.mark.parametrize("name", ["array", "narrow factor"])
@pytest.mark.parametrize("unit", [1e-3, 1.0, 1e3])
def test_a_vector_that_is_nearly_right_is_caught(monkeypatch, name, unit):
    def tilted(operator, k, start, tol):
        values, vectors = np.linalg.eigh(operator)
        vector = vectors[:, -1:] + 1e-4 * vectors[:, -2:-1]
        return values[-1:], vector / np.linalg.norm(vector)

    operator = OPERATORS[name](unit * spread(200, 12, 0))
    monkeypatch.setattr(_eigenpairs, "solvers", lambda *facts: [tilted])
    with pytest.raises(np.linalg.LinAlgError, match="1 attempts: the residual was"):
        leading_eigenpairs(operator)


@pytest.mark.parametrize("path", PATHS)
def test_spectra_with_repeated_eigenvalues(monkeypatch, path):
    """Some 60 cases for each way through the solvers."""
    force(monkeypatch, path)
    assert n_cases_that_hold(np.random.default_rng(0), 20, 80) >= 50


@pytest.mark.slow
@pytest.mark.parametrize("path", PATHS)
def test_many_spectra_with_repeated_eigenvalues(monkeypatch, path):
    """Some 3,000 cases for each way through the solvers."""
    force(monkeypatch, path)
    assert n_cases_that_hold(np.random.default_rng(0), 1100, 400) >= 3000


def n_cases_that_hold(rng, n_matrices, largest):
    n_cases = 0
    for _ in range(n_matrices):
        K = some_matrix(rng, largest)
        expected = np.linalg.eigh(K)
        for k in some_counts(len(K), rng, 4):
            check_pairs(*leading_eigenpairs(K, k), expected, k)
            n_cases += 1
    return n_cases


@pytest.mark.parametrize("path", PATHS)
def test_spectra_in_float32(monkeypatch, path):
    force(monkeypatch, path)
    rng = np.random.default_rng(0)
    for _ in range(8):
        K = some_matrix(rng, 40).astype(np.float32)
        expected = np.linalg.eigh(K.astype(float))
        for k in some_counts(len(K), rng, 2):
            values, vectors = leading_eigenpairs(K, k)
            assert values.dtype == vectors.dtype == np.float32
            check_pairs(values, vectors, expected, k, tol=2e-5, angle=1)


@pytest.mark.parametrize("path", PATHS)
def test_spectra_of_narrow_factors(monkeypatch, path):
    """All pairs that are asked for, those of the eigenvalue 0 too."""
    force(monkeypatch, path)
    rng = np.random.default_rng(0)
    for _ in range(12):
        n = int(rng.integers(3, 50))
        m = int(rng.integers(1, n))
        A = np.linalg.qr(rng.normal(size=(n, m)))[0] * rng.choice([0, 1, 2], m)
        gram = make_gram(A, kernel="linear")
        expected = np.linalg.eigh(A @ A.T)
        for k in some_counts(n, rng, 3):
            check_pairs(*leading_eigenpairs(gram, k), expected, k)


@pytest.mark.parametrize("k", [1, 2, 5])
def test_solvers_agree_on_vectors_of_an_eigenspace(monkeypatch, k):
    """Even if it has more dimensions than are asked for, and for each storage."""
    monkeypatch.setattr(_block_lanczos, "LARGEST_BLOCK", 128)
    A = np.eye(6)[np.arange(150) % 6]
    for matrix in (A @ A.T, make_gram(A, kernel="linear")):
        for path in ("as it is", "dense", "dense subset", "restarted", "blocks"):
            with monkeypatch.context() as patch:
                force(patch, path)
                vectors = leading_eigenpairs(matrix, k)[1]
            reference = leading_eigenpairs(A @ A.T, k)[1]
            assert_allclose(vectors, reference, atol=1e-7)


def test_restarts_find_what_one_run_of_lanczos_does_not():
    K = np.diag(np.r_[1 + 1e-4, np.linspace(0, 1, 499)])
    values, vectors = leading_eigenpairs(K)
    assert_allclose(values, 1 + 1e-4, atol=1e-9)
    assert_allclose(vectors[0], 1, atol=1e-5)


def test_residual_of_eigenvectors_is_rounding():
    K = np.cov(spread(30, 5, 0))
    values, vectors = np.linalg.eigh(K)
    assert relative_residual(K, values, vectors, size=1.0) < 1e-13
    values += 0.5
    assert relative_residual(K, values, vectors, size=10.0) == pytest.approx(0.05)
    one = values[:1], vectors[:, :1]
    assert relative_residual(K, *one, size=10.0) == pytest.approx(0.05)
    assert relative_residual(K, values, vectors, 10.0, noise=0.6) < 1e-13


@pytest.mark.parametrize("solver", ["lanczos", "restarted"])
def test_no_more_products_than_the_tolerance_needs(monkeypatch, solver):
    X = spread(300, 40, 0)
    if solver == "restarted":  # where gaps are small
        monkeypatch.setattr(_solvers, "MAX_STEPS", 1)
        X = np.random.default_rng(0).normal(size=(300, 300))
    loose, exact = (n_products(X @ X.T, tol) for tol in (1e-3, 0.0))
    assert loose < exact


def n_products(K, tol):
    calls, operator = [], Matvec(K)
    operator.matvec = lambda v: calls.append(1) or K @ v
    leading_eigenpairs(operator, tol=tol)
    return len(calls)

"""Eigenpairs beside LAPACK's, and what happens when a solver fails."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from grams import make_gram
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from scipy.sparse.linalg import ArpackNoConvergence, aslinearoperator

from sklearn_kernelclust._gram._stored import DenseGram
from sklearn_kernelclust._gram._wrappers import CenteredGram, centered
from sklearn_kernelclust._linalg import _eigenpairs
from sklearn_kernelclust._linalg._eigenpairs import (
    check_some_positive,
    leading_eigenpairs,
    relative_residual,
    with_sign_rule,
)


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


def test_sign_rule():
    V = np.array([[0.1, 0.5], [-0.9, -0.5], [0.2, 0.0]])
    assert_allclose(with_sign_rule(V), V * [-1, 1])
    assert_allclose(with_sign_rule(-V), V * [-1, 1])


def test_more_pairs_than_the_order_and_zero_matrices():
    values, vectors = leading_eigenpairs(np.diag([1.0, 2.0]), 5)
    assert_allclose(values, [2, 1])
    assert vectors.shape == (2, 2)
    assert_allclose(leading_eigenpairs(np.zeros((300, 300)))[0], 0)
    zero = make_gram(np.zeros((20, 2)), kernel="linear")
    assert_allclose(leading_eigenpairs(zero)[0], 0)


def test_failing_solver_is_retried_then_replaced(monkeypatch):
    K = np.cov(spread(200, 12, 0))
    expected = leading_eigenpairs(K)
    calls = []

    def fail(*args, **kwargs):
        calls.append(kwargs["ncv"])
        raise ArpackNoConvergence("nothing converged", np.zeros(0), np.zeros(0))

    monkeypatch.setattr(_eigenpairs, "MAX_STEPS", -3)
    by_arpack = leading_eigenpairs(K)
    assert_allclose(by_arpack[1], expected[1], atol=1e-8)
    monkeypatch.setattr(_eigenpairs, "eigsh", fail)
    values, vectors = leading_eigenpairs(K)
    assert calls == [22, 62]
    assert_allclose(values, expected[0])
    assert_allclose(vectors, expected[1], atol=1e-8)
    monkeypatch.setattr(_eigenpairs, "LARGEST_DENSE", 100)
    with pytest.raises(np.linalg.LinAlgError, match=r"of order 200 .*3 attempts.*noth"):
        leading_eigenpairs(K)


@pytest.mark.parametrize("rubbish", ["random", "nan", "scaled"])
def test_rubbish_is_caught(monkeypatch, rubbish):
    K = np.cov(spread(200, 12, 0))
    rng = np.random.default_rng(0)
    vectors = {
        "random": rng.normal(size=(200, 1)),
        "nan": np.full((200, 1), np.nan),
        "scaled": 2 * np.linalg.eigh(K)[1][:, -1:],
    }[rubbish]

    def wrong(*args, **kwargs):
        return np.full(1, 3.0), vectors

    monkeypatch.setattr(_eigenpairs, "_lanczos_steps", wrong)
    monkeypatch.setattr(_eigenpairs, "eigsh", wrong)
    monkeypatch.setattr(_eigenpairs.scipy.linalg, "eigh", wrong)
    with pytest.raises(np.linalg.LinAlgError, match="4 attempts: the residual was"):
        leading_eigenpairs(K)


def test_a_space_too_small_for_lanczos_goes_to_arpack():
    K = np.diag(np.r_[np.ones(150), np.zeros(50)])
    values, vectors = leading_eigenpairs(K, 4)
    assert_allclose(values, np.ones(4))
    assert_allclose(vectors.T @ vectors, np.eye(4), atol=1e-8)


def test_residual_of_eigenvectors_is_rounding():
    K = np.cov(spread(30, 5, 0))
    values, vectors = np.linalg.eigh(K)
    assert relative_residual(K, values, vectors, size=1.0) < 1e-13
    values += 0.5
    assert relative_residual(K, values, vectors, size=10.0) == pytest.approx(0.05)
    assert relative_residual(K, values, vectors, 10.0, noise=0.6) < 1e-13


def test_negative_definite_kernel_is_refused():
    with pytest.raises(ValueError, match=r"no positive eigenvalue \(its largest is -1"):
        check_some_positive(DenseGram.training(-np.eye(3)))
    check_some_positive(DenseGram.training(np.array([[-1.0, 2.0], [2.0, -1.0]])))
    check_some_positive(DenseGram.training(np.array([[-1.0, -2.0], [-2.0, -1.0]])))


@pytest.mark.parametrize("size", [1e-9, 1, 1e9])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("n", [12, 300])
def test_rounding_is_no_positive_eigenvalue(n, dtype, size, seed):
    """The largest eigenvalue is 0, up to rounding on either side of it."""
    X = np.random.default_rng(seed).normal(size=(n, 3)).astype(dtype)
    for Y in (X, X - X.mean(axis=0), np.vstack([X, np.zeros((1, 3), dtype)])):
        K = dtype(size) * (-Y @ Y.T)
        with pytest.raises(ValueError, match="no positive eigenvalue"):
            check_some_positive(DenseGram.training(K))
    check_some_positive(DenseGram.training(np.zeros((n, n), dtype)))


@pytest.mark.parametrize("solver", ["lanczos", "arpack"])
def test_no_more_products_than_the_tolerance_needs(monkeypatch, solver):
    X = spread(300, 40, 0)
    if solver == "arpack":  # which restarts where gaps are small
        monkeypatch.setattr(_eigenpairs, "MAX_STEPS", -3)
        X = np.random.default_rng(0).normal(size=(300, 300))
    loose, exact = (n_products(X @ X.T, tol) for tol in (1e-3, 0.0))
    assert loose < exact


def n_products(K, tol):
    calls, operator = [], Matvec(K)
    operator.matvec = lambda v: calls.append(1) or K @ v
    leading_eigenpairs(operator, tol=tol)
    return len(calls)

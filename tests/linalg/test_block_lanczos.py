"""The block solver beside LAPACK, where others miss eigenvectors too."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose

from sklearn_kernelclust._linalg import _block_lanczos
from sklearn_kernelclust._linalg._block_lanczos import block_lanczos
from sklearn_kernelclust._linalg._eigenpairs import leading_eigenpairs
from sklearn_kernelclust._utils._threads import blas_threads


@pytest.fixture(autouse=True)
def one_thread():
    """As the wrapper does: blocks are too narrow to share."""
    with blas_threads(1):
        yield


def solve(A, k, tol, **limits):
    start = np.random.default_rng(1).normal(size=(len(A), k + 2))
    values, vectors = block_lanczos(A, k, tol, start, **limits)
    return values[:k], vectors[:, :k]


def with_spectrum(values, seed=0):
    rng = np.random.default_rng(seed)
    Q = np.linalg.qr(rng.normal(size=(len(values), len(values))))[0]
    A = (Q * values) @ Q.T
    return (A + A.T) / 2


SPECTRA = {
    "gaps": 0.9 ** np.arange(300),
    "near": 1 - 1e-3 * np.arange(300),
    "repeated": np.repeat([5.0, 3.0, 1.0], [4, 4, 292]),
    "low rank": np.r_[4.0, 3.0, 2.0, np.zeros(297)],
    "indefinite": np.r_[2.0, 1.5, np.linspace(1, -50, 298)],
    "identity": np.ones(300),
}


@pytest.mark.parametrize("name", SPECTRA)
@pytest.mark.parametrize("k", [2, 6])
def test_same_as_lapack(name, k, seed):
    A = with_spectrum(SPECTRA[name], seed)
    values, vectors = solve(A, k, 1e-9, max_restarts=100)
    assert_allclose(values, np.sort(SPECTRA[name])[::-1][:k], atol=1e-8)
    assert_allclose(vectors.T @ vectors, np.eye(k), atol=1e-10)
    size = np.abs(SPECTRA[name]).max()
    assert_allclose(A @ vectors, vectors * values, atol=1e-7 * size)


@pytest.mark.parametrize("name", SPECTRA)
def test_in_the_one_wrapper(name):
    A = with_spectrum(SPECTRA[name])
    values, vectors = leading_eigenpairs(A, 5)
    assert_allclose(values, np.sort(SPECTRA[name])[::-1][:5], atol=1e-8)
    assert_allclose(vectors, leading_eigenpairs(A, 5)[1], atol=1e-10)


def test_float32():
    A = with_spectrum(SPECTRA["gaps"]).astype(np.float32)
    values, vectors = solve(A, 3, 1e-6)
    assert values.dtype == vectors.dtype == np.float32
    assert_allclose(values, SPECTRA["gaps"][:3], rtol=1e-5)


def test_few_columns_fit(monkeypatch):
    monkeypatch.setattr("sklearn_kernelclust._linalg._block_lanczos.BASIS_BYTES", 1)
    values, _ = solve(with_spectrum(SPECTRA["gaps"]), 3, 1e-9, max_restarts=100)
    assert_allclose(values, SPECTRA["gaps"][:3])


def test_no_convergence():
    A = with_spectrum(SPECTRA["near"])
    with pytest.raises(
        np.linalg.LinAlgError, match=r"residual was .* after 1 restarts"
    ):
        solve(A, 5, 1e-15, max_restarts=1)


class Counted:
    """An array that counts the columns it is multiplied by."""

    def __init__(self, A):
        self.A, self.shape, self.dtype, self.n_columns = A, A.shape, A.dtype, 0

    def __matmul__(self, Z):
        self.n_columns += Z.shape[1]
        return self.A @ Z


@pytest.mark.parametrize("k", [1, 2, 3])
def test_few_looks_cost_few_products(k, monkeypatch):
    """A sixteenth and a block more than where every block is looked at."""
    start = np.random.default_rng(1).normal(size=(300, k + 2))
    every, some = (Counted(with_spectrum(SPECTRA["near"])) for _ in range(2))
    block_lanczos(some, k, 1e-6, start)
    monkeypatch.setattr(_block_lanczos, "LOOKS", 10**9)
    block_lanczos(every, k, 1e-6, start)
    assert 100 < every.n_columns < 200  # before the basis is full
    assert some.n_columns <= (1 + 1 / 16) * every.n_columns + k + 2


def test_a_space_that_is_exhausted_is_left():
    """One vector: its Krylov space has one dimension, and random ones follow."""
    values, vectors = block_lanczos(np.eye(30), 5, 1e-9, np.eye(30, 1))
    assert_allclose(values[:5], 1)
    assert_allclose(vectors.T @ vectors, np.eye(len(values)), atol=1e-12)


def test_equal_to_the_last_come_along():
    values, _ = block_lanczos(
        with_spectrum(SPECTRA["repeated"]),
        2,
        1e-9,
        np.random.default_rng(1).normal(size=(300, 4)),
    )
    assert_allclose(values, 5.0)
    assert len(values) == 4


def test_products_that_are_no_numbers_end_it():
    """By the error that lets another solver try."""
    start = np.random.default_rng(0).normal(size=(60, 4))
    with pytest.raises(np.linalg.LinAlgError):
        block_lanczos(np.full((60, 60), np.nan), 2, 1e-9, start)

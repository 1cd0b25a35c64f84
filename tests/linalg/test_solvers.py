"""Which solver is asked, and its parts."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose

from sklearn_kernelclust._linalg import _block_lanczos, _solvers
from sklearn_kernelclust._linalg._eigenspaces import random_directions
from sklearn_kernelclust._linalg._solvers import (
    Deflated,
    Start,
    blocks,
    dense,
    filtered,
    lanczos,
    solvers,
)


@pytest.mark.parametrize(
    "n, k, expected",
    [
        (100, 1, [dense]),
        (200, 1, [lanczos, blocks, dense]),
        (200, 10, [blocks, dense]),
        (200, 40, [dense]),
        (6000, 1, [lanczos, blocks]),
        (6000, 2000, [blocks]),
        (6000, 5999, [dense]),
    ],
)
def test_which_solvers(monkeypatch, n, k, expected):
    monkeypatch.setattr(_block_lanczos, "LARGEST_BLOCK", 128)
    assert solvers(n, k) == expected


class Damped:
    """What tells the solvers that polynomials of an operator are cheap."""

    def __init__(self, n, cost, arrays=None):
        self.shape, self.cost, self.arrays = (n, n), cost, arrays

    def damped(self, Z, degree, cut):
        raise NotImplementedError


@pytest.mark.parametrize(
    "operator, k, expected",
    [
        (Damped(6000, 60_000), 5, [filtered, blocks]),
        (Damped(6000, 60_000), 1, [lanczos, filtered, blocks]),
        (Damped(200, 2000), 5, [filtered, blocks, dense]),
        (Damped(100, 1000), 5, [dense]),
        (Damped(6000, 6_000_000), 5, [blocks]),
        (Damped(6000, 60_000), 200, [blocks]),
        (Damped(6000, 60_000, "device"), 5, [blocks]),
    ],
)
def test_polynomials_where_products_are_cheap(monkeypatch, operator, k, expected):
    monkeypatch.setattr(_block_lanczos, "LARGEST_BLOCK", 128)
    assert solvers(operator.shape[0], k, operator) == expected


@pytest.mark.parametrize("unit", [1e-30, 1.0, 1e30])
@pytest.mark.parametrize(
    "solve, k", [(dense, 1), (dense, 5), (lanczos, 1), (blocks, 1), (blocks, 5)]
)
def test_each_solver_by_itself(solve, k, unit):
    """Where one fails, another takes over: its results would hide that."""
    rng = np.random.default_rng(0)
    Q = np.linalg.qr(rng.normal(size=(200, 200)))[0]
    expected = unit * 0.5 ** np.arange(200)
    A = (Q * expected) @ Q.T
    start = Start(A, lambda count: random_directions(200, count))
    values, vectors = solve((A + A.T) / 2, k, start, 1e-9)
    assert_allclose(values[:k], expected[:k], rtol=1e-7)
    assert_allclose(np.abs(Q[:, :k].T @ vectors[:, :k]), np.eye(k), atol=1e-6)


def test_a_start_has_length_1_unless_it_is_zero():
    start = Start(np.eye(5), lambda count: random_directions(5, count))
    assert_allclose(np.linalg.norm(start.vector), 1)
    nothing = Start(np.eye(5), lambda count: np.zeros((5, count)))
    assert not nothing.vector.any()


def test_deflated_vectors_come_last():
    A = np.diag(np.arange(6.0))
    V = np.eye(6)[:, 4:]
    left = Deflated(A, V, 10.0) @ np.eye(6)
    assert_allclose(left, np.diag([0.0, 1, 2, 3, -10, -10]))


@pytest.mark.parametrize("fails", [False, True])
def test_a_subset_that_comes_short_is_not_taken(fails, monkeypatch):
    whole = _solvers.scipy.linalg.eigh

    def short(matrix, subset_by_index=None, **options):
        values, vectors = whole(matrix, subset_by_index=subset_by_index, **options)
        if fails and subset_by_index is not None:
            raise np.linalg.LinAlgError("Internal Error.")
        return (values, vectors) if subset_by_index is None else (values[:0], vectors)

    monkeypatch.setattr(_solvers.scipy.linalg, "eigh", short)
    A = np.diag(np.r_[np.ones(50), 2.0])
    start = Start(A, lambda count: random_directions(51, count))
    values, vectors = dense(A, 3, start, 1e-9)
    assert_allclose(values[:3], [2, 1, 1])
    assert_allclose(vectors.T @ vectors, np.eye(51), atol=1e-12)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_lengths_neither_overflow_nor_underflow(dtype):
    values = np.array([3.0, 4.0], dtype)
    info = np.finfo(dtype)
    for scale in (0, info.tiny, info.tiny**0.5, 1, info.max**0.5, info.max / 8):
        expected = 5 * float(scale)
        length = _solvers._length(values * dtype(scale))
        assert_allclose(length, expected, rtol=1e-6)

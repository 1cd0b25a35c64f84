"""One basis for each eigenspace."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from sklearn_kernelclust._linalg._eigenspaces import (
    completed,
    eigenspaces,
    fixed_basis,
    random_directions,
    with_sign_rule,
)


def directions(count):
    return random_directions(9, count)


def test_sign_rule():
    V = np.array([[0.1, 0.5], [-0.9, -0.5], [0.2, 0.0]])
    assert_allclose(with_sign_rule(V), V * [-1, 1])
    assert_allclose(with_sign_rule(-V), V * [-1, 1])


def test_first_directions_do_not_depend_on_how_many_there_are():
    assert_array_equal(directions(2), directions(5)[:, :2])


def test_eigenspaces_begin_among_the_wanted():
    values = np.array([3.0, 2, 2, 2, 1, 1])
    assert list(eigenspaces(values, 3, 0.1)) == [(0, 1), (1, 4)]
    assert list(eigenspaces(values, 6, 0.1)) == [(0, 1), (1, 4), (4, 6)]
    assert list(eigenspaces(np.full(2, np.nan), 2, 0.1)) == [(0, 1), (1, 2)]


def test_basis_is_fixed_whatever_basis_there_was(seed):
    rng = np.random.default_rng(seed)
    V = np.linalg.qr(rng.normal(size=(9, 6)))[0]
    values = np.array([3.0, 2, 2, 2, 2, 1])
    turn = np.eye(6)
    turn[1:5, 1:5] = np.linalg.qr(rng.normal(size=(4, 4)))[0]
    for k in range(1, 7):
        first = fixed_basis(values, V, k, directions, 1e-9)
        again = fixed_basis(values, V @ turn, k, directions, 1e-9)
        assert_allclose(with_sign_rule(first), with_sign_rule(again), atol=1e-10)
        assert_allclose(first.T @ first, np.eye(k), atol=1e-12)
        assert_allclose(V @ (V.T @ first), first, atol=1e-12)


def test_completed_columns_are_orthonormal():
    V = np.linalg.qr(random_directions(9, 4, seed=1))[0]
    W = completed(V, 5, directions)
    assert_array_equal(W[:, :4], V)
    assert_allclose(W.T @ W, np.eye(9), atol=1e-12)

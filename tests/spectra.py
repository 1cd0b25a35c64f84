"""Matrices with repeated eigenvalues, and solvers forced on them one by one."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_kernelclust._linalg import _block_lanczos, _solvers

ITERATIVE = {"SMALL": 0, "BLOCKS_IN_ORDER": 0, "LARGEST_DENSE": 0}

# Constants that leave one way through the solvers.
PATHS = {
    "as it is": {},
    "dense": {"SMALL": 10**9, "SUBSET_ORDER": 10**9},
    "dense subset": {"SMALL": 10**9, "SUBSET_ORDER": 2},
    "single vector": ITERATIVE | {"LARGEST_BLOCK": 1},
    "restarted": ITERATIVE | {"MAX_STEPS": 1},
    "narrow blocks": ITERATIVE | {"LARGEST_BLOCK": 3},
    "blocks": ITERATIVE,
}


def force(monkeypatch, path):
    """Leave only one way through the solvers, where the order admits it."""
    for name, value in PATHS[path].items():
        module = _block_lanczos if hasattr(_block_lanczos, name) else _solvers
        monkeypatch.setattr(module, name, value)


def identity(n, rng):
    return np.eye(n) * rng.uniform(0.1, 10)


def equal_blocks(n, rng):
    y = np.arange(n) % rng.integers(1, n + 1)
    K = np.where(y[:, None] == y, rng.choice([0.3, 0.9, -0.2]), rng.choice([0, 0.1]))
    np.fill_diagonal(K, 1)
    return K


def ring(n, rng):
    K = np.roll(np.eye(n), 1, axis=0)
    return K + K.T


def star(n, rng):
    K = np.zeros((n, n))
    K[0, 1:] = K[1:, 0] = 1
    return K


def constant_plus_identity(n, rng):
    return rng.uniform(-1, 1) * np.ones((n, n)) + np.eye(n)


def kronecker(n, rng):
    m = int(rng.choice([d for d in range(1, n + 1) if n % d == 0]))
    A = rng.integers(-2, 3, (m, m)).astype(float)
    B = rng.choice([0, 1], (n // m, n // m)).astype(float)
    return np.kron(A + A.T, B + B.T)


FAMILIES = [identity, equal_blocks, ring, star, constant_plus_identity, kronecker]


def some_matrix(rng, largest):
    """One of the families, centred or not; orders are small more often."""
    n = int(np.exp(rng.uniform(np.log(2), np.log(largest + 0.999))))
    K = FAMILIES[rng.integers(len(FAMILIES))](n, rng)
    if rng.integers(2):
        K = K - K.mean(axis=0)
        K = K - K.mean(axis=1)[:, None]
    return (K + K.T) / 2


def some_counts(n, rng, count):
    """Numbers of pairs from 1 to n, small ones more often."""
    few = np.exp(rng.uniform(0, np.log(n + 0.999), count)).astype(int)
    return np.unique(np.minimum(few, n))


def check_pairs(values, vectors, expected, k, tol=1e-8, angle=1e-6):
    """Against all pairs of ``numpy.linalg.eigh``: counts, values, eigenspaces."""
    w, W = expected[0][::-1], expected[1][:, ::-1]
    size = np.abs(w).max() or 1.0
    assert values.shape == (k,)
    assert vectors.shape == (len(w), k)
    assert np.abs(values - w[:k]).max() <= tol * size
    assert np.abs(vectors.T @ vectors - np.eye(k)).max() <= tol
    ends = np.r_[np.flatnonzero(-np.diff(w) > 1e-6 * size) + 1, len(w)]
    for first, last in zip(np.r_[0, ends], ends):
        if last <= k:
            V = vectors[:, first:last].astype(float)
            left = W[:, first:last] - V @ (V.T @ W[:, first:last])
            assert np.linalg.norm(left, 2) <= angle

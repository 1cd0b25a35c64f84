"""One basis for each eigenspace, the same by every solver.

The vectors of a repeated eigenvalue are determined up to a rotation, and a solver
gives any of them. So fixed random directions are projected on the eigenspace, in
their order, and made orthonormal. Where fewer vectors are asked for than the
eigenspace has, the first directions decide which: iterations that start from the
same directions find the same vectors.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np


def random_directions(n, count, seed=0):
    """Fixed directions; the first ones do not depend on how many there are."""
    return np.random.RandomState(seed).standard_normal((count, n)).T


def fixed_basis(values, vectors, k, directions, tie):
    """The first `k` vectors, after a fixed choice within each eigenspace.

    Parameters
    ----------
    values : ndarray of shape (m,)
        Eigenvalues in descending order, at least `k`.
    vectors : ndarray of shape (n, m)
        Orthonormal eigenvectors.
    k : int
        How many are wanted.
    directions : callable
        ``directions(count)`` are the first `count` directions, of shape
        (n, count).
    tie : float
        Eigenvalues that differ by no more are equal.

    Returns
    -------
    vectors : ndarray of shape (n, k)
    """
    chosen = vectors[:, :k].copy()
    for first, last in eigenspaces(values, k, tie):
        if last - first > 1:
            stop = min(last, k)
            space = vectors[:, first:last]
            inside = space.T @ directions(stop - first)
            rotation = np.linalg.qr(inside)[0].astype(vectors.dtype)
            chosen[:, first:stop] = space @ rotation
    return chosen


def eigenspaces(values, k, tie):
    """Ranges (first, last) of equal eigenvalues that begin among the first `k`."""
    first = 0
    while first < k:
        n_equal = np.count_nonzero(values[first:] >= values[first] - tie)
        last = first + max(int(n_equal), 1)  # of NaN there are none
        yield first, last
        first = last


def with_sign_rule(vectors):
    """Each column with a positive first entry among those of largest size."""
    return vectors * sign_rule(vectors)


def sign_rule(vectors):
    """The sign of each column that this takes."""
    size = np.abs(vectors)
    first = (size >= (1 - 1e-6) * size.max(axis=0)).argmax(axis=0)
    signs = np.sign(vectors[first, np.arange(vectors.shape[1])])
    return np.where(signs == 0, 1, signs).astype(vectors.dtype)


def completed(vectors, count, directions):
    """Orthonormal columns and `count` more, orthogonal to them."""
    more = directions(count).astype(vectors.dtype)
    for _ in range(2):  # once is not enough in finite precision
        more -= vectors @ (vectors.T @ more)
        more = np.linalg.qr(more)[0]
    return np.hstack([vectors, more])

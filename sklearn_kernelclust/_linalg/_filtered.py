"""Leading eigenpairs of an operator whose products are cheap, by polynomials of it.

A Krylov basis makes each block orthogonal to all before: for a sparse graph that
takes ten times as long as the products. Here one block is multiplied by a
polynomial that is large on the wanted eigenvalues and small on all below, and is
made orthogonal once for dozens of products.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_kernelclust._linalg._block_lanczos import (
    BASIS_BYTES,
    block_size,
    grow,
    ritz_pairs,
)
from sklearn_kernelclust._linalg._places import HOST
from sklearn_kernelclust._utils._threads import blas_threads

# Products of the short Krylov basis that says where unwanted eigenvalues begin.
FIRST_LOOK = 4

# Fewest vectors of a block: a product takes little longer than with one.
LEAST_BLOCK = 4

# How much more a polynomial magnifies the first than the last wanted vector, and
# known vectors, at most: the last must not drown in rounding. And the most in all.
GROWTH, KNOWN_GROWTH, LARGEST = 1e10, 1e12, 1e30

# A polynomial aims at this part of the tolerance.
AIM = 1 / 3

# Where all values of a block may be copies, unwanted ones begin this much further from
# the top. In any case they take up at least and at most so much of the range.
APART = 1.1
LEAST_CUT, MOST_CUT = 1 / 16, 1 - 1e-12

# Eigenvalues so many tolerances below the last wanted may turn out to equal it.
NEAR = 1000

MAX_DEGREE = 500
MAX_PRODUCTS = 20_000


def filtered(operator, k, start, tol):
    """Iterate a block by polynomials of an operator without negative eigenvalues.

    A block wider than `k` misses no copy of a repeated eigenvalue.

    Parameters
    ----------
    operator : object with ``shape``, ``dtype``, ``@``, ``top`` and ``damped``
        No eigenvalue exceeds `top`. ``damped(Z, degree, cut)`` is the product of a
        block with the Chebyshev polynomial that is at most 1 from 0 to `cut`.
    k : int
        At least 1.
    start : Start
        Where the first block comes from.
    tol : float
        Largest residual, relative to the largest eigenvalue.

    References
    ----------
    Y. Zhou, Y. Saad, M. L. Tiago, J. R. Chelikowsky, "Self-consistent-field
    calculations using Chebyshev-filtered subspace iteration", J. Comput. Phys.
    219, 2006.
    """
    b, top = max(block_size(k), LEAST_BLOCK), operator.top
    with blas_threads(1):
        # All columns alike, so that copies of an eigenvalue come up together.
        block = start.directions(b).astype(start.dtype)
        values, block, residuals = _first_look(operator, block)
        below, n_products = k, 0
        while n_products < MAX_PRODUCTS:
            enough = tol * np.abs(values).max()
            near = values[k - 1] - NEAR * enough
            residual = residuals[values[:b] >= near].max()
            if residual <= enough:
                return _with_copies(values[:b], block, k, enough)
            cut = _cut(top, values[below], values[k - 1], near)
            degree = _degree(top, cut, values[:k], residual / enough)
            block = operator.damped(block, degree, cut)
            values, block, residuals = _rayleigh_ritz(operator, block)
            below, n_products = b - 1, n_products + degree + 1
    raise np.linalg.LinAlgError(
        f"filtered: the residual was {residual:.3g} after {n_products} products"
    )


def _with_copies(values, block, k, tie):
    """The first `k` pairs, and those whose eigenvalue equals the last of them."""
    wanted = np.count_nonzero(values >= values[k - 1] - tie)
    if wanted == len(values):
        raise np.linalg.LinAlgError(
            f"filtered: a value has {wanted - k} copies or more"
        )
    return values[:wanted], block[:, :wanted]


def _cut(top, below, last, near):
    """Where unwanted eigenvalues begin: `below`, unless that may be a copy."""
    if below >= near:
        below = top - APART * (top - last)
    cut = float(np.clip(below, LEAST_CUT * top, MOST_CUT * top))
    if cut >= last:
        raise np.linalg.LinAlgError(f"filtered: {last:.3g} is far below {top:.3g}")
    return cut


def _degree(top, cut, wanted, residual):
    """Degree that makes a relative residual small, or as high as rounding allows.

    Known eigenvectors are at the top; of them there is only rounding in a block.
    """
    values = np.array([top, wanted[0], wanted[-1]])
    growth = np.arccosh(np.maximum(2 * values / cut - 1, 1))
    logs = np.log([GROWTH, KNOWN_GROWTH, LARGEST, max(residual / AIM, 2)])
    rates = growth[1] - growth[2], growth[0] - growth[2], growth[0], growth[2]
    with np.errstate(divide="ignore"):
        degrees = logs / rates
    return int(np.clip(np.ceil(degrees.min()), 2, MAX_DEGREE))


def _first_look(operator, block):
    """Leading Ritz pairs of a short Krylov basis, as many as the block has columns.

    There is one value more.
    """
    n, b = block.shape
    fit = BASIS_BYTES // (n * b * block.dtype.itemsize)
    n_columns = int(np.clip(fit, 2, FIRST_LOOK)) * b
    V = np.empty((n, n_columns), block.dtype, order="F")
    T, m = np.zeros((n_columns, n_columns)), 0
    W, rng = np.linalg.qr(block)[0], np.random.RandomState(0)
    while m < n_columns:
        W, R, m = grow(HOST, operator, V, T, W, m, rng)
    values, Y = ritz_pairs(T, m)
    Y = Y[:, :b].astype(block.dtype)
    return values[: b + 1], V @ Y, np.linalg.norm(R @ Y[m - b :], axis=0)


def _rayleigh_ritz(operator, block):
    """Ritz values of what a block spans, their vectors and residuals."""
    Q = np.linalg.qr(block)[0]
    product = operator @ Q
    H = Q.T @ product
    values, Y = ritz_pairs((H + H.T) / 2, len(H))
    vectors = Q @ Y
    left = product @ Y - vectors * values
    return values, vectors, np.linalg.norm(left, axis=0)


def chebyshev(twice, Z, degree):
    """``T(X) @ Z`` for the Chebyshev polynomial T; ``twice(Z)`` is ``2 X @ Z``."""
    before, now = Z, twice(Z) / 2
    for _ in range(degree - 1):
        after = twice(now)
        after -= before
        before, now = now, after
    return now

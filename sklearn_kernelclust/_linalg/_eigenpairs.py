"""Leading eigenpairs of a symmetric operator: the one home of eigenproblems.

The operator is a Gram, an array, or anything with ``shape``, ``dtype`` and
``matvec``. Small ones are solved by LAPACK, others by iteration from a fixed
start. Every solution is counted and checked before it leaves this module.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import lru_cache, partial

import numpy as np

from sklearn_kernelclust._linalg._eigenspaces import (
    completed,
    fixed_basis,
    random_directions,
    with_sign_rule,
)
from sklearn_kernelclust._linalg._solvers import (
    NotConvergedError,
    Start,
    products,
    solvers,
)
from sklearn_kernelclust._utils._tolerances import RESIDUAL

ACCEPTED = 10

# A factor with at most this many columns is squared: one product of matrices
# instead of dozens of products with vectors.
NARROW = 500


def leading_eigenpairs(operator, k=1, *, noise=0.0, seed=0, tol=0.0):
    """The `k` algebraically largest eigenvalues, and their eigenvectors.

    A repeated eigenvalue comes with all of its eigenvectors, or with as many as
    there is room for.

    Parameters
    ----------
    operator : Gram, array or object with ``shape``, ``dtype`` and ``matvec``
        Symmetric, of order n.
    k : int
        At least 1; of an operator of order n there are at most n.
    noise : float
        How long a product with a unit vector may be by rounding alone, where
        that is more than rounding of the operator itself (implicit centring).
    seed : int
        Where the iteration starts.
    tol : float
        Residual relative to the largest eigenvalue that is enough, if larger
        than `RESIDUAL`; eigenvalues are as exact as its square. Eigenvalues
        nearer to each other are equal.

    Returns
    -------
    values : ndarray of shape (min(k, n),)
        In descending order.
    vectors : ndarray of shape (n, min(k, n))
        Orthonormal columns. The entry of largest absolute value of each is
        positive (the first of them, within rounding).

    Raises
    ------
    numpy.linalg.LinAlgError
        If no solver found vectors whose residual is only rounding.

    Notes
    -----
    Equal input gives equal output, on every machine as far as rounding allows. In
    an eigenspace of several dimensions any orthonormal vectors would do: these
    are the projections of fixed random directions, made orthonormal in turn. The
    same rule says which vectors are taken where `k` ends amid an eigenspace.
    """
    n = operator.shape[0]
    k = int(min(k, n))
    directions = partial(random_directions, n, seed=seed)
    tol = max(tol, RESIDUAL[np.dtype(operator.dtype)])
    factor = narrow_factor(operator)
    if factor is not None:
        return pairs_of_factor(factor, k, directions, tol)
    values, vectors = checked_pairs(operator, k, noise, directions, tol)
    return values, with_sign_rule(vectors)


def narrow_factor(operator):
    """A dense A with ``operator == A @ A.T`` and few columns, else None."""
    factor = operator.factor() if hasattr(operator, "factor") else None
    if factor is None or factor.shape[1] > min(NARROW, factor.shape[0] - 1):
        return None
    return factor


def pairs_of_factor(A, k, directions, tol):
    """Eigenpairs of ``A @ A.T`` from those of the smaller ``A.T @ A``.

    Where that has no more, the eigenvalue is 0 and the vectors are orthogonal to A.
    """
    scale = float(np.abs(A).max(initial=0)) or 1.0
    A = A / A.dtype.type(scale)
    values, vectors = np.zeros(0, A.dtype), np.zeros((len(A), 0), A.dtype)
    if A.any():
        inner = partial(_inner_directions, A, directions)
        values, coef = checked_pairs(A.T @ A, min(k, A.shape[1]), 0.0, inner, tol)
        positive = values > len(A) * np.finfo(A.dtype).eps * values[0]
        values = values[positive]
        vectors = np.linalg.qr(A @ (coef[:, positive] / np.sqrt(values)))[0]
    missing = k - len(values)
    if missing:
        values = np.concatenate([values, np.zeros(missing, A.dtype)])
        vectors = completed(vectors, missing, directions)
    return values * scale**2, with_sign_rule(vectors)


def _inner_directions(A, directions, count):
    """Directions whose choice in an eigenspace of A'A is that of AA'."""
    return A.T @ directions(count)


def pairs_of_scatter_matrix(C, k, inner, *, tol=0.0):
    """Eigenpairs of ``C = A.T @ A``, of which A is not needed.

    Parameters
    ----------
    C : ndarray of shape (m, m), or its products as an object with ``@``
        Not zero.
    k : int
        At least 1.
    inner : callable
        ``inner(count)`` is the product of ``A.T`` with so many directions: it says
        which vectors of an eigenspace are taken, as for ``A @ A.T``.
    tol : float
        As in `leading_eigenpairs`.
    """
    first = _first_direction(C.shape[0])
    if isinstance(C, np.ndarray):
        return pairs_of_array(C, k, inner, tol=tol, first=first)
    tol = max(tol, RESIDUAL[np.dtype(C.dtype)])
    return checked_pairs(C, min(k, C.shape[0]), 0.0, inner, tol, first)


def pairs_of_array(C, k, directions, *, tol=0.0, first=None):
    """Eigenpairs of a symmetric array, not zero, of any size; as `checked_pairs`."""
    scale, k = max(C.max(), -C.min()), min(k, len(C))
    C, tol = C / scale, max(tol, RESIDUAL[np.dtype(C.dtype)])
    values, vectors = checked_pairs(C, k, 0.0, directions, tol, first)
    return values * scale, vectors


@lru_cache(maxsize=4)
def _first_direction(m):
    """A fixed random direction, of length 1; as long as a row of features."""
    direction = random_directions(m, 1)[:, 0]
    return direction / np.linalg.norm(direction)


def checked_pairs(operator, k, noise, directions, tol, first=None):
    """Result of the first solver whose pairs are enough and pass the check.

    Iterations start from the `first` vector if there is one.
    """
    n, dtype = operator.shape[0], np.dtype(operator.dtype)
    accepted = ACCEPTED * max(tol, n * np.finfo(dtype).eps)
    start, reasons = Start(operator, directions), []
    attempts = solvers(n, k, operator)
    if first is not None:
        start.vector = first.astype(dtype)
    for solve in attempts:
        try:
            values, vectors = _pairs_of(solve, operator, k, start, tol)
        except NotConvergedError as error:
            start = start.moved(error.vector)
            reasons.append(str(error))
        except np.linalg.LinAlgError as error:
            reasons.append(f"{type(error).__name__}: {error}")
        else:
            residual = relative_residual(operator, values, vectors, start.size, noise)
            if residual <= accepted:
                return values, vectors
            reasons.append(f"the residual was {residual:.3g}, more than {accepted:.3g}")
    raise np.linalg.LinAlgError(
        f"The {k} leading eigenpairs of an operator of order {n} ({dtype}, "
        f"tol={tol:g}) were not found in {len(attempts)} attempts: "
        + "; ".join(reasons)
    )


def _pairs_of(solve, operator, k, start, tol):
    """The `k` pairs of one solver, counted, with the basis that directions fix."""
    values, vectors = solve(operator, k, start, tol)
    if len(values) < k:
        raise np.linalg.LinAlgError(f"{solve.__name__} gave {len(values)} of {k} pairs")
    tie = tol * max(start.size, np.abs(values).max())
    vectors = fixed_basis(values, vectors, k, start.directions, tie)
    return values[:k], vectors


def relative_residual(operator, values, vectors, size, noise=0.0):
    """Largest ``|A v - lambda v|`` over `size`, that of A; NaN is infinite.

    Vectors that are not of length 1, or not orthogonal, are no eigenvectors
    either: what they lack counts too.
    """
    if not (np.isfinite(values).all() and np.isfinite(vectors).all()):
        return np.inf
    size = max(size, np.abs(values).max()) or 1.0
    left = products(operator, vectors) / size - vectors * (values / size)
    error = np.linalg.norm(left, axis=0).max() - noise / size
    unlike = np.abs(vectors.T @ vectors - np.eye(vectors.shape[1])).max()
    return float(max(error, unlike))

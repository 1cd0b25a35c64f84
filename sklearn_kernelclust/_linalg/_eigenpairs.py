"""Leading eigenpairs of a symmetric operator: the one home of eigenproblems.

The operator is a Gram, an array, or anything with ``shape``, ``dtype`` and
``matvec``. Small ones are solved densely, others iteratively from a fixed
start. Every solution is checked before it leaves this module.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from inspect import signature

import numpy as np
import scipy.linalg
from scipy.linalg.lapack import dstev
from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh

from sklearn_kernelclust._linalg._block_lanczos import block_krylov, block_size
from sklearn_kernelclust._utils._threads import blas_threads, n_threads
from sklearn_kernelclust._utils._tolerances import RESIDUAL

# Up to this order LAPACK is as fast as the iteration, and needs no luck.
SMALL = 128

# Where the iteration gives up, LAPACK takes over up to this order; beyond, it
# would take many minutes and no interrupt would reach it.
LARGEST_DENSE = 5000

ACCEPTED = 10

# Vectors that Lanczos keeps before ARPACK takes over, which restarts.
MAX_STEPS = 40

# A factor with at most this many columns is squared: one product of matrices
# instead of dozens of products with vectors.
NARROW = 500

HAS_RNG = "rng" in signature(eigsh).parameters


def leading_eigenpairs(operator, k=1, *, noise=0.0, seed=0, copies=False, tol=0.0):
    """The `k` algebraically largest eigenvalues, and their eigenvectors.

    Equal input gives equal output, on repeated eigenvalues too. The entry of
    largest absolute value of each eigenvector is positive (the first of them,
    within rounding).

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
    copies : bool
        Whether a repeated eigenvalue must come with all of its eigenvectors:
        an iteration with one vector sees only one of them, and may give the
        next eigenvalue in the place of a copy.
    tol : float
        Residual relative to the largest eigenvalue that is enough, if larger
        than `RESIDUAL`; eigenvalues are as exact as its square.

    Returns
    -------
    values : ndarray of shape (k,)
        In descending order.
    vectors : ndarray of shape (n, k)
        Orthonormal columns.

    Raises
    ------
    numpy.linalg.LinAlgError
        If no solver found vectors whose residual is only rounding.
    """
    n = operator.shape[0]
    k = min(k, n)
    factor = _narrow_factor(operator)
    if factor is not None:
        return _of_narrow(factor, k, seed)
    tol = max(tol, RESIDUAL[np.dtype(operator.dtype)])
    attempts = [_dense]
    if n > SMALL and k < n - 1:
        in_blocks = copies and k > 1 and n >= 6 * block_size(k)
        first = _blocks(seed, tol) if in_blocks else _lanczos(tol)
        restarted = [_arpack(seed, 20, tol), _arpack(seed + 1, 60, tol)]
        iterative = [first, *restarted]
        attempts = iterative + [_dense] * (n <= LARGEST_DENSE)
    start = Start(operator, seed)
    return _first_that_holds(attempts, operator, k, noise, start, tol)


def spectrum_floor(n, dtype, size):
    """What an eigenvalue must exceed to be more than the rounding of the matrix.

    `size` is the largest self-similarity that went into it.
    """
    return 8 * np.sqrt(n) * np.finfo(dtype).eps * float(size)


def trace_tells(diagonal, dtype):
    """Whether the diagonal alone says that a positive eigenvalue is not missing."""
    floor = spectrum_floor(len(diagonal), dtype, np.abs(diagonal).max())
    # Without a trace the kernel is zero, or has a positive eigenvalue.
    return floor == 0 or diagonal.max() > floor


def check_some_positive(gram):
    """Refuse a kernel without a positive eigenvalue: nothing in it is similar."""
    n, diagonal = gram.shape[0], gram.diagonal()
    if trace_tells(diagonal, gram.dtype):
        return
    ones, floor = np.ones(n), spectrum_floor(n, gram.dtype, np.abs(diagonal).max())
    if ones @ (gram @ ones) > n * floor:
        return
    largest = leading_eigenpairs(gram)[0][0]
    if largest <= floor:
        raise ValueError(
            "The kernel has no positive eigenvalue (its largest is "
            f"{largest:.3g}): did you pass distances, or negative ones?"
        )


def _first_that_holds(attempts, operator, k, noise, start, tol):
    """Result of the first solver that passes the check of its residual."""
    n, dtype = operator.shape[0], np.dtype(operator.dtype)
    accepted = ACCEPTED * max(tol, n * np.finfo(dtype).eps)
    reasons = []
    for solve in attempts:
        try:
            values, vectors = solve(operator, k, start)
        except NotConvergedError as error:
            start.vector = error.vector
            reasons.append(str(error))
            continue
        except (ArpackError, np.linalg.LinAlgError) as error:
            reasons.append(f"{type(error).__name__}: {error}")
            continue
        if len(values) < k:
            reasons.append(f"only {len(values)} pairs")
            continue
        residual = relative_residual(operator, values, vectors, start.size, noise)
        if residual <= accepted:
            return values, with_sign_rule(vectors)
        reasons.append(f"the residual was {residual:.3g}, more than {accepted:.3g}")
    raise np.linalg.LinAlgError(
        f"The {k} leading eigenpairs of an operator of order {n} ({dtype}, "
        f"tol={tol:g}) were not found in {len(attempts)} attempts: "
        + "; ".join(reasons)
    )


class NotConvergedError(Exception):
    """An iteration ended too early; `vector` is where to go on from."""

    def __init__(self, n_steps, vector):
        super().__init__(f"no convergence in {n_steps} steps of Lanczos")
        self.vector = vector


class Start:
    """Where an iteration starts: a unit vector and the product with it.

    `size` is the length of the product, an estimate of that of the spectrum.
    """

    def __init__(self, operator, seed):
        vector = np.random.RandomState(seed).standard_normal(operator.shape[0])
        self.vector = (vector / np.linalg.norm(vector)).astype(operator.dtype)
        self.product = _products(operator, self.vector[:, None])[:, 0]
        peak = float(np.abs(self.product).max()) or 1.0
        self.size = peak * float(np.linalg.norm(self.product / peak))


def relative_residual(operator, values, vectors, size, noise=0.0):
    """Largest ``|A v - lambda v|`` over `size`, that of A; NaN is infinite.

    Vectors that are not of length 1, or not orthogonal, are no eigenvectors
    either: what they lack counts too.
    """
    if not (np.isfinite(values).all() and np.isfinite(vectors).all()):
        return np.inf
    size = max(size, np.abs(values).max()) or 1.0
    left = _products(operator, vectors) / size - vectors * (values / size)
    error = np.linalg.norm(left, axis=0).max() - noise / size
    unlike = np.abs(vectors.T @ vectors - np.eye(vectors.shape[1])).max()
    return float(max(error, unlike))


def with_sign_rule(vectors):
    """Each column with a positive first entry among those of largest size."""
    size = np.abs(vectors)
    first = (size >= (1 - 1e-6) * size.max(axis=0)).argmax(axis=0)
    signs = np.sign(vectors[first, np.arange(vectors.shape[1])])
    return vectors * np.where(signs == 0, 1, signs).astype(vectors.dtype)


def _narrow_factor(operator):
    """A dense A with ``operator == A @ A.T`` and few columns, else None."""
    factor = operator.factor() if hasattr(operator, "factor") else None
    if factor is None or factor.shape[1] > min(NARROW, factor.shape[0] - 1):
        return None
    return factor


def _of_narrow(A, k, seed):
    """Eigenpairs of ``A @ A.T`` from those of the smaller ``A.T @ A``.

    Fewer than `k` where the rest of the spectrum is zero.
    """
    scale = np.abs(A).max(initial=0)
    if scale == 0:
        return np.zeros(1, A.dtype), np.eye(len(A), 1, dtype=A.dtype)
    A = A / scale
    values, vectors = leading_eigenpairs(A.T @ A, k, seed=seed)
    floor = spectrum_floor(len(A), A.dtype, values[0])
    values, vectors = values[values > floor], vectors[:, values > floor]
    vectors = A @ (vectors / np.sqrt(values))
    vectors /= np.linalg.norm(vectors, axis=0)
    return values * scale**2, with_sign_rule(vectors)


def _dense(operator, k, start):
    matrix = operator
    if not isinstance(operator, np.ndarray):
        eye = np.eye(operator.shape[0], dtype=operator.dtype)
        has_array = hasattr(operator, "toarray")
        matrix = operator.toarray() if has_array else _products(operator, eye)
    # All pairs: where eigenvalues repeat, a subset may come short on some machines.
    values, vectors = scipy.linalg.eigh(matrix, driver="evd")
    return values[: -k - 1 : -1], vectors[:, : -k - 1 : -1]


def _lanczos(tol):
    """Lanczos without restarts, all vectors kept orthogonal.

    It looks after every step whether it is done, where ARPACK takes 20 before
    it looks: half the products where the spectrum has a gap.
    """

    def solve(operator, k, start):
        size = start.size or 1.0
        product = _threaded(operator, n_threads(), size)
        with blas_threads(1):
            values, vectors = _lanczos_steps(product, k, start, tol)
        return values * size, vectors

    return solve


def _lanczos_steps(product, k, start, tol):
    """The same for an operator whose size is near 1."""
    n, dtype = len(start.vector), start.vector.dtype
    n_steps = min(MAX_STEPS + 4 * k, n - 1)
    V = np.zeros((n_steps + 1, n), dtype=dtype)
    V[0] = start.vector
    alpha, beta = np.zeros(n_steps), np.zeros(n_steps)
    for j in range(n_steps):
        w = product(V[j])[:, 0] if j else start.product / (start.size or 1.0)
        alpha[j] = w @ V[j]
        for _ in range(2):
            w = w - (V[: j + 1] @ w) @ V[: j + 1]
        beta[j] = np.linalg.norm(w)
        if j + 1 >= k:
            values, S = _leading_ritz(alpha[: j + 1], beta[: max(j, 1)], k)
            limit = tol * max(np.abs(values).max(), 1)
            if np.abs(beta[j] * S[-1]).max() <= limit:
                return values, _orthonormal(V[: j + 1].T @ S.astype(dtype))
        if beta[j] <= np.finfo(dtype).eps:
            break  # an invariant space that is too small
        V[j + 1] = w / beta[j]
    ritz = V[: j + 1].T @ S.sum(axis=1).astype(dtype) if j + 1 >= k else V[0]
    raise NotConvergedError(j + 1, ritz / np.linalg.norm(ritz))


def _leading_ritz(alpha, beta, k):
    """Leading eigenpairs of a tridiagonal matrix, in descending order.

    For one of order 1, LAPACK wants a `beta` that it does not read.
    """
    # eigh_tridiagonal calls the same and takes five times as long to check.
    values, S, _ = dstev(alpha, beta)
    return values[: -k - 1 : -1], S[:, : -k - 1 : -1]


def _orthonormal(vectors):
    """Columns that are so up to rounding, exactly so."""
    Q, R = np.linalg.qr(vectors)
    return Q * np.sign(np.diag(R))


def _blocks(seed, tol):
    """Block Lanczos, which multiplies all vectors at a time."""

    def solve(operator, k, start):
        with blas_threads(1):
            return block_krylov(_Threaded(operator, threads), k, tol, seed)

    threads = n_threads()
    return solve


class _Threaded:
    """Products with blocks on all threads, where the solver itself has one."""

    def __init__(self, operator, available):
        self.operator, self.available = operator, available
        self.shape, self.dtype = operator.shape, np.dtype(operator.dtype)

    def __matmul__(self, Z):
        with blas_threads(self.available):
            return _products(self.operator, Z)


def _arpack(seed, ncv, tol):
    """ARPACK, which keeps `ncv` vectors and restarts from the best of them."""

    def solve(operator, k, start):
        n, dtype = operator.shape[0], np.dtype(operator.dtype)
        rng = {"rng": np.random.default_rng(seed)} if HAS_RNG else {}
        size = start.size or 1.0
        # It takes whatever is below 1e-11 for zero, so it gets numbers near 1.
        product = _threaded(operator, n_threads(), size)
        with blas_threads(1):
            values, vectors = eigsh(
                LinearOperator((n, n), product, dtype=dtype),
                k=k,
                which="LA",
                v0=start.vector,
                ncv=min(n, 2 * k + ncv),
                maxiter=500,
                tol=tol,
                **rng,
            )
        order = np.argsort(-values, kind="stable")
        return values[order] * size, vectors[:, order]

    return solve


def _threaded(operator, available, size):
    """Products over `size` on all threads, where the solver itself has one.

    Its own vectors are too short to share: threads that wait for each other there
    took five times as long as one alone on a busy machine.
    """

    def product(v):
        with blas_threads(available):
            return _products(operator, v.reshape(-1, 1)) / size

    return product


def _products(operator, vectors):
    if hasattr(operator, "__matmul__"):
        return np.asarray(operator @ vectors)
    return np.column_stack([operator.matvec(v) for v in vectors.T])

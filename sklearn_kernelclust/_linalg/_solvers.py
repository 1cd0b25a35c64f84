"""The eigensolvers: LAPACK, Lanczos with one vector or a block, polynomials.

Each takes an operator, the number of pairs, where to start and a tolerance, and
returns at least that many pairs in descending order, more where it has them.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from contextlib import nullcontext

import numpy as np
import scipy.linalg
from scipy.linalg.lapack import dstev

from sklearn_kernelclust._linalg._block_lanczos import (
    block_lanczos,
    block_size,
    least_order,
)
from sklearn_kernelclust._linalg._filtered import LEAST_BLOCK, filtered
from sklearn_kernelclust._utils._cached_property import cached_property
from sklearn_kernelclust._utils._threads import blas_threads, n_threads

# Up to this order LAPACK is as fast as the iteration.
SMALL = 128

# A block needs an order of this many times its vectors, or LAPACK is faster.
BLOCKS_IN_ORDER = 6

# Where the iteration gives up, LAPACK takes over up to this order; beyond, it
# would take many minutes and no interrupt would reach it.
LARGEST_DENSE = 5000

# From this order on, LAPACK's subset of one pair takes half the time of all pairs.
SUBSET_ORDER = 32

# Arrays with fewer entries are multiplied faster than a second thread wakes up.
WORTH_A_THREAD = 4_000_000

# Multiply-adds of a product for each entry of a vector, up to which polynomials of the
# operator take less time than blocks that are orthogonal to a whole basis.
CHEAP = 50

# Steps of Lanczos with one vector before it restarts with more columns.
MAX_STEPS = 44


def solvers(n, k, operator=None):
    """Those to try for `k` pairs of an operator of order `n`, in this order."""
    if n <= SMALL or n < least_order(k) or k >= n - 1:
        return [dense]
    if n <= LARGEST_DENSE and n < BLOCKS_IN_ORDER * block_size(k) and k > 1:
        return [dense]
    iterations = [lanczos] * (k == 1) + [filtered] * is_cheap(operator, k) + [blocks]
    return iterations + [dense] * (n <= LARGEST_DENSE)


def is_cheap(operator, k):
    """Whether polynomials of an operator cost less than a Krylov basis."""
    if not hasattr(operator, "damped") or operator.arrays is not None:
        return False
    n, order = operator.shape[0], least_order(max(k, LEAST_BLOCK))
    return block_size(k) >= k and n >= order and operator.cost <= CHEAP * n


class NotConvergedError(Exception):
    """An iteration ended too early; `vector` is where to go on from."""

    def __init__(self, n_steps, vector):
        super().__init__(f"no convergence in {n_steps} steps of Lanczos")
        self.vector = vector


class Start:
    """Where an iteration starts: directions, and the product with the first.

    A solver that needs neither does not pay for them.

    Parameters
    ----------
    operator : object with ``shape``, ``dtype`` and ``@`` or ``matvec``
    directions : callable
        ``directions(count)`` are the first `count` directions.
    """

    def __init__(self, operator, directions):
        self.operator, self.directions = operator, directions
        self.dtype = np.dtype(operator.dtype)

    @cached_property
    def vector(self):
        """The first direction, of length 1."""
        vector = self.directions(1)[:, 0]
        length = np.linalg.norm(vector) or 1.0
        return (vector / length).astype(self.dtype)

    @cached_property
    def product(self):
        """That of the operator and the vector."""
        return products(self.operator, self.vector[:, None])[:, 0]

    @cached_property
    def size(self):
        """Length of the product with a unit vector, about that of an eigenvalue.

        Of an array it is the root of the mean square over all unit vectors.
        """
        if not isinstance(self.operator, np.ndarray):
            return _length(self.product)
        return _length(self.operator.ravel()) / np.sqrt(len(self.operator))

    def moved(self, vector):
        """The same start at another unit vector, of known size."""
        start = Start(self.operator, self.directions)
        start.vector, start.size = vector, self.size
        return start

    def block(self, b):
        """The vector and as many more directions as make `b` columns."""
        return np.column_stack([self.vector, self.directions(b)[:, 1:]])


def _length(values):
    """Euclidean norm, without overflow."""
    with np.errstate(over="ignore"):
        length = float(np.linalg.norm(values))
    info = np.finfo(values.dtype)
    if info.tiny**0.25 < length < info.max**0.25:  # no square left the range
        return length
    peak = float(np.abs(values).max(initial=0)) or 1.0
    return peak * float(np.linalg.norm(values / peak))


def dense(operator, k, start, tol):
    """LAPACK, all pairs where a subset of them does not stand apart."""
    matrix = operator
    if not isinstance(operator, np.ndarray):
        eye = np.eye(operator.shape[0], dtype=operator.dtype)
        has_array = hasattr(operator, "toarray")
        matrix = operator.toarray() if has_array else products(operator, eye)
    n = len(matrix)
    if n >= max(SUBSET_ORDER, 8 * k):
        values, vectors = _subset(matrix, k + 1)
        tie = tol * max(start.size, np.abs(values).max(initial=0))
        if len(values) == k + 1 and values[1] - values[0] > tie:
            return values[:0:-1], vectors[:, :0:-1]
    # scipy 1.10 gives "evd" too little workspace for a matrix of order 1.
    values, vectors = scipy.linalg.eigh(matrix, driver="evd" if n > 1 else "ev")
    return values[::-1], vectors[:, ::-1]


def _subset(matrix, k):
    """The largest pairs by LAPACK, ascending, at most `k`.

    Where eigenvalues repeat, OpenBLAS returns fewer and MKL fails.
    """
    n = len(matrix)
    try:
        return scipy.linalg.eigh(matrix, subset_by_index=[n - k, n - 1])
    except np.linalg.LinAlgError:
        return np.empty(0, matrix.dtype), np.empty((n, 0), matrix.dtype)


def lanczos(operator, k, start, tol):
    """Lanczos with one vector, for one pair, without restarts.

    It looks after every step whether it is done: half the products of a method
    that restarts, where the spectrum has a gap.
    """
    size = start.size or 1.0
    operator = Threaded(operator, size)
    with blas_threads(1):
        value, vector = _lanczos_steps(operator, start, tol)
    return np.array([value * size], start.dtype), vector[:, None]


def _lanczos_steps(operator, start, tol):
    """The same for an operator whose size is near 1."""
    n, dtype = len(start.vector), start.dtype
    n_steps = min(MAX_STEPS, n - 1)
    V = np.zeros((n_steps + 1, n), dtype=dtype)
    V[0] = start.vector
    alpha, beta = np.zeros(n_steps), np.zeros(n_steps)
    for j in range(n_steps):
        w = (operator @ V[j][:, None])[:, 0] if j else start.product / operator.size
        alpha[j] = w @ V[j]
        for _ in range(2):
            w = w - (V[: j + 1] @ w) @ V[: j + 1]
        beta[j] = np.linalg.norm(w)
        value, s = _leading_ritz(alpha[: j + 1], beta[: max(j, 1)])
        if abs(beta[j] * s[-1]) <= tol * max(abs(value), 1):
            vector = V[: j + 1].T @ s.astype(dtype)
            return value, vector / np.linalg.norm(vector)
        V[j + 1] = w / beta[j]
    ritz = V[: j + 1].T @ s.astype(dtype)
    raise NotConvergedError(n_steps, ritz / np.linalg.norm(ritz))


def _leading_ritz(alpha, beta):
    """Leading eigenpair of a tridiagonal matrix.

    For one of order 1, LAPACK wants a `beta` that it does not read.
    """
    # eigh_tridiagonal calls the same and takes five times as long to check.
    values, S, _ = dstev(alpha, beta)
    return values[-1], S[:, -1]


def blocks(operator, k, start, tol):
    """Block Lanczos. A block as wide as `k` misses no copy; a narrower one may."""
    operator = Threaded(operator)
    b = block_size(k)
    with blas_threads(1):
        pairs = block_lanczos(operator, k, tol, start.block(b), start.size)
        return pairs if b >= k else _with_missed(operator, k, start, tol, b, *pairs)


def _with_missed(operator, k, start, tol, b, values, vectors):
    """Add the largest pair of what is left, until it is no larger than the last."""
    for i in range(1, k + 1):
        size = max(start.size, np.abs(values).max())
        left = Deflated(operator, vectors, 2 * size)
        # What earlier directions have in an eigenspace was found.
        new = start.directions((i + 1) * b)[:, i * b :]
        value, vector = block_lanczos(left, 1, tol, new, size)
        if value[0] <= values[k - 1] + tol * size:
            break
        values, vectors = np.append(values, value), np.hstack([vectors, vector])
        order = np.argsort(-values, kind="stable")[:k]
        values, vectors = values[order], np.linalg.qr(vectors[:, order])[0]
    return values, vectors


class Deflated:
    """``P A P - drop V V'`` with ``P = I - V V'``: the columns of V come last."""

    def __init__(self, operator, V, drop):
        self.operator, self.V, self.drop = operator, V, V.dtype.type(drop)
        self.shape, self.dtype = operator.shape, operator.dtype

    def __matmul__(self, Z):
        along = self.V.T @ Z
        product = self.operator @ (Z - self.V @ along)
        return product - self.V @ (self.V.T @ product + self.drop * along)


class Threaded:
    """Products over `size` on all threads, where the solver itself has one.

    The solver's vectors are too short to share: threads that wait for each other
    there took five times as long as one alone on a busy machine.
    """

    def __init__(self, operator, size=1.0):
        small = isinstance(operator, np.ndarray) and operator.size < WORTH_A_THREAD
        self.operator, self.size = operator, size
        self.available = 1 if small else n_threads()
        self.shape, self.dtype = operator.shape, np.dtype(operator.dtype)
        self.arrays = getattr(operator, "arrays", None)

    def __matmul__(self, Z):
        if not isinstance(Z, np.ndarray):
            return self.operator @ Z
        with blas_threads(self.available) if self.available > 1 else nullcontext():
            product = products(self.operator, Z)
        return product if self.size == 1 else product / self.size


def products(operator, vectors):
    """Products with the columns, by whichever verb the operator has."""
    if hasattr(operator, "__matmul__"):
        return np.asarray(operator @ vectors)
    return np.column_stack([operator.matvec(v) for v in vectors.T])

"""Leading eigenpairs from products with blocks of vectors.

A product of a matrix with ten vectors takes little longer than with one: the
matrix is read once. And where an eigenvalue is repeated, a block finds all of
its eigenvectors, of which a single vector sees one.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import scipy.linalg

# Vectors of a block beyond those that are wanted.
GUARDS = 2

# Most columns of a basis, if that many fit BASIS_BYTES.
COLUMNS = 200
BASIS_BYTES = 2**28

MAX_RESTARTS = 30


def block_size(k):
    """Vectors of a block that finds `k` eigenvectors."""
    return k + GUARDS


def block_krylov(operator, k, tol, seed=0, max_restarts=MAX_RESTARTS):
    """The `k` largest eigenvalues of a symmetric operator, by thick restarts.

    The basis V is orthonormal, with ``A V = V T + W R E'``: the next block W is
    what the last one, which E picks, leads out of it. A Ritz vector V y has the
    residual ``|R E' y|``. A full basis is replaced by its leading Ritz vectors,
    which keep that form [1]_.

    Parameters
    ----------
    operator : object with ``shape``, ``dtype`` and ``@``
        Of order n, at least three blocks.
    k : int
        At least 1.
    tol : float
        Largest residual, relative to the largest eigenvalue.
    seed : int
        Where it starts.
    max_restarts : int
        How often the basis may fill up.

    Returns
    -------
    values : ndarray of shape (k,)
        In descending order.
    vectors : ndarray of shape (n, k)

    Raises
    ------
    numpy.linalg.LinAlgError
        If the residuals do not get that small.

    References
    ----------
    .. [1] K. Wu and H. Simon, "Thick-Restart Lanczos Method for Large
       Symmetric Eigenvalue Problems", SIAM J. Matrix Anal. Appl. 22, 2000.
    """
    n, dtype = operator.shape[0], np.dtype(operator.dtype)
    b = block_size(k)
    V = np.empty((n, _n_columns(n, b, dtype)), dtype, order="F")
    T = np.zeros((V.shape[1], V.shape[1]))
    start = np.random.RandomState(seed).standard_normal((n, b)).astype(dtype)
    W, m = np.linalg.qr(start)[0], 0
    for _ in range(max_restarts):
        next_look = m + b
        while m + b <= V.shape[1]:
            W, R, m = _grow(operator, V, T, W, m)
            if m < next_look:
                continue
            next_look = m + max(b, m // 8)
            values, Y = np.linalg.eigh(T[:m, :m])
            values, Y = values[::-1], Y[:, ::-1]
            residual = np.linalg.norm(R @ Y[m - b : m, :k], axis=0).max()
            if residual <= tol * np.abs(values).max():
                return values[:k].astype(dtype), V[:, :m] @ Y[:, :k].astype(dtype)
        values, Y = (x[..., ::-1] for x in np.linalg.eigh(T[:m, :m]))
        m = _restart(V, T, values, Y, m, b)
    raise np.linalg.LinAlgError(
        f"block Krylov: the residual was {residual:.3g} after {max_restarts} restarts"
    )


def _n_columns(n, b, dtype):
    """As many as help, fit and are not all there are; three blocks at least."""
    fit = BASIS_BYTES // (n * dtype.itemsize)
    return max(min(max(COLUMNS, 6 * b), fit, n - b), 3 * b)


def _grow(operator, V, T, W, m):
    """Append the block W to the basis; the next block, and what leads to it."""
    b = W.shape[1]
    V[:, m : m + b] = W
    product = np.asarray(operator @ W)
    m += b
    basis, R = V[:, :m], np.eye(b)
    H = np.zeros((m, b))
    for i in range(3):
        # Once is not enough in finite precision; twice is, unless a column
        # was nothing but rounding.
        inside = basis.T @ product
        product = product - basis @ inside
        if i == 0:
            H = inside
        product, r = scipy.linalg.qr(product, mode="economic", check_finite=False)
        R = r @ R
        if i and np.abs(np.diag(r)).min() > 0.5:
            break
    T[:m, m - b : m] = H
    T[m - b : m, :m] = H.T
    T[m - b : m, m - b : m] = (H[m - b :] + H[m - b :].T) / 2
    return product, R, m


def _restart(V, T, values, Y, m, b):
    """Leave the leading Ritz vectors in the basis; how many they are."""
    kept = max(min(m // 3, m - 2 * b), b)
    V[:, :kept] = V[:, :m] @ Y[:, :kept].astype(V.dtype)
    T[:] = 0
    T[np.arange(kept), np.arange(kept)] = values[:kept]
    return kept

"""Leading eigenpairs from products with blocks of vectors.

A product of a matrix with ten vectors takes little longer than with one: the
matrix is read once. And where an eigenvalue is repeated, a block finds all of
its eigenvectors, of which a single vector sees one.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_kernelclust._linalg._places import place_of

# Vectors of a block beyond those that are wanted.
GUARDS = 2

# Most vectors of a block.
LARGEST_BLOCK = 128

# Most columns of a basis, if that many fit BASIS_BYTES.
COLUMNS = 200
BASIS_BYTES = 2**28

MAX_RESTARTS = 100

# A basis grows by this part of itself between two looks at its Ritz values.
LOOKS = 16

# A column of a block may be lost if less than this part of the block is left of it.
LOST = 1e-3

# Most times that a block is made orthogonal to the basis.
MAX_PASSES = 8


def block_size(k):
    """Vectors of a block that finds `k` eigenvectors."""
    # Even, because BLAS takes as long for an odd number of columns as for one more.
    return 1 if k == 1 else min(k + GUARDS + k % 2, LARGEST_BLOCK)


def least_order(k):
    """Order of an operator that a basis for `k` eigenvectors fits."""
    return k + 4 * block_size(k)


def block_lanczos(operator, k, tol, start, size=0.0, max_restarts=MAX_RESTARTS):
    """The `k` largest eigenvalues of a symmetric operator, by thick restarts.

    The basis V is orthonormal, with ``A V = V T + W R E'``: the next block W is
    what the last one, which E picks, leads out of it. A Ritz vector V y has the
    residual ``|R E' y|``. A full basis is replaced by its leading Ritz vectors,
    which keep that form [1]_.

    Parameters
    ----------
    operator : object with ``shape``, ``dtype`` and ``@``
        Of order n, at least k and four blocks. One with ``arrays`` multiplies
        blocks of that device, and the basis stays there.
    k : int
        At least 1.
    tol : float
        Largest residual, relative to the largest of the eigenvalues asked for, or to
        `size` if that is larger.
    start : ndarray of shape (n, b)
        The first block. It finds up to b copies of an eigenvalue.
    size : float
        About that of an eigenvalue.
    max_restarts : int
        How often the basis may fill up.

    Returns
    -------
    values : ndarray of shape (m,)
        In descending order. More than `k` where the next ones equal the last.
    vectors : ndarray of shape (n, m)

    Raises
    ------
    numpy.linalg.LinAlgError
        If the residuals do not get that small.

    References
    ----------
    .. [1] K. Wu and H. Simon, "Thick-Restart Lanczos Method for Large
       Symmetric Eigenvalue Problems", SIAM J. Matrix Anal. Appl. 22, 2000.
    """
    (n, b), dtype = start.shape, np.dtype(operator.dtype)
    rng, place = np.random.RandomState(0), place_of(operator)
    V = place.empty((n, _n_columns(n, k, b, dtype)), dtype)
    T = np.zeros((V.shape[1], V.shape[1]))
    W, m = place.qr(place.native(start.astype(dtype)))[0], 0
    for _ in range(max_restarts):
        next_look = max(m + b, k)
        while m + b <= V.shape[1]:
            W, R, m = grow(place, operator, V, T, W, m, rng)
            if m < next_look:
                continue
            next_look = m + max(b, m // LOOKS)
            values, Y = ritz_pairs(T, m)
            tie = tol * np.abs(values).max()
            wanted = np.count_nonzero(values[: k + b] >= values[k - 1] - tie)
            residual = np.linalg.norm(R @ Y[m - b : m, :wanted], axis=0).max()
            if residual <= tol * max(size, np.abs(values[:wanted]).max()):
                Y = place.native(Y[:, :wanted].astype(dtype))
                return values[:wanted].astype(dtype), place.host(V[:, :m] @ Y)
        values, Y = ritz_pairs(T, m)
        m = _restart(place, V, T, values, Y.astype(dtype), m, k, b)
    raise np.linalg.LinAlgError(
        f"block Lanczos: the residual was {residual:.3g} after {max_restarts} restarts"
    )


def _n_columns(n, k, b, dtype):
    """As many as help, fit and are not all there are; k and three blocks at least."""
    fit = BASIS_BYTES // (n * dtype.itemsize)
    return max(min(max(COLUMNS, 6 * b, 2 * k), fit, n - b), k + 3 * b)


def ritz_pairs(T, m):
    """Eigenpairs of the first `m` rows and columns of T, in descending order."""
    values, Y = np.linalg.eigh(T[:m, :m])
    return values[::-1], Y[:, ::-1]


def grow(place, operator, V, T, W, m, rng):
    """Append the block W to the basis; the next block, and what leads to it."""
    b = W.shape[1]
    V[:, m : m + b] = W
    m += b
    product = place.product(operator, W)
    H = place.host(V[:, :m].T @ product)
    T[:m, m - b : m] = H
    T[m - b : m, :m] = H.T
    T[m - b : m, m - b : m] = (H[m - b :] + H[m - b :].T) / 2
    rest = product - V[:, :m] @ place.native(H)
    return *_orthonormal(place, V[:, :m], rest, rng), m


def _orthonormal(place, basis, block, rng):
    """Orthonormal W and R with ``block == W R`` but for parts within the basis.

    Once is not enough in finite precision; twice is, unless a column was nothing
    but rounding. In its place comes a random one that R does not lead to.

    The block has been made orthogonal once.
    """
    along = basis.T @ block
    W, R = place.qr(block - basis @ along)
    left = np.abs(np.diag(R)).min()
    if left > max(LOST * np.linalg.norm(R), np.linalg.norm(place.host(along))):
        return W, R
    for i in range(MAX_PASSES):
        W, r = place.qr(W - basis @ (basis.T @ W))
        R = r @ R
        length = np.abs(np.diag(r))
        if np.abs(length - 1).max() < 0.5:
            break
        if i:
            lost, columns = length < 0.5, np.array(place.host(W))
            columns[:, lost] = rng.uniform(-1, 1, (len(columns), lost.sum()))
            W, R[lost] = place.native(columns), 0
    return W, R


def _restart(place, V, T, values, Y, m, k, b):
    """Leave the leading Ritz vectors in the basis; how many they are."""
    kept = max(min(max(m // 3, k), m - 2 * b), b)
    V[:, :kept] = V[:, :m] @ place.native(Y[:, :kept])
    T[:] = 0
    T[np.arange(kept), np.arange(kept)] = values[:kept]
    return kept

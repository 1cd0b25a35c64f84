"""Products of sparse features that fill a dense matrix."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.sparse import csr_array, issparse
from sklearn import get_config

from sklearn_kernelclust._gram._passes import mirror
from sklearn_kernelclust._gram._tiles import balanced_slices
from sklearn_kernelclust._utils._threads import batches, n_threads, run_in_threads

# Share of objects that have a feature from which on it is cheaper dense.
HEAVY = 0.1

# Share of the multiply-adds from which on heavy features pay for the others. On
# texts: 2.5 times faster at 0.98, as fast at 0.92, 1.8 times slower at 0.8.
HEAVY_WORK = 0.92

# Rows so few, with so few features, that they are taken as dense: then the other
# matrix need not be turned.
FEW = 32
FEW_ENTRIES = 2**21

# Into how many blocks of rows the product is cut at least, so that of a symmetric
# one little more than half is computed.
PIECES = 8

# Sums of many objects that are computed at a time.
FEW_SUMS = 1

# Bytes of an entry of a sparse product.
ENTRY = 16


def has_heavy_features(B):
    """Whether nearly all multiply-adds of a product are those of heavy features.

    If not, a product by tiles, which stay in cache, is faster than
    `dense_product`.
    """
    n_objects = np.bincount(B.indices, minlength=1).astype(np.float64)
    heavy = n_objects > HEAVY * B.shape[0]
    return bool((n_objects[heavy] ** 2).sum() > HEAVY_WORK * (n_objects**2).sum())


def has_few_rows(A):
    """Whether a product with `A` is faster if `A` is dense."""
    return A.shape[0] <= FEW and A.shape[0] * A.shape[1] <= FEW_ENTRIES


def dense_product(A, B):
    """``A @ B.T`` as an array, for sparse rows `A` and `B`.

    Features that many objects have go through BLAS, the others through a
    sparse product: of texts, letters and words are of very different kinds.
    """
    if has_few_rows(A):
        return (B @ A.T.toarray()).T
    Bt = csr_array(B.T)
    n_objects = np.diff(Bt.indptr)
    heavy = n_objects > HEAVY * B.shape[0]
    right = Bt[np.flatnonzero(heavy)].toarray()
    left = right if A is B else csr_array(A.T)[np.flatnonzero(heavy)].toarray()
    K = left.T @ right
    light = without_rows(Bt, heavy)

    def work(rows):
        # Of a symmetric product, up to the diagonal.
        stop = rows.stop if A is B else B.shape[0]
        K[rows, :stop] += (A[rows] @ light[:, :stop]).toarray()

    budget = get_config()["working_memory"] * 2**20
    n_pieces = max(n_threads(), PIECES, int(np.ceil(K.size * ENTRY / budget)))
    ends = A.indptr[1:] + np.arange(1, A.shape[0] + 1)
    run_in_threads(work, balanced_slices(ends, n_pieces))
    return mirror(K) if A is B else K


def dense_sums(Zt, A, out):
    """``Zt @ A``, into an array, for a sparse `Zt` with few rows.

    Of a sparse `A` a few rows of the product at a time: held as sparse matrices, sums
    of many objects would take more memory than the array does.
    """
    for rows in batches(len(out), FEW_SUMS if issparse(A) else max(len(out), 1)):
        sums = Zt[rows] @ A
        out[rows] = sums.toarray() if issparse(sums) else sums
    return out


def without_rows(A, marked):
    """The same matrix with the marked rows empty."""
    n_entries = np.diff(A.indptr)
    kept = np.repeat(~marked, n_entries)
    indptr = np.concatenate([[0], np.cumsum(np.where(marked, 0, n_entries))])
    return csr_array((A.data[kept], A.indices[kept], indptr), shape=A.shape)

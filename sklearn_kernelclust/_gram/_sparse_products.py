"""Products of sparse features that fill a dense matrix."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.linalg import get_blas_funcs
from scipy.sparse import csr_array, issparse
from sklearn import get_config

from sklearn_kernelclust._gram._passes import mirror
from sklearn_kernelclust._gram._tiles import balanced_slices, row_view
from sklearn_kernelclust._utils._threads import batches, run_in_threads

# Share of objects that have a feature from which on it is cheaper dense.
HEAVY = 0.1

# Heavy features that are held as an array at a time, and more of few objects, up to so
# many entries.
FEW_HEAVY, HEAVY_ENTRIES = 128, 2**20

# Share of the multiply-adds from which on heavy features pay for the others. On
# texts: 2.5 times faster at 0.98, as fast at 0.92, 1.8 times slower at 0.8.
HEAVY_WORK = 0.92

# Rows so few, with so few features, that they are taken as dense: then the other
# matrix need not be turned.
FEW = 32
FEW_ENTRIES = 2**21

# Into how many blocks of rows a symmetric product is cut, so that little more than
# half of it is computed; and bytes of the pieces of these.
PARTS = 8
PIECE_BYTES = 2**22

# One over the entries of features that are multiplied at a time, in those of the
# product: they are copied, and the product is the larger part of the memory. Below so
# many, more blocks would only take longer.
SHARE, LEAST_ENTRIES = 48, 2**19

# Bytes of sums of many objects that are computed at a time, and of sparse sums that may
# be held as they are.
SUMS_BYTES, FEW_BYTES = 2**20, 2**22

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
    n_entries = max(A.shape[0] * B.shape[0] // SHARE, LEAST_ENTRIES)
    heavy, light = heavy_and_light(B, n_entries)
    K = product_of_heavy(A, B, heavy)
    for features in light:
        add_product_of_light(K, A, B, features)
    return mirror(K) if A is B else K


def heavy_and_light(B, n_entries):
    """Heavy features, and blocks of light ones with about so many entries."""
    n_objects = np.bincount(B.indices, minlength=B.shape[1])
    heavy = n_objects > HEAVY * B.shape[0]
    light = np.flatnonzero(~heavy & (n_objects > 0))
    ends = np.cumsum(n_objects[light])
    blocks = balanced_slices(ends, max(int(ends[-1:].sum()) // n_entries, 1))
    return np.flatnonzero(heavy), [light[block] for block in blocks]


def product_of_heavy(A, B, features):
    """``A @ B.T`` of some features only, by BLAS; ``A @ A.T`` up to the diagonal."""
    K = np.zeros((A.shape[0], B.shape[0]), dtype=np.result_type(A.dtype, B.dtype))
    syrk, gemm = get_blas_funcs(("syrk", "gemm"), dtype=K.dtype)
    sums = {"beta": 1.0, "c": K.T, "overwrite_c": True}
    for few in batches(len(features), max(HEAVY_ENTRIES // len(K), FEW_HEAVY)):
        # To BLAS, rows are columns.
        right = csr_array(B[:, features[few]].T).toarray().T
        if A is B:
            syrk(1.0, right, **sums)
        else:
            left = csr_array(A[:, features[few]].T).toarray().T
            gemm(1.0, right, left, trans_b=True, **sums)
    return K


def add_product_of_light(K, A, B, features):
    """Add ``A @ B.T`` of some features to an array, by a sparse product."""
    left = A[:, features]
    Bt = csr_array((left if A is B else B[:, features]).T)
    budget = min(get_config()["working_memory"] * 2**20, PIECE_BYTES)
    height = max(int(budget) // (ENTRY * B.shape[0]), 1)
    # Of a symmetric product, little more than what is up to the diagonal.
    for part in batches(len(K), -(-len(K) // PARTS) if A is B else len(K)):
        columns = Bt[:, : part.stop] if A is B else Bt

        def work(rows, columns=columns):
            product = row_view(left, rows) @ columns
            K[rows, : columns.shape[1]] += product.toarray()

        starts = range(part.start, part.stop, height)
        stops = (min(start + height, part.stop) for start in starts)
        run_in_threads(work, map(slice, starts, stops))


def dense_sums(Zt, A, out):
    """``Zt @ A``, into an array, for a sparse `Zt` with few rows.

    Of a sparse `A` a few rows of the product at a time: held as sparse matrices, sums
    of many objects would take more memory than the array does. Those of few objects are
    mostly zeros.
    """
    if issparse(A) and ENTRY * A.nnz <= FEW_BYTES:
        sums, out[...] = (Zt @ A).tocoo(), 0
        out[sums.row, sums.col] = sums.data
        return out
    few = max(SUMS_BYTES // (ENTRY * max(A.shape[1], 1)), 1)
    for rows in batches(len(out), few if issparse(A) else max(len(out), 1)):
        sums = Zt[rows] @ A
        out[rows] = sums.toarray() if issparse(sums) else sums
    return out

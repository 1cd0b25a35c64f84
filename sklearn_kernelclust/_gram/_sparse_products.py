"""Products of sparse features that fill a dense matrix."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from itertools import pairwise

import numpy as np
from scipy.sparse import csr_array
from sklearn import get_config

from sklearn_kernelclust._utils._threads import n_threads, run_in_threads

# Share of objects that have a feature from which on it is cheaper dense.
HEAVY = 0.1

# Rows so few that it is not worth while to turn the other matrix.
FEW = 16

# Bytes of an entry of a sparse product.
ENTRY = 16


def dense_product(A, B):
    """``A @ B.T`` as an array, for sparse rows `A` and `B`.

    Features that many objects have go through BLAS, the others through a
    sparse product: of texts, letters and words are of very different kinds.
    """
    if A.shape[0] <= FEW:
        return (B @ A.T.toarray()).T
    Bt = csr_array(B.T)
    n_objects = np.diff(Bt.indptr)
    heavy = n_objects > HEAVY * B.shape[0]
    right = Bt[np.flatnonzero(heavy)].toarray()
    left = right if A is B else csr_array(A.T)[np.flatnonzero(heavy)].toarray()
    K = left.T @ right
    light = without_rows(Bt, heavy)

    def work(rows):
        K[rows] += (A[rows] @ light).toarray()

    budget = get_config()["working_memory"] * 2**20
    n_pieces = max(n_threads(), int(np.ceil(K.size * ENTRY / budget)))
    run_in_threads(work, alike_slices(np.diff(A.indptr) + 1, n_pieces))
    return K


def without_rows(A, marked):
    """The same matrix with the marked rows empty."""
    n_entries = np.diff(A.indptr)
    kept = np.repeat(~marked, n_entries)
    indptr = np.concatenate([[0], np.cumsum(np.where(marked, 0, n_entries))])
    return csr_array((A.data[kept], A.indices[kept], indptr), shape=A.shape)


def alike_slices(sizes, n_slices):
    """Slices of `sizes` with alike sums, at most `n_slices`."""
    sums = np.cumsum(sizes, dtype=np.int64)
    targets = np.linspace(0, sums[-1], n_slices + 1)[1:-1] if len(sums) else []
    cuts = np.unique([0, *np.searchsorted(sums, targets, "right"), len(sums)])
    return [slice(int(a), int(b)) for a, b in pairwise(cuts)]

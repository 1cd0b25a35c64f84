"""Sums over all prefixes of an order of objects, from factors of a kernel.

For a kernel ``K = A @ B.T`` and rows in a given order, ``sums[t]`` is what
object t has in common with all before it: ``sum_{s < t} K[t, s]``. One pass
over the factors gives all of them.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.sparse import csc_array
from sklearn.utils import gen_batches

# Entries of a block of factor rows that are summed at a time.
BLOCK = 2**17


def prefix_sums_of_blocks(left, right, n, width):
    """From dense factors that are handed out in blocks of rows.

    Parameters
    ----------
    left, right : callable
        Give the rows of A and of B for a slice of positions in the order.
    n, width : int
        Number of rows and of columns of the factors.
    """
    sums, before = np.empty(n), np.zeros(width)
    for batch in gen_batches(n, max(BLOCK // max(width, 1), 1)):
        A, B = left(batch), right(batch)
        running = np.cumsum(B, axis=0, dtype=np.float64)
        running += before
        before = running[-1].copy()
        running -= B
        sums[batch] = np.einsum("ij,ij->i", A, running)
    return sums


def prefix_sums_of_sparse(A, B):
    """From sparse factors with their rows in order, in O(nnz).

    Down each column, an entry of `A` meets the sum of the entries of `B`
    above it.
    """
    n = A.shape[0]
    up, down = csc_array(A).sorted_indices(), csc_array(B).sorted_indices()
    total = np.concatenate([[0], np.cumsum(down.data, dtype=np.float64)])
    above = _entries_above(up, down, n)
    first = np.repeat(down.indptr[:-1], np.diff(up.indptr))
    products = up.data * (total[above] - total[first])
    return np.bincount(up.indices, weights=products, minlength=n)


def _entries_above(up, down, n):
    """For each entry of `up`, the place in `down` of the first not above it."""
    if up.nnz == down.nnz and np.array_equal(up.indices, down.indices):
        return np.arange(up.nnz)
    places = [
        np.repeat(np.arange(F.shape[1], dtype=np.int64), np.diff(F.indptr)) * n
        + F.indices
        for F in (up, down)
    ]
    return np.searchsorted(places[1], places[0])

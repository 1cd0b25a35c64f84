"""Find the training objects among new objects by their features, exactly."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import cached_property

import numpy as np
from scipy.sparse import issparse

from sklearn_kernelclust._utils._threads import batches

# Entries that are hashed or compared at a time.
BLOCK = 2**18


class RowIndex:
    """The rows of a matrix by a hash of their bits: 16 bytes a row, from first use on.

    Parameters
    ----------
    X : array or CSR matrix
        Training features, which nobody else writes to.
    """

    def __init__(self, X):
        self.X = X

    @cached_property
    def _hashes(self):
        hashes = row_hashes(self.X)
        return hashes, np.argsort(hashes, kind="stable")

    def find(self, X):
        """Index of the training row that each row of `X` is equal to, else -1.

        Of several equal training rows it is the one in the same position, else
        the first. `X` has the type of the training features, and is dense or
        sparse as they are.
        """
        n_fit = self.X.shape[0]
        hashes, (known, order) = row_hashes(X), self._hashes
        place = np.searchsorted(known, hashes, sorter=order)
        first = order[np.minimum(place, n_fit - 1)]
        here = np.minimum(np.arange(X.shape[0]), n_fit - 1)
        index = np.full(X.shape[0], -1, dtype=np.intp)
        for candidate in (first, here):
            rows = np.flatnonzero(hashes == known[candidate])
            rows = rows[_equal_rows(X, self.X, rows, candidate[rows])]
            index[rows] = candidate[rows]
        return index


def row_hashes(X):
    """A number of 64 bits for each row; zeros do not count, whatever their sign."""
    rng = np.random.RandomState(0)
    odd = rng.randint(2**63, size=X.shape[1], dtype=np.uint64) | np.uint64(1)
    hashes = np.zeros(X.shape[0], np.uint64)
    if issparse(X):
        terms = np.append(_mixed(X.data) * odd[X.indices], np.uint64(0))
        sums = np.cumsum(terms, dtype=np.uint64)  # wraps around, and so do differences
        before = np.append(np.uint64(0), sums)
        return before[X.indptr[1:]] - before[X.indptr[:-1]]
    for rows in batches(X.shape[0], max(BLOCK // max(X.shape[1], 1), 1)):
        hashes[rows] = (_mixed(X[rows]) * odd).sum(axis=1, dtype=np.uint64)
    return hashes


def _mixed(values):
    """The bits of numbers; high ones count in the low half too, before a product."""
    bits = np.ascontiguousarray(values, np.float64) + 0.0
    bits = bits.view(np.uint64)
    return bits ^ (bits >> np.uint64(32))


def _equal_rows(X, Y, rows, others):
    """Whether rows of `X` are equal to other rows of `Y`, pair by pair."""
    if issparse(X):
        return np.diff((X[rows] != Y[others]).tocsr().indptr) == 0
    equal = np.zeros(len(rows), dtype=bool)
    for pairs in batches(len(rows), max(BLOCK // max(X.shape[1], 1), 1)):
        equal[pairs] = (X[rows[pairs]] == Y[others[pairs]]).all(axis=1)
    return equal

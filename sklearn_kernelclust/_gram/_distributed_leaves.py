"""Grams of features in blocks on workers: factored, and evaluated pair by pair.

Self-similarities are numpy arrays of the host. A side may also be an array of the
host, where it is small: parts that fit ``working_memory`` are fetched.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.sparse import csr_array, issparse
from sklearn import get_config
from sklearn.utils.extmath import row_norms

from sklearn_kernelclust._gram._base import (
    ALL,
    EVALUATION,
    Gram,
    same_index,
    scaled_similarity,
    take,
)
from sklearn_kernelclust._gram._distributed import DISTRIBUTED
from sklearn_kernelclust._gram._distributed_sums import DistributedClusterSums
from sklearn_kernelclust._gram._factored import FactoredGram, scale_rows
from sklearn_kernelclust._utils._block_rows import squared_lengths
from sklearn_kernelclust._utils._blocks import RowBlocks
from sklearn_kernelclust._utils._dask import compute
from sklearn_kernelclust._utils._threads import batches


class DistributedGram(Gram):
    """Any kernel of features in blocks, evaluated on the workers.

    Parameters
    ----------
    rows, cols : RowBlocks or array or CSR matrix
        Features of the row and of the column objects; at least one is on workers.
    local : callable
        ``local(X, Y, same)`` gives the Gram of two blocks on the host, symmetric if
        they are the `same`. It is sent to the workers.
    self_similarity, column_self_similarity : ndarray
        k(x, x) of the row objects and k(y, y) of the column objects.
    symmetric : bool
        Whether rows and columns are the same objects in the same order.
    dtype : dtype or None
        Of the kernel; that of the rows by default.
    """

    _place = DISTRIBUTED

    def __init__(
        self,
        rows,
        cols,
        local,
        self_similarity,
        column_self_similarity,
        symmetric=False,
        *,
        dtype=None,
    ):
        super().__init__(
            (rows.shape[0], cols.shape[0]),
            rows.dtype if dtype is None else dtype,
            self_similarity,
            column_self_similarity,
            symmetric,
        )
        self.rows, self.cols, self.local = rows, cols, local

    @property
    def cost(self):
        return EVALUATION * super().cost

    @property
    def T(self):
        known = self.column_self_similarity, self.self_similarity
        return self._of(self.cols, self.rows, *known, self.symmetric)

    def _of(self, rows, cols, *known):
        return DistributedGram(rows, cols, self.local, *known, dtype=self.dtype)

    def _tile(self, rows, cols):
        X, Y = (in_memory(s[i]) for s, i in ((self.rows, rows), (self.cols, cols)))
        tile = self.local(X, Y, False).toarray()
        if self.symmetric and rows == cols:
            np.fill_diagonal(tile, self.self_similarity[rows])
        return tile

    def _part(self, rows, cols):
        X = part_of(self.rows, rows)
        same = self.rows is self.cols and same_index(rows, cols)
        Y = X if same else part_of(self.cols, cols)
        known = (
            take(self.self_similarity, rows),
            take(self.column_self_similarity, cols),
        )
        if isinstance(X, RowBlocks) or isinstance(Y, RowBlocks):
            return self._of(X, Y, *known)
        part = self.local(X, Y, same)
        part._self_similarity, part._column_self_similarity = known
        return part


class DistributedFactoredGram(DistributedGram):
    """``A @ B.T`` of features in blocks, never formed: linear and cosine kernels.

    A product is two passes over the blocks; between them travel sums of features.
    """

    def __init__(
        self, rows, cols, self_similarity, column_self_similarity, symmetric=False
    ):
        known = self_similarity, column_self_similarity
        super().__init__(rows, cols, factored, *known, symmetric)

    @property
    def cost(self):
        return sum(map(n_entries, (self.rows, self.cols)))

    def _of(self, rows, cols, *known):
        return DistributedFactoredGram(rows, cols, *known)

    def scaled(self, left, right):
        """The features scaled, so that the result is factored too."""
        alike = np.array_equal(left, right) and self._one_side()
        rows = scaled_side(self.rows, left)
        return DistributedFactoredGram(
            rows,
            rows if alike else scaled_side(self.cols, right),
            scaled_similarity(self.self_similarity, left),
            scaled_similarity(self.column_self_similarity, right),
            self.symmetric and alike,
        )

    def cluster_sums(self, n_clusters, weight=None, self_similarity=None):
        if not isinstance(self.rows, RowBlocks):
            return super().cluster_sums(n_clusters, weight, self_similarity)
        return DistributedClusterSums(self, n_clusters, weight, self_similarity)

    def feature_sums(self, Z):
        """``Z.T @ B`` in float64: sums of the features of column objects."""
        if isinstance(self.cols, RowBlocks):
            return self.cols.sums(Z)
        sums = Z.T.astype(np.float64) @ self.cols
        return sums.toarray() if issparse(sums) else np.asarray(sums)

    def toarray(self):
        sides = self.rows, self.cols
        if all(isinstance(side, RowBlocks) for side in sides):
            return super().toarray()
        self._require_memory()
        if isinstance(self.rows, RowBlocks):
            return np.ascontiguousarray(self.rows.turned_product(dense(self.cols).T).T)
        return self.cols.turned_product(dense(self.rows).T)

    def combine(self, W):
        if not self._one_side():
            return super().combine(W)
        A = self.feature_sums(csr_array(W).T).astype(self.dtype)
        return FactoredGram(A, A, symmetric=True)

    def quadratic_forms(self, W):
        if not self._one_side():
            return super().quadratic_forms(W)
        sums = self.feature_sums(csr_array(W).T)
        return row_norms(sums, squared=True).astype(self.dtype, copy=False)

    def prefix_sums(self, order):
        """By batches of rows that fit into memory, in one pass for each."""
        if not (self._one_side() and isinstance(self.rows, RowBlocks)):
            return super().prefix_sums(order)
        budget = get_config()["working_memory"] * 2**20
        height = int(len(order) * budget / max(self.rows.n_bytes, 1))
        sums, before = np.empty(len(order)), np.zeros(self.rows.shape[1])
        for batch in batches(len(order), max(height, 1)):
            A = self.rows[order[batch]].fetched()
            inside = FactoredGram(A, A).prefix_sums(np.arange(A.shape[0]))
            sums[batch] = A @ before + inside
            before += np.asarray(A.sum(axis=0, dtype=np.float64)).ravel()
        return sums

    def entry_range(self):
        if self._one_side() and isinstance(self.rows, RowBlocks):
            lowest = compute(self.rows.each(smallest))
            if min(lowest, default=0.0) >= 0:
                return 0.0, float(self.diagonal().max(initial=0))
        return super().entry_range()

    def _one_side(self):
        return self.rows is self.cols

    def _worth_storing(self, columns):
        return columns is not None and super()._worth_storing(columns)

    def _product(self, Z):
        sums = self.feature_sums(Z).astype(self.dtype, copy=False)
        product = np.asarray(self.rows @ np.ascontiguousarray(sums.T))
        return product.astype(np.result_type(self.dtype, Z.dtype), copy=False)


def gram_of_rows(X):
    """The linear kernel of features, wherever they are."""
    if not isinstance(X, RowBlocks):
        return FactoredGram(X, X, symmetric=True)
    norms = X.by_row(X.each(squared_lengths))
    return DistributedFactoredGram(X, X, norms, norms, symmetric=True)


def factored(X, Y, same):
    """The Gram of two blocks on a worker."""
    return FactoredGram(X, X if same else Y, symmetric=same)


def part_of(side, index):
    """Some of the rows of a side: fetched if they fit into memory."""
    if same_index(index, ALL):
        return side
    part = side[index]
    if not isinstance(part, RowBlocks):
        return part
    fits = part.n_bytes <= get_config()["working_memory"] * 2**20
    return part.fetched() if fits or not part.shape[0] else part


def dense(X):
    """An array of an array or a sparse matrix."""
    return X.toarray() if issparse(X) else X


def in_memory(rows):
    """The rows on the host."""
    return rows.fetched() if isinstance(rows, RowBlocks) else rows


def scaled_side(side, scale):
    """The rows of a side, each times its factor."""
    return (
        side.scaled(scale) if isinstance(side, RowBlocks) else scale_rows(side, scale)
    )


def n_entries(side):
    """Stored entries of a side."""
    if isinstance(side, RowBlocks):
        return side.n_entries
    return side.nnz if issparse(side) else side.size


def smallest(rows):
    """The smallest entry of a block, zeros included."""
    X = rows.multiplied_out()
    return float(X.min()) if X.shape[0] and X.shape[1] else 0.0

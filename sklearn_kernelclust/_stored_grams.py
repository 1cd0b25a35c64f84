"""Grams of matrices that are there: arrays and sparse matrices."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.sparse import csr_array, issparse, tril
from sklearn.utils.extmath import row_norms

from sklearn_kernelclust._gram import Gram, take
from sklearn_kernelclust._products import (
    WORTH_A_THREAD,
    batches,
    sparse_left_product,
    symmetric_product,
)
from sklearn_kernelclust._threads import run_in_threads

# Rows whose columns are picked at a time.
GATHER_ROWS = 64


class DenseGram(Gram):
    """An array that is there; of ``K`` itself nothing is copied.

    Without `row_diagonal` and `col_diagonal` it is a block of new rows.
    """

    evaluated = False

    def __init__(self, K, row_diagonal=None, col_diagonal=None, symmetric=False):
        super().__init__(K.shape, K.dtype, row_diagonal, col_diagonal, symmetric)
        self.K = K

    @classmethod
    def training(cls, K):
        """The Gram of a square, symmetric array."""
        if not (K.flags.c_contiguous or K.flags.f_contiguous):
            K = np.ascontiguousarray(K)
        diagonal = K.diagonal().copy()
        return cls(K, diagonal, diagonal, symmetric=True)

    @property
    def T(self):
        return DenseGram(
            self.K.T, self._col_diagonal, self._row_diagonal, self.symmetric
        )

    def _tile(self, rows, cols):
        return gather(self.K, rows, cols)

    def _part(self, rows, cols):
        return DenseGram(
            gather(self.K, rows, cols, copy=False),
            take(self._row_diagonal, rows),
            take(self._col_diagonal, cols),
        )

    def squares(self, sets):
        # Sets of one size share their products: one array holds their squares,
        # one below the other, which is side by side as they are symmetric.
        sizes = np.array([len(index) for index in sets])
        for n in np.unique(sizes):
            alike = np.flatnonzero(sizes == n)
            stack = np.empty((len(alike), n, n), dtype=self.dtype)
            parts = []
            for place, i in zip(stack, alike):
                gather(self.K, sets[i], sets[i], out=place)
                parts.append(DenseGram.training(place))
            yield alike, DenseGram(stack.reshape(-1, n).T), parts

    def _scaled(self, left, right):
        """A scaled copy: who scales an array keeps the result."""
        scaled = left.astype(self.dtype, copy=False)[:, None] * self.K
        scaled *= right.astype(self.dtype, copy=False)
        return DenseGram(
            scaled,
            None if self._row_diagonal is None else left**2 * self._row_diagonal,
            None if self._col_diagonal is None else right**2 * self._col_diagonal,
            self.symmetric and np.array_equal(left, right),
        )

    def toarray(self):
        return self.K

    def _product(self, Z):
        if issparse(Z):
            return self._sparse_product(Z)
        if self.symmetric and Z.shape[1] == 1:
            product = symmetric_product(self.K, Z)
        else:
            product = self.K @ Z.astype(self.dtype, copy=False)
        return product.astype(np.result_type(self.dtype, Z.dtype), copy=False)

    def _sparse_product(self, Z):
        # Columns that lie together in memory; of symmetric ones the rows will do.
        columns = self.K.T
        if self.symmetric and not columns.flags.c_contiguous:
            columns = self.K
        if not columns.flags.c_contiguous:
            return self @ Z.toarray()
        return sparse_left_product(Z.T, columns, Z.dtype).T


class SparseGram(Gram):
    """A sparse matrix that is there, such as a graph of nearest neighbours."""

    evaluated = False

    def __init__(self, K, row_diagonal=None, col_diagonal=None, symmetric=False):
        super().__init__(K.shape, K.dtype, row_diagonal, col_diagonal, symmetric)
        self.K = csr_array(K)

    @classmethod
    def training(cls, K):
        """The Gram of a square, symmetric sparse matrix."""
        diagonal = K.diagonal()
        return cls(K, diagonal, diagonal, symmetric=True)

    @property
    def T(self):
        return SparseGram(
            self.K.T, self._col_diagonal, self._row_diagonal, self.symmetric
        )

    def _tile(self, rows, cols):
        return self.K[rows][:, cols].toarray()

    def _part(self, rows, cols):
        return SparseGram(
            self.K[rows][:, cols],
            take(self._row_diagonal, rows),
            take(self._col_diagonal, cols),
        )

    @property
    def cost(self):
        return self.K.nnz

    def squared_row_norms(self):
        return row_norms(self.K.astype(np.float64), squared=True)

    def prefix_sums(self, order):
        before = tril(self.K[order][:, order], k=-1)
        return np.asarray(before.sum(axis=1), dtype=np.float64).ravel()

    def _product(self, Z):
        product = self.K @ Z
        return product.toarray() if issparse(product) else product


def gather(K, rows, cols, copy=True, out=None):
    """Rows and columns of an array, contiguous; a view where that is allowed."""
    if isinstance(rows, slice) or isinstance(cols, slice):
        part = K[rows, cols]
        return part.copy() if copy else part
    rows, cols = np.arange(len(K))[rows], np.arange(K.shape[1])[cols]
    part = np.empty((len(rows), len(cols)), dtype=K.dtype) if out is None else out

    def work(batch):
        # Whole rows first, then columns of these: half the time of np.ix_.
        np.take(K[rows[batch]], cols, axis=1, out=part[batch], mode="clip")

    pieces = batches(len(rows), GATHER_ROWS)
    if part.size < WORTH_A_THREAD:
        for batch in pieces:
            work(batch)
    else:
        run_in_threads(work, pieces)
    return part

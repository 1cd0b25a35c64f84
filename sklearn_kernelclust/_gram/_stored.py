"""Grams of matrices that are there: arrays and sparse matrices."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.sparse import csr_array, issparse, tril
from sklearn.utils.extmath import row_norms

from sklearn_kernelclust._gram._base import Gram, take
from sklearn_kernelclust._gram._cluster_sums import ArrayClusterSums
from sklearn_kernelclust._gram._tiles import (
    WORTH_A_THREAD,
    sparse_left_product,
    symmetric_product,
)
from sklearn_kernelclust._utils._threads import batches, run_in_threads

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

    @property
    def _columns(self):
        """The columns, as rows: of a symmetric array its rows will do."""
        as_rows = self.K.T
        in_place = as_rows.flags.c_contiguous or not self.symmetric
        return as_rows if in_place else self.K

    def _tile(self, rows, cols):
        return gather(self.K, rows, cols)

    def _part(self, rows, cols):
        return DenseGram(
            gather(self.K, rows, cols, copy=False),
            take(self._row_diagonal, rows),
            take(self._col_diagonal, cols),
        )

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

    def cluster_sums(self, n_clusters, weight=None, self_similarity=None):
        free_columns = self._columns.flags.c_contiguous
        facts = n_clusters, weight, self_similarity
        return ArrayClusterSums(self, *facts, free_columns=free_columns)

    def _product(self, Z):
        if issparse(Z):
            return self._sparse_product(Z)
        if self.symmetric and Z.shape[1] == 1:
            product = symmetric_product(self.K, Z)
        else:
            product = self.K @ Z.astype(self.dtype, copy=False)
        return product.astype(np.result_type(self.dtype, Z.dtype), copy=False)

    def _sparse_product(self, Z):
        if not self._columns.flags.c_contiguous:
            return self @ Z.toarray()
        return sparse_left_product(Z.T, self._columns, Z.dtype).T


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


def gather(K, rows, cols, copy=True):
    """Rows and columns of an array, contiguous; a view where that is allowed."""
    if isinstance(rows, slice) or isinstance(cols, slice):
        part = K[rows, cols]
        return part.copy() if copy else part
    rows, cols = np.arange(len(K))[rows], np.arange(K.shape[1])[cols]
    part = np.empty((len(rows), len(cols)), dtype=K.dtype)
    # Whole rows first, then columns of these: half the time of np.ix_.
    _by_rows(part, lambda batch: take_columns(K[rows[batch]], cols, out=part[batch]))
    return part


def take_columns(K, cols, out):
    """Columns of an array that is contiguous by rows."""
    _by_rows(
        out, lambda rows: np.take(K[rows], cols, axis=1, out=out[rows], mode="clip")
    )


def _by_rows(out, work):
    """Do the work for some rows of the output at a time, in threads if it is long."""
    pieces = batches(len(out), GATHER_ROWS)
    if out.size < WORTH_A_THREAD:
        for rows in pieces:
            work(rows)
    else:
        run_in_threads(work, pieces)

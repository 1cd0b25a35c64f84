"""Grams of matrices in memory: arrays and sparse matrices."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.sparse import coo_array, csr_array, issparse, tril
from scipy.sparse.csgraph import connected_components
from sklearn.utils.extmath import row_norms

from sklearn_kernelclust._gram._base import Gram, scaled_similarity, take
from sklearn_kernelclust._gram._cluster_sums import ArrayClusterSums
from sklearn_kernelclust._gram._tiles import (
    WORTH_A_THREAD,
    sparse_left_product,
    symmetric_product,
)
from sklearn_kernelclust._gram._weighted_sums import forms_in_array
from sklearn_kernelclust._utils._threads import batches, run_in_threads

# Rows whose columns are picked at a time.
GATHER_ROWS = 64


class DenseGram(Gram):
    """A stored array. It is not copied.

    Without `self_similarity` and `column_self_similarity` it is a block of new rows.
    """

    def __init__(
        self, K, self_similarity=None, column_self_similarity=None, symmetric=False
    ):
        super().__init__(
            K.shape, K.dtype, self_similarity, column_self_similarity, symmetric
        )
        self.K = K

    @classmethod
    def training(cls, K):
        """The Gram of a square, symmetric array."""
        if not (K.flags.c_contiguous or K.flags.f_contiguous):
            K = np.ascontiguousarray(K)
        diagonal = K.diagonal().copy()
        return cls(K, diagonal, diagonal, symmetric=True)

    def __array__(self, dtype=None, copy=None):
        K = self.K if dtype is None else self.K.astype(dtype, copy=False)
        if copy is False and K is not self.K:
            raise ValueError(f"An array of {dtype} would be a copy of {self.dtype}.")
        return K.copy() if copy and K is self.K else K

    @property
    def T(self):
        return DenseGram(
            self.K.T, self.column_self_similarity, self.self_similarity, self.symmetric
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
            take(self.self_similarity, rows),
            take(self.column_self_similarity, cols),
        )

    def scaled(self, left, right):
        """A scaled copy: storing it costs no more than one product."""
        symmetric = self.symmetric and np.array_equal(left, right)
        left_scale = left.astype(self.dtype, copy=False)
        right_scale = right.astype(self.dtype, copy=False)
        if symmetric and products_are_normal(left_scale):
            # In this order, because the product of two scales is symmetric.
            scaled = np.multiply.outer(left_scale, right_scale)
            scaled *= self.K
        else:
            scaled = left_scale[:, None] * self.K
            scaled *= right_scale
        return DenseGram(
            scaled,
            scaled_similarity(self.self_similarity, left),
            scaled_similarity(self.column_self_similarity, right),
            symmetric,
        )

    def toarray(self):
        """The array itself, not a copy."""
        return self.K

    def stored(self, columns=None):
        return self

    def quadratic_forms(self, W):
        return forms_in_array(self.K, csr_array(W))

    def entry_range(self):
        if self.K.size and self.K.min() >= 0:
            return 0.0, np.inf
        return super().entry_range()

    def cluster_sums(self, n_clusters, weight=None, self_similarity=None):
        free_columns = self._columns.flags.c_contiguous
        facts = n_clusters, weight, self_similarity
        return ArrayClusterSums(self, *facts, free_columns=free_columns)

    def _product(self, Z):
        if issparse(Z):
            return self._sparse_product(Z)
        if self.symmetric and Z.shape[1] == 1 and len(self.K):
            product = symmetric_product(self.K, Z)
        else:
            # As rows: BLAS takes half the time of K @ Z for a block of few columns.
            product = (Z.T.astype(self.dtype, copy=False) @ self._columns).T
        return product.astype(np.result_type(self.dtype, Z.dtype), copy=False)

    def _sparse_product(self, Z):
        if not self._columns.flags.c_contiguous:
            return self @ Z.toarray()
        return sparse_left_product(Z.T, self._columns, Z.dtype).T


class SparseGram(Gram):
    """A stored sparse matrix, such as a graph of nearest neighbors."""

    def __init__(
        self, K, self_similarity=None, column_self_similarity=None, symmetric=False
    ):
        super().__init__(
            K.shape, K.dtype, self_similarity, column_self_similarity, symmetric
        )
        self.K = csr_array(K)

    @classmethod
    def training(cls, K):
        """The Gram of a square, symmetric sparse matrix."""
        diagonal = K.diagonal()
        return cls(K, diagonal, diagonal, symmetric=True)

    @property
    def T(self):
        return SparseGram(
            self.K.T, self.column_self_similarity, self.self_similarity, self.symmetric
        )

    def _tile(self, rows, cols):
        return self.K[rows][:, cols].toarray()

    def _part(self, rows, cols):
        return SparseGram(
            self.K[rows][:, cols],
            take(self.self_similarity, rows),
            take(self.column_self_similarity, cols),
        )

    def scaled(self, left, right):
        """A scaled copy: storing it costs no more than one product."""
        symmetric = self.symmetric and np.array_equal(left, right)
        left_scale = np.repeat(left.astype(self.dtype), np.diff(self.K.indptr))
        right_scale = right.astype(self.dtype)[self.K.indices]
        if symmetric and products_are_normal(left.astype(self.dtype)):
            # In this order, because the product of two scales is symmetric.
            entries = left_scale * right_scale * self.K.data
        else:
            entries = left_scale * self.K.data * right_scale
        return SparseGram(
            csr_array((entries, self.K.indices, self.K.indptr), shape=self.shape),
            scaled_similarity(self.self_similarity, left),
            scaled_similarity(self.column_self_similarity, right),
            symmetric,
        )

    @property
    def cost(self):
        return self.K.nnz

    def squared_row_norms(self):
        return row_norms(self.K.astype(np.float64), squared=True)

    def prefix_sums(self, order):
        before = tril(self.K[order][:, order], k=-1)
        return np.asarray(before.sum(axis=1), dtype=np.float64).ravel()

    def matrix(self):
        return self.K

    def entry_range(self):
        K = self.K.tocoo()
        weights = K.data[K.row != K.col]
        return float(weights.min(initial=0)), float(weights.max(initial=0))

    def connected_components(self, scale):
        K = self.K.tocoo()
        normalized = scale[K.row] * K.data * scale[K.col]
        kept = normalized > np.finfo(self.dtype).eps
        edges = coo_array((normalized[kept], (K.row[kept], K.col[kept])), K.shape)
        return connected_components(edges.tocsr(), directed=False)[1]

    def _product(self, Z):
        product = self.K @ Z
        return product.toarray() if issparse(product) else product


Gram._of_array = DenseGram


def products_are_normal(scale):
    """Whether no product of two scales but 0 leaves the range of their type."""
    sizes = np.abs(scale[scale != 0]).astype(np.float64)
    info = np.finfo(scale.dtype)
    low, high = np.sqrt(info.tiny), np.sqrt(info.max)
    return bool((sizes > low).all() and (sizes < high).all())


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

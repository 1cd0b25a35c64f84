"""Grams that are products of features: what is kept are the factors."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.sparse import csr_array, issparse
from sklearn.utils.extmath import row_norms, safe_sparse_dot

from sklearn_kernelclust._gram._base import Gram, same_index, take
from sklearn_kernelclust._gram._prefix_sums import (
    prefix_sums_of_blocks,
    prefix_sums_of_sparse,
)
from sklearn_kernelclust._gram._tiles import sparse_left_product, sparse_rows_product


class FactoredGram(Gram):
    """``A @ B.T``, never formed: the linear and cosine kernels.

    A product costs O(nnz(A) + nnz(B)) a column. The diagonals are the squared
    row norms of the factors unless they are given.
    """

    def __init__(self, A, B, row_diagonal=None, col_diagonal=None, symmetric=False):
        if row_diagonal is None:
            row_diagonal = row_norms(A, squared=True)
        if col_diagonal is None:
            same = A is B
            col_diagonal = row_diagonal if same else row_norms(B, squared=True)
        super().__init__(
            (A.shape[0], B.shape[0]), A.dtype, row_diagonal, col_diagonal, symmetric
        )
        self.A, self.B = A, B

    @property
    def evaluated(self):
        """With more features than objects, a product costs more than entries do."""
        return not issparse(self.A) and self.A.shape[1] >= max(self.shape)

    @property
    def cost(self):
        return sum(f.nnz if issparse(f) else f.size for f in (self.A, self.B))

    @property
    def T(self):
        return FactoredGram(
            self.B, self.A, self._col_diagonal, self._row_diagonal, self.symmetric
        )

    def _tile(self, rows, cols):
        return safe_sparse_dot(self.A[rows], self.B[cols].T, dense_output=True)

    def _part(self, rows, cols):
        A = self.A[rows]
        same = self.A is self.B and same_index(rows, cols)
        return FactoredGram(
            A,
            A if same else self.B[cols],
            take(self._row_diagonal, rows),
            take(self._col_diagonal, cols),
        )

    def factor(self):
        return self.A if self.A is self.B and not issparse(self.A) else None

    def prefix_sums(self, order):
        if issparse(self.A):
            A = self.A[order]
            B = A if self.A is self.B else self.B[order]
            return prefix_sums_of_sparse(A, B)
        return prefix_sums_of_blocks(
            lambda batch: self.A[order[batch]],
            lambda batch: self.B[order[batch]],
            *self.A.shape,
        )

    def _scaled(self, left, right):
        """The factors scaled, so that the result is factored too."""
        alike = np.array_equal(left, right)
        A = scale_rows(self.A, left)
        return FactoredGram(
            A,
            A if alike and self.A is self.B else scale_rows(self.B, right),
            left**2 * self._row_diagonal,
            right**2 * self._col_diagonal,
            self.symmetric and alike,
        )

    def _product(self, Z):
        sums = self._sums(Z).astype(self.dtype, copy=False)
        if issparse(self.A):
            product = sparse_rows_product(self.A, np.ascontiguousarray(sums.T))
        else:
            product = (sums @ self.A.T).T
        return product.astype(np.result_type(self.dtype, Z.dtype), copy=False)

    def _sums(self, Z):
        """``Z.T @ B``, summed in the wider type of the two."""
        if not issparse(Z):
            return Z.T.astype(self.dtype, copy=False) @ self.B
        Zt, B = csr_array(Z.T), self.B
        used = np.unique(Zt.indices)
        if 2 * len(used) < B.shape[0]:
            Zt, B = Zt[:, used], B[used]
        if issparse(B):
            return (Zt @ B).toarray()
        return sparse_left_product(Zt, np.ascontiguousarray(B), Z.dtype)


def scale_rows(A, scale):
    """``diag(scale) @ A`` in the type of `A`, dense or sparse."""
    scale = scale.astype(A.dtype, copy=False)
    if not issparse(A):
        return scale[:, None] * A
    scaled = A.copy()
    scaled.data = scaled.data * np.repeat(scale, np.diff(A.indptr))
    return scaled

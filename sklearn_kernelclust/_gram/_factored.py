"""Grams that are products of features: what is kept are the factors."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.sparse import bmat, coo_array, csc_array, csr_array, issparse
from scipy.sparse.csgraph import connected_components
from sklearn.utils.extmath import row_norms, safe_sparse_dot

from sklearn_kernelclust._gram._base import (
    ALL,
    Gram,
    same_index,
    scaled_similarity,
    take,
)
from sklearn_kernelclust._gram._prefix_sums import (
    prefix_sums_of_blocks,
    prefix_sums_of_sparse,
)
from sklearn_kernelclust._gram._sparse_products import (
    dense_product,
    dense_sums,
    has_few_rows,
    has_heavy_features,
)
from sklearn_kernelclust._gram._sparse_row_norms import few_pairs, squared_row_norms
from sklearn_kernelclust._gram._tiles import (
    row_view,
    sparse_left_product,
    sparse_rows_product,
)
from sklearn_kernelclust._utils._threads import batches

# Above so many bytes of sums of features and of their product, the product comes in
# blocks of so many columns and bytes.
LARGE = 2**24
BLOCK_COLUMNS, BLOCK_BYTES = 8, 2**19


class FactoredGram(Gram):
    """``A @ B.T``, never formed: the linear and cosine kernels.

    A product costs O(nnz(A) + nnz(B)) a column. The diagonals are the squared
    row norms of the factors unless they are given.
    """

    def __init__(
        self, A, B, self_similarity=None, column_self_similarity=None, symmetric=False
    ):
        if self_similarity is None:
            self_similarity = row_norms(A, squared=True)
        if column_self_similarity is None:
            same = A is B
            column_self_similarity = (
                self_similarity if same else row_norms(B, squared=True)
            )
        super().__init__(
            (A.shape[0], B.shape[0]),
            A.dtype,
            self_similarity,
            column_self_similarity,
            symmetric,
        )
        self.A, self.B = A, B

    @property
    def cost(self):
        return sum(f.nnz if issparse(f) else f.size for f in (self.A, self.B))

    @property
    def T(self):
        return FactoredGram(
            self.B,
            self.A,
            self.column_self_similarity,
            self.self_similarity,
            self.symmetric,
        )

    def _tile(self, rows, cols):
        return safe_sparse_dot(self.A[rows], self.B[cols].T, dense_output=True)

    def _part(self, rows, cols):
        A = rows_of(self.A, rows)
        same = self._one_factor() and same_index(rows, cols)
        return FactoredGram(
            A,
            A if same else rows_of(self.B, cols),
            take(self.self_similarity, rows),
            take(self.column_self_similarity, cols),
        )

    def factor(self):
        return self.A if self._one_factor() and not issparse(self.A) else None

    def prefix_sums(self, order):
        if issparse(self.A):
            A = self.A[order]
            B = A if self._one_factor() else self.B[order]
            return prefix_sums_of_sparse(A, B)
        return prefix_sums_of_blocks(
            lambda batch: self.A[order[batch]],
            lambda batch: self.B[order[batch]],
            *self.A.shape,
        )

    def scaled(self, left, right):
        """The factors scaled, so that the result is factored too."""
        alike = np.array_equal(left, right)
        A = scale_rows(self.A, left)
        return FactoredGram(
            A,
            A if alike and self._one_factor() else scale_rows(self.B, right),
            scaled_similarity(self.self_similarity, left),
            scaled_similarity(self.column_self_similarity, right),
            self.symmetric and alike,
        )

    def toarray(self):
        twofold = self.symmetric and not self._one_factor()
        if not issparse(self.A) or twofold:
            return super().toarray()
        if has_few_rows(self.B) and not has_few_rows(self.A):
            return self.T.toarray().T
        if not (has_few_rows(self.A) or has_heavy_features(self.B)):
            return super().toarray()
        self._require_memory()
        K = dense_product(self.A, self.B)
        if self.symmetric:
            np.fill_diagonal(K, self.self_similarity)
        return K

    def squared_row_norms(self):
        if issparse(self.A) and few_pairs(self.A, self.B):
            return squared_row_norms(self.A, self.B)
        return super().squared_row_norms()

    def combine(self, W):
        if not self._one_factor():
            return super().combine(W)
        A = (W @ self.A).astype(self.dtype, copy=False)
        return FactoredGram(A, A, symmetric=True)

    def quadratic_forms(self, W):
        if not self._one_factor():
            return super().quadratic_forms(W)
        return row_norms(W @ self.A, squared=True).astype(self.dtype, copy=False)

    def entry_range(self):
        if self._no_negative_factor():
            return 0.0, float(self.diagonal().max(initial=0))
        return super().entry_range()

    def connected_components(self, scale):
        if not (self._one_factor() and issparse(self.A) and self._no_negative_factor()):
            return super().connected_components(scale)
        # Two documents are linked if they share a term: walk over the terms.
        A = coo_array(self.A)
        A.eliminate_zeros()
        both = bmat([[None, A], [A.T, None]], format="csr")
        return connected_components(both, directed=False)[1][: self.shape[0]]

    def _one_factor(self):
        return self.A is self.B

    def _no_negative_factor(self):
        return self.A.min() >= 0 and (self._one_factor() or self.B.min() >= 0)

    def _worth_storing(self, columns):
        # Without a number of columns, sparse factors are kept as they are; dense
        # ones are if there are fewer features than objects.
        if columns is None:
            return not issparse(self.A) and self.A.shape[1] >= max(self.shape)
        return super()._worth_storing(columns)

    def product_parts(self, Z):
        n_bytes = self.dtype.itemsize * Z.shape[1] * sum(self.A.shape)
        if n_bytes <= LARGE or not (issparse(self.A) and issparse(Z)):
            yield from super().product_parts(Z)
            return
        Z, dtype = csc_array(Z), np.result_type(self.dtype, Z.dtype)
        n_rows = BLOCK_BYTES // (self.dtype.itemsize * BLOCK_COLUMNS)
        for cols in batches(Z.shape[1], BLOCK_COLUMNS):
            sums = self._sums(Z[:, cols])
            for rows in batches(self.shape[0], n_rows):
                block = sparse_rows_product(row_view(self.A, rows), sums)
                yield rows, cols, block.astype(dtype, copy=False)

    def _product(self, Z):
        sums = self._sums(Z)
        if issparse(self.A):
            product = sparse_rows_product(self.A, np.ascontiguousarray(sums))
        else:
            product = (sums.T @ self.A.T).T
        return product.astype(np.result_type(self.dtype, Z.dtype), copy=False)

    def _sums(self, Z):
        """``B.T @ Z``, summed in the wider type of the two."""
        if not issparse(Z):
            return (Z.T.astype(self.dtype, copy=False) @ self.B).T
        Zt, B = csr_array(Z.T), self.B
        if issparse(B):
            sums = np.empty((B.shape[1], Zt.shape[0]), self.dtype)
            return dense_sums(Zt, B, out=sums.T).T
        used = np.unique(Zt.indices)
        if 2 * len(used) < B.shape[0]:
            Zt, B = Zt[:, used], B[used]
        sums = sparse_left_product(Zt, np.ascontiguousarray(B), Z.dtype)
        return sums.astype(self.dtype, copy=False).T


def rows_of(A, index):
    """Rows of a factor; of a sparse one, ``A[:]`` would be a copy."""
    return A if same_index(index, ALL) else A[index]


def scale_rows(A, scale):
    """``diag(scale) @ A`` in the type of `A`, dense or sparse."""
    scale = scale.astype(A.dtype, copy=False)
    if not issparse(A):
        return scale[:, None] * A
    scaled = A.copy()
    scaled.data = scaled.data * np.repeat(scale, np.diff(A.indptr))
    return scaled

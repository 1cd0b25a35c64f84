"""The Gram: a kernel matrix known by its verbs, not by its storage.

No algorithm of this package sees how a kernel matrix is held. It asks for
products, for the diagonal, for a part; each class below answers in the way
that its storage makes cheap. This file has what all share and the leaves;
``_gram_wrappers`` has the Grams made of other Grams.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.sparse import csr_array, issparse, tril
from sklearn.utils.extmath import row_norms, safe_sparse_dot

from sklearn_kernelclust._memory import require_memory
from sklearn_kernelclust._prefix import prefix_sums_of_blocks, prefix_sums_of_sparse
from sklearn_kernelclust._products import (
    WORTH_A_THREAD,
    batches,
    for_each_pair,
    for_each_tile,
    sparse_left_product,
    sparse_rows_product,
    symmetric_product,
    tiled_product,
)
from sklearn_kernelclust._threads import n_threads, run_in_threads

ALL = slice(None)

# Rows whose columns are picked at a time.
GATHER_ROWS = 64

# Weighted sums of objects whose similarities are looked up at a time.
SUMS = 32


class Gram:
    """A kernel matrix of row objects against column objects.

    Verbs: ``shape``, ``dtype``, ``gram @ Z`` with a dense or sparse block,
    ``diagonal()`` (self-similarities of the **row** objects), ``T``,
    ``restrict(rows, cols)``, ``squared_row_norms()``, ``prefix_sums(order)``,
    ``combined(W)``, ``quadratic_forms(W)``, ``factor()``, ``toarray()``. A
    subclass says how a tile of it is computed (`_tile`), what its transpose and
    its parts are, and overrides the product where it knows a cheaper way.

    Parameters
    ----------
    shape, dtype
        As of an array.
    row_diagonal, col_diagonal : ndarray or None
        Self-similarities of the row and of the column objects, None if they
        cannot be known.
    symmetric : bool
        Whether rows and columns are the same objects in the same order.
    """

    ndim = 2
    evaluated = True  # whether a product computes entries that are not stored
    __array_ufunc__ = None  # an array on the left must not take us for a scalar

    def __init__(self, shape, dtype, row_diagonal, col_diagonal, symmetric=False):
        self.shape, self.dtype = tuple(shape), np.dtype(dtype)
        self._row_diagonal, self._col_diagonal = row_diagonal, col_diagonal
        self.symmetric = symmetric

    def __repr__(self):
        return f"<{type(self).__name__} of shape {self.shape}, {self.dtype}>"

    @property
    def cost(self):
        """Multiply-adds of a product with one dense column."""
        return self.shape[0] * self.shape[1]

    def diagonal(self):
        """Self-similarities k(x, x) of the row objects."""
        if self._row_diagonal is None:
            raise ValueError(
                "The self-similarities k(y, y) of the row objects are not in a "
                "precomputed block of new rows. Pass them as self_similarity= "
                "where that is offered, or give features with a kernel."
            )
        return self._row_diagonal

    def __matmul__(self, Z):
        if Z.shape[0] != self.shape[1]:
            raise ValueError(f"Cannot multiply {self.shape} by {Z.shape}.")
        if Z.ndim == 1:
            return self._product(Z[:, None])[:, 0]
        return self._product(Z)

    def matvec(self, v):
        """Product with one vector, the name scipy's solvers call it by."""
        return self @ v

    def restrict(self, rows=ALL, cols=ALL):
        """Gram of some of the row and of the column objects, in that order."""
        rows, cols = as_index(rows), as_index(cols)
        part = self._part(rows, cols)
        part.symmetric = self.symmetric and same_index(rows, cols)
        return part

    def squares(self, sets):
        """Grams of some sets of objects, each with itself, of a square Gram.

        Yields tuples: which of the sets, a Gram in which the squares of these
        stand side by side, and a list of the squares.
        """
        for i, index in enumerate(sets):
            square = self.restrict(index, index)
            yield [i], square, [square]

    def toarray(self):
        """Dense matrix; refused before it is allocated if it does not fit."""
        require_memory(
            self.shape,
            self.dtype,
            "Keep it lazy (lazy=True), restrict it, or use float32.",
        )
        K = np.empty(self.shape, dtype=self.dtype)

        def fill(rows, cols, tile):
            K[rows, cols] = tile

        def fill_both(worker, rows, cols, tile):
            K[rows, cols] = tile
            K[cols, rows] = tile.T

        if not self.symmetric:
            for_each_tile(self, fill)
            return K
        for_each_pair(self, fill_both, n_threads())
        if self._row_diagonal is not None:
            np.fill_diagonal(K, self._row_diagonal)
        return K

    def squared_row_norms(self):
        """Sums of the squares of the entries of each row, in one pass."""
        norms = np.zeros(self.shape[0], dtype=np.float64)

        def add(rows, cols, tile):
            norms[rows] += np.einsum("ij,ij->i", tile, tile)

        for_each_tile(self, add)
        return norms.astype(self.dtype)

    def prefix_sums(self, order):
        """Similarities of each object to all that are before it in an order.

        Entry t is ``sum_{s < t} K[order[t], order[s]]``; all come from one
        pass over a square Gram.
        """
        rank = np.empty(len(order), dtype=np.intp)
        rank[order] = np.arange(len(order))
        sums = np.zeros(len(order))

        def add(rows, cols, tile):
            np.putmask(tile, rank[cols] >= rank[rows][:, None], 0)
            sums[rows] += tile.sum(axis=1)

        for_each_tile(self, add)
        return sums[order]

    def combined(self, W):
        """Gram of weighted sums of the objects of a square Gram: ``W @ K @ W.T``."""
        half = self @ W.T
        K = W @ half
        return DenseGram.training(((K + K.T) / 2).astype(self.dtype, copy=False))

    def quadratic_forms(self, W):
        """Self-similarities of such sums, ``w @ K @ w`` for each row of a sparse W."""
        W, forms = csr_array(W), np.empty(W.shape[0], dtype=self.dtype)
        for rows in batches(W.shape[0], SUMS):
            # Few objects are in them, and no other is looked at.
            used = np.unique(W[rows].indices)
            K = DenseGram(self.restrict(used, used).toarray())
            forms[rows] = K.quadratic_forms(W[rows][:, used])
        return forms

    def factor(self):
        """A dense A with ``A @ A.T`` equal to this Gram; None if there is none."""
        return None

    def _product(self, Z):
        return tiled_product(self, Z)


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

    def quadratic_forms(self, W):
        # Few entries of K are needed: the pairs within each row of W.
        W, forms = csr_array(W), np.zeros(W.shape[0])
        length = np.diff(W.indptr)
        for size in np.unique(length[length > 0]):
            rows = np.flatnonzero(length == size)
            at = W.indptr[rows][:, None] + np.arange(size)
            i, w = W.indices[at], W.data[at]
            pairs = self.K[i[:, :, None], i[:, None, :]]
            forms[rows] = np.einsum("ri,rij,rj->r", w, pairs, w)
        return forms.astype(self.dtype)

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
        if self.symmetric and Z.shape[1] == 1 and not issparse(Z):
            return symmetric_product(self.K, Z).astype(
                np.result_type(self.dtype, Z.dtype), copy=False
            )
        if not issparse(Z):
            return (self.K @ Z.astype(self.dtype, copy=False)).astype(
                np.result_type(self.dtype, Z.dtype), copy=False
            )
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
        return row_norms(self.K, squared=True)

    def prefix_sums(self, order):
        before = tril(self.K[order][:, order], k=-1)
        return np.asarray(before.sum(axis=1), dtype=np.float64).ravel()

    def _product(self, Z):
        product = self.K @ Z
        return product.toarray() if issparse(product) else product


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

    def combined(self, W):
        if self.A is not self.B:
            return super().combined(W)
        A = (W @ self.A).astype(self.dtype, copy=False)
        return FactoredGram(A, A, symmetric=True)

    def quadratic_forms(self, W):
        if self.A is not self.B:
            return super().quadratic_forms(W)
        return row_norms(W @ self.A, squared=True).astype(self.dtype, copy=False)

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
        return FactoredGram(
            scale_rows(self.A, left),
            scale_rows(self.B, right),
            left**2 * self._row_diagonal,
            right**2 * self._col_diagonal,
            self.symmetric and np.array_equal(left, right),
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


class ChunkedGram(Gram):
    """Any kernel function, evaluated a tile at a time and never stored.

    Parameters
    ----------
    kernel : callable
        ``kernel(X, Y)`` gives the dense block of all rows of `X` against all
        rows of `Y`.
    X, Y : array or sparse matrix
        Features of the row and of the column objects.
    row_diagonal, col_diagonal : ndarray
        Self-similarities, which no tile could tell.
    """

    def __init__(self, kernel, X, Y, row_diagonal, col_diagonal, symmetric=False):
        super().__init__(
            (X.shape[0], Y.shape[0]), X.dtype, row_diagonal, col_diagonal, symmetric
        )
        self.kernel, self.X, self.Y = kernel, X, Y

    @property
    def T(self):
        return ChunkedGram(
            self.kernel,
            self.Y,
            self.X,
            self._col_diagonal,
            self._row_diagonal,
            self.symmetric,
        )

    def _tile(self, rows, cols):
        tile = self.kernel(self.X[rows], self.Y[cols])
        return np.asarray(tile, dtype=self.dtype)

    def _part(self, rows, cols):
        return ChunkedGram(
            self.kernel,
            self.X[rows],
            self.Y[cols],
            take(self._row_diagonal, rows),
            take(self._col_diagonal, cols),
        )


def as_index(index):
    """A slice as it is, anything else as an array of integers (empty ones too)."""
    if isinstance(index, slice):
        return index
    index = np.asarray(index)
    return index if index.dtype.kind == "b" else index.astype(np.intp, copy=False)


def same_index(rows, cols):
    """Whether two indices take the same objects in the same order."""
    if isinstance(rows, slice) and isinstance(cols, slice):
        return rows == cols
    if isinstance(rows, slice) or isinstance(cols, slice):
        return False
    return rows is cols or np.array_equal(rows, cols)


def take(vector, index):
    """Part of a vector that may be unknown."""
    return None if vector is None else vector[index]


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


def scale_rows(A, scale):
    """``diag(scale) @ A`` in the type of `A`, dense or sparse."""
    scale = scale.astype(A.dtype, copy=False)
    if not issparse(A):
        return scale[:, None] * A
    scaled = A.copy()
    scaled.data = scaled.data * np.repeat(scale, np.diff(A.indptr))
    return scaled

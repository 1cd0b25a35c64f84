"""The Gram: a kernel matrix known by its verbs, not by its storage.

No algorithm of this package sees how a kernel matrix is held. It asks for
products, for the diagonal, for a part; each class below answers in the way
that its storage makes cheap. This file has what all share and the leaves;
``_gram_wrappers`` has the Grams made of other Grams.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from itertools import pairwise
from threading import get_ident

import numpy as np
from scipy.linalg import get_blas_funcs
from scipy.sparse import csr_array, issparse, tril
from sklearn import get_config
from sklearn.utils.extmath import row_norms, safe_sparse_dot

from sklearn_kernelclust._memory import require_memory
from sklearn_kernelclust._prefix import prefix_sums_of_blocks, prefix_sums_of_sparse
from sklearn_kernelclust._threads import blas_threads, n_threads, run_in_threads

ALL = slice(None)

# Tiles of about this many bytes stay in a core's cache while they are
# computed, transformed and multiplied: 1.9 instead of 3.0 ns an entry.
TILE_BYTES = 2**20
TILE_WIDTH = 1024

# Sums over float32 entries go to float64 after this many terms.
FLOAT32_RUN = 2048

# Rows whose columns are picked at a time.
GATHER_ROWS = 64

# Multiply-adds below which a second thread does not pay for its start.
WORTH_A_THREAD = 4_000_000


class Gram:
    """A kernel matrix of row objects against column objects.

    Verbs: ``shape``, ``dtype``, ``gram @ Z`` with a dense or sparse block,
    ``diagonal()`` (self-similarities of the **row** objects), ``T``,
    ``restrict(rows, cols)``, ``squared_row_norms()``, ``prefix_sums(order)``,
    ``factor()``, ``toarray()``. A subclass says how a tile of it is computed
    (`_tile`), what its transpose and its parts are, and overrides the product
    where it knows a cheaper way.

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
            if self.symmetric:
                K[cols, rows] = tile.T

        if not self.symmetric:
            for_each_tile(self, fill)
            return K
        for_each_pair(self, fill)
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
        if not self.symmetric:
            return self @ Z.toarray()
        rows = self.K if self.K.flags.c_contiguous else self.K.T
        return sparse_left_product(Z.T, rows, Z.dtype).T


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
        return FactoredGram(
            scale_rows(self.A, left),
            scale_rows(self.B, right),
            left**2 * self._row_diagonal,
            right**2 * self._col_diagonal,
            self.symmetric and np.array_equal(left, right),
        )

    def _product(self, Z):
        Zt = Z.T.astype(self.dtype)
        sums = (csr_array(Zt) if issparse(Zt) else Zt) @ self.B
        if issparse(sums):
            sums = sums.toarray()
        if issparse(self.A):
            product = sparse_rows_product(self.A, np.ascontiguousarray(sums.T))
        else:
            product = (sums @ self.A.T).T
        return product.astype(np.result_type(self.dtype, Z.dtype), copy=False)


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


def gather(K, rows, cols, copy=True):
    """Rows and columns of an array, contiguous; a view where that is allowed."""
    if isinstance(rows, slice) or isinstance(cols, slice):
        part = K[rows, cols]
        return part.copy() if copy else part
    rows, cols = np.arange(len(K))[rows], np.arange(K.shape[1])[cols]
    part = np.empty((len(rows), len(cols)), dtype=K.dtype)
    for i in range(0, len(rows), GATHER_ROWS):
        # Whole rows first, then columns of these: half the time of np.ix_.
        batch = slice(i, i + GATHER_ROWS)
        np.take(K[rows[batch]], cols, axis=1, out=part[batch], mode="clip")
    return part


def scale_rows(A, scale):
    """``diag(scale) @ A`` in the type of `A`, dense or sparse."""
    scale = scale.astype(A.dtype, copy=False)
    if not issparse(A):
        return scale[:, None] * A
    scaled = A.copy()
    scaled.data = scaled.data * np.repeat(scale, np.diff(A.indptr))
    return scaled


def batches(n, size):
    """Slices of at most `size` that cover ``range(n)``, none for an empty one."""
    return [slice(i, min(i + size, n)) for i in range(0, n, size)]


def tile_shape(itemsize):
    """Rows and columns of a tile that stays in cache and within the budget."""
    budget = get_config()["working_memory"] * 2**20 / n_threads()
    n_entries = max(int(min(TILE_BYTES, budget)) // itemsize, 1)
    width = min(TILE_WIDTH, n_entries)
    return n_entries // width, width


def for_each_tile(gram, use):
    """Evaluate all of `gram`, a tile at a time, and hand each tile to `use`.

    Two threads never hold tiles of the same rows.
    """
    height, width = tile_shape(gram.dtype.itemsize)
    col_batches = batches(gram.shape[1], width)

    def work(rows):
        for cols in col_batches:
            use(rows, cols, gram._tile(rows, cols))

    run_in_threads(work, batches(gram.shape[0], height))


def for_each_pair(gram, use):
    """Evaluate one half of a symmetric `gram`, and hand each tile to `use`.

    The tiles are those of a block of rows and itself or a later one. Two
    threads never hold the same pair, but may hold tiles of the same rows.
    """
    height, width = tile_shape(gram.dtype.itemsize)
    blocks = batches(gram.shape[0], max(int(np.sqrt(height * width)), 1))

    def work(first):
        for other in blocks[first:]:
            use(blocks[first], other, gram._tile(blocks[first], other))

    run_in_threads(work, range(len(blocks)))


def tiled_product(gram, Z):
    """``gram @ Z`` by tiles; of a sparse `Z` only rows with entries are evaluated.

    If all are, a symmetric Gram is evaluated by half. Else the tiles are those
    of the transpose: a sparse matrix from the left reads rows, and rows of a
    tile lie together in memory.
    """
    Zt = Z.T.astype(gram.dtype)
    dtype = np.result_type(gram.dtype, Z.dtype)
    if issparse(Zt):
        Zt = csr_array(Zt)
        used = np.unique(Zt.indices)
        if len(used) < gram.shape[1]:
            gram, Zt = gram.restrict(ALL, used), Zt[:, used]
    if gram.symmetric:
        return symmetric_left_product(Zt, gram, dtype).T
    height, width = tile_shape(gram.dtype.itemsize)
    parts = [(cols, Zt[:, cols]) for cols in batches(gram.shape[1], width)]
    out = np.zeros((Zt.shape[0], gram.shape[0]), dtype)
    flipped = gram.T

    def work(rows):
        for cols, weights in parts:
            out[:, rows] += weights @ flipped._tile(cols, rows)

    run_in_threads(work, batches(gram.shape[0], height))
    return out.T


def symmetric_left_product(Zt, gram, dtype):
    """``Zt @ gram`` with each pair of objects evaluated once.

    A tile adds to the sums of its rows and of its columns, so each thread has
    sums of its own.
    """
    sums, parts = {}, {}

    def part(block):
        if block.start not in parts:
            parts[block.start] = Zt[:, block]
        return parts[block.start]

    def add(rows, cols, tile):
        if get_ident() not in sums:
            sums[get_ident()] = np.zeros((Zt.shape[0], gram.shape[0]), dtype)
        out = sums[get_ident()]
        out[:, cols] += part(rows) @ tile
        if rows != cols:
            out[:, rows] += part(cols) @ np.ascontiguousarray(tile.T)

    for_each_pair(gram, add)
    return sum(sums.values(), start=np.zeros((Zt.shape[0], gram.shape[0]), dtype))


def symmetric_product(K, Z):
    """``K @ Z`` for one column, from one half of a symmetric `K`.

    The product is as fast as `K` can be read, and half is read in half the
    time. A second thread in BLAS would only wait for the first.
    """
    symv = get_blas_funcs("symv", dtype=K.dtype)
    with blas_threads(1):
        half = K if K.flags.f_contiguous else K.T
        return symv(1.0, half, Z.astype(K.dtype, copy=False)[:, 0])[:, None]


def sparse_left_product(Zt, K, dtype):
    """``Zt @ K`` for a sparse `Zt` and rows of `K` that lie together in memory.

    The cost is one pass over the rows of `K` that `Zt` has entries for,
    whatever its number of rows; threads share the rows of `Zt`. The sums are
    kept in `dtype`, in runs short enough for a float32 `K`.
    """
    Zt = csr_array(Zt.astype(K.dtype))
    out = np.zeros((Zt.shape[0], K.shape[1]), dtype=np.result_type(K.dtype, dtype))
    run = max(K.shape[0], 1) if out.dtype == K.dtype else FLOAT32_RUN
    steps = batches(K.shape[0], run)

    def work(rows):
        part = Zt[rows]
        for step in steps:
            out[rows] += (part if len(steps) == 1 else part[:, step]) @ K[step]

    run_in_threads(work, balanced_slices(Zt, K.shape[1]))
    return out


def sparse_rows_product(A, C):
    """``A @ C`` for a sparse `A` and a dense `C`, threads over rows of `A`."""
    if A.nnz * C.shape[1] < WORTH_A_THREAD:
        return A @ C
    out = np.empty((A.shape[0], C.shape[1]), dtype=C.dtype)

    def work(rows):
        out[rows] = row_view(A, rows) @ C

    run_in_threads(work, balanced_slices(A, C.shape[1]))
    return out


def balanced_slices(A, n_columns):
    """Slices of the rows of a sparse `A`, with alike numbers of entries."""
    n_pieces = n_threads() if A.nnz * n_columns >= WORTH_A_THREAD else 1
    targets = np.linspace(0, A.nnz, n_pieces + 1)[1:-1]
    cuts = np.unique([0, *np.searchsorted(A.indptr, targets), A.shape[0]])
    return [slice(a, b) for a, b in pairwise(cuts)]


def row_view(A, rows):
    """Rows of a CSR matrix that share its memory."""
    start, stop = A.indptr[rows.start], A.indptr[rows.stop]
    return csr_array(
        (
            A.data[start:stop],
            A.indices[start:stop],
            A.indptr[rows.start : rows.stop + 1] - start,
        ),
        shape=(rows.stop - rows.start, A.shape[1]),
    )

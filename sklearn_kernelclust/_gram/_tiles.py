"""Products with matrices that are read, or evaluated, a block at a time."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import cache
from itertools import pairwise

import numpy as np
from scipy.linalg import get_blas_funcs
from scipy.sparse import csr_array, issparse
from sklearn import get_config

from sklearn_kernelclust._utils._threads import batches, n_threads, run_in_threads

# Tiles of about this many bytes stay in a core's cache while they are
# computed, transformed and multiplied: 1.9 instead of 3.0 ns an entry. Rows a power
# of two apart would share few lines of the cache: turned, such a tile takes twice
# as long.
TILE_BYTES = 2**20
TILE_WIDTH = 1000

# Of expensive entries a tile has so many multiply-adds, but a matrix no more than
# so many tiles across.
TILE_WORK = 2**22
TILES_ACROSS = 32

# Sums over float32 entries go to float64 after this many terms.
FLOAT32_RUN = 2048

# Rows of a sparse matrix up to which a tile is multiplied by a dense copy of it.
FEW_ROWS = 32

# Multiply-adds below which a second thread does not pay for its start.
WORTH_A_THREAD = 4_000_000


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


def pair_height(gram):
    """Rows and columns of a tile of a symmetric Gram.

    On the diagonal, a tile evaluates each pair twice. Where an entry costs
    much, such tiles are small beside the matrix.
    """
    height, width = tile_shape(gram.dtype.itemsize)
    n, side = gram.shape[0], max(int(np.sqrt(height * width)), 1)
    side -= (side - 8) % 16 if side > 24 else 0
    enough = int(n * np.sqrt(TILE_WORK / max(gram.cost, 1)))
    return min(side, max(enough, -(-n // TILES_ACROSS), 1))


def for_each_pair(gram, use, n_workers):
    """Evaluate one half of a symmetric `gram`, and hand each tile to `use`.

    The tiles are those of a block of rows and itself or later columns.
    ``use(worker, rows, cols, tile)`` is also told which of the workers holds
    the tile: the same one each time, so that sums kept by each come out the
    same to the last bit.
    """
    n, height = gram.shape[0], pair_height(gram)
    width = max(int(np.prod(tile_shape(gram.dtype.itemsize))) // height, 1)
    blocks = batches(n, height)

    def work(worker):
        for rows in blocks[worker::n_workers]:
            later = range(rows.stop, n, width)
            for cols in [rows, *(slice(i, min(i + width, n)) for i in later)]:
                use(worker, rows, cols, gram._tile(rows, cols))

    run_in_threads(work, range(n_workers))


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
            gram, Zt = gram.restrict(slice(None), used), Zt[:, used]
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

    A tile adds to the sums of its columns and of its rows, so each worker has
    sums of its own. For the latter the tile would have to be turned, unless `Zt`
    has so few rows that a product with a dense part of it is faster.
    """
    n_workers = n_threads()
    sums = np.zeros((n_workers, Zt.shape[0], gram.shape[0]), dtype)
    dense = Zt.toarray() if issparse(Zt) and Zt.shape[0] <= FEW_ROWS else Zt

    @cache
    def part(start, stop):
        return Zt[:, start:stop]

    def add(worker, rows, cols, tile):
        sums[worker][:, cols] += part(rows.start, rows.stop) @ tile
        if rows == cols:
            return
        if issparse(dense):
            turned = part(cols.start, cols.stop) @ np.ascontiguousarray(tile.T)
        else:
            turned = dense[:, cols] @ tile.T
        sums[worker][:, rows] += turned

    for_each_pair(gram, add, n_workers)
    return sums[0] if len(sums) == 1 else sums.sum(axis=0)


def symmetric_product(K, Z):
    """``K @ Z`` for one column, from one half of a symmetric `K`.

    The product is as fast as `K` can be read, and half is read in half the
    time.
    """
    symv = get_blas_funcs("symv", dtype=K.dtype)
    half = K if K.flags.f_contiguous else K.T
    return symv(1.0, half, Z.astype(K.dtype, copy=False)[:, 0])[:, None]


def sparse_left_product(Zt, K, dtype):
    """``Zt @ K`` for a sparse `Zt` and rows of `K` that lie together in memory.

    The cost is one pass over the rows of `K` that `Zt` has entries for,
    whatever its number of rows; threads share the rows of `Zt`. The sums are
    kept in `dtype`, in runs short enough for a float32 `K`.
    """
    # Only if it must be: even then no more than the entries is copied.
    if Zt.format != "csr" or Zt.dtype != K.dtype:
        Zt = csr_array(Zt, dtype=K.dtype)
    wide = np.result_type(K.dtype, dtype)
    pieces = balanced_slices(Zt.indptr[1:], n_pieces(Zt.nnz * K.shape[1]))
    longest = np.diff(Zt.indptr).max(initial=0)
    short = wide == K.dtype or longest <= FLOAT32_RUN
    if short and len(pieces) <= 1:
        return (Zt @ K).astype(wide, copy=False)
    out = np.zeros((Zt.shape[0], K.shape[1]), dtype=wide)
    steps = batches(K.shape[0], max(K.shape[0], 1) if short else FLOAT32_RUN)

    def work(rows):
        part = Zt[rows]
        for step in steps:
            out[rows] += (part if len(steps) == 1 else part[:, step]) @ K[step]

    run_in_threads(work, pieces)
    return out


def sparse_rows_product(A, C):
    """``A @ C`` for a sparse `A` and a dense `C`, threads over rows of `A`."""
    pieces = balanced_slices(A.indptr[1:], n_pieces(A.nnz * C.shape[1]))
    if len(pieces) <= 1:
        return A @ C
    out = np.empty((A.shape[0], C.shape[1]), dtype=C.dtype)

    def work(rows):
        out[rows] = row_view(A, rows) @ C

    run_in_threads(work, pieces)
    return out


def n_pieces(n_multiply_adds):
    """Number of pieces to cut work into: one if a second thread does not pay."""
    return n_threads() if n_multiply_adds >= WORTH_A_THREAD else 1


def balanced_slices(ends, n_slices):
    """At most `n_slices` slices of rows with about the same amount of work.

    `ends` is the amount of work up to the end of each row, such as
    ``indptr[1:]`` of a sparse matrix.
    """
    if n_slices == 1 and len(ends):
        return [slice(0, len(ends))]
    targets = np.linspace(0, ends[-1], n_slices + 1)[1:-1] if len(ends) else []
    cuts = np.unique([0, *np.searchsorted(ends, targets, "right"), len(ends)])
    return [slice(int(a), int(b)) for a, b in pairwise(cuts)]


def row_view(A, rows):
    """Rows of a CSR matrix that share its memory."""
    start, stop = A.indptr[rows.start], A.indptr[rows.stop]
    view = csr_array((rows.stop - rows.start, A.shape[1]), dtype=A.dtype)
    # Given to the constructor, parts below one half of an array would be copied.
    view.data, view.indices = A.data[start:stop], A.indices[start:stop]
    view.indptr = A.indptr[rows.start : rows.stop + 1] - start
    return view

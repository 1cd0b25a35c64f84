"""The work of a Gram whose features are in blocks on the workers of a cluster.

A Gram is a grid of small Grams, one for each pair of a row block and a column block.
Workers evaluate these as the host would; what travels are vectors and small blocks.
Its counterparts are ``_host`` and ``_device``.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from copy import copy

import numpy as np
from scipy.sparse import csr_array, issparse

from sklearn_kernelclust._gram._base import ALL, Gram
from sklearn_kernelclust._gram._graph_search import range_by_tiles
from sklearn_kernelclust._gram._host import HOST, Host
from sklearn_kernelclust._gram._tiles import tile_shape
from sklearn_kernelclust._utils._block_rows import take
from sklearn_kernelclust._utils._blocks import Part, RowBlocks
from sklearn_kernelclust._utils._dask import compute, constant, later, tree_sum
from sklearn_kernelclust._utils._threads import batches


class Distributed(Host):
    """Where the features of a Gram are, and what a pass over their pairs gives.

    What goes in and out are numpy arrays, as on the host.
    """

    def product(self, gram, Z):
        """``gram @ Z``; a symmetric Gram is evaluated by half."""
        grid = Grid.of(gram)
        if grid is None:
            return HOST.product(gram, Z)
        dtype = np.result_type(gram.dtype, Z.dtype)
        if issparse(Z):
            Z = csr_array(Z)
            used = np.flatnonzero(np.diff(Z.indptr))
            if 2 * len(used) < Z.shape[0]:
                return gram.restrict(ALL, used) @ Z[used]
            Z = Z.toarray()
        Zt = np.ascontiguousarray(Z.T, dtype=gram.dtype)
        if not all(gram.shape):
            return np.zeros((gram.shape[0], Z.shape[1]), dtype)
        sums = grid.summed(products, Zt, Zt if grid.half else None, dtype)
        return np.ascontiguousarray(sums.T)

    def dense(self, gram):
        """The dense matrix, which fits into memory."""
        grid = Grid.of(gram)
        if grid is None:
            return HOST.dense(gram)
        K = np.empty(gram.shape, gram.dtype)
        pairs = list(grid.pairs())
        tiles = compute([grid.task(dense, *pair) for pair in pairs])
        for (row, col), tile in zip(pairs, tiles):
            K[np.ix_(*(np.arange(n)[p.at] for n, p in zip(K.shape, (row, col))))] = tile
            if grid.half and row is not col:
                turned = (np.arange(len(K))[p.at] for p in (col, row))
                K[np.ix_(*turned)] = tile.T
        if gram.symmetric:
            np.fill_diagonal(K, gram.self_similarity)
        return K

    def diagonal(self, gram):
        """Self-similarities of a symmetric Gram, from small tiles on the diagonal."""
        grid = Grid.of(gram)
        if grid is None or not grid.half:
            return HOST.diagonal(gram)
        tasks = [grid.task(HOST.diagonal, part, part) for part in grid.rows]
        return grid.leaf.rows.by_row(tasks)

    def squared_row_norms(self, gram):
        """Sums of the squares of the entries of each row, in float64."""
        grid = Grid.of(gram)
        if grid is None or not all(gram.shape):
            return HOST.squared_row_norms(gram)
        return grid.summed(squares, None, None, np.float64)

    def prefix_sums(self, gram, order):
        """Similarities of each object to all that are before it in an order."""
        grid = Grid.of(gram, half=False)
        if grid is None or not len(order):
            return HOST.prefix_sums(gram, order)
        rank = np.empty(len(order), dtype=np.intp)
        rank[order] = np.arange(len(order))
        return grid.summed(sums_before, rank, rank, np.float64)[order]

    def entry_range(self, gram):
        """Smallest and largest of 0 and all entries off the diagonal."""
        grid = Grid.of(gram)
        if grid is None:
            return HOST.entry_range(gram)
        low, high = zip(
            *compute([grid.task(entry_range, *pair) for pair in grid.pairs()])
        )
        return min(low, default=0.0), max(high, default=0.0)


DISTRIBUTED = Distributed()


class Grid:
    """The pairs of blocks of a Gram, and tasks on them.

    Parameters
    ----------
    gram : Gram
        A distributed leaf, or wrappers around one.
    leaf : Gram
        That leaf. It has `rows` and `cols`, on the workers or on the host, and
        ``local(X, Y, same)``, which gives the Gram of two blocks.
    half : bool
        Whether pairs on one side of the diagonal are enough, if the Gram is
        symmetric.
    """

    def __init__(self, gram, leaf, half=True):
        self.leaf, self.local = leaf, leaf.local
        self.wrappers = None if gram is leaf else with_leaf(gram, Facts(leaf))
        one_side = leaf.rows is leaf.cols
        self.half = half and gram.symmetric and one_side
        self.rows, self.row_tasks = sides(leaf.rows)
        self.cols, self.col_tasks = self.rows, self.row_tasks
        if not one_side:
            self.cols, self.col_tasks = sides(leaf.cols)

    @classmethod
    def of(cls, gram, half=True):
        """The grid of a Gram; None if other Grams than wrappers are in between."""
        leaf = gram
        while not hasattr(leaf, "local"):
            leaf = getattr(leaf, "gram", None)
            if leaf is None:
                return None
        return cls(gram, leaf, half)

    def pairs(self):
        """Pairs of parts; of a symmetric Gram on one side of the diagonal."""
        for r, row in enumerate(self.rows):
            for col in self.cols[r:] if self.half else self.cols:
                yield row, col

    def task(self, function, row, col, *values):
        """A task: the function of the Gram of a pair, and of values."""
        X, Y = self.row_tasks[id(row)], self.col_tasks[id(col)]
        wrappers = self.wrappers and self.wrappers.restrict(row.at, col.at)
        return later(on_pair, function, self.local, wrappers, X, Y, row is col, *values)

    def summed(self, function, of_cols, of_rows, dtype):
        """Results with the rows as last axis, summed over the columns of each row.

        ``function(gram, of_cols, of_rows, both)`` gives the result for the rows of a
        part, and with `both` that for its columns too.
        """
        parts = {id(row): [] for row in self.rows}
        for row, col in self.pairs():
            both = self.half and row is not col
            values = take(of_cols, col.at), take(of_rows, row.at), both
            result = self.task(function, row, col, *values)
            parts[id(row)].append(result[0] if both else result)
            if both:
                parts[id(col)].append(result[1])
        tasks = [tree_sum(parts[id(row)]) for row in self.rows]
        results = compute(tasks, 0 if of_cols is None else of_cols.nbytes)
        sums = np.empty((*results[0].shape[:-1], self.leaf.shape[0]), dtype)
        for row, result in zip(self.rows, results):
            sums[..., row.at] = result
        return sums


def sides(rows):
    """Parts of a side of a Gram, and a task for each that has its rows."""
    if isinstance(rows, RowBlocks):
        return rows.parts, dict(zip(map(id, rows.parts), rows.prepared()))
    part = Part(None, None, slice(0, rows.shape[0]))
    return [part], {id(part): constant(rows)}


class Facts(Gram):
    """A Gram in the place of another: what wrappers ask before they are on a worker."""

    def __init__(self, gram):
        known = gram.self_similarity, gram.column_self_similarity
        super().__init__(gram.shape, gram.dtype, *known, gram.symmetric)

    def _part(self, rows, cols):
        part = copy(self)
        part.shape = tuple(map(n_taken, (rows, cols), self.shape))
        part._self_similarity = part._column_self_similarity = None
        return part


def n_taken(index, n):
    """How many of `n` objects an index takes; no bools."""
    return len(range(n)[index]) if isinstance(index, slice) else len(index)


def with_leaf(gram, leaf):
    """The same wrappers around another Gram."""
    if not hasattr(gram, "gram"):
        return leaf
    wrapper = copy(gram)
    wrapper.gram = with_leaf(gram.gram, leaf)
    return wrapper


# On the workers


def on_pair(function, local, wrappers, X, Y, same, *values):
    """The task of a pair of blocks."""
    gram = local(X, Y, same)
    if wrappers is not None:
        gram = with_leaf(wrappers, gram)
    return function(gram, *values)


def tiles(gram):
    """All tiles, one after the other: other tasks have the other threads."""
    height, width = tile_shape(gram.dtype.itemsize)
    for rows in batches(gram.shape[0], height):
        for cols in batches(gram.shape[1], width):
            yield rows, cols, gram._tile(rows, cols)


def products(gram, Zt, turned, both):
    """``Zt @ gram.T``, and with `both` ``turned @ gram``, with each entry once."""
    left = np.zeros((len(Zt), gram.shape[0]))
    right = np.zeros((len(Zt), gram.shape[1])) if both else None
    for rows, cols, tile in tiles(gram):
        left[:, rows] += Zt[:, cols] @ tile.T
        if both:
            right[:, cols] += turned[:, rows] @ tile
    return (left, right) if both else left


def squares(gram, of_cols, of_rows, both):
    """Sums of squares of rows, and with `both` of columns."""
    left, right = map(np.zeros, gram.shape)
    for rows, cols, tile in tiles(gram):
        left[rows] += np.einsum("ij,ij->i", tile, tile, dtype=np.float64)
        if both:
            right[cols] += np.einsum("ij,ij->j", tile, tile, dtype=np.float64)
    return (left, right) if both else left


def sums_before(gram, rank_cols, rank_rows, both):
    """Sums over the columns whose objects come before that of the row."""
    sums = np.zeros(gram.shape[0])
    for rows, cols, tile in tiles(gram):
        np.putmask(tile, rank_cols[cols] >= rank_rows[rows][:, None], 0)
        sums[rows] += tile.sum(axis=1)
    return sums


def dense(gram):
    """The matrix of a pair, which fits where the whole does."""
    return gram.toarray()


def entry_range(gram):
    """Smallest and largest of 0 and the entries, but for those on the diagonal."""
    if gram.symmetric:
        return range_by_tiles(gram)
    low = high = 0.0
    for _, _, tile in tiles(gram):
        low, high = min(low, float(tile.min())), max(high, float(tile.max()))
    return low, high

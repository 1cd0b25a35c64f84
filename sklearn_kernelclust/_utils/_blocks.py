"""Features in blocks of rows on the workers of a dask cluster.

A pass gives each block to a function, on the worker that has it or reads it, and
brings back what is small. Tasks depend on nothing but their arguments: one that is
lost with its worker is computed again. dask is imported only if the user brought a
dask array.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import sys
from copy import copy
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from scipy.sparse import csc_array, csr_array, issparse
from scipy.sparse import vstack as sparse_vstack
from sklearn.utils.extmath import row_norms

from sklearn_kernelclust._utils._threads import batches

# Partial sums that are added up in one task.
FAN_IN = 8


def is_dask(X):
    """Whether X is a dask array; without dask, nothing is."""
    array = sys.modules.get("dask.array")
    return array is not None and isinstance(X, array.Array)


def is_sparse(X):
    """Whether a matrix is sparse, or its blocks are."""
    return X.sparse if isinstance(X, RowBlocks) else issparse(X)


def later(function, *args):
    """A task: `args` may be results of other tasks."""
    from dask import delayed

    return delayed(function, pure=False, traverse=False)(*args)


def constant(value):
    """A value that many tasks share: it travels once to each worker."""
    from dask import delayed

    return delayed(value, pure=False, traverse=False)


def compute(tasks, size=0):
    """Results of tasks, by the scheduler that is current.

    `size` is the number of bytes of constants in them: dask warns of large graphs, and
    means those whose data should be on the workers.
    """
    import dask

    name = "distributed.admin.large-graph-warning-threshold"
    usual = dask.config.get(name, None)
    if usual is None:  # distributed is not in use
        return list(dask.compute(*tasks))
    with dask.config.set({name: int(dask.utils.parse_bytes(usual) + 2 * size)}):
        return list(dask.compute(*tasks))


def tree_sum(tasks):
    """A task that adds up the results of tasks, a few at a time and in this order."""
    while len(tasks) > 1:
        groups = [tasks[part] for part in batches(len(tasks), FAN_IN)]
        tasks = [later(added, *group) for group in groups]
    return tasks[0]


def added(first, *others):
    """Sum of arrays, or of pairs of a list and an array.

    The first may be shared, and is not written to.
    """
    if isinstance(first, tuple):
        lists, arrays = zip(first, *others)
        return sum(lists, []), added(*arrays)
    if not others:
        return first
    total = first + others[0]
    for array in others[1:]:
        total += array
    return total


@dataclass(frozen=True)
class Part:
    """Rows of one block.

    Attributes
    ----------
    block : Delayed
        The block, as the user gave it.
    rows : ndarray or None
        Which rows of the block; None for all.
    at : slice or ndarray
        Which rows of the whole they are.
    """

    block: object
    rows: np.ndarray | None
    at: slice | np.ndarray


class RowBlocks:
    """A matrix whose rows are in blocks on workers.

    Parameters
    ----------
    sequence : dask.array.Array or None
        What the user gave; None if it is not at hand.
    blocks : list of Delayed
        Blocks of rows: arrays or sparse matrices.
    heights : sequence of int
        Numbers of rows of the blocks.
    n_features : int
    dtype : dtype
    n_entries : int
        Stored entries of all blocks.
    sparse : bool
        Whether blocks are sparse.
    steps : tuple of callable
        What is done with a block, row by row, where it is.
    unit : callable or None
        ``unit(X)`` gives rows, factors with which these rows have length 1, and the
        squared lengths without them; None where lengths stay as they are.
    index : ndarray or None
        Which rows of the blocks, in which order; None for all.
    scale : ndarray or None
        A factor for each row.
    """

    ndim = 2

    def __init__(
        self,
        sequence,
        blocks,
        heights,
        n_features,
        dtype,
        *,
        n_entries,
        sparse,
        steps=(),
        unit=None,
        index=None,
        scale=None,
    ):
        self.sequence, self.blocks, self.steps = sequence, blocks, steps
        self.unit = unit
        self.dtype, self.sparse, self.n_entries = np.dtype(dtype), sparse, n_entries
        self.starts = np.concatenate([[0], np.cumsum(heights)]).astype(np.intp)
        self.index, self.scale = index, scale
        n_rows = int(self.starts[-1]) if index is None else len(index)
        self.shape = n_rows, n_features

    def __getstate__(self):
        return {k: v for k, v in vars(self).items() if k != "parts"}

    def __len__(self):
        return self.shape[0]

    @cached_property
    def parts(self):
        """What each block has of the rows."""
        if self.index is None:
            ranges = map(slice, self.starts[:-1].tolist(), self.starts[1:].tolist())
            return [Part(block, None, at) for block, at in zip(self.blocks, ranges)]
        number = np.searchsorted(self.starts, self.index, side="right") - 1
        order = np.argsort(number, kind="stable")
        used, first = np.unique(number[order], return_index=True)
        return [
            Part(self.blocks[b], self.index[at] - self.starts[b], at)
            for b, at in zip(used, np.split(order, first[1:]))
        ]

    @property
    def n_bytes(self):
        """Memory that the rows would take in one place, about."""
        size = self.dtype.itemsize + (4 if self.sparse else 0)
        return size * self.n_entries

    # Other rows

    def __getitem__(self, index):
        """Some of the rows, in this order; still on the workers."""
        every = np.arange(self.shape[0]) if self.index is None else self.index
        other = self._changed(index=every[index])
        share = other.shape[0] / max(self.shape[0], 1)
        other.n_entries = int(np.ceil(self.n_entries * share))
        other.scale = None if self.scale is None else self.scale[index]
        return other

    def astype(self, dtype, copy=True):
        """The same rows in another type."""
        if np.dtype(dtype) == self.dtype:
            return self
        other = self.then(partial(as_type, dtype=np.dtype(dtype)))
        other.dtype = np.dtype(dtype)
        return other

    def turned(self, sparse):
        """The same rows in sparse blocks, or in dense ones."""
        other = self.then(as_sparse if sparse else as_dense)
        other.sparse = sparse
        return other

    def then(self, step):
        """The same rows after one more step, which treats each row by itself."""
        return self._changed(steps=(*self.steps, step))

    def scaled(self, scale):
        """The same rows, each times its factor."""
        before = 1.0 if self.scale is None else self.scale
        return self._changed(scale=before * scale.astype(self.dtype, copy=False))

    def _changed(self, **facts):
        other = copy(self)
        vars(other).pop("parts", None)
        vars(other).update(facts)
        if "index" in facts:
            other.shape = len(facts["index"]), self.shape[1]
        return other

    def of_unit_length(self, unit):
        """The same rows, scaled to unit length by factors; see `unit`."""
        return self._changed(unit=unit)

    # Passes

    def prepared(self):
        """A task for each part: its rows as an array or a CSR matrix."""
        return self.each(multiplied_out)

    def each(self, function, by_row=(), shared=(), wanted=None):
        """A task for each part: ``function(rows, *by_row, *shared)``.

        The last axis of arrays in `by_row` is that of the rows, which the function
        gets as `BlockRows`. `shared` are constants. `wanted` are numbers of parts,
        all by default.
        """
        parts = self.parts if wanted is None else [self.parts[i] for i in wanted]
        tasks = []
        for part in parts:
            recipe = Recipe(part.rows, self.steps, self.unit, take(self.scale, part.at))
            values = [take(array, part.at) for array in by_row]
            tasks.append(later(on_part, function, recipe, part.block, values, *shared))
        return tasks

    def by_row(self, tasks, size=0):
        """Results of tasks, whose last axis is that of the rows, in one array."""
        return self.joined(compute(tasks, size))

    def joined(self, results):
        """Results for the parts in one array, whose last axis is that of the rows."""
        shape, dtype = results[0].shape[:-1], results[0].dtype
        array = np.empty((*shape, self.shape[0]), dtype)
        for part, result in zip(self.parts, results):
            array[..., part.at] = result
        return array

    def fetched(self):
        """All rows, as an array or a CSR matrix of the host."""
        if not self.shape[0]:
            empty = np.empty(self.shape, self.dtype)
            return csr_array(empty) if self.sparse else empty
        rows = compute(self.prepared())
        order = np.concatenate([np.arange(len(self))[part.at] for part in self.parts])
        rows = sparse_vstack(rows, format="csr") if self.sparse else np.concatenate(rows)
        if self.index is None:
            return rows
        back = np.empty_like(order)
        back[order] = np.arange(len(order))
        return rows[back]

    def __matmul__(self, C):
        """Product with an array of the host, which is an array of the host."""
        if not self.shape[0]:
            return np.empty((0, C.shape[1]), self.dtype)
        C = np.ascontiguousarray(C, dtype=self.dtype)
        tasks = self.each(product_turned, shared=(constant(C),))
        return np.ascontiguousarray(self.by_row(tasks, C.nbytes).T)

    def sums(self, Z):
        """``Z.T @ rows`` in float64, for an array or a sparse matrix of the host."""
        if not issparse(Z):
            tasks = self.each(dense_sums, (Z.T,))
        else:
            Zt = csc_array(Z.T)  # its columns are the rows
            n_used = [Zt[:, part.at].nnz for part in self.parts]
            tasks = self.each(sparse_sums, (Zt,), wanted=np.flatnonzero(n_used))
        if not tasks:
            return np.zeros((Z.shape[1], self.shape[1]))
        return compute([tree_sum(tasks)], 16 * np.prod(Z.shape))[0]

    def moments(self, center=0.0):
        """Sum of all entries, and of their squares about a number, in float64."""
        tasks = self.each(sums_of_powers, shared=(float(center),))
        return compute([tree_sum(tasks)])[0]

    def mean(self, dtype=None):
        """Mean of all entries."""
        return self.moments()[0] / np.prod(self.shape, dtype=float)

    def var(self, dtype=None):
        """Variance of all entries, without the cancellation of two large moments."""
        return self.moments(self.mean())[1] / np.prod(self.shape, dtype=float)


def take(array, at):
    """Part of an array along its last axis; None if there is none."""
    return None if array is None else array[..., at]


@dataclass(frozen=True)
class Recipe:
    """From a block to its rows; see `RowBlocks`."""

    rows: np.ndarray | None
    steps: tuple
    unit: object
    scale: np.ndarray | None

    def __call__(self, block):
        X = block.tocsr() if issparse(block) else np.asarray(block)
        X = X if self.rows is None else X[self.rows]
        for step in self.steps:
            X = step(X)
        X, factor, squares = (X, None, None) if self.unit is None else self.unit(X)
        if self.scale is not None:
            factor = self.scale if factor is None else factor * self.scale
        return BlockRows(X, factor, squares)


class BlockRows:
    """Rows of a block, each times a factor that is not multiplied out.

    Parameters
    ----------
    X : array or CSR matrix
    factor : ndarray or None
        One for each row; None for ones.
    squares : ndarray or None
        Squared lengths of the rows of `X`, if they are known.
    """

    def __init__(self, X, factor=None, squares=None):
        self.X, self.factor, self.squares = X, factor, squares
        self.shape, self.dtype = X.shape, X.dtype

    def __getitem__(self, rows):
        if issparse(self.X) and isinstance(rows, slice):
            X = row_view(self.X, rows)
        else:
            X = self.X[rows]
        return BlockRows(X, take(self.factor, rows), take(self.squares, rows))

    def __matmul__(self, C):
        product = np.asarray(self.X @ C)
        if self.factor is not None:
            product *= self.factor[:, None]
        return product

    def squared_lengths(self):
        """Those of the rows times their factors."""
        norms = self.squares
        norms = row_norms(self.X, squared=True) if norms is None else norms
        return norms if self.factor is None else norms * self.factor**2

    def sums_by_label(self, labels, weight, n_labels):
        """Sums of the rows with each label, times their weights, in float64."""
        if self.factor is not None:
            weight = weight * self.factor
        if not issparse(self.X):
            n = len(labels)
            shape = n, n_labels
            Z = csr_array((weight, labels, np.arange(n + 1)), shape=shape)
            return np.asarray(Z.T @ self.X, dtype=np.float64)
        lengths, d = np.diff(self.X.indptr), self.shape[1]
        cells = np.repeat(labels * d, lengths)
        cells += self.X.indices
        values = np.repeat(weight, lengths)
        values *= self.X.data
        sums = np.bincount(cells, values, n_labels * d).astype(np.float64, copy=False)
        return sums.reshape(n_labels, d)

    def multiplied_out(self):
        """The rows as an array or a CSR matrix."""
        if self.factor is None:
            return self.X
        factor = self.factor.astype(self.dtype, copy=False)
        if not issparse(self.X):
            return factor[:, None] * self.X
        X = self.X.copy()
        X.data = X.data * np.repeat(factor, np.diff(X.indptr))
        return X


def row_view(X, rows):
    """Successive rows of a CSR matrix, which share its memory."""
    ends = X.indptr[rows.start : rows.stop + 1]
    entries, shape = slice(ends[0], ends[-1]), (len(ends) - 1, X.shape[1])
    return csr_array((X.data[entries], X.indices[entries], ends - ends[0]), shape=shape)


def on_part(function, recipe, block, by_row, *shared):
    """The task of `RowBlocks.each`."""
    return function(recipe(block), *by_row, *shared)


def multiplied_out(rows):
    """Rows as an array or a CSR matrix."""
    return rows.multiplied_out()


def as_type(X, dtype):
    """A block in another type."""
    return X.astype(dtype, copy=False)


def as_sparse(X):
    """A dense block as a sparse one."""
    return csr_array(X)


def as_dense(X):
    """A sparse block as a dense one."""
    return X.toarray()


def product_turned(rows, C):
    """The product with an array; rows are the last axis."""
    return (rows @ C).T


def dense_sums(rows, Zt):
    """``Zt @ rows`` in float64."""
    if rows.factor is not None:
        Zt = Zt * rows.factor
    if issparse(rows.X):
        return np.asarray(rows.X.T @ Zt.T, dtype=np.float64).T
    return np.asarray(Zt @ rows.X, dtype=np.float64)


def sparse_sums(rows, Zt):
    """The same for a sparse matrix."""
    if Zt.nnz == Zt.shape[1] and (np.diff(Zt.indptr) == 1).all():
        return rows.sums_by_label(Zt.indices.astype(np.intp), Zt.data, Zt.shape[0])
    if rows.factor is not None:
        Zt = Zt.multiply(rows.factor)
    sums = csr_array(Zt, dtype=np.float64) @ rows.X
    return sums.toarray() if issparse(sums) else np.asarray(sums)


def sums_of_powers(rows, center):
    """Sum of the entries of a block, and of their squares about a number."""
    X = rows.multiplied_out()
    values = (X.data if issparse(X) else X).astype(np.float64, copy=False)
    n_zeros = np.prod(X.shape, dtype=float) - values.size
    with np.errstate(over="ignore"):
        squares = ((values - center) ** 2).sum() + n_zeros * center**2
    return np.array([values.sum(), squares])

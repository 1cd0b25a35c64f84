"""Features in blocks of rows on the workers of a dask cluster.

A pass gives each block to a function, on the worker that has it or reads it, and
brings back what is small.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from copy import copy
from dataclasses import dataclass
from functools import partial
from uuid import uuid4

import numpy as np
from scipy.sparse import csc_array, csr_array, issparse
from scipy.sparse import vstack as sparse_vstack

from sklearn_kernelclust._utils._arrays import cast
from sklearn_kernelclust._utils._block_rows import (
    Recipe,
    as_dense,
    as_sparse,
    as_type,
    dense_sums,
    moved,
    multiplied_out,
    on_part,
    product_turned,
    sparse_sums,
    sums_of_powers,
    take,
)
from sklearn_kernelclust._utils._cached_property import cached_property
from sklearn_kernelclust._utils._dask import compute, constant, later, tree_sum


def is_sparse(X):
    """Whether a matrix is sparse, or its blocks are."""
    return X.sparse if isinstance(X, RowBlocks) else issparse(X)


def like_blocks(X, Y):
    """Rows of any kind in the type of blocks, and dense or sparse as these are."""
    X = X if X.dtype == Y.dtype else cast(X, Y.dtype)
    if is_sparse(X) == Y.sparse:
        return X
    if isinstance(X, RowBlocks):
        return X.turned(Y.sparse)
    return csr_array(X) if Y.sparse else X.toarray()


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
        # Under the name, workers keep the factors of these rows.
        self.unit, self.name = unit, None
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

    @property
    def T(self):
        """The transpose, for products."""
        return TurnedBlocks(self)

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
        return self._changed(steps=(*self.steps, step), name=None)

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

    def without_blocks(self):
        """The facts about the rows, without the rows."""
        return self._changed(sequence=None, blocks=[], scale=None)

    def of_unit_length(self, unit):
        """The same rows, scaled to unit length by factors; see `unit`."""
        return self._changed(unit=unit, name=uuid4().hex)

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
            recipe = self._recipe(part)
            values = [take(array, part.at) for array in by_row]
            tasks.append(later(on_part, function, recipe, part.block, values, *shared))
        return tasks

    def _recipe(self, part):
        """What makes rows of the block of a part."""
        key = None
        if self.name is not None and part.rows is None:
            key = f"{self.name}-{part.at.start}"
        scale = take(self.scale, part.at)
        return Recipe(part.rows, self.steps, self.unit, scale, key)

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
        rows = (
            sparse_vstack(rows, format="csr") if self.sparse else np.concatenate(rows)
        )
        if self.index is None:
            return rows
        back = np.empty_like(order)
        back[order] = np.arange(len(order))
        return rows[back]

    def __matmul__(self, C):
        """Product with an array of the host, which is an array of the host."""
        return np.ascontiguousarray(self.turned_product(C).T)

    def turned_product(self, C):
        """The transpose of the product with an array of the host."""
        if not self.shape[0]:
            return np.empty((C.shape[1], 0), self.dtype)
        C = np.ascontiguousarray(C, dtype=self.dtype)
        tasks = self.each(product_turned, shared=(constant(C),))
        return self.by_row(tasks, C.nbytes)

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

    def __sub__(self, center):
        """Features about a centre, which is of their type."""
        return self.then(partial(moved, center=center))

    def mean(self, axis=None, dtype=None):
        """Mean of all entries, or of each column."""
        if axis == 0:
            n = self.shape[0]
            return self.sums(np.full((n, 1), 1 / n))[0]
        return self.moments()[0] / np.prod(self.shape, dtype=float)

    def var(self, dtype=None):
        """Variance of all entries, without the cancellation of two large moments."""
        return self.moments(self.mean())[1] / np.prod(self.shape, dtype=float)


class TurnedBlocks:
    """The transpose of `RowBlocks`."""

    ndim = 2

    def __init__(self, rows):
        self.rows, self.shape = rows, rows.shape[::-1]

    def __matmul__(self, Z):
        return self.rows.sums(Z).T.astype(self.rows.dtype, copy=False)

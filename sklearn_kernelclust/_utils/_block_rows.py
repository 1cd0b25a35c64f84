"""What a worker does with the rows of one block."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from itertools import pairwise
from threading import Lock

import numpy as np
from scipy.sparse import csr_array, issparse
from sklearn.utils.extmath import row_norms

# Entries of a block whose places are held at a time.
ENTRIES = 2**21

# Bytes of factors that a process keeps from one pass to the next.
KEPT_BYTES = 2**26


class Kept:
    """Factors of whole blocks, by the key of a block; the oldest go first.

    They are what the block gives again at the cost of a pass: a worker that has lost
    them loses time only.
    """

    def __init__(self):
        self.factors, self.n_bytes, self.lock = {}, 0, Lock()

    def get(self, key):
        """The factors; None if they are not kept."""
        return self.factors.get(key)

    def put(self, key, factor):
        """Keep factors, as far as there is room."""
        with self.lock:
            if key in self.factors or factor.nbytes > KEPT_BYTES:
                return
            self.factors[key] = factor
            self.n_bytes += factor.nbytes
            while self.n_bytes > KEPT_BYTES:
                oldest = next(iter(self.factors))
                self.n_bytes -= self.factors.pop(oldest).nbytes


KEPT = Kept()


@dataclass(frozen=True)
class Recipe:
    """From a block to its rows; see `RowBlocks`.

    With a `key`, the factors that give unit length are kept for the next pass.
    """

    rows: np.ndarray | None
    steps: tuple
    unit: object
    scale: np.ndarray | None
    key: str | None = None

    def __call__(self, block):
        X = block.tocsr() if issparse(block) else np.asarray(block)
        X = X if self.rows is None else X[self.rows]
        for step in self.steps:
            X = step(X)
        X, factor, squares = self.of_unit_length(X)
        if self.scale is not None:
            factor = self.scale if factor is None else factor * self.scale
        return BlockRows(X, factor, squares)

    def of_unit_length(self, X):
        """Rows, factors, and squared lengths without these, as of `unit`."""
        if self.unit is None:
            return X, None, None
        factor = None if self.key is None else KEPT.get(self.key)
        if factor is not None:
            return X, factor, 1 / factor**2
        X, factor, squares = self.unit(X)
        if self.key is not None and factor is not None:
            KEPT.put(self.key, factor)
        return X, factor, squares


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
        sums = np.zeros(n_labels * self.shape[1])
        for rows in entry_batches(self.X, max(ENTRIES, len(sums))):
            part = row_view(self.X, rows)
            lengths = np.diff(part.indptr)
            cells = np.repeat(labels[rows] * self.shape[1], lengths)
            cells += part.indices
            values = np.repeat(weight[rows], lengths)
            values *= part.data
            sums += np.bincount(cells, values, len(sums))
        return sums.reshape(n_labels, -1)

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


def entry_batches(X, n_entries):
    """Slices of rows of a CSR matrix with about so many entries."""
    targets = np.arange(n_entries, X.nnz, n_entries)
    ends = np.searchsorted(X.indptr, targets, side="right") - 1
    ends = np.unique([0, *ends, X.shape[0]]).tolist()
    return [slice(a, b) for a, b in pairwise(ends)]


def row_view(X, rows):
    """Successive rows of a CSR matrix, which share its memory."""
    ends = X.indptr[rows.start : rows.stop + 1]
    entries, shape = slice(ends[0], ends[-1]), (len(ends) - 1, X.shape[1])
    return csr_array((X.data[entries], X.indices[entries], ends - ends[0]), shape=shape)


def take(array, at):
    """Part of an array along its last axis; None if there is none."""
    return None if array is None else array[..., at]


def on_part(function, recipe, block, by_row, *shared):
    """The task of `RowBlocks.each`."""
    return function(recipe(block), *by_row, *shared)


def multiplied_out(rows):
    """Rows as an array or a CSR matrix."""
    return rows.multiplied_out()


def as_type(X, dtype):
    """A block in another type."""
    return X.astype(dtype, copy=False)


def moved(X, center):
    """Features about a centre, in the wider type of both."""
    if not issparse(X):
        return X - center
    n, columns = X.shape[0], np.flatnonzero(center)
    values, places = np.tile(center[columns], n), np.tile(columns, n)
    ends = np.arange(n + 1) * len(columns)
    return csr_array(X - csr_array((values, places, ends), shape=X.shape))


def squared_lengths(rows):
    """Squared lengths of the rows of a block."""
    return rows.squared_lengths()


def as_sparse(X):
    """A dense block as a sparse one."""
    return csr_array(X)


def as_dense(X):
    """A sparse block as a dense one."""
    return X.toarray()


def product_turned(rows, C):
    """The product with an array; rows are the last axis."""
    return np.ascontiguousarray((rows @ C).T)


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

"""Grams where arrays are expected: numpy's protocol, indices and slices."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from operator import index as as_integer

import numpy as np

from sklearn_kernelclust._utils._memory import require_memory
from sklearn_kernelclust._utils._threads import batches

ALL = slice(None)

# Single entries that are evaluated together.
PAIRS = 32

CURE = "Keep it lazy (lazy=True), restrict it, or use float32."


class ArrayProtocol:
    """What makes a Gram an array to numpy and to those who use numpy.

    ``np.asarray(gram)`` is the dense matrix. An index gives what it gives of an
    array, only that parts with two dimensions are Grams, which evaluate nothing yet.
    """

    def __len__(self):
        return self.shape[0]

    def __array__(self, dtype=None, copy=None):
        if copy is False:
            raise ValueError(
                f"{type(self).__name__} has no array in memory that could be taken "
                "without a copy."
            )
        K = self.toarray()
        if dtype is None or np.dtype(dtype) == K.dtype:
            return K
        require_memory(self.shape, dtype, CURE)
        return K.astype(dtype)

    def __getitem__(self, index):
        rows, cols = (_index(at, n) for at, n in zip(_two(index), self.shape))
        dimensions = np.ndim(rows), np.ndim(cols)
        if dimensions == (2, 2) and rows.shape[1] == cols.shape[0] == 1:
            return self.restrict(rows.ravel(), cols.ravel())  # of np.ix_
        if max(dimensions) > 1:
            raise IndexError("A Gram takes np.ix_(rows, cols) for a part of it.")
        if isinstance(rows, int):
            row = _block(self, [rows], [cols] if isinstance(cols, int) else cols)[0]
            return row[0] if isinstance(cols, int) else row
        if isinstance(cols, int):
            return _block(self, rows, [cols])[:, 0]
        if isinstance(rows, slice) or isinstance(cols, slice):
            return self.restrict(rows, cols)
        return _entries(self, rows, cols)


def _two(index):
    """The index of the rows and that of the columns."""
    parts = index if isinstance(index, tuple) else (index,)
    given = [at for at in parts if at is not Ellipsis]
    if len(given) > 2 or len(parts) > len(given) + 1 or any(p is None for p in given):
        raise IndexError(f"A Gram of two dimensions cannot be indexed by {index}.")
    if len(given) == 1 and parts[0] is Ellipsis:
        return ALL, given[0]
    return (*given, ALL, ALL)[:2]


def _index(at, n):
    """A slice, an integer from 0 on, or an array of integers."""
    if isinstance(at, slice):
        return at
    at = np.asarray(at)
    if at.dtype == bool and at.ndim == 1 and len(at) == n:
        return np.flatnonzero(at)
    at = at.astype(np.intp) if at.size == 0 else at
    if at.dtype.kind not in "iu":
        raise IndexError(
            f"A Gram takes integers, slices, and arrays of integers or of {n} bools as "
            f"indices, got {at.dtype} of shape {at.shape}."
        )
    if at.size and not -n <= at.min() <= at.max() < n:
        outside = at.min() if at.min() < -n else at.max()
        raise IndexError(f"Index {outside} is out of bounds for {n} objects.")
    at = np.where(at < 0, at + n, at)
    return as_integer(at) if at.ndim == 0 else at


def _block(gram, rows, cols):
    """Some entries as an array, one row or one column of them."""
    block = gram.restrict(rows, cols).toarray()
    if gram.symmetric:
        i, j = np.arange(gram.shape[0])[rows], np.arange(gram.shape[1])[cols]
        same = np.nonzero(i[:, None] == j)
        block[same] = gram.self_similarity[i[same[0]]]
    return block


def _entries(gram, rows, cols):
    """The entries at pairs of a row and a column, as an array has them."""
    rows, cols = np.broadcast_arrays(rows, cols)
    entries = np.empty(len(rows), gram.dtype)
    for pairs in batches(len(rows), PAIRS):
        entries[pairs] = gram.restrict(rows[pairs], cols[pairs]).toarray().diagonal()
    if gram.symmetric:
        same = rows == cols
        entries[same] = gram.self_similarity[rows[same]]
    return entries

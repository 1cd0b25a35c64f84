"""Find the training objects among new objects by their features, within rounding."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from copy import copy

import numpy as np
from scipy.sparse import issparse

from sklearn_kernelclust._kernels._objects import ObjectIndex, Objects
from sklearn_kernelclust._utils._arrays import (
    namespace,
    numpy_dtype,
    on_device_of,
    on_host,
    take_rows,
)
from sklearn_kernelclust._utils._blocks import RowBlocks
from sklearn_kernelclust._utils._cached_property import cached_property
from sklearn_kernelclust._utils._dask import compute, constant
from sklearn_kernelclust._utils._tolerances import SUM_ULPS

# Projections by which rows on workers are told apart.
N_PROBES = 4


def index_of(X):
    """The index of training objects of any kind."""
    if isinstance(X, Objects):
        return ObjectIndex(X)
    return BlockIndex(X) if isinstance(X, RowBlocks) else RowIndex(X)


class RowIndex:
    """The rows of a matrix, known by a random projection: 24 bytes a row, once used.

    Not by their bits: the same text has other last digits of its weights where its
    words are counted in another order.

    Parameters
    ----------
    X : array or CSR matrix
        Training features, which nobody else writes to.
    """

    def __init__(self, X):
        self.X = X

    @cached_property
    def scale(self):
        """A power of two, which rounds nothing: with it no sum overflows."""
        _, exponent = np.frexp(np.float64(largest(self.X).max(initial=0)))
        return np.ldexp(1.0, int(np.clip(-exponent, -1000, 1000)))

    @cached_property
    def order(self):
        """The training rows in the order of their projections."""
        return np.argsort(self._project(self.X)[0], kind="stable")

    @cached_property
    def projections(self):
        """Those of the training rows, in ascending order."""
        return self._project(self.X)[0][self.order]

    def find(self, X):
        """Index of the training row that each row of `X` is equal to, else -1.

        Of several equal training rows it is the one in the same position, else
        the first. `X` has the type of the training features, and is dense or
        sparse as they are.
        """
        index = np.full(X.shape[0], -1, dtype=np.intp)
        projections, rounding = self._project(X)
        low = np.searchsorted(self.projections, projections - rounding)
        high = np.searchsorted(self.projections, projections + rounding, side="right")
        here = np.arange(min(X.shape[0], self.X.shape[0]))
        here = here[high[here] > low[here]]
        here = here[equal_rows(X, self.X, here, here)]
        index[here] = here
        left, offset = np.flatnonzero((index < 0) & (high > low)), 0
        while len(left):
            # The candidates of a row stand side by side; most rows have one.
            candidates = self.order[low[left] + offset]
            equal = equal_rows(X, self.X, left, candidates)
            index[left[equal]] = candidates[equal]
            offset += 1
            left = left[~equal & (low[left] + offset < high[left])]
        return index

    def _project(self, X):
        """A random projection of each row, and how far rounding may move it."""
        direction = self.scale * np.random.RandomState(0).standard_normal(X.shape[1])
        with np.errstate(over="ignore", invalid="ignore"):
            projections = _product(X, direction)
            size = _product(abs(X), np.abs(direction))
            return projections, relative_rounding(numpy_dtype(X)) * size


def _product(X, direction):
    """``X @ direction`` in float64, on the host."""
    if issparse(X) or isinstance(X, np.ndarray):
        return np.asarray(X @ direction, dtype=np.float64)
    direction = on_device_of(X, direction)
    return on_host(namespace(X).astype(X, direction.dtype) @ direction)


def relative_rounding(dtype):
    """By how much equal features may differ, relative to their size."""
    return SUM_ULPS[np.dtype(dtype)] * np.finfo(dtype).eps


def equal_rows(X, Y, rows, others):
    """Whether rows of `X` are equal to other rows of `Y`, pair by pair."""
    A, B = take_rows(X, rows), take_rows(Y, others)
    with np.errstate(over="ignore"):
        return largest(A - B) <= relative_rounding(numpy_dtype(X)) * largest(A)


def largest(X):
    """Largest absolute value in each row."""
    if not X.shape[1]:
        return np.zeros(X.shape[0])
    if issparse(X):
        return abs(X).max(axis=1).toarray().ravel()
    return on_host(namespace(X).max(abs(X), axis=1))


class BlockIndex:
    """Rows on workers, known by a few random projections, which are on the host.

    Rows whose projections agree within rounding are the same row: nobody fetches them
    to see.

    Parameters
    ----------
    X : RowBlocks
    """

    def __init__(self, X):
        self.X = X

    @cached_property
    def directions(self):
        """Random directions, scaled by a power of two so that no sum overflows."""
        peak = max(compute(self.X.each(largest_of_block)), default=0.0)
        _, exponent = np.frexp(np.float64(peak))
        scale = np.ldexp(1.0, int(np.clip(-exponent, -1000, 1000)))
        shape = self.X.shape[1], N_PROBES
        return scale * np.random.RandomState(0).standard_normal(shape)

    @cached_property
    def projections(self):
        """Those of the training rows, in the order of the first."""
        projections = self._project(self.X)[0]
        self.order = np.argsort(projections[0], kind="stable")
        return projections[:, self.order]

    def find(self, X):
        """Index of the training row that each row of `X` is equal to, else -1."""
        projections, rounding = self._project(X)
        known = self.projections
        low = np.searchsorted(known[0], projections[0] - rounding[0])
        high = np.searchsorted(known[0], projections[0] + rounding[0], side="right")
        index, left, offset = np.full(X.shape[0], -1), np.flatnonzero(high > low), 0
        while len(left):
            place = low[left] + offset
            gaps = np.abs(known[:, place] - projections[:, left])
            equal = (gaps <= rounding[:, left]).all(axis=0)
            # Of equal training rows that in the same position, else the first.
            here = self.order[place] == left
            better = equal & ((index[left] < 0) | here)
            index[left[better]] = self.order[place][better]
            offset += 1
            done = (index[left] == left) | (low[left] + offset >= high[left])
            left = left[~done]
        return index.astype(np.intp)

    def without_rows(self):
        """The same index for those who have no rows: on a worker."""
        known = self.directions, self.projections  # computed now, and kept
        light = copy(self)
        light.directions, light.projections = known
        light.X = self.X.without_blocks()
        return light

    def _project(self, X):
        """Projections of rows, and how far rounding may move them, row by row."""
        if isinstance(X, RowBlocks):
            tasks = X.each(projected, shared=(constant(self.directions),))
            both = X.by_row(tasks, self.directions.nbytes)
        else:
            both = projected(X, self.directions)
        return both[0], both[1]


def projected(X, directions):
    """Projections of the rows of a block, and how far rounding may move them."""
    X = getattr(X, "X", X)
    with np.errstate(over="ignore", invalid="ignore"):
        size = np.asarray(abs(X) @ np.abs(directions), dtype=np.float64)
        projections = np.asarray(X @ directions, dtype=np.float64)
    return np.stack([projections.T, relative_rounding(X.dtype) * size.T])


def largest_of_block(rows):
    """The largest absolute value of a block."""
    return float(abs(rows.X).max())

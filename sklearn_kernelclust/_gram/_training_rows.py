"""Recognise the training objects among the rows of a new block."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_kernelclust._utils._tolerances import ROW_ULPS, SUM_ULPS

N_PROBES = 4


class TrainingRows:
    """The rows of a training Gram, remembered by a few random projections.

    A block of new rows against the training columns does not say which of its
    rows are training objects; a diagonal shift and a normalisation must know.
    Two rows whose projections agree within rounding are the same row, for one
    product with the Gram and O(n) memory.

    Parameters
    ----------
    gram : Gram
        Square, of the training objects.
    unless_constant : bool
        Save the product where all self-similarities are equal, for those who
        ask for nothing else.
    """

    def __init__(self, gram, unless_constant=False):
        self.diagonal = gram.diagonal()
        self.dtype = gram.dtype
        self.signatures = None
        if not (unless_constant and is_constant(self.diagonal)):
            self.signatures = gram @ self._probes(gram.shape[1])

    @staticmethod
    def _probes(n):
        return np.random.RandomState(0).standard_normal((n, N_PROBES))

    def match(self, block):
        """Index of the training object that each row is, -1 for a new one.

        A Gram may know it (`training_index`). Else a row is the nearest training row
        within what rounding can do; of several that are as near, the one in the same
        position, else the first.
        """
        if block.training_index is not None:
            return block.training_index
        signatures = block @ self._probes(block.shape[1])
        size = np.abs(signatures).max(axis=1, initial=0)
        index = np.full(len(signatures), -1, dtype=np.intp)
        n_both = min(len(signatures), len(self.signatures))
        same = (signatures[:n_both] == self.signatures[:n_both]).all(axis=1)
        index[:n_both][same] = np.flatnonzero(same)
        self._search(signatures, self._rounding(ROW_ULPS, block) * size, index, block)
        return index

    def _search(self, signatures, tol, index, block):
        """Look for the rows that are not in their place to the last bit."""
        tie = self._rounding(SUM_ULPS, block) / self._rounding(ROW_ULPS, block)
        order = np.argsort(self.signatures[:, 0], kind="stable")
        first = self.signatures[order, 0]
        low = np.searchsorted(first, signatures[:, 0] - tol, side="left")
        high = np.searchsorted(first, signatures[:, 0] + tol, side="right")
        for i in np.flatnonzero((index < 0) & (high > low)):
            near = order[low[i] : high[i]]
            gaps = np.abs(self.signatures[near] - signatures[i]).max(axis=1)
            if gaps.min() <= tol[i]:
                nearest = near[gaps <= gaps.min() + tie * tol[i]]
                index[i] = i if i in nearest else nearest.min()

    def _rounding(self, ulps, block):
        return max(rounding(dtype, ulps) for dtype in (self.dtype, block.dtype))

    def self_similarity(self, block, index=None):
        """k(y, y) of the rows of a block as far as it can be known, else NaN.

        A recognised row has its own; where all training objects have the same,
        so has every other. `index` is what `match` gives, if it is at hand.
        """
        known = np.full(block.shape[0], np.nan, dtype=self.diagonal.dtype)
        if is_constant(self.diagonal):
            known[:] = self.diagonal[0]
            return known
        index = self.match(block) if index is None else index
        known[index >= 0] = self.diagonal[index[index >= 0]]
        return known


def row_self_similarity(gram, rows, unknown=None, index=None):
    """k(y, y) of the row objects of a Gram, from wherever it is known.

    Parameters
    ----------
    gram : Gram
        Of new objects against the training objects.
    rows : TrainingRows or None
        None if the Gram knows all self-similarities.
    unknown : float or None
        What stands in for those that neither the Gram nor the training objects
        tell; None for the mean of the training objects.
    index : ndarray or None
        What ``rows.match(gram)`` gives, if it is at hand.
    """
    if gram.self_similarity is not None:
        return gram.self_similarity
    known = rows.self_similarity(gram, index)
    unknown = rows.diagonal.mean() if unknown is None else unknown
    return np.where(np.isnan(known), unknown, known)


def is_constant(diagonal):
    """Whether all self-similarities agree within rounding."""
    return np.ptp(diagonal) <= rounding(diagonal.dtype) * np.abs(diagonal).max()


def rounding(dtype, ulps=SUM_ULPS):
    """By how much equal numbers may differ, relative to their size."""
    return ulps[np.dtype(dtype)] * np.finfo(dtype).eps


def with_self_similarity(K, gram):
    """The array of a Gram, with exact k(x, x) in the rows of training objects."""
    if gram.training_index is not None:
        rows = np.flatnonzero(gram.training_index >= 0)
        gram._place.set_at(K, rows, gram.training_index[rows], gram.diagonal()[rows])
    return K

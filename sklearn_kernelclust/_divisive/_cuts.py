"""Cuts: how a node is split, and to which child a new object goes.

Every cut knows an object y by a few functionals ``t(y) = <phi(y) - m, u>``,
with m the mean of the node. In a kernel, u is a weighted sum of the members
with weights that sum to zero; among features it is a vector. Either way
``t = block @ directions - offset`` for a block of objects.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, field

import numpy as np

from sklearn_kernelclust._kmeans._means import nearest
from sklearn_kernelclust._utils._cached_property import cached_property

# Two gains tie if they differ by less than this, relative to the largest: then the
# first counts.
SAME_GAIN = 1e-10


@dataclass
class Cut:
    """Base of the cuts: the directions, and how they were found.

    Attributes
    ----------
    directions : ndarray of shape (n_columns, n_directions)
        Weights of the members of the node, or of the features.
    offset : ndarray of shape (n_directions,)
        Values of the mean of the node.
    n_iter : int
        Iterations of k-means that led to it, 1 if there were none.
    converged : bool
        Whether they ended at a fixed point.
    """

    directions: np.ndarray
    offset: np.ndarray
    n_iter: int = field(default=1, kw_only=True)
    converged: bool = field(default=True, kw_only=True)

    def values(self, block):
        """Functionals of the objects in the rows of a block."""
        return block @ self.directions - self.offset

    def side(self, block):
        """Child of each object in the rows of a block."""
        return self.side_of(self.values(block))


@dataclass
class OrthantCut(Cut):
    """Children by the signs of the functionals minus `thresholds`.

    Attributes
    ----------
    thresholds : ndarray of shape (n_directions,)
        Where each direction is cut.
    orthants : ndarray of bool of shape (n_children, n_directions)
        Those that hold members; True is above the threshold. A new object in
        one that holds none goes to the nearest that does.
    """

    thresholds: np.ndarray
    orthants: np.ndarray

    def side_of(self, values):
        """Child of each object, from its functionals."""
        away = values - self.thresholds
        wrong = (away > 0)[:, None, :] != self.orthants
        return np.where(wrong, away[:, None, :] ** 2, 0).sum(axis=2).argmin(axis=1)


@dataclass
class NearestMeanCut(Cut):
    """Children by the nearest of several means; directions lead to the means.

    Attributes
    ----------
    norms : ndarray of shape (n_children,)
        Squared distances of the means to the mean of the node.
    scale : float
        Size of a squared distance in the node: ties are relative to it.
    tie : float
        Relative difference below which two distances tie.
    """

    norms: np.ndarray
    scale: float
    tie: float

    def side_of(self, values):
        """Child of each object, from its functionals."""
        S = np.ascontiguousarray(values.T, dtype=np.float64)
        scale = np.full(S.shape[1], self.scale)
        return nearest(S, self.norms, scale, self.tie)


def orthant_cut(directions, offset, values, thresholds):
    """The cut, and the side of each member, for thresholds of each direction."""
    above = values > thresholds
    if above.shape[1] == 1:
        orthants = np.array([[False], [True]])[[not above.all(), above.any()]]
        side = (above[:, 0] != orthants[0]).astype(np.intp)
        return OrthantCut(directions, offset, thresholds, orthants), side
    # As numbers they sort ten times as fast; the first direction counts most.
    digits = 1 << np.arange(above.shape[1])[::-1]
    numbers, side = np.unique(above @ digits, return_inverse=True)
    orthants = (numbers[:, None] & digits) > 0
    return OrthantCut(directions, offset, thresholds, orthants), side


def nearest_mean_cut(directions, offset, values, weights, scale, tie):
    """The cut by means, and the side of each member.

    `values` of the members times `weights`, which are those of the means,
    gives the norms. Means that no member is nearest to are left out.
    """
    norms = np.einsum("ij,ij->j", weights, values)
    for _ in range(len(norms)):
        cut = NearestMeanCut(directions, offset, norms, scale, tie)
        side = cut.side_of(values)
        kept = np.flatnonzero(np.bincount(side, minlength=len(norms)))
        if len(kept) == len(norms):
            break
        directions, offset = directions[:, kept], offset[kept]
        values, norms = values[:, kept], norms[kept]
    return cut, side


class Gaps:
    """The objects in the order of one functional, and where it can be cut.

    Parameters
    ----------
    values : ndarray of shape (n_members,)
        Functional of each member.
    rounding : float
        Values nearer than this are the same.
    """

    def __init__(self, values, rounding):
        self.values, self.rounding = values, rounding

    @cached_property
    def order(self):
        """The objects, by their functional."""
        return np.argsort(self.values, kind="stable")

    @cached_property
    def sorted(self):
        """The functional in ascending order."""
        return self.values[self.order]

    @cached_property
    def before(self):
        """Where a gap ends."""
        return 1 + np.flatnonzero(np.diff(self.sorted) > self.rounding)

    @property
    def any(self):
        """Whether there is a gap: a wide range has one if its objects are few."""
        few = 2 * len(self.values) * self.rounding
        return bool(np.ptp(self.values) > few) or len(self.before) > 0

    def at(self, place):
        """Threshold within a gap, as near to `place` as the rounding allows.

        Objects at the place itself come after it.
        """
        inside = self.values.min() <= place < self.values.max()
        # Nothing to sort where the place itself lies well within a gap.
        if inside and np.abs(self.values - place).min() >= self.rounding > 0:
            return float(place)
        lower, upper = self.sorted[self.before - 1], self.sorted[self.before]
        margin = np.minimum(self.rounding, (upper - lower) / 2)
        cuts = np.clip(place, lower + margin, upper - margin)
        away = np.abs(cuts - place)
        return float(cuts[(away <= away.min() + self.rounding).argmax()])

    def best(self, sums, mass=None):
        """Threshold in the middle of the gap with the largest gain.

        Parameters
        ----------
        sums : ndarray of shape (n_members,)
            For t = 1, ..., n, the sum of all inner products of the first t
            objects with each other, the origin at the mean of all.
        mass : ndarray of shape (n_members,) or None
            Weights of the objects in this order; the products in `sums` are times
            those of both objects.
        """
        t, n = self.before, len(self.sorted)
        masses = np.arange(1.0, n + 1) if mass is None else np.cumsum(mass)
        left, total = masses[t - 1], masses[-1]
        both = left * (total - left)
        # A side without weight gains nothing.
        gain = sums[t - 1] * np.divide(
            total, both, out=np.zeros(len(t)), where=both > 0
        )
        best = gain.max()
        first = t[(gain >= best - SAME_GAIN * abs(best)).argmax()]
        return float((self.sorted[first - 1] + self.sorted[first]) / 2)


def inner_sums_of_prefixes(gram, order):
    """Inner products of the first t objects with each other, for all t."""
    diagonal = gram.diagonal()[order].astype(np.float64)
    return np.cumsum(diagonal + 2 * gram.prefix_sums(order))


def inner_sums_on_line(values, mass=None):
    """The same for objects on a line, the origin at their mean."""
    if mass is None:
        return np.cumsum(values - values.mean()) ** 2
    return np.cumsum(mass * (values - mass @ values / mass.sum())) ** 2

"""Rules of assignment on a device, the counterpart of ``_assignment``."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_kernelclust._gram._assignment import ALONE, NEAREST


class Rule:
    """A rule of ``_assignment``, for one run.

    Parameters
    ----------
    sums : DeviceClusterSums
    factor, mass, norms : array of shape (n_clusters,)
        Of the clusters of the run, on the device; the factor of S is ``-2 / mass``,
        0 for an empty cluster.
    rule : {"mean", "leave-one-out", "single-move"}
    """

    def __init__(self, sums, factor, mass, norms, rule="mean"):
        self.sums, self.rule, self.arrays = sums, rule, sums.arrays
        self.factor, self.mass, self.norms = factor, mass, norms

    @classmethod
    def from_host(cls, sums, mass, norms, rule="mean"):
        """The rule for masses and norms of the host."""
        factor = -2 / np.where(mass > 0, mass, np.inf)
        facts = sums.arrays.native(np.stack([factor, mass, norms]), sums.arrays.wide)
        return cls(sums, facts[0, :], facts[1, :], facts[2, :], rule)

    def best(self, S, cols, mask=None, labels=None):
        """Cluster of each object; the present one if that is within a tie."""
        xp, sums, G = self.arrays.xp, self.sums, self.costs(S)
        diagonal, own = sums.device_diagonal[cols], None
        if labels is not None:
            own = sums.at_labels(G, mask)
            if self.rule != "mean":
                G, own = self.changed(G, own, mask, diagonal, sums.device_weight[cols])
        smallest = xp.min(G, axis=0)
        limit = smallest + sums.tie * (xp.abs(diagonal) + xp.abs(smallest))
        near = xp.astype(G <= limit, xp.int8)
        best = self.arrays.astype(xp.argmax(near, axis=0), sums.label_type)
        return best if labels is None else xp.where(own > limit, best, labels)

    def costs(self, S):
        """Squared distances to the means less k(x, x), a row for each cluster."""
        return S * self.factor[:, None] + self.norms[:, None]

    def changed(self, G, own, mask, diagonal, weight):
        """Costs by a rule that treats the own cluster unlike others, and the own."""
        xp = self.arrays.xp
        own_mass = self.sums.pick(self.mass, mask)
        left = own_mass - weight
        alone = left <= ALONE * own_mass
        one = xp.ones_like(left)
        ratio = xp.where(alone, one, own_mass / xp.where(alone, one, left))
        if self.rule == "leave-one-out":
            own = ratio**2 * (diagonal + own) - diagonal
        else:
            own = ratio * (diagonal + own)
            G = self._by_joining(G + diagonal, weight)
        own = xp.where(alone, float(NEAREST) * one, own)
        return xp.where(mask, own[None, :], G), own

    def _by_joining(self, distances, weight):
        """What the objective gains where an object joins a cluster, over w."""
        xp, W = self.arrays.xp, self.mass[:, None]
        joined = W + weight
        one = xp.ones_like(joined)
        share = xp.where(joined > 0, W / xp.where(joined > 0, joined, one), one)
        # An empty cluster, whose norm is infinite, costs nothing to join.
        nothing = xp.zeros_like(distances)
        return share * xp.where(W > 0, distances, nothing)

"""Lloyd's steps of one run on a device, as long as they lower the objective.

Labels, masses and norms stay there. The host learns which objects moved and what that
gained: between two steps it would else work longer than the device.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_kernelclust._gram._device_assignment import Rule


class Descent:
    """The partition of a run on a device, and the means of its clusters.

    Parameters
    ----------
    sums : DeviceClusterSums
    run, labels, mass, norms, factors : object
        As of `ClusterSums.descent`.

    Attributes
    ----------
    explained : float
        Sum over the clusters of the squared norm of the mean times the mass.
    """

    def __init__(self, sums, run, labels, mass, norms, factors):
        self.sums, self.run, self.arrays = sums, run, sums.arrays
        k = int(sums.n_clusters[run])
        native, wide = self.arrays.native, self.arrays.wide
        self._labels, self._before = sums.device_labels(labels), None
        self._best = self._labels, None
        self._mass, self._norms = native(mass[:k], wide), native(norms[:k], wide)
        self._factors, self._names = native(factors.view(np.int64), np.int64), []
        filled = (mass[:k] > 0).all()
        self.explained = self._most = float(mass[:k] @ norms[:k]) if filled else np.inf

    def step(self, least_gain):
        """Make a step; how many objects moved.

        0 if the step is left to the host, and not made: no object moves, the objective
        does not fall, or there is an empty cluster. Of partitions that differ by less
        than `least_gain` the first counts as best.
        """
        if np.isinf(self.explained):
            return 0
        xp, sums = self.arrays.xp, self.sums
        rule = Rule(sums, -2 / self._mass, self._mass, self._norms)
        new = sums.device_nearest(self.run, rule, self._labels)
        moved = xp.nonzero(new != self._labels)[0]
        if not moved.shape[0]:
            return 0
        sums.device_update(self.run, moved, self._labels, new)
        mass, Q = sums.device_means(self.run, new)
        explained = float(xp.sum(Q / mass))
        if not explained > self.explained:  # not a number with an empty cluster
            sums.device_update(self.run, moved, new, self._labels)
            return 0
        self._before, self._labels = self._labels, new
        self._mass, self._norms, self.explained = mass, Q / mass**2, explained
        if explained > self._most + least_gain:
            self._most, self._best = explained, (new, self._before)
        self._names.append(xp.sum(self._factors * self.arrays.astype(new, np.int64)))
        return moved.shape[0]

    def names(self):
        """Of the partitions after each step: random integers times labels."""
        names = self.arrays.host(self.arrays.xp.stack(self._names))
        return names.astype(np.int64).view(np.uint64).tolist()

    def partitions(self):
        """The present partition, the one before it; the best, the one before that.

        None for what is before the start.
        """
        on_host, result = {id(None): None}, []
        for labels in (self._labels, self._before, *self._best):
            if id(labels) not in on_host:
                on_host[id(labels)] = self.arrays.host(labels).astype(np.intp)
            result.append(on_host[id(labels)])
        return result

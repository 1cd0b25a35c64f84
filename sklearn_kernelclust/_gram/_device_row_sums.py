"""Sums over clusters of a kernel that is stored on a GPU, row by row.

A product with an indicator multiplies by zeros. Here rows are added up: all of them
for a partition, and those of the objects that move, twice, for moves.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_kernelclust._gram._device_sums import DeviceClusterSums

# So few moves take less time than it takes to sort them by cluster.
FEW = 128


class RowClusterSums(DeviceClusterSums):
    """Sums over the clusters of a symmetric array whose rows lie together.

    Parameters
    ----------
    gram, n_clusters, weight, self_similarity : object
        As of `ClusterSums`.
    kernels : module
        ``_utils._cuda_kernels``.
    """

    def __init__(self, gram, n_clusters, weight, self_similarity, kernels):
        super().__init__(gram, n_clusters, weight, self_similarity)
        self._kernels = kernels
        self._unit = bool((self.weight == 1).all())

    def set(self, runs, labels):
        for run, row in zip(runs, labels):
            self._set_run(run, self.device_labels(row))

    def _set_run(self, run, labels):
        S, objects = self._S[self._rows(run), :], self.arrays.arange(labels.shape[0])
        S *= 0
        groups = self.arrays.astype(labels, np.int64)
        weight = None if self._unit else self.device_weight
        self._kernels.added_rows(self.gram.K, objects, groups, S, weight)

    def device_nearest(self, run, rule, labels=None):
        if labels is None or rule.rule != "mean":
            return super().device_nearest(run, rule, labels)
        facts = labels, self.device_diagonal, rule.factor, rule.norms, self.tie
        return self._kernels.nearest(self._S[self._rows(run), :], *facts)

    def _move_run(self, run, moved, old, new):
        xp, K, S = self.arrays.xp, self.gram.K, self._S[self._rows(run), :]
        if moved.shape[0] <= FEW:
            self._kernels.move_rows(K, moved, old, new, self.device_weight, S)
            return
        old, new, weight = self._at(moved, old, new)
        rows, weight = xp.concat([moved, moved]), xp.concat([-weight, weight])
        groups = self.arrays.astype(xp.concat([old, new]), np.int64)
        self._kernels.added_rows(K, rows, groups, S, weight)

"""Sums over clusters on a device: labels and norms may travel, S does not."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_kernelclust._gram._cluster_sums import HELD, ClusterSums, renumbered
from sklearn_kernelclust._gram._device_assignment import Rule
from sklearn_kernelclust._gram._device_descent import Descent
from sklearn_kernelclust._utils._threads import batches

# Entries of S that are turned into distances at a time.
BLOCK = 2**27


class DeviceClusterSums(ClusterSums):
    """S as one array of the device, the clusters of all runs one below the other.

    An entry is picked by a mask of all clusters, not by an index: all namespaces have
    that, and sums by masks are the same to the last bit each time.
    """

    def __init__(self, gram, n_clusters, weight=None, self_similarity=None):
        super().__init__(gram, n_clusters, weight, self_similarity)
        self.arrays = arrays = gram.arrays
        self._first = np.cumsum([0, *self.n_clusters])
        self.device_weight = arrays.native(self.weight, arrays.wide)
        self.device_diagonal = arrays.native(self.diagonal, arrays.wide)
        self._S = arrays.zeros((int(self._first[-1]), gram.shape[0]), arrays.wide)
        self._zero = arrays.zeros((1, 1), arrays.wide)
        # Labels travel as small integers.
        self.label_type = np.min_scalar_type(-self.most_clusters)
        self._clusters = self.device_labels(np.arange(self.most_clusters))

    def set(self, runs, labels):
        rows = map(self.device_labels, labels)
        blocks = [
            self._indicator(row, k) for row, k in zip(rows, self.n_clusters[runs])
        ]
        sums = self.gram @ self.arrays.xp.concat(blocks, axis=1)
        start = 0
        for run, k in zip(runs, self.n_clusters[runs].tolist()):
            self._S[self._rows(run), :] = sums[:, start : start + k].T
            start += k

    def move(self, runs, objects, old, new):
        if (runs == runs[0]).all():
            clusters = np.concatenate([old, new])
            S = self._S[self._rows(runs[0]), :]
            S += self._changes(objects, clusters, S.shape[0]).T
            return
        clusters = np.concatenate([self._first[runs] + old, self._first[runs] + new])
        columns, rows = renumbered(clusters)
        changes = self._changes(objects, columns, len(rows))
        self.arrays.add_to_rows(self._S, rows, changes.T)

    def _changes(self, objects, columns, n_columns):
        """What moves change in some rows of S, given as columns: old, then new."""
        weight, used = self.weight[objects], objects
        place = np.arange(len(objects))
        if (objects[1:] <= objects[:-1]).any():  # of several runs
            used, place = np.unique(objects, return_inverse=True)
        values = np.concatenate([-weight, weight])
        shape, places = (len(used), n_columns), np.concatenate([place, place])
        D = self.arrays.scattered(shape, places, columns, values, self.gram.dtype)
        return self.gram.restrict(slice(None), used) @ D

    def device_update(self, run, moved, old, new):
        """Bring S of a run from old to new labels, all of them on the device.

        `moved` are the objects whose labels differ.
        """
        if 2 * moved.shape[0] >= old.shape[0]:
            self._set_run(run, new)
        else:
            self._move_run(run, moved, old, new)

    def _set_run(self, run, labels):
        """S of a partition whose labels are on the device."""
        S = self._S[self._rows(run), :]
        S[...] = (self.gram @ self._indicator(labels, S.shape[0])).T

    def _move_run(self, run, moved, old, new):
        """Add what moves change; objects and labels are on the device."""
        arrays, dtype, S = self.arrays, self.gram.dtype, self._S[self._rows(run), :]
        old, new, weight = self._at(moved, old, new)
        clusters = self._clusters[: S.shape[0]]
        D = arrays.astype(new[:, None] == clusters, dtype)
        D = D - arrays.astype(old[:, None] == clusters, dtype)
        D = D * arrays.astype(weight, dtype)[:, None]
        S += (self.gram.restrict(slice(None), arrays.host(moved)) @ D).T

    def _at(self, objects, *labels):
        """Labels and weights of some objects."""
        return [self.arrays.pick(v, objects) for v in (*labels, self.device_weight)]

    def own(self, runs, labels):
        xp, values = self.arrays.xp, []
        for run, row in zip(runs, labels):
            own = [
                self.at_labels(S, mask)
                for _, S, mask in self._blocks(run, self.device_labels(row))
            ]
            values.append(own[0] if len(own) == 1 else xp.concat(own))
        return self._on_host(values)

    def totals(self, runs, labels):
        totals = np.zeros((len(runs), self.most_clusters))
        sums = [
            self.device_totals(run, self.device_labels(row))
            for run, row in zip(runs, labels)
        ]
        for row, Q in zip(totals, sums):
            row[: Q.shape[0]] = self.arrays.host(Q)
        return totals

    def device_totals(self, run, labels):
        """Q of the clusters of a run, on the device as the labels are."""
        return self.device_means(run, labels)[1]

    def device_means(self, run, labels):
        """W and Q of the clusters of a run, on the device as the labels are."""
        arrays, mass, totals = self.arrays, 0, 0
        for cols, S, mask in self._blocks(run, labels):
            weight = self.device_weight[cols]
            mass = arrays.astype(mask, arrays.wide) @ weight + mass
            totals = arrays.xp.where(mask, S, self._zero) @ weight + totals
        return mass, totals

    def nearest(self, runs, mass, norms, labels=None, rule="mean"):
        result = []
        for r, run in enumerate(runs):
            k = int(self.n_clusters[run])
            own = None if labels is None else self.device_labels(labels[r])
            rule_of = Rule.from_host(self, mass[r, :k], norms[r, :k], rule)
            result.append(self.device_nearest(run, rule_of, own))
        return self._on_host(result).astype(np.intp, copy=False)

    def device_nearest(self, run, rule, labels=None):
        """Cluster of each row object by a rule, on the device as the labels are."""
        parts = [
            rule.best(S, cols, mask, None if labels is None else labels[cols])
            for cols, S, mask in self._blocks(run, labels)
        ]
        return parts[0] if len(parts) == 1 else self.arrays.xp.concat(parts)

    def descent(self, run, labels, mass, norms, factors):
        return Descent(self, run, labels, mass, norms, factors)

    def columns(self, run, objects):
        S = self.arrays.take(self._S[self._rows(run), :], objects, axis=1)
        return self.arrays.host(S).astype(np.float64)

    def holding_shift(self, run, labels, mass, norms):
        xp = self.arrays.xp
        k, shift = int(self.n_clusters[run]), 0.0
        rule = Rule.from_host(self, mass[:k], norms[:k])
        shares, filled = -rule.factor / 2, rule.mass > 0
        for cols, S, mask in self._blocks(run, self.device_labels(labels)):
            kii, weight = self.device_diagonal[cols], self.device_weight[cols]
            D = kii + rule.costs(S)
            d, own_share = self.at_labels(D, mask), self.pick(shares, mask)
            own_mass = self.pick(rule.mass, mask)
            d = d + HELD * self.tie * (xp.abs(kii) + xp.abs(d))
            counts = (weight > 0) & (own_mass > 0) & filled[:, None] & ~mask
            divisor = xp.where(
                counts, shares[:, None] + own_share, xp.ones_like(own_share)
            )
            needed = xp.where(counts, (d - D) / divisor, xp.zeros_like(D))
            shift = max(shift, float(xp.max(needed)))
        # More than the margin where the shift is large beside the kernel.
        return float(shift * (1 + 1e-6))

    def device_labels(self, labels):
        """Labels of the host on the device."""
        return self.arrays.native(labels, self.label_type)

    def _rows(self, run):
        return slice(int(self._first[run]), int(self._first[run + 1]))

    def _blocks(self, run, labels=None):
        """Columns of S of a run, and which of its clusters the objects are in."""
        k, S = int(self.n_clusters[run]), self._S[self._rows(run), :]
        clusters = self._clusters[:k][:, None]
        for cols in batches(self.gram.shape[0], max(BLOCK // k, 1)):
            mask = None if labels is None else clusters == labels[cols]
            yield cols, S[:, cols], mask

    def at_labels(self, values, mask):
        """Entry of each object in the row of its cluster."""
        xp = self.arrays.xp
        return xp.sum(xp.where(mask, values, self._zero), axis=0)

    def pick(self, values, mask):
        """Value of the cluster of each object."""
        return values @ self.arrays.astype(mask, self.arrays.wide)

    def _indicator(self, labels, k):
        """The weight of each object in the column of its cluster, on the device."""
        arrays = self.arrays
        mask = labels[:, None] == self._clusters[: int(k)]
        weight = arrays.astype(self.device_weight, self.gram.dtype)
        return arrays.astype(mask, self.gram.dtype) * weight[:, None]

    def _on_host(self, rows):
        if len(rows) == 1:
            return self.arrays.host(rows[0])[None]
        return self.arrays.host(self.arrays.xp.stack(rows))

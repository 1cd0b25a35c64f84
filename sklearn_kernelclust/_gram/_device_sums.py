"""Sums over clusters on a device: labels, masses and norms travel, S does not."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_kernelclust._gram._assignment import ALONE, NEAREST
from sklearn_kernelclust._gram._cluster_sums import HELD, ClusterSums, renumbered
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
        self._arrays = arrays = gram.arrays
        self._first = np.cumsum([0, *self.n_clusters])
        self._weight = arrays.native(self.weight, arrays.wide)
        self._diagonal = arrays.native(self.diagonal, arrays.wide)
        self._S = arrays.zeros((int(self._first[-1]), gram.shape[0]), arrays.wide)
        self._zero = arrays.zeros((1, 1), arrays.wide)
        # Labels travel as small integers.
        self._label_type = np.min_scalar_type(-self.most_clusters)
        self._clusters = self._labels(np.arange(self.most_clusters))

    def set(self, runs, labels):
        blocks = [
            self._indicator(row, k) for row, k in zip(labels, self.n_clusters[runs])
        ]
        sums = self.gram @ self._arrays.xp.concat(blocks, axis=1)
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
        self._arrays.add_to_rows(self._S, rows, changes.T)

    def _changes(self, objects, columns, n_columns):
        """What moves change in some rows of S, given as columns: old, then new."""
        weight, used = self.weight[objects], objects
        place = np.arange(len(objects))
        if (objects[1:] <= objects[:-1]).any():  # of several runs
            used, place = np.unique(objects, return_inverse=True)
        values = np.concatenate([-weight, weight])
        shape, places = (len(used), n_columns), np.concatenate([place, place])
        D = self._arrays.scattered(shape, places, columns, values, self.gram.dtype)
        return self.gram.restrict(slice(None), used) @ D

    def own(self, runs, labels):
        xp, values = self._arrays.xp, []
        for run, row in zip(runs, labels):
            own = [
                self._at_labels(S, mask)
                for _, S, mask in self._blocks(run, self._labels(row))
            ]
            values.append(own[0] if len(own) == 1 else xp.concat(own))
        return self._on_host(values)

    def totals(self, runs, labels):
        xp, most = self._arrays.xp, self.most_clusters
        totals = np.zeros((len(runs), most))
        sums = []
        for run, row in zip(runs, labels):
            Q = self._arrays.zeros(int(self.n_clusters[run]), self._arrays.wide)
            for cols, S, mask in self._blocks(run, self._labels(row)):
                members = xp.where(mask, S, self._zero)
                Q += members @ self._weight[cols]
            sums.append(Q)
        for row, Q in zip(totals, sums):
            row[: Q.shape[0]] = self._arrays.host(Q)
        return totals

    def nearest(self, runs, mass, norms, labels=None, rule="mean"):
        xp, result = self._arrays.xp, []
        for r, run in enumerate(runs):
            k = int(self.n_clusters[run])
            own = None if labels is None else self._labels(labels[r])
            rule_of = Rule(self, mass[r, :k], norms[r, :k], rule)
            parts = [
                rule_of.best(S, cols, mask, None if own is None else own[cols])
                for cols, S, mask in self._blocks(run, own)
            ]
            result.append(parts[0] if len(parts) == 1 else xp.concat(parts))
        return self._on_host(result).astype(np.intp, copy=False)

    def columns(self, run, objects):
        S = self._arrays.take(self._S[self._rows(run), :], objects, axis=1)
        return self._arrays.host(S).astype(np.float64)

    def holding_shift(self, run, labels, mass, norms):
        xp = self._arrays.xp
        k, shift = int(self.n_clusters[run]), 0.0
        rule = Rule(self, mass[:k], norms[:k], "mean")
        shares, filled = -rule.factor / 2, rule.mass > 0
        for cols, S, mask in self._blocks(run, self._labels(labels)):
            kii, weight = self._diagonal[cols], self._weight[cols]
            D = kii + rule.costs(S)
            d, own_share = self._at_labels(D, mask), self._pick(shares, mask)
            own_mass = self._pick(rule.mass, mask)
            d = d + HELD * self.tie * (xp.abs(kii) + xp.abs(d))
            counts = (weight > 0) & (own_mass > 0) & filled[:, None] & ~mask
            divisor = xp.where(
                counts, shares[:, None] + own_share, xp.ones_like(own_share)
            )
            needed = xp.where(counts, (d - D) / divisor, xp.zeros_like(D))
            shift = max(shift, float(xp.max(needed)))
        # More than the margin where the shift is large beside the kernel.
        return float(shift * (1 + 1e-6))

    def _labels(self, labels):
        """Labels of the host on the device."""
        return self._arrays.native(labels, self._label_type)

    def _rows(self, run):
        return slice(int(self._first[run]), int(self._first[run + 1]))

    def _blocks(self, run, labels=None):
        """Columns of S of a run, and which of its clusters the objects are in."""
        k, S = int(self.n_clusters[run]), self._S[self._rows(run), :]
        clusters = self._clusters[:k][:, None]
        for cols in batches(self.gram.shape[0], max(BLOCK // k, 1)):
            mask = None if labels is None else clusters == labels[cols]
            yield cols, S[:, cols], mask

    def _at_labels(self, values, mask):
        """Entry of each object in the row of its cluster."""
        xp = self._arrays.xp
        return xp.sum(xp.where(mask, values, self._zero), axis=0)

    def _pick(self, values, mask):
        """Value of the cluster of each object."""
        return values @ self._arrays.astype(mask, self._arrays.wide)

    def _indicator(self, labels, k):
        """The weight of each object in the column of its cluster."""
        arrays = self._arrays
        mask = self._labels(labels)[:, None] == self._clusters[: int(k)]
        weight = arrays.astype(self._weight, self.gram.dtype)
        return arrays.astype(mask, self.gram.dtype) * weight[:, None]

    def _on_host(self, rows):
        if len(rows) == 1:
            return self._arrays.host(rows[0])[None]
        return self._arrays.host(self._arrays.xp.stack(rows))


class Rule:
    """A rule of ``_assignment``, for one run.

    Parameters
    ----------
    sums : DeviceClusterSums
    mass, norms : ndarray of shape (n_clusters,)
        Of the clusters of the run, on the host.
    rule : {"mean", "leave-one-out", "single-move"}
    """

    def __init__(self, sums, mass, norms, rule):
        self.sums, self.rule = sums, rule
        self.arrays = arrays = sums._arrays
        factor = -2 / np.where(mass > 0, mass, np.inf)
        facts = arrays.native(np.stack([factor, mass, norms]), arrays.wide)
        self.factor, self.mass, self.norms = facts[0, :], facts[1, :], facts[2, :]

    def best(self, S, cols, mask=None, labels=None):
        """Cluster of each object; the present one if that is within a tie."""
        xp, sums, G = self.arrays.xp, self.sums, self.costs(S)
        diagonal, own = sums._diagonal[cols], None
        if labels is not None:
            own = sums._at_labels(G, mask)
            if self.rule != "mean":
                G, own = self.changed(G, own, mask, diagonal, sums._weight[cols])
        smallest = xp.min(G, axis=0)
        limit = smallest + sums.tie * (xp.abs(diagonal) + xp.abs(smallest))
        near = xp.astype(G <= limit, xp.int8)
        best = self.arrays.astype(xp.argmax(near, axis=0), sums._label_type)
        return best if labels is None else xp.where(own > limit, best, labels)

    def costs(self, S):
        """Squared distances to the means less k(x, x), a row for each cluster."""
        return S * self.factor[:, None] + self.norms[:, None]

    def changed(self, G, own, mask, diagonal, weight):
        """Costs by a rule that treats the own cluster unlike others, and the own."""
        xp = self.arrays.xp
        own_mass = self.sums._pick(self.mass, mask)
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

"""Sums over clusters on a cluster of machines: S is never formed.

Kept are the sums of the features of each cluster, on the host. A pass gives them to
the workers, where a block multiplies by them, decides, and adds up what the objects
that move change in them. So an iteration is one pass over the features.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from sklearn.utils.extmath import row_norms

from sklearn_kernelclust._gram._base import Gram
from sklearn_kernelclust._gram._cluster_sums import (
    ArrayClusterSums,
    ClusterSums,
    indicators,
    moves,
)
from sklearn_kernelclust._utils._dask import added, compute, constant, tree_sum
from sklearn_kernelclust._utils._threads import batches

# Bytes of S that a task holds at a time.
SUMS_BYTES = 2**25


class DistributedClusterSums(ClusterSums):
    """The sums of features of each cluster, those of all runs one below the other.

    Parameters
    ----------
    gram : DistributedFactoredGram
        Its row objects are on workers.
    n_clusters, weight, self_similarity : object
        As of `ClusterSums`.
    """

    def __init__(self, gram, n_clusters, weight=None, self_similarity=None):
        super().__init__(gram, n_clusters, weight, self_similarity)
        self._first = np.cumsum([0, *self.n_clusters])
        self._features = np.zeros((self._first[-1], gram.rows.shape[1]))
        # By run: labels, those that the last pass gave, what they change in sums.
        self._proposed = {}

    def set(self, runs, labels):
        first = np.cumsum([0, *self.n_clusters[runs]])
        shape = self.gram.shape[1], first[-1]
        Z = indicators(first[:-1, None] + labels, self.weight, shape)
        sums = self.gram.feature_sums(Z)
        for run, block in zip(runs, np.split(sums, first[1:-1])):
            self._features[self._rows(run)] = block

    def move(self, runs, objects, old, new):
        source, target = self._first[runs] + old, self._first[runs] + new
        facts = objects, self.weight[objects], self.gram.shape[1]
        rows, D = moves(source, target, *facts)
        self._features[rows] += self.gram.feature_sums(D)

    def update(self, runs, old, new):
        """Bring the sums from old to new labels.

        What labels that the last pass gave change in them is known.
        """
        old = old.copy()
        for r, run in enumerate(runs.tolist()):
            before, after, changes = self._proposed.pop(run, (None, None, None))
            if before is not None and np.array_equal(before, old[r]):
                self._features[self._rows(run)] += changes
                old[r] = after
        super().update(runs, old, new)

    def totals(self, runs, labels):
        norms = row_norms(self._features, squared=True)
        totals = np.zeros((len(runs), self.n_clusters.max()))
        for row, run in zip(totals, runs):
            row[: self.n_clusters[run]] = norms[self._rows(run)]
        return totals

    def own(self, runs, labels):
        tasks, size = self._tasks(runs, labels, Verb("own"))
        return self.gram.rows.by_row(tasks, size)

    def nearest(self, runs, mass, norms, labels=None, rule="mean"):
        follow = labels is not None and self.gram.rows is self.gram.cols
        verb = NearestAndChanges if follow else Verb
        verb = verb("nearest", mass, norms, rule=rule)
        tasks, size = self._tasks(runs, labels, verb)
        if not follow:
            return self.gram.rows.by_row(tasks, size).astype(np.intp)
        [(results, changes)] = compute([tree_sum(tasks)], size)
        new = self.gram.rows.joined(results).astype(np.intp)
        changes = np.split(changes, np.cumsum(self.n_clusters[runs])[:-1])
        steps = zip(labels.copy(), new.copy(), changes)
        self._proposed |= dict(zip(runs.tolist(), steps))
        return new

    def columns(self, run, objects):
        features = self._features[self._rows(run)].astype(self.gram.dtype)
        rows = self.gram.rows[objects].fetched()
        return np.asarray(rows @ features.T).T.astype(np.float64)

    def holding_shift(self, run, labels, mass, norms):
        verb = Verb("holding_shift", mass, norms)
        tasks, size = self._tasks(np.array([run]), labels[None], verb)
        return max(compute(tasks, size))

    def _tasks(self, runs, labels, verb):
        """A task for each block, and the bytes of their constants."""
        local = LocalSums(self.n_clusters[runs], verb)
        features = np.concatenate([self._features[self._rows(run)] for run in runs])
        features = np.ascontiguousarray(features.T, dtype=self.gram.dtype)
        if labels is not None:
            labels = labels.astype(np.min_scalar_type(int(self.n_clusters.max())))
        weight = None if (self.weight == 1).all() else self.weight
        square = self.gram.rows is self.gram.cols
        by_row = labels, weight if square else None
        tasks = self.gram.rows.each(local, by_row, (constant(features),))
        return tasks, features.nbytes

    def _rows(self, run):
        return slice(int(self._first[run]), int(self._first[run + 1]))


# On the workers


class LocalSums:
    """The sums of the objects of a block, and a function of them.

    Parameters
    ----------
    n_clusters : ndarray
        Number of clusters of each run.
    verb : Verb
        What is wanted.
    """

    def __init__(self, n_clusters, verb):
        self.n_clusters, self.verb = n_clusters, verb

    def __call__(self, X, labels, weight, features):
        weight = np.ones(X.shape[0]) if weight is None else weight
        labels = None if labels is None else labels.astype(np.intp)
        height = max(SUMS_BYTES // (8 * features.shape[1]), 1)
        results = []
        for part in batches(X.shape[0], height):
            sums = self.sums(X[part], weight[part], features)
            own = None if labels is None else labels[:, part]
            results.append(self.verb(X[part], sums, own))
        return self.verb.joined(results)

    def sums(self, X, weight, features):
        """Those of some rows, as the host has them."""
        gram, norms = Gram((X.shape[0], X.shape[0]), X.dtype), X.squared_lengths()
        sums = ArrayClusterSums(gram, self.n_clusters, weight, norms)
        sums._S = np.ascontiguousarray((X @ features).T, dtype=np.float64)
        return sums


class Verb:
    """A verb of `ClusterSums` and its arguments but for runs and labels.

    Parameters
    ----------
    name : str
    *args, **options
        `mass` and `norms`, and the rest.
    """

    def __init__(self, name, *args, **options):
        self.name, self.args, self.options = name, args, options

    def __call__(self, X, sums, labels):
        runs = np.arange(len(sums.n_clusters))
        if self.name == "own":
            return sums.own(runs, labels)
        if self.name == "holding_shift":
            return sums.holding_shift(0, labels[0], *self.args)
        new = sums.nearest(runs, *self.args, labels, **self.options)
        return new.astype(np.min_scalar_type(int(sums.n_clusters.max())))

    def joined(self, results):
        """What batches of rows gave, for all rows."""
        if self.name == "holding_shift":
            return max(results)
        return np.concatenate(results, axis=-1)


class NearestAndChanges(Verb):
    """The nearest clusters, and what they change in the sums of features."""

    def __call__(self, X, sums, labels):
        new = super().__call__(X, sums, labels)
        each_run = zip(labels, new.astype(np.intp), sums.n_clusters.tolist())
        changes = [feature_changes(X, sums.weight, *run) for run in each_run]
        return new, np.concatenate(changes)

    def joined(self, results):
        new, changes = zip(*results)
        return [np.concatenate(new, axis=-1)], added(*changes)


def feature_changes(X, weight, old, new, n_clusters):
    """Sums of features by new clusters less those by old ones, of one run."""
    moved = np.flatnonzero(new != old)
    if 2 * len(moved) < len(new):
        X, weight, old, new = X[moved], weight[moved], old[moved], new[moved]
    after = X.sums_by_label(new, weight, n_clusters)
    after -= X.sums_by_label(old, weight, n_clusters)
    return after

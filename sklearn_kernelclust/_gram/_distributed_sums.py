"""Sums over clusters on a cluster of machines: S is never formed.

Kept are the sums of the features of each cluster, on the host. A pass gives them to
the workers, where a block multiplies by them, decides, and adds up the features of its
objects by their new clusters. So an iteration is one pass over the features.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.sparse import issparse
from sklearn.utils.extmath import row_norms

from sklearn_kernelclust._gram._cluster_sums import (
    ArrayClusterSums,
    ClusterSums,
    changes,
    indicators,
)
from sklearn_kernelclust._gram._factored import FactoredGram
from sklearn_kernelclust._gram._tiles import row_view
from sklearn_kernelclust._utils._blocks import compute, constant, sums_of, tree_sum
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
        # By run: labels that the last pass gave, and their sums of features.
        self._proposed = {}

    def set(self, runs, labels):
        first = np.cumsum([0, *self.n_clusters[runs]])
        shape = self.gram.shape[1], first[-1]
        Z = indicators(first[:-1, None] + labels, self.weight, shape, np.arange(shape[0]))
        sums = self.gram.feature_sums(Z)
        for run, block in zip(runs, np.split(sums, first[1:-1])):
            self._features[self._rows(run)] = block

    def move(self, runs, objects, old, new):
        source, target = self._first[runs] + old, self._first[runs] + new
        facts = objects, self.weight[objects], self.gram.shape[1]
        rows, D = changes(source, target, *facts)
        self._features[rows] += self.gram.feature_sums(D)

    def update(self, runs, old, new):
        """Bring the sums from old to new labels.

        Those of labels that the last pass gave are known.
        """
        old = old.copy()
        for r, run in enumerate(runs.tolist()):
            labels, sums = self._proposed.pop(run, (old[r], None))
            nearer = np.count_nonzero(new[r] != labels) < np.count_nonzero(
                new[r] != old[r]
            )
            if nearer:
                old[r], self._features[self._rows(run)] = labels, sums
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
        square = self.gram.rows is self.gram.cols
        verb = NearestAndSums if square else Verb
        verb = verb("nearest", mass, norms, rule=rule)
        tasks, size = self._tasks(runs, labels, verb)
        if not square:
            return self.gram.rows.by_row(tasks, size).astype(np.intp)
        wanted = [tree_sum([task[1] for task in tasks]), *(task[0] for task in tasks)]
        sums, *results = compute(wanted, size)
        new = self.gram.rows.joined(results).astype(np.intp)
        sums = np.split(sums, np.cumsum(self.n_clusters[runs])[:-1])
        self._proposed |= dict(zip(runs.tolist(), zip(new.copy(), sums)))
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
        results = [
            self.verb(
                self.sums(rows_of(X, rows), weight[rows], features),
                None if labels is None else labels[:, rows],
            )
            for rows in batches(X.shape[0], height)
        ]
        return self.verb.joined(results)

    def sums(self, X, weight, features):
        """Those of some rows, as the host has them."""
        norms = row_norms(X, squared=True)
        gram = FactoredGram(X, X, norms, norms)
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

    def __call__(self, sums, labels):
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


class NearestAndSums(Verb):
    """The nearest clusters, and the sums of features of these new clusters."""

    def __call__(self, sums, labels):
        new, first = super().__call__(sums, labels), np.cumsum([0, *sums.n_clusters])
        shape = sums.gram.shape[0], first[-1]
        Z = indicators(first[:-1, None] + new, sums.weight, shape)
        return new, sums_of(sums.gram.A, Z)

    def joined(self, results):
        new, sums = zip(*results)
        return np.concatenate(new, axis=-1), sum(sums[1:], sums[0])


def rows_of(X, rows):
    """Some successive rows, which share memory."""
    if rows == slice(0, X.shape[0]):
        return X
    return row_view(X, rows) if issparse(X) else X[rows]

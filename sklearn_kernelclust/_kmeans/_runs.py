"""Runs of kernel k-means, several in step: partitions on their way to a better one.

With the sums of ``_cluster_sums``, the objective of a partition is::

    J = sum_i w_i K_ii - sum_c Q[c] / W[c]
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, field
from itertools import cycle, islice, repeat

import numpy as np

from sklearn_kernelclust._kmeans._assignment import (
    BLOCK,
    at_labels,
    nearest_together,
)
from sklearn_kernelclust._kmeans._cluster_sums import fresh_sums, move_sums, totals
from sklearn_kernelclust._utils._threads import batches
from sklearn_kernelclust._utils._tolerances import DISTANCE_TIE


@dataclass
class Problem:
    """What stays the same in all runs.

    Runs on several kernels of as many objects each can go in step: those
    kernels stand beside each other in one `gram`, and `columns` says where the
    objects of this problem are.
    """

    gram: object
    n_clusters: int
    weight: np.ndarray
    leave_one_out: bool = False
    diagonal: np.ndarray = None
    columns: np.ndarray = None
    tie: float = field(init=False)
    total: float = field(init=False)
    size: float = field(init=False)

    def __post_init__(self):
        if self.diagonal is None:
            self.diagonal = self.gram.diagonal()
        self.diagonal = self.diagonal.astype(np.float64)
        self.tie = DISTANCE_TIE[np.dtype(self.gram.dtype)]
        self.total = float(self.weight @ self.diagonal)
        self.size = float(self.weight @ np.abs(self.diagonal))

    def similarities(self, objects):
        """Those of some objects to all."""
        if self.columns is None:
            return self.gram.restrict(objects).toarray()
        return self.gram.T.restrict(self.columns[objects]).toarray()

    def small(self, objective):
        """Change of the objective that is only rounding."""
        return 0.1 * self.tie * (self.size + abs(objective))


class Run:
    """One start on its way to a fixed point.

    Parameters
    ----------
    problem : Problem
    labels : ndarray of shape (n_samples,)
        The start.
    sums : ndarray of shape (n_runs * n_clusters, n_samples)
        Sums for the labels of this run and others, one below the other; the
        driver keeps them up to date.
    first : int
        Row at which the sums of this run, ``S``, begin.
    n_clusters : int
        There may be fewer than the problem allows for: the last rows of `S` are
        then those of clusters that this run does not have.
    """

    def __init__(self, problem, labels, sums, first, n_clusters):
        self.problem, self.labels, self.first = problem, labels, first
        self.sums, self.S = sums, sums[first : first + problem.n_clusters]
        self.n_clusters = n_clusters
        self.previous, self.stopped = None, False
        self.converged, self.settled = False, False
        self.seen, self.n_returns, self.period = {}, 0, 0
        self.n_reassignments, self.n_emptied = [], 0
        self.best = (np.inf, labels, None)

    def move(self, labels, key):
        """Take new labels; a partition seen before, known by its key, is a return."""
        # A copy, or it would keep the labels of all runs in memory.
        self.previous, self.labels = self.labels, labels.copy()
        now = len(self.n_reassignments)
        if key in self.seen:
            self.n_returns += 1
            self.period = now - self.seen[key]
        self.seen[key] = now

    def go_round(self, max_iter, max_oscillations):
        """Return to earlier partitions until it is enough.

        After the first return, all that follows is known: what it leads to, and
        how many objects move. Nothing is computed again.
        """
        now = len(self.n_reassignments)
        n_more = min(max_oscillations - self.n_returns, max_iter - now)
        lap = self.n_reassignments[now - self.period :]
        self.n_reassignments += islice(cycle(lap), n_more)
        self.n_returns += n_more


def start_together(problems, starts, n_clusters=None):
    """Runs from all starts, each with its problem, on sums from one product.

    `n_clusters` is for runs with fewer clusters than the problems allow for.
    """
    k, S = problems[0].n_clusters, fresh_sums(problems, np.array(starts))
    each = zip(problems, starts, n_clusters or repeat(k))
    runs = [Run(own, start, S, r * k, n) for r, (own, start, n) in enumerate(each)]
    update_together(runs, labels_of(runs))
    for run in runs:
        run.start_objective = run.objective
    return runs


def labels_of(runs):
    """The present partitions, a row for each."""
    return np.array([run.labels for run in runs])


def update_together(runs, labels, mass=None):
    """Norms and objectives of the present partitions, perhaps the best.

    These are `labels`; the mass of their clusters may be known.
    """
    weight, k = runs[0].problem.weight, runs[0].problem.n_clusters
    if mass is None:
        mass = totals(labels, weight, k)
    first = np.array([run.first for run in runs])
    Q = totals(labels, weight * at_labels(runs[0].sums, labels, first), k)
    filled = mass > 0
    W = np.where(filled, mass, 1)
    norms = np.where(filled, Q / W**2, np.inf)
    explained = (Q / W).sum(axis=1).tolist()
    for r, run in enumerate(runs):
        run.mass, run.Q, run.norms = mass[r], Q[r], norms[r]
        run.objective = objective = run.problem.total - explained[r]
        if objective < run.best[0] - run.problem.small(objective):
            run.best = (objective, run.labels, run.previous)


def place_together(runs, labels):
    """Go to partitions that are no iterations."""
    labels = np.array(labels)
    move_sums(runs, labels_of(runs), labels)
    for run, row in zip(runs, labels):
        run.labels = row
    update_together(runs, labels)


def nearest_of(runs, labels=None, leave_one_out=False):
    """Clusters of the nearest means of runs of one size, a row for each run."""
    problem = runs[0].problem
    result = np.empty((len(runs), runs[0].S.shape[1]), dtype=np.intp)
    n_together = max(BLOCK // max(runs[0].S.size, 1), 1)
    n_clusters = np.array([run.n_clusters for run in runs])
    mass = np.array([run.mass for run in runs])
    norms = np.array([run.norms for run in runs])
    # Runs with alike numbers of clusters together: they look at no more rows.
    order = np.argsort(n_clusters, kind="stable")
    for part in batches(len(runs), n_together):
        some = order[part]
        k = n_clusters[some[-1]]
        result[some] = nearest_together(
            [runs[r].S[:k] for r in some],
            mass[some, :k],
            norms[some, :k],
            np.array([runs[r].problem.diagonal for r in some]),
            problem.tie,
            labels=None if labels is None else labels[some],
            weight=problem.weight if leave_one_out else None,
        )
    return result

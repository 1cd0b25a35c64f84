"""A problem of kernel k-means, and the runs that solve it from several starts.

With the masses W and totals Q of ``_cluster_sums``, the objective of a
partition is::

    J = sum_i w_i K_ii - sum_c Q[c] / W[c]
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from itertools import cycle, islice

import numpy as np

from sklearn_kernelclust._gram._cluster_sums import ArrayClusterSums, sum_by_cluster
from sklearn_kernelclust._gram._stored import DenseGram
from sklearn_kernelclust._utils._tolerances import DISTANCE_TIE

# A kernel of sparse features of so many objects is stored where that saves work: an
# entry is formed for the price of ten additions and takes three in a run. Otherwise,
# factors are multiplied by the columns of all clusters, in some eight iterations.
FEW_OBJECTS, FORMED, ADDED, MULTIPLIED = 2048, 10, 3, 8

# Where rounding has grown more than so much, all distances would tie.
MOST_LOST = 1e6


class Problem:
    """Objects to cluster: what all runs have in common.

    Parameters
    ----------
    gram : Gram
    weight : ndarray of shape (n_samples,) or None
        Weights of the objects; 1 by default.
    size : float
        Sum of self-similarities that the entries of `gram` were computed from. If
        these are much larger than its own, as before centring, so is rounding.
    """

    def __init__(self, gram, weight=None, size=0.0):
        self.gram = gram
        self.weight = np.ones(gram.shape[0]) if weight is None else weight
        self.diagonal = gram.diagonal().astype(np.float64, copy=False)
        self.total = float((self.weight * self.diagonal).sum())
        self.size = float((self.weight * np.abs(self.diagonal)).sum())
        self.loss = np.clip(size / self.size, 1, MOST_LOST) if self.size else 1.0
        self.tie = self.loss * DISTANCE_TIE[np.dtype(gram.dtype)]

    @property
    def n_samples(self):
        return len(self.diagonal)

    @property
    def parts(self):
        return [self]

    @property
    def diagonals(self):
        return self.diagonal[None]

    def cluster_sums(self, n_clusters, blocks):
        """Sums of runs with these numbers of clusters."""
        return self.gram.cluster_sums(n_clusters, self.weight)

    def similarities(self, objects, blocks):
        """Similarities of some objects to all."""
        return self.gram.restrict(objects).toarray()

    def rounding(self, objective):
        """Change of the objective that is only rounding."""
        return 0.1 * self.tie * (self.size + abs(objective))


def stored_for(gram, n_clusters, n_runs):
    """The Gram as so many runs want it: stored if that is cheaper and fits."""
    stored = gram.stored()
    if stored is not gram or gram.shape[0] > FEW_OBJECTS or gram.factor() is not None:
        return stored
    columns = MULTIPLIED * n_clusters * n_runs / (FORMED + ADDED * n_runs)
    return gram.stored(columns)


class ProblemStack:
    """Problems of one size whose runs share products, as those of one problem do.

    Alone, the products of small problems would be mostly overhead. The kernels lie
    one below the other in one array; `blocks` are numbers of problems.

    Parameters
    ----------
    grams : list of Gram
        Square and of one size; they are copied.
    """

    def __init__(self, grams):
        n = self.n_samples = grams[0].shape[0]
        rows = np.empty((len(grams) * n, n), dtype=grams[0].dtype)
        np.concatenate([gram.toarray() for gram in grams], out=rows)
        known = [gram.diagonal() for gram in grams]
        blocks = zip(np.split(rows, len(grams)), known)
        self.parts = [Problem(DenseGram(K, d, d, symmetric=True)) for K, d in blocks]
        self.diagonals = np.array([part.diagonal for part in self.parts])
        self.rows, self.weight = rows, np.ones(n)
        self.tie, self.loss = self.parts[0].tie, 1.0

    def cluster_sums(self, n_clusters, blocks):
        """Sums of runs with these numbers of clusters on these problems."""
        facts = DenseGram(self.rows.T), n_clusters, self.weight, self.diagonals
        return ArrayClusterSums(*facts, free_columns=True, blocks=blocks)

    def similarities(self, objects, blocks):
        """Similarities of some objects to all of their problem."""
        return self.rows[self.n_samples * blocks + objects]


class Run:
    """One run of kernel k-means: its present partition, and in the end its result.

    Parameters
    ----------
    number : int
        Number of the run in the `ClusterSums` that it shares with others.
    labels : ndarray of shape (n_samples,)
        The start.
    n_clusters : int
    problem : Problem or None
        The objects; None if the run is only a result.

    Attributes
    ----------
    labels : ndarray of shape (n_samples,)
        Cluster of each object.
    objective, start_objective : float
    n_reassignments : list of int
        How many objects moved in each iteration.
    converged, stopped : bool
        Whether the run ended by itself, or was stopped by a callback.
    n_emptied : int
        How many clusters lost all objects on the way, and got another.
    members : ndarray of shape (n_samples,)
        The partition whose means give `labels` back. It is another one where a
        run did not converge.
    mass, norms : ndarray of shape (max(n_clusters),)
        Mass and squared norm of the means of `members`.
    medoids : ndarray of shape (max(n_clusters),) or None
        Object of each cluster that is nearest to its mean, -1 of an empty one; None
        if nobody asked.
    shift : float
        Shift of the diagonal under which the means give `labels` back; see
        `ClusterSums.holding_shift`.
    """

    def __init__(self, number, labels, n_clusters, problem=None):
        self.number, self.problem = number, problem
        self.labels, self.n_clusters = labels, n_clusters
        self.previous = self.members = self.medoids = None
        self.converged = self.settled = self.stopped = False
        self.keys, self.n_returns, self.period = {}, 0, 0
        self.n_reassignments, self.n_emptied, self.shift = [], 0, 0.0
        self.start_objective = self.best_objective = np.inf
        self.best_labels, self.best_previous = labels, None

    @property
    def n_iter(self):
        return len(self.n_reassignments)

    @property
    def mean_norms(self):
        """Squared norms of the means in the shifted kernel, infinite if empty."""
        filled = self.mass > 0
        return self.norms + self.shift / np.where(filled, self.mass, 1)

    def take(self, labels, key):
        """Take new labels; a partition whose key is known is a return to it."""
        # A copy, or it would keep the labels of all runs in memory.
        self.previous, self.labels = self.labels, labels.copy()
        if key in self.keys:
            self.n_returns += 1
            self.period = self.n_iter - self.keys[key]
        self.keys[key] = self.n_iter

    def count_laps(self, max_iter, max_oscillations):
        """Count the remaining laps of a cycle without computing them."""
        if not self.n_returns:
            return
        n_more = min(max_oscillations - self.n_returns, max_iter - self.n_iter)
        lap = self.n_reassignments[self.n_iter - self.period :]
        self.n_reassignments += islice(cycle(lap), n_more)
        self.n_returns += n_more


def begin(problem, sums, starts, blocks=None):
    """Runs from all starts, on sums from one product."""
    blocks = [0] * len(starts) if blocks is None else blocks
    parts = [problem.parts[block] for block in blocks]
    facts = zip(range(len(starts)), starts, sums.n_clusters.tolist(), parts)
    runs = [Run(*of_run) for of_run in facts]
    labels = np.array(starts)
    sums.set(numbers(runs), labels)
    evaluate(problem, sums, runs, labels)
    for run in runs:
        run.start_objective = run.objective
    return runs


def numbers(runs):
    """Numbers of the runs in their sums."""
    return np.array([run.number for run in runs], dtype=np.intp)


def labels_of(runs):
    """The present partitions, a row for each."""
    return np.array([run.labels for run in runs])


def means_of(runs):
    """Masses and norms of the present clusters, a row for each run."""
    return np.array([run.mass for run in runs]), np.array([run.norms for run in runs])


def evaluate(problem, sums, runs, labels, mass=None):
    """Masses, norms and objectives of the present partitions; note the best.

    The present partitions are `labels`, of clusters whose mass may be known.
    """
    if mass is None:
        mass = sum_by_cluster(labels, problem.weight, sums.most_clusters)
    Q = sums.totals(numbers(runs), labels)
    filled = mass > 0
    W = np.where(filled, mass, 1)
    norms = np.where(filled, Q / W**2, np.inf)
    explained = (Q / W).sum(axis=1).tolist()
    for r, run in enumerate(runs):
        run.mass, run.totals, run.norms = mass[r], Q[r], norms[r]
        run.objective = objective = run.problem.total - explained[r]
        if objective < run.best_objective - run.problem.rounding(objective):
            run.best_objective = objective
            run.best_labels, run.best_previous = run.labels, run.previous


def place(problem, sums, runs, labels):
    """Set the runs to given partitions; this is not an iteration."""
    labels = np.array(labels)
    sums.update(numbers(runs), labels_of(runs), labels)
    for run, row in zip(runs, labels):
        run.labels = row
    evaluate(problem, sums, runs, labels)

"""Batch kernel k-means on a Gram: assignment, delta updates, ties, cycles.

Notation, for objects i, clusters c and weights w::

    S[c, i] = sum_{j in c} w_j K_ij        kept, and changed by what moved
    W[c]    = sum_{j in c} w_j             mass
    Q[c]    = sum_{i in c} w_i S[c, i]
    d(i, c) = K_ii - 2 S[c, i] / W[c] + Q[c] / W[c]^2
    J       = sum_i w_i K_ii - sum_c Q[c] / W[c]
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, field
from hashlib import blake2b

import numpy as np
from scipy.sparse import csr_array

from sklearn_kernelclust._products import batches

# Two distances that differ by less than this, relative to the self-similarity
# of the object, are a tie: well above the rounding of sums.
TIE = {np.dtype(np.float64): 1e-12, np.dtype(np.float32): 5e-6}

# Nearer than anything, and still finite.
NEAREST = -np.finfo(np.float64).max / 4

# Entries of S that are turned into distances at a time: they stay in cache.
BLOCK = 2**16


@dataclass
class Problem:
    """What stays the same in all runs."""

    gram: object
    n_clusters: int
    weight: np.ndarray
    leave_one_out: bool = False
    diagonal: np.ndarray = field(init=False)
    tie: float = field(init=False)
    total: float = field(init=False)

    def __post_init__(self):
        self.diagonal = self.gram.diagonal().astype(np.float64)
        self.tie = TIE[np.dtype(self.gram.dtype)]
        self.total = float(self.weight @ self.diagonal)

    def small(self, objective):
        """Change of the objective that is only rounding."""
        size = self.weight @ np.abs(self.diagonal) + abs(objective)
        return 0.1 * self.tie * float(size)


@dataclass
class Result:
    """Where a run ended.

    `labels` are the clusters of the objects, `members` the partition whose
    means (of mass `mass` and squared norm `norms`) give these labels back; they
    differ where a run did not converge.
    """

    labels: np.ndarray
    members: np.ndarray
    mass: np.ndarray
    norms: np.ndarray
    objective: float
    start_objective: float
    converged: bool
    period: int
    n_reassignments: list
    n_emptied: int = 0
    stopped: bool = False


class Run:
    """One start on its way to a fixed point.

    Parameters
    ----------
    problem : Problem
    labels : ndarray of shape (n_samples,)
        The start.
    S : ndarray of shape (n_clusters, n_samples)
        Sums for these labels; the driver keeps them up to date.
    """

    def __init__(self, problem, labels, S):
        self.problem, self.labels, self.S = problem, labels, S
        self.previous, self.stopped = None, False
        self.converged, self.settled = False, False
        self.seen, self.n_returns, self.period = {fingerprint(labels): 0}, 0, 0
        self.n_reassignments, self.n_emptied = [], 0
        self.best = (np.inf, labels, None)
        self.update()
        self.start_objective = self.objective

    def update(self):
        """Masses, norms and objective of the present partition, perhaps the best."""
        problem = self.problem
        self.mass = masses(self.labels, problem.weight, problem.n_clusters)
        self.Q = within_sums(self.S, self.labels, problem.weight, problem.n_clusters)
        filled = self.mass > 0
        W = np.where(filled, self.mass, 1)
        self.norms = np.where(filled, self.Q / W**2, np.inf)
        self.objective = problem.total - float((self.Q / W).sum())
        if self.objective < self.best[0] - problem.small(self.objective):
            self.best = (self.objective, self.labels, self.previous)

    def step(self):
        """New labels by the nearest means; None at a fixed point."""
        new = self._repaired(self.nearest(self.labels, self.problem.leave_one_out))
        moved = np.count_nonzero(new != self.labels)
        if not moved and not self.problem.leave_one_out:
            new = self._repaired(self.nearest(None, leave_one_out=False))
            moved = np.count_nonzero(new != self.labels)
            self.settled = not moved
        self.n_reassignments.append(moved)
        self.converged = not moved
        return new if moved else None

    def move(self, labels):
        """Take new labels; a partition seen before is a return."""
        self.previous, self.labels = self.labels, labels
        now, key = len(self.n_reassignments), fingerprint(labels)
        if key in self.seen:
            self.n_returns += 1
            self.period = now - self.seen[key]
        self.seen[key] = now

    def place(self, labels):
        """Go to a partition that is not an iteration."""
        if (labels != self.labels).any():
            problem, moves = self.problem, [(0, self.labels, labels)]
            add_moves(problem.gram, self.S, moves, problem.weight, problem.n_clusters)
            self.labels = labels
            self.update()

    def nearest(self, labels, leave_one_out):
        """Clusters of the nearest means, see the function of this name."""
        return nearest(
            self.S,
            self.mass,
            self.norms,
            self.problem.diagonal,
            self.problem.tie,
            labels=labels,
            weight=self.problem.weight if leave_one_out else None,
        )

    def means(self):
        """The present partition and its means."""
        return {"members": self.labels, "mass": self.mass, "norms": self.norms}

    def result(self, means, converged):
        """What there is to tell of this run, with the present labels.

        Objects without weight that are alone in a cluster go to the nearest
        mean: where there is no weight there is no mean.
        """
        labels, homeless = self.labels, self.mass[self.labels] == 0
        if homeless.any():
            labels = np.where(homeless, self.nearest(None, False), labels)
        return Result(
            labels=labels,
            **means,
            objective=self.objective,
            start_objective=self.start_objective,
            converged=converged,
            period=self.period,
            n_reassignments=self.n_reassignments,
            n_emptied=self.n_emptied,
            stopped=self.stopped,
        )

    def _repaired(self, labels):
        problem = self.problem
        mass = masses(labels, problem.weight, problem.n_clusters)
        empty = np.flatnonzero(mass == 0)
        if len(empty) == 0:
            return labels
        self.n_emptied += np.count_nonzero(self.mass[empty])
        distances = own_distances(
            self.S, self.mass, self.norms, problem.diagonal, labels
        )
        return fill_empty(labels, empty, distances, problem)


def masses(labels, weight, n_clusters):
    """Total weight of each cluster."""
    return np.bincount(labels, weights=weight, minlength=n_clusters)


def within_sums(S, labels, weight, n_clusters):
    """Similarities within each cluster, summed over all pairs of its members."""
    own = weight * S[labels, np.arange(len(labels))]
    return np.bincount(labels, weights=own, minlength=n_clusters)


def own_distances(S, mass, norms, diagonal, labels):
    """Squared distance of each object to the mean of the cluster it is in."""
    own = S[labels, np.arange(len(labels))]
    with np.errstate(divide="ignore", invalid="ignore"):
        return diagonal - 2 * own / mass[labels] + norms[labels]


def nearest(S, mass, norms, diagonal, tie, labels=None, weight=None):
    """Cluster of the nearest mean for each column of `S`.

    An object stays in its own cluster (`labels`) if that is within a tie of
    the nearest; otherwise, and where there are no labels, the lowest index
    within a tie wins. With `weight`, the own mean leaves the object out, as
    the split-and-merge rule wants: its distance is then (W / (W - w))^2 times
    the one that includes it.
    """
    n = S.shape[1]
    result = np.empty(n, dtype=np.intp) if labels is None else labels.copy()
    factor = np.divide(2.0, mass, out=np.zeros_like(mass), where=mass > 0)
    for cols in batches(n, max(BLOCK // len(mass), 1)):
        G = norms[:, None] - factor[:, None] * S[:, cols]
        if labels is not None:
            here = labels[cols], np.arange(G.shape[1])
            if weight is not None:
                G[here] = _without_itself(
                    G[here], diagonal[cols], mass[labels[cols]], weight[cols]
                )
        smallest = G.min(axis=0)
        limit = smallest + tie * (np.abs(diagonal[cols]) + np.abs(smallest))
        if labels is None:
            result[cols] = (G <= limit).argmax(axis=0)
        else:
            leaves = np.flatnonzero(G[here] > limit)
            result[cols][leaves] = (G[:, leaves] <= limit[leaves]).argmax(axis=0)
    return result


def _without_itself(own, diagonal, mass, weight):
    """Distance to the own mean without the object, less k(x, x); alone it stays."""
    left = mass - weight
    alone = left <= 1e-12 * mass
    ratio = np.divide(mass, left, out=np.ones_like(mass), where=~alone)
    return np.where(alone, NEAREST, ratio**2 * (diagonal + own) - diagonal)


def fill_empty(labels, empty, distances, problem):
    """Give each empty cluster the object that is farthest from its own mean.

    Only objects at a positive distance, and never the last of a cluster: with
    fewer distinct objects than clusters, some clusters stay empty.
    """
    labels = labels.copy()
    weight = problem.weight
    members = np.bincount(labels[weight > 0], minlength=problem.n_clusters)
    worth = np.where(np.isfinite(distances), weight * distances, 0)
    floor = problem.tie * np.abs(problem.diagonal)
    empty = list(empty)
    for i in np.argsort(-worth, kind="stable"):
        if not empty or worth[i] <= 0:
            break
        if distances[i] > floor[i] and members[labels[i]] > 1:
            members[labels[i]] -= 1
            labels[i] = empty.pop(0)
    return labels


def fingerprint(labels):
    """A key for a partition."""
    return blake2b(labels.tobytes(), digest_size=16).digest()


def indicator(labels, weight, n_clusters):
    """Sparse matrix that sums over the members of each cluster."""
    n = len(labels)
    return csr_array((weight, labels, np.arange(n + 1)), shape=(n, n_clusters))


def first_sums(gram, starts, weight, n_clusters):
    """``S`` for several starts, one below the other, in one wide product."""
    n, width = len(weight), len(starts) * n_clusters
    columns = np.stack([s + r * n_clusters for r, s in enumerate(starts)], axis=1)
    Z = csr_array(
        (
            np.repeat(weight, len(starts)),
            columns.ravel(),
            np.arange(0, n * len(starts) + 1, len(starts)),
        ),
        shape=(n, width),
    )
    return np.ascontiguousarray((gram @ Z).T)


def add_moves(gram, S, moves, weight, n_clusters):
    """Bring ``S`` up to date with what moved, in one product for all runs.

    Each of `moves` is the first row of a run in `S`, its old and its new
    labels. Only the columns of the objects that moved are needed; where more
    than half of the objects did, summing afresh is cheaper.
    """
    n = len(weight)
    objects, rows, values = [], [], []
    for first, old, new in moves:
        i = np.flatnonzero(old != new)
        if 2 * len(i) >= n:
            S[first : first + n_clusters] = 0
            i, gone = np.arange(n), []
        else:
            gone = [(i, first + old[i], -weight[i])]
        for part in [*gone, (i, first + new[i], weight[i])]:
            objects.append(part[0])
            rows.append(part[1])
            values.append(part[2])
    rows = np.concatenate(rows)
    touched = np.flatnonzero(np.bincount(rows, minlength=len(S)))
    column = np.empty(len(S), dtype=np.intp)
    column[touched] = np.arange(len(touched))
    D = csr_array(
        (np.concatenate(values), (np.concatenate(objects), column[rows])),
        shape=(n, len(touched)),
    )
    S[touched] += (gram @ D).T


def run_batch(problem, starts, max_iter, max_oscillations, on_iteration):
    """Runs from all `starts` in step, so that they share every product."""
    k = problem.n_clusters
    S = first_sums(problem.gram, starts, problem.weight, k)
    runs = [Run(problem, s, S[r * k : (r + 1) * k]) for r, s in enumerate(starts)]
    active = list(enumerate(runs))
    for _ in range(max_iter):
        moves = []
        for r, run in active:
            new = run.step()
            if new is not None:
                moves.append((r * k, run.labels, new))
                run.move(new)
        if moves:
            add_moves(problem.gram, S, moves, problem.weight, k)
        active = [(first // k, runs[first // k]) for first, _, _ in moves]
        for _, run in active:
            run.update()
        active = [(r, run) for r, run in active if run.n_returns < max_oscillations]
        stop = on_iteration()
        for _, run in active:
            run.stopped = stop
        if stop or not active:
            break
    return [finish(run) for run in runs]


def finish(run):
    """The best partition seen, with means that give it back where there are such.

    At a fixed point these are its own means. In a cycle, or where the last
    iteration was reached, they are the means of the partition before it. An
    indefinite kernel may leave neither: then the labels are the best partition
    and no means reproduce them. The split-and-merge rule does not follow the
    objective: its fixed point counts as long as it is not above the start.
    """
    problem = run.problem
    best, labels, previous = run.best
    bound = run.start_objective if problem.leave_one_out else best
    fixed = run.converged and run.objective <= bound + problem.small(bound)
    if fixed:
        best, labels, previous = run.objective, run.labels, None
        if run.settled:
            return run.result(run.means(), fixed)
    for members in (previous, labels):
        if members is None:
            continue
        run.place(members)
        means = run.means()
        run.place(run.nearest(None, leave_one_out=False))
        gain = best - run.objective
        # A fixed point is left only for its equals: objects that coincide.
        if abs(gain) <= problem.small(best) or (gain > 0 and not fixed):
            return run.result(means, fixed)
    run.place(labels)
    return run.result(run.means(), fixed)


def first_of_the_best(results, problem):
    """Of runs that end equally well the first, or rounding would choose."""
    best = min(result.objective for result in results)
    if not np.isfinite(best):
        raise ValueError(
            f"The objective of kernel k-means is {best}: entries of the kernel, or "
            "sums of them, are not finite. Rescale the data."
        )
    limit = best + problem.small(best)
    return next(result for result in results if result.objective <= limit)

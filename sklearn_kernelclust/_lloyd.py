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
from itertools import repeat

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
    """What stays the same in all runs.

    Runs on several kernels of as many objects each can go in step: those
    kernels stand beside each other in one `gram`, and `first` says where the
    columns of this problem begin.
    """

    gram: object
    n_clusters: int
    weight: np.ndarray
    leave_one_out: bool = False
    diagonal: np.ndarray = None
    first: int = 0
    tie: float = field(init=False)
    total: float = field(init=False)
    size: float = field(init=False)

    def __post_init__(self):
        if self.diagonal is None:
            self.diagonal = self.gram.diagonal()
        self.diagonal = self.diagonal.astype(np.float64)
        self.tie = TIE[np.dtype(self.gram.dtype)]
        self.total = float(self.weight @ self.diagonal)
        self.size = float(self.weight @ np.abs(self.diagonal))

    def small(self, objective):
        """Change of the objective that is only rounding."""
        return 0.1 * self.tie * (self.size + abs(objective))


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
    sums : ndarray of shape (n_runs * n_clusters, n_samples)
        Sums for the labels of this run and others, one below the other; the
        driver keeps them up to date.
    first : int
        Row at which the sums of this run, ``S``, begin.
    n_clusters : int
        If there are fewer than the problem allows for: the last rows of `S` are
        those of clusters that this run does not have.
    begin : bool
        Whether to begin; else the driver calls `begin_together`.
    """

    def __init__(self, problem, labels, sums, first=0, n_clusters=None, begin=True):
        self.problem, self.labels, self.first = problem, labels, first
        self.sums, self.S = sums, sums[first : first + problem.n_clusters]
        self.n_clusters = n_clusters or problem.n_clusters
        self.previous, self.stopped = None, False
        self.converged, self.settled = False, False
        self.seen, self.n_returns, self.period = {}, 0, 0
        self.n_reassignments, self.n_emptied = [], 0
        self.best = (np.inf, labels, None)
        if begin:
            begin_together([self])

    def update(self):
        """Masses, norms and objective of the present partition, perhaps the best."""
        update_together([self])

    def move(self, labels, key):
        """Take new labels; a partition seen before, known by its key, is a return."""
        # A copy, or it would keep the labels of all runs in memory.
        self.previous, self.labels = self.labels, labels.copy()
        now = len(self.n_reassignments)
        if key in self.seen:
            self.n_returns += 1
            self.period = now - self.seen[key]
        self.seen[key] = now

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
            labels = np.where(homeless, nearest_of([self])[0], labels)
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

    def repaired(self, labels, mass):
        """New labels, with objects for the clusters that they leave empty."""
        problem = self.problem
        empty = np.flatnonzero(mass[: self.n_clusters] == 0)
        self.n_emptied += np.count_nonzero(self.mass[empty])
        distances = own_distances(
            self.S, self.mass, self.norms, problem.diagonal, labels
        )
        return fill_empty(labels, empty, distances, problem)


def begin_together(runs):
    """Look at the starts of the runs."""
    update_together(runs)
    labels, k = [run.labels for run in runs], runs[0].problem.n_clusters
    for run, key in zip(runs, fingerprints(labels, k)):
        run.seen[key] = 0
        run.start_objective = run.objective


def update_together(runs):
    """Masses, norms and objectives of the present partitions of the runs."""
    problem = runs[0].problem
    labels = np.stack([run.labels for run in runs])
    mass = masses(labels, problem.weight, problem.n_clusters)
    Q = within_sums(runs, labels)
    filled = mass > 0
    W = np.where(filled, mass, 1)
    norms = np.where(filled, Q / W**2, np.inf)
    explained = (Q / W).sum(axis=1).tolist()
    for r, run in enumerate(runs):
        run.mass, run.Q, run.norms = mass[r], Q[r], norms[r]
        run.objective = objective = run.problem.total - explained[r]
        if objective < run.best[0] - run.problem.small(objective):
            run.best = (objective, run.labels, run.previous)


def step_together(runs):
    """New labels of runs of one problem by the nearest means.

    Where nothing moves, and the labels are those that `predict` would give, a
    run has settled.
    """
    loo = runs[0].problem.leave_one_out
    old = np.stack([run.labels for run in runs])
    new = repaired(runs, nearest_of(runs, old, leave_one_out=loo))
    moved = np.count_nonzero(new != old, axis=1)
    still = np.flatnonzero(moved == 0)
    if len(still) and not loo:
        at_rest = [runs[r] for r in still]
        new[still] = repaired(at_rest, nearest_of(at_rest))
        moved[still] = np.count_nonzero(new[still] != old[still], axis=1)
        for r in still:
            runs[r].settled = not moved[r]
    for run, n_moved in zip(runs, moved.tolist()):
        run.n_reassignments.append(n_moved)
        run.converged = not n_moved
    return new


def repaired(runs, labels):
    """The labels of runs of one problem, without clusters that are empty."""
    problem = runs[0].problem
    mass = masses(labels, problem.weight, problem.n_clusters)
    n_filled = np.count_nonzero(mass, axis=1)
    for r in np.flatnonzero(n_filled < [run.n_clusters for run in runs]):
        labels[r] = runs[r].repaired(labels[r], mass[r])
    return labels


def masses(labels, weight, n_clusters):
    """Total weight of each cluster, a row for each row of labels."""
    n_runs = len(labels)
    cells = (labels + n_clusters * np.arange(n_runs)[:, None]).ravel()
    weights = np.broadcast_to(weight, labels.shape).ravel()
    totals = np.bincount(cells, weights, minlength=n_runs * n_clusters)
    return totals.reshape(n_runs, n_clusters)


def within_sums(runs, labels):
    """Similarities within each cluster, summed over all pairs of its members."""
    problem, objects = runs[0].problem, np.arange(labels.shape[1])
    first = np.array([run.first for run in runs])[:, None]
    own = runs[0].sums[first + labels, objects]
    cells = (labels + problem.n_clusters * np.arange(len(runs))[:, None]).ravel()
    sums = np.bincount(
        cells, (problem.weight * own).ravel(), len(runs) * problem.n_clusters
    )
    return sums.reshape(len(runs), problem.n_clusters)


def own_distances(S, mass, norms, diagonal, labels):
    """Squared distance of each object to the mean of the cluster it is in."""
    own = S[labels, np.arange(len(labels))]
    with np.errstate(divide="ignore", invalid="ignore"):
        return diagonal - 2 * own / mass[labels] + norms[labels]


def nearest_of(runs, labels=None, leave_one_out=False):
    """Clusters of the nearest means of runs of one size, a row for each run."""
    problem = runs[0].problem
    result = np.empty((len(runs), len(problem.weight)), dtype=np.intp)
    n_together = max(BLOCK // max(runs[0].S.size, 1), 1)
    n_clusters = np.array([run.n_clusters for run in runs])
    first = np.array([run.first for run in runs]) // problem.n_clusters
    sums = runs[0].sums.reshape(-1, *runs[0].S.shape)
    mass = np.stack([run.mass for run in runs])
    norms = np.stack([run.norms for run in runs])
    # Runs with alike numbers of clusters together: they look at no more rows.
    order = np.argsort(n_clusters, kind="stable")
    for part in batches(len(runs), n_together):
        some = order[part]
        k = n_clusters[some[-1]]
        result[some] = nearest(
            sums[first[some], :k] if len(some) > 1 else runs[some[0]].S[None, :k],
            mass[some, :k],
            norms[some, :k],
            np.stack([runs[r].problem.diagonal for r in some]),
            problem.tie,
            labels=None if labels is None else labels[some],
            weight=problem.weight if leave_one_out else None,
        )
    return result


def nearest(S, mass, norms, diagonal, tie, labels=None, weight=None):
    """Cluster of the nearest mean for each column of `S`.

    An object stays in its own cluster (`labels`) if that is within a tie of
    the nearest; otherwise, and where there are no labels, the lowest index
    within a tie wins. With `weight`, the own mean leaves the object out, as
    the split-and-merge rule wants: its distance is then (W / (W - w))^2 times
    the one that includes it. Several runs may stand one behind the other:
    sums of shape (n_runs, n_clusters, n_samples), masses, norms, diagonals and
    labels a row for each.
    """
    if S.ndim == 2:
        rows = None if labels is None else labels[None]
        alone = S[None], mass[None], norms[None], diagonal[None]
        return nearest(*alone, tie, rows, weight)[0]
    n_runs, k, n = S.shape
    result = np.empty((n_runs, n), dtype=np.intp) if labels is None else labels.copy()
    factor = np.divide(2.0, mass, out=np.zeros_like(mass), where=mass > 0)
    run = np.arange(n_runs)[:, None]
    for cols in batches(n, max(BLOCK // (k * n_runs), 1)):
        G = S[:, :, cols] * -factor[:, :, None]
        G += norms[:, :, None]
        if labels is not None:
            own = labels[:, cols]
            here = run, own, np.arange(G.shape[2])
            at_home = G[here]
            if weight is not None:
                at_home = _without_itself(
                    at_home, diagonal[:, cols], mass[run, own], weight[cols]
                )
                G[here] = at_home
        smallest = G.min(axis=1)
        limit = smallest + tie * (np.abs(diagonal[:, cols]) + np.abs(smallest))
        if labels is None:
            result[:, cols] = (G <= limit[:, None]).argmax(axis=1)
        else:
            leaves = np.nonzero(at_home > limit)
            near = G[leaves[0], :, leaves[1]] <= limit[leaves][:, None]
            result[:, cols][leaves] = near.argmax(axis=1)
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


def fingerprints(partitions, n_clusters):
    """A key for each partition, whatever the others are."""
    # Of few clusters there is less to read.
    labels = np.stack(partitions).astype(np.min_scalar_type(n_clusters))
    return [blake2b(row, digest_size=16).digest() for row in labels]


def indicator(labels, weight, n_clusters):
    """Sparse matrix that sums over the members of each cluster."""
    n = len(labels)
    return csr_array((weight, labels, np.arange(n + 1)), shape=(n, n_clusters))


def first_sums(gram, starts, weight, n_clusters, first=None):
    """``S`` for several starts, one below the other, in one wide product.

    `first` says where the columns of each run begin, if not all at 0.
    """
    n, n_runs = len(weight), len(starts)
    rows = np.stack(starts) + n_clusters * np.arange(n_runs)[:, None]
    shape = n_runs * n, n_runs * n_clusters
    weights, ends = np.tile(weight, n_runs), np.arange(n_runs * n + 1)
    # Sorted by the rows of S; what is sorted are pairs of run and object.
    Z = csr_array((weights, rows.ravel(), ends), shape=shape).tocsc()
    columns = Z.indices % max(n, 1)
    if first is not None:
        columns += np.asarray(first, dtype=columns.dtype)[Z.indices // n]
    D = csr_array((Z.data, columns, Z.indptr), shape=(shape[1], gram.shape[1]))
    return np.ascontiguousarray((gram @ D.T).T)


def moved_sums(runs, labels, first):
    """What new labels change in the sums of runs of one problem.

    Objects, rows of ``S`` and weights to add there; `first` says where the
    sums of each run begin. Where more than half of the objects moved, summing
    afresh is cheaper: those sums become zero.
    """
    weight = runs[0].problem.weight
    new, old = np.stack(labels), np.stack([run.labels for run in runs])
    first = np.asarray(first)
    # Small integers, which sparse matrices take as they are.
    index = np.int32 if runs[0].problem.gram.shape[1] < 2**31 else np.int64
    column = np.array([run.problem.first for run in runs], dtype=index)
    moved = new != old
    afresh = 2 * np.count_nonzero(moved, axis=1) >= len(weight)
    for r in np.flatnonzero(afresh):
        runs[r].S[:] = 0
    gone = np.nonzero(moved & ~afresh[:, None])
    come = np.nonzero(moved | afresh[:, None])
    return (
        np.concatenate([column[run] + i for run, i in (gone, come)], dtype=index),
        np.concatenate([first[gone[0]] + old[gone], first[come[0]] + new[come]]),
        np.concatenate([-weight[gone[1]], weight[come[1]]]),
    )


def add_moves(gram, S, moves):
    """Bring ``S`` up to date with what moved, in one product for all runs.

    `moves` are columns of the kernel, rows of ``S`` and weights, see
    `moved_sums`. Only the columns of the objects that moved are needed.
    """
    objects, rows, values = moves
    n_moves = np.bincount(rows, minlength=len(S))
    touched = np.flatnonzero(n_moves)
    # By rows of the transpose, which is how products take it.
    # Of small integers this is a radix sort.
    by_row = np.argsort(rows.astype(np.min_scalar_type(len(S))), kind="stable")
    ends = np.zeros(len(touched) + 1, dtype=objects.dtype)
    np.cumsum(n_moves[touched], out=ends[1:])
    shape = len(touched), gram.shape[1]
    D = csr_array((values[by_row], objects[by_row], ends), shape=shape)
    S[touched] += (gram @ D.T).T


def run_batch(
    problem,
    starts,
    max_iter,
    max_oscillations,
    on_iteration,
    n_clusters=None,
    problems=None,
):
    """Runs from all `starts` in step, so that they share every product.

    `n_clusters` is for runs with fewer clusters than the problem allows for,
    `problems` for runs on different kernels that stand side by side.
    """
    k = problem.n_clusters
    problems = problems or [problem] * len(starts)
    first = [own.first for own in problems]
    S = first_sums(problem.gram, starts, problem.weight, k, first)
    each = zip(problems, starts, n_clusters or repeat(k))
    runs = [
        Run(own, start, S, r * k, n, begin=False)
        for r, (own, start, n) in enumerate(each)
    ]
    begin_together(runs)
    active = runs
    for _ in range(max_iter):
        new = step_together(active)
        moving = [r for r, run in enumerate(active) if not run.converged]
        active, new = [active[r] for r in moving], new[moving]
        if active:
            moves = moved_sums(active, new, [run.first for run in active])
            add_moves(problem.gram, S, moves)
            for run, labels, key in zip(active, new, fingerprints(new, k)):
                run.move(labels, key)
            update_together(active)
        active = [run for run in active if run.n_returns < max_oscillations]
        stop = on_iteration()
        for run in active:
            run.stopped = stop
        if stop or not active:
            break
    return finish(runs, S)


def place_together(runs, labels, S):
    """Go to partitions that are no iterations."""
    moves = moved_sums(runs, labels, [run.first for run in runs])
    add_moves(runs[0].problem.gram, S, moves)
    for run, row in zip(runs, labels):
        run.labels = row
    update_together(runs)


def finish(runs, S):
    """The best partitions seen, with means that give them back, if there are such.

    At a fixed point these are its own means. In a cycle, or where the last
    iteration was reached, they are the means of the partition before it. An
    indefinite kernel may leave neither: then the labels are the best partition
    and no means reproduce them. The split-and-merge rule does not follow the
    objective: its fixed point counts as long as it is not above the start.
    """
    ends = [End(run) for run in runs]
    for attempt in range(2):
        waiting = [end for end in ends if end.waits(attempt)]
        if waiting:
            going = [end.run for end in waiting]
            place_together(going, [end.members[attempt] for end in waiting], S)
            means = [run.means() for run in going]
            place_together(going, nearest_of(going), S)
            for end, of_run in zip(waiting, means):
                end.judge(of_run)
    left = [end for end in ends if end.result is None]
    if left:
        place_together([end.run for end in left], [end.best[1] for end in left], S)
        for end in left:
            end.result = end.run.result(end.run.means(), end.fixed)
    return [end.result for end in ends]


class End:
    """A run that is over, on the search for means that give its best labels."""

    def __init__(self, run):
        problem, self.run, self.best = run.problem, run, run.best
        bound = run.start_objective if problem.leave_one_out else run.best[0]
        self.fixed = run.converged and run.objective <= bound + problem.small(bound)
        if self.fixed:
            self.best = run.objective, run.labels, None
        self.members = self.best[2], self.best[1]
        settled = self.fixed and run.settled
        self.result = run.result(run.means(), True) if settled else None

    def waits(self, attempt):
        """Whether this partition is still to be tried."""
        return self.result is None and self.members[attempt] is not None

    def judge(self, means):
        """Take these means if the present labels, which they give, are as good.

        A fixed point is left only for its equals: objects that coincide.
        """
        gain = self.best[0] - self.run.objective
        rounding = self.run.problem.small(self.best[0])
        if abs(gain) <= rounding or (gain > 0 and not self.fixed):
            self.result = self.run.result(means, self.fixed)


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

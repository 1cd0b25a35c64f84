"""Batch kernel k-means: all objects go to the nearest means, until none moves."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from hashlib import blake2b

import numpy as np

from sklearn_kernelclust._kmeans._cluster_sums import move_sums, totals
from sklearn_kernelclust._kmeans._results import finish
from sklearn_kernelclust._kmeans._runs import (
    labels_of,
    nearest_of,
    start_together,
    update_together,
)


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
    problems = problems or [problem] * len(starts)
    runs = start_together(problems, starts, n_clusters)
    for run, key in zip(runs, fingerprints(starts, problem.n_clusters)):
        run.seen[key] = 0
    active = runs
    for _ in range(max_iter):
        moves = step_together(active)
        moving = [r for r, run in enumerate(active) if not run.converged]
        active = [active[r] for r in moving]
        if active:
            move_together(active, *(each[moving] for each in moves))
        for run in active:
            if run.n_returns:
                run.go_round(max_iter, max_oscillations)
        active = [run for run in active if not run.n_returns]
        stop = on_iteration()
        for run in active:
            run.stopped = stop
        if stop or not active:
            break
    return finish(runs)


def step_together(runs):
    """Old labels of runs of one problem, new ones by the nearest means, and masses.

    Where nothing moves, and the labels are those that `predict` would give, a
    run has settled.
    """
    loo = runs[0].problem.leave_one_out
    old = labels_of(runs)
    new, mass = repaired(runs, nearest_of(runs, old, leave_one_out=loo))
    moved = np.count_nonzero(new != old, axis=1)
    still = np.flatnonzero(moved == 0)
    if len(still) and not loo:
        at_rest = [runs[r] for r in still]
        new[still], mass[still] = repaired(at_rest, nearest_of(at_rest))
        moved[still] = np.count_nonzero(new[still] != old[still], axis=1)
        for r in still:
            runs[r].settled = not moved[r]
    for run, n_moved in zip(runs, moved.tolist()):
        run.n_reassignments.append(n_moved)
        run.converged = not n_moved
    return old, new, mass


def move_together(runs, old, new, mass):
    """Take new labels, and note which of these partitions are not new."""
    move_sums(runs, old, new)
    keys = fingerprints(new, runs[0].problem.n_clusters)
    for run, row, key in zip(runs, new, keys):
        run.move(row, key)
    update_together(runs, new, mass)


def fingerprints(partitions, n_clusters):
    """A key for each partition, whatever the others are."""
    # Of few clusters there is less to read.
    labels = np.array(partitions, dtype=np.min_scalar_type(n_clusters))
    return [blake2b(row, digest_size=16).digest() for row in labels]


def repaired(runs, labels):
    """The labels of runs of one problem, without clusters that are empty.

    And the mass of these clusters.
    """
    problem = runs[0].problem
    mass = totals(labels, problem.weight, problem.n_clusters)
    n_filled = np.count_nonzero(mass, axis=1)
    for r in np.flatnonzero(n_filled < [run.n_clusters for run in runs]):
        run = runs[r]
        empty = np.flatnonzero(mass[r, : run.n_clusters] == 0)
        run.n_emptied += np.count_nonzero(run.mass[empty])
        distances = own_distances(run, labels[r])
        labels[r] = fill_empty(labels[r], empty, distances, run.problem)
        mass[r] = np.bincount(labels[r], problem.weight, problem.n_clusters)
    return labels, mass


def own_distances(run, labels):
    """Squared distance of each object to the mean of the cluster it is in."""
    own = run.S[labels, np.arange(len(labels))]
    with np.errstate(divide="ignore", invalid="ignore"):
        return run.problem.diagonal - 2 * own / run.mass[labels] + run.norms[labels]


def fill_empty(labels, empty, distances, problem):
    """Give each empty cluster the object that is farthest from its own mean.

    Only objects at a positive distance, and never the last of a cluster: with
    fewer distinct objects than clusters, some clusters stay empty.
    """
    labels, empty = labels.copy(), list(empty)
    weight, floor = problem.weight, problem.tie * np.abs(problem.diagonal)
    members = np.bincount(labels[weight > 0], minlength=problem.n_clusters)
    worth = np.where(distances > floor, weight * distances, 0)
    worth[~np.isfinite(worth)] = 0
    while empty:
        farthest = worth.argmax()
        if worth[farthest] <= 0:
            break
        if members[labels[farthest]] > 1:
            members[labels[farthest]] -= 1
            labels[farthest] = empty.pop(0)
        worth[farthest] = 0
    return labels

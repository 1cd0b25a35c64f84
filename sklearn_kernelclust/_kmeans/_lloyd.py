"""Batch steps: all objects go to the best cluster by a rule, at the same time."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import lru_cache

import numpy as np

from sklearn_kernelclust._gram._cluster_sums import count_moved, sum_by_cluster
from sklearn_kernelclust._kmeans._runs import evaluate, labels_of, means_of, numbers


def step(problem, sums, runs, rule):
    """One batch step of all runs; those where no object moves have converged."""
    old = labels_of(runs)
    new, mass = proposed(problem, sums, runs, rule, old)
    moved = count_moved(old, new)
    still = np.flatnonzero(moved == 0)
    if len(still) and rule == "mean":
        # The labels of a fixed point are those that `predict` would give.
        at_rest = [runs[r] for r in still]
        new[still], mass[still] = proposed(problem, sums, at_rest, rule)
        moved[still] = count_moved(old[still], new[still])
    for run, n_moved in zip(runs, moved.tolist()):
        run.n_reassignments.append(n_moved)
        run.converged = not n_moved
        run.settled = run.converged and rule == "mean"
    moving = np.flatnonzero(moved)
    if len(moving) == len(runs):
        move(problem, sums, runs, old, new, mass)
    elif len(moving):
        runs = [runs[r] for r in moving]
        move(problem, sums, runs, old[moving], new[moving], mass[moving])


def descend(problem, sums, run, max_iter, on_iteration):
    """Steps that lower the objective, made where the sums are, if they can be.

    What they leave, or if there are none, is for `step`.
    """
    means = run.labels, run.mass, run.norms
    descent = sums.descent(run.number, *means, random_integers(problem.n_samples))
    while descent and run.n_iter < max_iter and not run.stopped:
        n_moved = descent.step(problem.rounding(run.objective))
        if not n_moved:
            break
        run.n_reassignments.append(n_moved)
        run.objective = problem.total - descent.explained
        run.stopped = bool(on_iteration())
    if run.n_iter:
        run.keys |= zip(descent.names(), range(1, run.n_iter + 1))
        run.labels, run.previous, best, before = descent.partitions()
        evaluate(problem, sums, [run], run.labels[None])
        run.best_labels, run.best_previous = best, before


def move(problem, sums, runs, old, new, mass):
    """Take new labels, and note which of these partitions are returns."""
    sums.update(numbers(runs), old, new)
    for run, row, key in zip(runs, new, fingerprints(new)):
        run.take(row, key)
    evaluate(problem, sums, runs, new, mass)


def fingerprints(partitions):
    """A key for each partition: a sum of random integers, times the labels.

    Two partitions of a run have the same one with a probability of about 2**-60.
    """
    partitions = np.asarray(partitions)
    factors = random_integers(partitions.shape[1])
    return (partitions.astype(np.uint64, copy=False) @ factors).tolist()


@lru_cache(maxsize=4)
def random_integers(n):
    """Integers of 64 bits, the same for each call."""
    return np.random.RandomState(0).randint(2**64, size=n, dtype=np.uint64)


def proposed(problem, sums, runs, rule, labels=None):
    """New labels by a rule, without empty clusters, and the mass of clusters."""
    own = numbers(runs), *means_of(runs)
    labels = sums.nearest(*own, labels, rule)
    mass = sum_by_cluster(labels, problem.weight, sums.most_clusters)
    n_filled = np.count_nonzero(mass, axis=1)
    for r in np.flatnonzero(n_filled < sums.n_clusters[own[0]]):
        run = runs[r]
        empty = np.flatnonzero(mass[r, : run.n_clusters] == 0)
        run.n_emptied += np.count_nonzero(run.mass[empty])
        distances = own_distances(sums, run, labels[r])
        labels[r] = fill_empty(run.problem, labels[r], empty, distances)
        mass[r] = np.bincount(labels[r], problem.weight, mass.shape[1])
    return labels, mass


def own_distances(sums, run, labels):
    """Squared distances of the objects to the present mean of a cluster each."""
    similarity = sums.own(numbers([run]), labels[None])[0]
    with np.errstate(divide="ignore", invalid="ignore"):
        similarity /= run.mass[labels]
        return run.problem.diagonal - 2 * similarity + run.norms[labels]


def fill_empty(problem, labels, empty, distances):
    """Give each empty cluster the first object that is farthest from its own mean.

    Only objects that are not at the place of their mean, and never the last of
    a cluster: with fewer distinct objects than clusters, some clusters stay
    empty. Negative distances of an indefinite kernel count from the smallest.
    """
    labels, empty = labels.copy(), list(empty)
    # Alone, an object at less than a tie from its old mean would return to it.
    weight, floor = problem.weight, 2 * problem.tie * np.abs(problem.diagonal)
    members = np.bincount(labels[weight > 0], minlength=max(empty) + 1)
    known = np.isfinite(distances) & (np.abs(distances) > floor)
    distances = np.where(known, distances, 0)
    distances -= min(distances.min(), 0)
    worth = np.where(distances > floor, weight * distances, 0)
    while empty and worth.max() > 0:
        # The first of those that only rounding tells apart.
        farthest = ((worth > 0) & (worth + weight * floor >= worth.max())).argmax()
        if members[labels[farthest]] > 1:
            members[labels[farthest]] -= 1
            labels[farthest] = empty.pop(0)
        worth[farthest] = 0
    return labels

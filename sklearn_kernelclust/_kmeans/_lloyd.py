"""Batch steps: all objects go to the best cluster by a rule, at the same time."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from hashlib import blake2b

import numpy as np

from sklearn_kernelclust._gram._cluster_sums import sum_by_cluster
from sklearn_kernelclust._kmeans._runs import evaluate, labels_of, means_of, numbers


def step(problem, sums, runs, rule):
    """One batch step of all runs; those where no object moves have converged."""
    old = labels_of(runs)
    new, mass = proposed(problem, sums, runs, rule, old)
    moved = np.count_nonzero(new != old, axis=1)
    still = np.flatnonzero(moved == 0)
    if len(still) and rule == "mean":
        # The labels of a fixed point are those that `predict` would give.
        at_rest = [runs[r] for r in still]
        new[still], mass[still] = proposed(problem, sums, at_rest, rule)
        moved[still] = np.count_nonzero(new[still] != old[still], axis=1)
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


def move(problem, sums, runs, old, new, mass):
    """Take new labels, and note which of these partitions are returns."""
    sums.update(numbers(runs), old, new)
    for run, row, key in zip(runs, new, fingerprints(new, sums.most_clusters)):
        run.take(row, key)
    evaluate(problem, sums, runs, new, mass)


def fingerprints(partitions, n_clusters):
    """A key for each partition, whatever the others are."""
    # Small integers: there is less to read.
    labels = np.array(partitions, dtype=np.min_scalar_type(n_clusters))
    return [blake2b(row, digest_size=16).digest() for row in labels]


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
    """Give each empty cluster the object that is farthest from its own mean.

    Only objects that are not at the place of their mean, and never the last of
    a cluster: with fewer distinct objects than clusters, some clusters stay
    empty. Negative distances of an indefinite kernel count from the smallest.
    """
    labels, empty = labels.copy(), list(empty)
    # Alone, an object at less than a tie from its old mean would return to it.
    weight, floor = problem.weight, 2 * problem.tie * np.abs(problem.diagonal)
    members = np.bincount(labels[weight > 0], minlength=max(empty) + 1)
    distances = np.where(np.isfinite(distances), distances, 0)
    distances = distances - min(distances.min(), 0)
    worth = np.where(distances > floor, weight * distances, 0)
    while empty:
        farthest = worth.argmax()
        if worth[farthest] <= 0:
            break
        if members[labels[farthest]] > 1:
            members[labels[farthest]] -= 1
            labels[farthest] = empty.pop(0)
        worth[farthest] = 0
    return labels

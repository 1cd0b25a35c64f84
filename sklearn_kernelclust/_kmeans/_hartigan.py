"""Single moves: one object at a time, by the exact change of the objective.

Joining a cluster of mass W adds ``w W / (W + w) d(i, c)`` to the objective,
leaving one saves ``w W / (W - w) d(i, c)``. A move is made only if it saves
more than it adds, so the procedure ends on any symmetric kernel. A diagonal
shift adds the same to both terms: it cancels.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_kernelclust._gram._assignment import ALONE
from sklearn_kernelclust._gram._cluster_sums import count_moved
from sklearn_kernelclust._kmeans._runs import labels_of, means_of, numbers, place

# Candidates whose moves are followed among themselves before the sums of all
# other objects are updated.
CANDIDATES = 1024


def sweep(problem, sums, runs):
    """Move all objects once that a move improves; without any, a run has converged."""
    before, candidates = labels_of(runs), improvable(problem, sums, runs)
    for first in range(0, max(map(len, candidates)), CANDIDATES):
        moving, partitions = [], []
        for run, objects in zip(runs, candidates):
            batch = objects[first : first + CANDIDATES]
            labels = move_among(run.problem, sums, run, batch)
            if (labels != run.labels).any():
                moving.append(run)
                partitions.append(labels)
        if moving:
            place(problem, sums, moving, partitions)
    n_moved = count_moved(before, labels_of(runs))
    for run, n in zip(runs, n_moved.tolist()):
        run.n_reassignments.append(n)
        run.converged = not n


def improvable(problem, sums, runs):
    """For each run the objects that some move would improve, judged all at once."""
    labels = labels_of(runs)
    best = sums.nearest(numbers(runs), *means_of(runs), labels, "single-move")
    better = (best != labels) & (problem.weight > 0)
    return [np.flatnonzero(row) for row in better]


def move_among(problem, sums, run, objects):
    """Labels after some objects moved one after the other.

    Each decides with the sums that the moves before it left.
    """
    if not len(objects):
        return run.labels
    k = run.n_clusters
    labels, mass, Q = run.labels.copy(), run.mass[:k].copy(), run.totals[:k].copy()
    mean_sums = np.divide(Q, mass, out=np.zeros_like(mass), where=mass > 0)
    S = sums.columns(run.number, objects).T.copy()
    K = problem.gram.restrict(objects, objects).toarray()
    least = ALONE * mass
    for j, i in enumerate(objects):
        a, w, kii, s = labels[i], problem.weight[i], problem.diagonal[i], S[j]
        if mass[a] - w <= least[a]:
            continue
        adds = (mass * kii - 2 * s + mean_sums) / (mass + w)
        saves = (mass[a] * kii - 2 * s[a] + mean_sums[a]) / (mass[a] - w)
        adds[a] = np.inf
        smallest = adds.min()
        limit = smallest + problem.tie * (abs(kii) + abs(smallest))
        if saves <= limit:
            continue
        b = (adds <= limit).argmax()
        Q[a] += w * (w * kii - 2 * s[a])
        Q[b] += w * (w * kii + 2 * s[b])
        mass[a], mass[b], labels[i] = mass[a] - w, mass[b] + w, b
        mean_sums[a], mean_sums[b] = Q[a] / mass[a], Q[b] / mass[b]
        S[:, a] -= w * K[j]
        S[:, b] += w * K[j]
    return labels

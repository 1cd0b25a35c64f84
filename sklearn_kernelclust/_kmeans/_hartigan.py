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
from sklearn_kernelclust._kmeans._runs import means_of, numbers, place
from sklearn_kernelclust._utils._threads import batches

# Candidates whose moves are followed among themselves before the sums of all
# other objects are updated.
CANDIDATES = 1024


def sweep(problem, sums, run):
    """Move all objects once that a move improves; without any it has converged."""
    before, candidates = run.labels, improvable(problem, sums, run)
    for batch in batches(len(candidates), CANDIDATES):
        labels = move_among(problem, sums, run, candidates[batch])
        if (labels != run.labels).any():
            place(problem, sums, [run], [labels])
    run.n_reassignments.append(np.count_nonzero(run.labels != before))
    run.converged = not run.n_reassignments[-1]


def improvable(problem, sums, run):
    """Objects that some move would improve, judged all at once."""
    own = numbers([run]), *means_of([run]), run.labels[None]
    [best] = sums.nearest(*own, "single-move")
    return np.flatnonzero((best != run.labels) & (problem.weight > 0))


def move_among(problem, sums, run, objects):
    """Labels after some objects moved one after the other.

    Each decides with the sums that the moves before it left.
    """
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

"""Kernel k-means one object at a time, by the exact change of the objective.

Joining a cluster of mass W adds ``w W / (W + w) d(i, c)`` to the objective,
leaving one saves ``w W / (W - w) d(i, c)``, and a move is made only if it saves
more than it adds, so the procedure ends on any symmetric kernel. A diagonal
shift adds the same to both terms: it cancels.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_kernelclust._kmeans._assignment import BLOCK
from sklearn_kernelclust._kmeans._results import finish
from sklearn_kernelclust._kmeans._runs import place_together, start_together
from sklearn_kernelclust._utils._threads import batches

# Candidates whose moves are followed among themselves before the sums of all
# other objects hear of them.
CANDIDATES = 1024


def run_one_by_one(problem, labels, max_iter, on_iteration):
    """Sweeps over the objects until no move lowers the objective."""
    [run] = start_together([problem], [labels])
    for _ in range(max_iter):
        before = run.labels
        candidates = improvable(run)
        for batch in batches(len(candidates), CANDIDATES):
            new = move_among(run, candidates[batch])
            if (new != run.labels).any():
                place_together([run], [new])
        run.n_reassignments.append(np.count_nonzero(run.labels != before))
        run.converged = not run.n_reassignments[-1]
        run.stopped = on_iteration() and not run.converged
        if run.stopped or run.converged:
            break
    return finish([run])[0]


def improvable(run):
    """Objects that some move would improve, judged all at once."""
    problem, found = run.problem, []
    mean_sums = over_mass(run.Q, run.mass)[:, None]
    mass = run.mass[:, None]
    for cols in batches(len(run.labels), max(BLOCK // len(mass), 1)):
        w, kii, labels = problem.weight[cols], problem.diagonal[cols], run.labels[cols]
        S = run.S[:, cols]
        own = labels, np.arange(len(labels))
        share = np.divide(w, mass + w, out=np.zeros_like(S), where=mass + w > 0)
        adds = share * (mass * kii - 2 * S + mean_sums)
        left = mass[labels, 0] - w
        saves = over_mass(w, left) * (
            mass[labels, 0] * kii - 2 * S[own] + mean_sums[labels, 0]
        )
        adds[own] = np.inf
        better = adds.min(axis=0) - saves < threshold(problem.tie, w * kii, saves)
        better &= (left > alone(run.mass)[labels]) & (w > 0)
        found.append(cols.start + np.flatnonzero(better))
    return np.concatenate(found)


def move_among(run, objects):
    """New labels after the objects of one batch moved, one after the other.

    Each decides with the sums that the moves before it left.
    """
    problem = run.problem
    labels, mass, Q = run.labels.copy(), run.mass.copy(), run.Q.copy()
    mean_sums = over_mass(Q, mass)
    S = run.S[:, objects].T.copy()
    K = problem.gram.restrict(objects, objects).toarray()
    least = alone(mass)
    for j, i in enumerate(objects):
        a, w, kii, s = labels[i], problem.weight[i], problem.diagonal[i], S[j]
        if mass[a] - w <= least[a]:
            continue
        adds = (w / (mass + w)) * (mass * kii - 2 * s + mean_sums)
        saves = w / (mass[a] - w) * (mass[a] * kii - 2 * s[a] + mean_sums[a])
        adds[a] = np.inf
        b = adds.argmin()
        if adds[b] - saves >= threshold(problem.tie, w * kii, saves):
            continue
        Q[a] += w * (w * kii - 2 * s[a])
        Q[b] += w * (w * kii + 2 * s[b])
        mass[a], mass[b], labels[i] = mass[a] - w, mass[b] + w, b
        mean_sums[a], mean_sums[b] = Q[a] / mass[a], Q[b] / mass[b]
        S[:, a] -= w * K[j]
        S[:, b] += w * K[j]
    return labels


def over_mass(values, mass):
    """``values / mass``, zero where there is no mass."""
    return np.divide(values, mass, out=np.zeros_like(mass), where=mass > 0)


def alone(mass):
    """What a cluster holds without its only object: rounding."""
    return 1e-12 * mass


def threshold(tie, size, saves):
    """Changes of the objective above this are rounding, and no reason to move."""
    return -tie * (abs(size) + abs(saves))

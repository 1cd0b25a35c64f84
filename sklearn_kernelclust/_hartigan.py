"""Kernel k-means one object at a time, by the exact change of the objective.

Moving object i from cluster a to b changes J by

    w ( W_b / (W_b + w) d(i, b)  -  W_a / (W_a - w) d(i, a) )

and a move is made only if that is negative, so the procedure ends on any
symmetric kernel. A diagonal shift adds the same to both terms: it cancels.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from sklearn.utils import gen_batches

from sklearn_kernelclust._lloyd import BLOCK, Run, add_moves, finish, first_sums

# Candidates whose moves are followed among themselves before the sums of all
# other objects hear of them.
CANDIDATES = 1024


def run_one_by_one(problem, labels, max_iter, on_iteration):
    """Sweeps over the objects until no move lowers the objective."""
    k, gram = problem.n_clusters, problem.gram
    S = first_sums(gram, [labels], problem.weight, k)
    run = Run(problem, labels, S)
    for _ in range(max_iter):
        before = run.labels
        candidates = improvable(run)
        for batch in gen_batches(len(candidates), CANDIDATES):
            new = move_among(run, candidates[batch])
            if (new != run.labels).any():
                add_moves(gram, S, [(0, run.labels, new)], problem.weight, k)
                run.labels = new
            run.update()
        run.n_reassignments.append(np.count_nonzero(run.labels != before))
        run.converged = not run.n_reassignments[-1]
        if on_iteration() or run.converged:
            break
    return finish(run)


def improvable(run):
    """Objects that some move would improve, judged all at once."""
    problem, found = run.problem, []
    for cols in gen_batches(len(run.labels), max(BLOCK // len(run.mass), 1)):
        labels = run.labels[cols]
        change = changes(
            run.S[:, cols],
            run.mass,
            run.Q,
            problem.diagonal[cols],
            problem.weight[cols],
            labels,
        )
        limit = _limit(problem, cols)
        found.append(cols.start + np.flatnonzero(change.min(axis=0) < limit))
    return np.concatenate(found)


def changes(S, mass, Q, diagonal, weight, labels):
    """Change of the objective for each cluster that each object could move to."""
    filled = (mass > 0)[:, None]
    W = np.where(mass > 0, mass, 1)[:, None]
    own = labels, np.arange(S.shape[1])
    norms = np.where(filled, Q[:, None] / W**2, 0)
    d = np.where(filled, diagonal - 2 * S / W + norms, 0)
    change = weight * (mass[:, None] / (mass[:, None] + weight)) * d
    left = mass[labels] - weight
    alone = left <= 1e-12 * mass[labels]
    ratio = np.divide(mass[labels], left, out=np.zeros_like(left), where=~alone)
    change -= weight * ratio * d[own]
    change[own] = 0
    change[:, alone | (weight == 0)] = 0
    return change


def _limit(problem, objects):
    return -problem.tie * problem.weight[objects] * np.abs(problem.diagonal[objects])


def move_among(run, objects):
    """Move the objects of one batch one after the other, each with the sums
    that the moves before it left; the new labels of all objects.
    """
    problem = run.problem
    labels, mass, Q = run.labels.copy(), run.mass.copy(), run.Q.copy()
    S = run.S[:, objects].copy()
    K = problem.gram.restrict(objects, objects).toarray()
    limit = _limit(problem, objects)
    for j, i in enumerate(objects):
        here, w, kii = [j], problem.weight[i], problem.diagonal[i]
        change = changes(
            S[:, here],
            mass,
            Q,
            problem.diagonal[[i]],
            problem.weight[[i]],
            labels[[i]],
        )[:, 0]
        a, b = labels[i], int(change.argmin())
        if change[b] >= limit[j] or a == b:
            continue
        Q[a] += w * (w * kii - 2 * S[a, j])
        Q[b] += w * (w * kii + 2 * S[b, j])
        mass[a], mass[b], labels[i] = mass[a] - w, mass[b] + w, b
        S[a] -= w * K[j]
        S[b] += w * K[j]
    return labels

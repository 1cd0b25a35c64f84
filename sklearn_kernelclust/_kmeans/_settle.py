"""Means that give the labels of a run back, so that `predict` repeats them."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_kernelclust._kmeans._runs import labels_of, means_of, numbers, place


def settle(problem, sums, runs):
    """Give each run its means: `members`, `mass`, `norms` and `shift`.

    At a fixed point of Lloyd's rule they are the means of the clusters. Where a
    run was cut short, they are the means of the partition before the best, if
    these give labels as good. In all other cases the diagonal is shifted until
    the labels are a fixed point.
    """
    for run in runs:
        if run.settled:
            run.members = run.labels
        elif run.converged or not _use_means_before(problem, sums, run):
            _hold(problem, sums, run)
    if not problem.weight.all():
        _assign_weightless(problem, sums, runs)


def _use_means_before(problem, sums, run):
    """Take the labels that the means before the best partition give, if as good."""
    objective, labels, before = run.best_objective, run.best_labels, run.best_previous
    if before is None:
        place(problem, sums, [run], [labels])
        return False
    place(problem, sums, [run], [before])
    means = run.labels, run.mass, run.norms
    place(problem, sums, [run], _nearest(sums, run))
    if run.objective > objective + run.problem.rounding(objective):
        place(problem, sums, [run], [labels])
        return False
    run.members, run.mass, run.norms = means
    return True


def _hold(problem, sums, run):
    """Keep the present labels; those of tied objects only if that is better."""
    labels, objective, run.members = run.labels, run.objective, run.labels
    means = run.mass, run.norms
    [nearest] = _nearest(sums, run)
    if (nearest == labels).all():
        return
    if (_nearest(sums, run, labels[None])[0] == labels).all():
        place(problem, sums, [run], [nearest])
        if run.objective <= objective + run.problem.rounding(objective):
            run.mass, run.norms = means
            return
        place(problem, sums, [run], [labels])
    run.shift = sums.holding_shift(run.number, labels, *means)


def _nearest(sums, run, labels=None):
    return sums.nearest(numbers([run]), *means_of([run]), labels)


def _assign_weightless(problem, sums, runs):
    """Objects without weight go to the nearest mean: they have no part in any."""
    members = np.array([run.members for run in runs])
    sums.update(numbers(runs), labels_of(runs), members)
    mass, _ = means_of(runs)
    norms = np.array([run.mean_norms for run in runs])
    nearest = sums.nearest(numbers(runs), mass, norms)
    for run, row in zip(runs, nearest):
        run.labels = np.where(problem.weight > 0, run.labels, row)

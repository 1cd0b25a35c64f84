"""Solve kernel k-means from several starts: batch steps, then single moves.

On a definite kernel Lloyd's steps lower the objective until no object moves. On
an indefinite one, as after a diagonal shift, they may return to an earlier
partition, or end above one. Such a run goes back to the best partition it met
and is finished by single moves, which never raise the objective and always end.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_kernelclust._kmeans._hartigan import sweep
from sklearn_kernelclust._kmeans._lloyd import fingerprints, step
from sklearn_kernelclust._kmeans._medoids import find_medoids
from sklearn_kernelclust._kmeans._runs import begin, labels_of, place
from sklearn_kernelclust._kmeans._seeding import (
    check_init,
    generators,
    plus_plus_starts,
    random_labels,
)
from sklearn_kernelclust._kmeans._settle import settle
from sklearn_kernelclust._utils._threads import batches

# The rule of the batch steps of each algorithm; see `_gram._assignment`.
RULES = {"lloyd": "mean", "split-merge": "leave-one-out", "hartigan": "single-move"}

# Memory for the sums of runs that share their products.
SUMS_BYTES = 2**27


def draw_starts(problem, n_clusters, init, seeds, rng=None, blocks=None):
    """Labels to start from: those given, or one array for each seed.

    Parameters
    ----------
    problem : Problem
        The objects.
    n_clusters : int
        Number of clusters.
    init : {"k-means++", "random"} or array-like of shape (n_samples,)
        As in `KernelKMeans`.
    seeds : sequence of int
        Seeds of the starts.
    rng : RandomState or None
        Seeded anew for each start; making one costs more.
    blocks : ndarray of int or None
        Which problem of a `ProblemStack` each start is for.
    """
    if not isinstance(init, str):
        return [check_init(init, problem.n_samples, n_clusters)]
    rngs = generators(seeds, rng)
    if init == "random":
        return [random_labels(problem.n_samples, n_clusters, rng) for rng in rngs]
    return plus_plus_starts(problem, n_clusters, rngs, blocks)


def solve(
    problem,
    starts,
    n_clusters,
    *,
    blocks=None,
    algorithm="lloyd",
    max_iter=100,
    max_oscillations=5,
    single_moves=True,
    medoids=False,
    on_iteration=lambda: False,
):
    """Run kernel k-means from all starts.

    Parameters
    ----------
    problem : Problem or ProblemStack
        The objects.
    starts : list of ndarray of shape (n_samples,)
        Labels.
    n_clusters : int or list of int
        Number of clusters, one for all starts or one for each.
    blocks : ndarray of int or None
        Which problem of a `ProblemStack` each start is for.
    algorithm : {"lloyd", "split-merge", "hartigan"}
        As in `KernelKMeans`.
    max_iter, max_oscillations : int
        As in `KernelKMeans`.
    single_moves : bool
        Whether single moves finish what batch steps cannot. If not, a run ends
        with the best partition it met, and with the means before it: where
        nothing but means can be kept.
    medoids : bool
        Whether to find the object nearest to each mean.
    on_iteration : callable
        Called after each iteration of a batch of runs; stops them if it
        returns True.

    Returns
    -------
    runs : list of Run
        The results, in the order of the starts.
    """
    ks = np.broadcast_to(n_clusters, len(starts))
    blocks = np.zeros(len(starts), np.intp) if blocks is None else blocks
    if not single_moves:
        max_oscillations = 1
    limits = RULES[algorithm], max_iter, max_oscillations, single_moves
    runs = []
    for batch in run_batches(problem.n_samples, len(starts), ks.max()):
        sums = problem.cluster_sums(ks[batch], blocks[batch])
        started = begin(problem, sums, starts[batch], blocks[batch])
        _solve_batch(problem, sums, started, *limits, on_iteration)
        if medoids:
            find_medoids(problem, sums, started)
        runs += started
    return runs


def limits_of(model):
    """Parameters of a `KernelKMeans` that `solve` takes too."""
    names = "algorithm", "max_iter", "max_oscillations"
    return {name: getattr(model, name) for name in names}


def run_batches(n_samples, n_runs, n_clusters):
    """Slices of runs that share their products, as the memory for sums allows."""
    n_bytes = 8 * n_samples * int(n_clusters)
    return batches(n_runs, max(SUMS_BYTES // n_bytes, 1))


def _solve_batch(
    problem,
    sums,
    runs,
    rule,
    max_iter,
    max_oscillations,
    single_moves,
    on_iteration,
):
    """Bring the runs of one batch to their end."""
    for run, key in zip(runs, fingerprints(labels_of(runs))):
        run.keys[key] = 0
    stepping, finishing = runs, []
    for _ in range(max_iter):
        if finishing:
            sweep(problem, sums, finishing)
        ended = []
        if stepping:
            step(problem, sums, stepping, rule)
            ended = [run for run in stepping if steps_end(run, rule)]
            stepping = [run for run in stepping if run not in ended]
        for run in ended if rule != "single-move" else ():
            run.count_laps(max_iter, max_oscillations)
        unfinished = without_result(ended, rule)
        if single_moves:
            finishing += go_to_best(problem, sums, unfinished)
        finishing = [r for r in finishing if not r.converged and r.n_iter < max_iter]
        active = stepping + finishing
        stopped = on_iteration() and bool(active)
        for run in active:
            run.stopped = stopped
        if stopped or not active:
            break
    settle(problem, sums, runs)


def steps_end(run, rule):
    """Whether batch steps have done what they can for a run."""
    if rule == "single-move" and not run.converged:
        # They may raise the objective; a step that does not lower it is the last.
        return run.best_labels is not run.labels
    return run.converged or run.n_returns > 0


def without_result(runs, rule):
    """Those of the runs that are not at an acceptable fixed point.

    The split-and-merge rule does not follow the objective: its fixed point
    counts unless it is above the start.
    """
    unfinished = []
    for run in runs:
        bound = run.best_objective if rule == "mean" else run.start_objective
        fixed = run.converged and rule != "single-move"
        if not fixed or run.objective > bound + run.problem.rounding(bound):
            unfinished.append(run)
            run.converged = run.settled = False
    return unfinished


def go_to_best(problem, sums, runs):
    """Set runs to the best partition they met."""
    if runs:
        place(problem, sums, runs, [run.best_labels for run in runs])
    return runs


def best_run(problem, runs):
    """The best run. Ties within rounding go to the first, so results are stable."""
    best = min(run.objective for run in runs)
    if not np.isfinite(best):
        raise ValueError(
            f"The objective of kernel k-means is {best}: entries of the kernel, or "
            "sums of them, are not finite. Rescale the data."
        )
    limit = best + problem.rounding(best)
    return next(run for run in runs if run.objective <= limit)

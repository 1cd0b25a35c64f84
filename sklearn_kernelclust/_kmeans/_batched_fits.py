"""Kernel k-means with all numbers of clusters at once.

The fits are those of separate models, each with its seed, but they share every
product with the kernel.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_kernelclust._kmeans._runs import Problem, ProblemStack
from sklearn_kernelclust._kmeans._seeding import generators
from sklearn_kernelclust._kmeans._solve import (
    best_run,
    draw_starts,
    limits_of,
    run_batches,
    solve,
)
from sklearn_kernelclust._linalg._spectrum_checks import check_some_positive


def fit_each_k(model, candidates, grams, seeds):
    """The best run for each number of clusters, a list of them for each Gram.

    Parameters
    ----------
    model : KernelKMeans
        Its parameters are used; `n_clusters` is not.
    candidates : list of int
        Numbers of clusters.
    grams : list of Gram
        Square and of one size.
    seeds : sequence of int of shape (n_grams, n_candidates)
        The `random_state` of each fit.
    """
    for gram in grams:
        check_some_positive(gram)
    problem = ProblemStack(grams) if len(grams) > 1 else Problem(grams[0].stored())
    n_init, n_fits, rng = model.n_init, len(grams), np.random.RandomState()
    blocks, starts = np.repeat(np.arange(n_fits), n_init), []
    for k, fit_seeds in zip(candidates, np.transpose(seeds)):
        run_seeds = [
            seeded_rng.randint(np.iinfo(np.int32).max, size=n_init)
            for seeded_rng in generators(fit_seeds, rng)
        ]
        run_seeds = np.concatenate(run_seeds)
        starts += draw_starts(problem, k, model.init, run_seeds, rng, blocks)
    ks, blocks = np.repeat(candidates, len(blocks)), np.tile(blocks, len(candidates))
    runs = solve(problem, starts, ks, blocks=blocks, **limits_of(model))
    fits = [runs[i : i + n_init] for i in range(0, len(runs), n_init)]
    return [
        [best_run(part, fit) for fit in fits[block::n_fits]]
        for block, part in enumerate(problem.parts)
    ]


def predict_each_k(runs, block, self_similarity):
    """Clusters of new objects by the nearest means of each run.

    Parameters
    ----------
    runs : list of Run
        Their means are those of the objects they were fitted on.
    block : Gram
        Similarities of the new objects to those of the runs.
    self_similarity : ndarray of shape (n_new,)
        That of the new objects.
    """
    ks = [run.n_clusters for run in runs]
    labels = []
    for batch in run_batches(len(self_similarity), len(runs), max(ks)):
        sums = block.cluster_sums(ks[batch], self_similarity=self_similarity)
        numbers = np.arange(len(ks[batch]))
        sums.set(numbers, np.array([run.members for run in runs[batch]]))
        k = max(ks[batch])
        mass = np.array([run.mass[:k] for run in runs[batch]])
        norms = np.array([_norms_of_clusters(run)[:k] for run in runs[batch]])
        labels += list(sums.nearest(numbers, mass, norms))
    return labels


def _norms_of_clusters(run):
    """Norms of the means; infinite, so near to none, where there are no labels."""
    empty = np.bincount(run.labels, minlength=len(run.mass)) == 0
    return np.where(empty, np.inf, run.mean_norms)

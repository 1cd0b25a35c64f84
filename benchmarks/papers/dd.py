"""What the tables and figures of DD share: the reductions and the trials.

D. Greene and P. Cunningham, "Practical Solutions to the Problem of Diagonal
Dominance in Kernel Document Clustering", ICML 2006.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import os
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from sklearn.base import clone
from sklearn.metrics import normalized_mutual_info_score
from sklearn.pipeline import make_pipeline
from sklearn.utils.parallel import Parallel, delayed

from benchmarks.papers.data import DD_WEIGHTING, load, weighted
from sklearn_kernelclust import (
    DiagonalShift,
    EmpiricalKernelMap,
    PairwiseKernel,
    SubpolynomialKernel,
)
from sklearn_kernelclust._gram import DenseGram
from sklearn_kernelclust._lloyd import Problem, run_batch
from sklearn_kernelclust._seeding import random_labels
from sklearn_kernelclust.metrics import average_nmi

DEGREES = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
MAX_ITER, MAX_OSCILLATIONS = 100, 5
# Trials that run in step and share their products with the kernel.
IN_STEP = 25


def reductions():
    """Steps that turn the cosine kernel into that of each method of Table 2."""
    shift, map_ = DiagonalShift(), EmpiricalKernelMap()
    yield "original", []
    yield "DS", [shift]
    yield "DSM", [shift, map_]
    yield "AA", []
    for p in DEGREES:
        yield f"p={p}", [SubpolynomialKernel(p), map_]


METHODS = [name for name, _ in reductions()]
# The sets whose documents are those of the paper.
OWN = ("bbc", "bbcsport", "ng17-19", "ng3", "reviews")


def n_trials(quick):
    return 25 if quick else 250


@dataclass
class Trials:
    """Partitions of all trials of one method on one collection."""

    labels: np.ndarray
    n_reassignments: list
    converged: np.ndarray

    def nmi(self, y):
        """Agreement with the classes, for each trial."""
        return np.array(
            [
                normalized_mutual_info_score(y, labels, average_method="geometric")
                for labels in self.labels
            ]
        )

    @property
    def anmi(self):
        return average_nmi(self.labels)

    @property
    def mean_iterations(self):
        return float(np.mean([len(n) for n in self.n_reassignments]))


def kernel_of(X, method):
    """The Gram of a method for rows of unit length.

    Everything that is linear in the documents stays factored. A power of each
    entry is not: there the kernel and its map are computed once, in float32,
    of which 250 trials then make use.
    """
    steps = dict(reductions())[method]
    cosine = PairwiseKernel(kernel="linear", lazy=True)
    if not method.startswith("p="):
        return make_pipeline(cosine, *map(clone, steps)).fit_transform(X)
    K = cosine.fit_transform(X.astype(np.float32)).toarray()
    return DenseGram.training(make_pipeline(*map(clone, steps)).fit_transform(K))


def starts_of(n_samples, n_clusters, count):
    """Random labels of the trials: the same for all methods."""
    return [
        random_labels(n_samples, n_clusters, np.random.RandomState(seed))
        for seed in range(count)
    ]


def run_trials(gram, n_clusters, starts, leave_one_out=False):
    """Kernel k-means from each start, as `KernelKMeans` runs its own."""
    weight = np.ones(gram.shape[0])
    problem = Problem(gram, n_clusters, weight, leave_one_out=leave_one_out)
    results = []
    for first in range(0, len(starts), IN_STEP):
        results += run_batch(
            problem,
            starts[first : first + IN_STEP],
            MAX_ITER,
            MAX_OSCILLATIONS,
            lambda: False,
        )
    return Trials(
        np.array([r.labels for r in results], dtype=np.int16),
        [r.n_reassignments for r in results],
        np.array([r.converged for r in results]),
    )


def trials_of(X, n_clusters, method, count):
    starts = starts_of(X.shape[0], n_clusters, count)
    return run_trials(kernel_of(X, method), n_clusters, starts, method == "AA")


@lru_cache(maxsize=1)
def all_trials(folder, names, count, methods=tuple(METHODS)):
    """Trials by (name of the collection, method), methods in parallel."""
    tasks = []
    for name in names:
        data = load(folder, name)
        X = weighted(data.counts, DD_WEIGHTING)
        for method in methods:
            tasks.append(((name, method), X, data.n_classes))
    # The longest first, or one core waits for the other at the end.
    tasks.sort(key=lambda task: -task[1].shape[0])
    runs = Parallel(n_jobs=os.cpu_count())(
        delayed(trials_of)(X, k, key[1], count) for key, X, k in tasks
    )
    return {key: run for (key, _, _), run in zip(tasks, runs)}

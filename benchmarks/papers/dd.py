"""What the tables and figures of DD share: the reductions and the trials.

D. Greene and P. Cunningham, "Practical Solutions to the Problem of Diagonal
Dominance in Kernel Document Clustering", ICML 2006.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import os
from dataclasses import dataclass

import numpy as np
from sklearn.base import clone
from sklearn.metrics import normalized_mutual_info_score
from sklearn.pipeline import make_pipeline
from sklearn.utils.parallel import Parallel, delayed

from benchmarks.papers.data import DD_SETS, DD_WEIGHTING, STANDS_FOR, load, weighted
from benchmarks.papers.report import agreement
from sklearn_kernelclust import (
    DiagonalShift,
    EmpiricalKernelMap,
    PairwiseKernel,
    SubpolynomialKernel,
)
from sklearn_kernelclust._gram._stored import DenseGram
from sklearn_kernelclust._kmeans._runs import Problem
from sklearn_kernelclust._kmeans._seeding import random_labels
from sklearn_kernelclust._kmeans._solve import solve
from sklearn_kernelclust.metrics import average_nmi

DEGREES = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


def reductions():
    """Steps that turn the cosine kernel into that of each method of Table 2."""
    shift, map_ = DiagonalShift(), EmpiricalKernelMap()
    yield "original", []
    yield "DS", [shift]
    yield "DSM", [shift, map_]
    yield "AA", []
    # "Self-similarity values are not considered": not in the norms of the means
    # either, which Eqs. 4 and 12 leave in.
    yield "AA, shifted", [shift]
    for p in DEGREES:
        yield f"p={p}", [SubpolynomialKernel(p), map_]


METHODS = [name for name, _ in reductions()]
SPLIT_MERGE = ("AA", "AA, shifted")
SETS = (*DD_SETS, *STANDS_FOR)
# The sets whose documents are those of the paper, by their number at least.
OWN = ("bbc", "bbcsport", "ng17-19", "ng3", "reviews")


def cell_of(name, method):
    """Row and column of the paper's tables that a set and a method belong to."""
    return STANDS_FOR.get(name, name), method.removesuffix(", shifted")


def counted_cells(records, sets=DD_SETS):
    """One record for each cell of the paper's table, on these sets."""
    return [r for r in records if r["method"] != "AA, shifted" and r["data"] in sets]


def nearness(records):
    """How near the published numbers are, on several choices of sets."""
    other = [name if name != "ng3" else "ng3b" for name in OWN]
    for text, sets in (
        ("All sets", DD_SETS),
        ("Sets whose documents are the paper's", OWN),
        ("The same, with the other triple of newsgroups", other),
    ):
        found = agreement(counted_cells(records, sets))
        yield f"{text} ({', '.join(sets)}): {found}."


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
    algorithm = "split-merge" if leave_one_out else "lloyd"
    runs = solve(Problem(gram), starts, n_clusters, algorithm=algorithm)
    return Trials(
        np.array([run.labels for run in runs], dtype=np.int16),
        [run.n_reassignments for run in runs],
        np.array([run.converged for run in runs]),
    )


def trials_of(X, n_clusters, method, count):
    starts = starts_of(X.shape[0], n_clusters, count)
    return run_trials(kernel_of(X, method), n_clusters, starts, method in SPLIT_MERGE)


def all_trials(folder, names, count, methods=tuple(METHODS)):
    """Trials by (name of the collection, method), in parallel.

    What one table has run, the next takes over.
    """
    wanted = [(folder, name, method, count) for name in names for method in methods]
    missing = [key for key in wanted if key not in _DONE]
    documents = {}
    for name in dict.fromkeys(name for _, name, _, _ in missing):
        data = load(folder, name)
        documents[name] = weighted(data.counts, DD_WEIGHTING), data.n_classes
    # The longest first, or one core waits for the other at the end.
    missing.sort(key=lambda key: -documents[key[1]][0].shape[0])
    runs = Parallel(n_jobs=os.cpu_count())(
        delayed(trials_of)(*documents[name], method, count)
        for _, name, method, _ in missing
    )
    _DONE.update(zip(missing, runs))
    return {(name, method): _DONE[f, name, method, n] for f, name, method, n in wanted}


_DONE = {}

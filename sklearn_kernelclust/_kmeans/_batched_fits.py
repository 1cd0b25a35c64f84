"""Kernel k-means with all numbers of clusters, on several halves, in step.

What separate models would find, each with its seed, but all share every product
with the kernel.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from itertools import islice

import numpy as np

from sklearn_kernelclust._gram._stored import DenseGram
from sklearn_kernelclust._kmeans._cluster_sums import fresh_sums, places_of_equals
from sklearn_kernelclust._kmeans._results import first_of_the_best
from sklearn_kernelclust._kmeans._runs import Problem, Run, nearest_of
from sklearn_kernelclust._kmeans._seeding import generators
from sklearn_kernelclust._linalg._spectrum_checks import (
    check_some_positive,
    trace_tells,
)


@dataclass
class Seen:
    """Objects as others see them: rows of a Gram, of which some columns count.

    Where no `columns` are named, all count. `diagonal` are the
    self-similarities of the objects.
    """

    gram: object
    diagonal: np.ndarray
    columns: np.ndarray = None

    def problem(self, n_clusters, **params):
        """To cluster these objects, if it is they who see themselves."""
        weight = np.ones(len(self.diagonal))
        own = {"diagonal": self.diagonal, "columns": self.columns}
        return Problem(self.gram, n_clusters, weight, **own, **params)


@dataclass
class Means:
    """Labels, and the means that give them back.

    These are the means of the clusters of `members`. `place` numbers those that
    have objects; the norms of the others are infinite, so that they are near to
    none.
    """

    labels: np.ndarray
    members: np.ndarray
    mass: np.ndarray
    norms: np.ndarray
    place: np.ndarray

    @classmethod
    def of(cls, result):
        """Those of a run."""
        found = np.bincount(result.labels, minlength=len(result.mass)) > 0
        place = np.cumsum(found) - 1
        norms = np.where(found, result.norms, np.inf)
        return cls(place[result.labels], result.members, result.mass, norms, place)


def fit_in_step(model, candidates, parts, seeds):
    """For each part, which sees itself, its means for each number of clusters.

    Parts in one Gram go in step. A row of seeds is that of a part.
    """
    means = [None] * len(parts)
    for some in places_of_equals([id(part.gram) for part in parts]):
        of_gram = [parts[i] for i in some]
        for i, found in zip(
            some, _fit_one_gram(model, candidates, of_gram, seeds[some])
        ):
            means[i] = found
    return means


def _fit_one_gram(model, candidates, parts, seeds):
    # Half of a kernel may fit where all of it does not.
    gram = parts[0].gram.stored()
    parts = [Seen(gram, part.diagonal, part.columns) for part in parts]
    starts = _starts(model, candidates, parts, seeds)
    loo = model.algorithm == "split-merge"
    beside = [part.problem(max(candidates), leave_one_out=loo) for part in parts]
    n_each = len(candidates) * model.n_init
    results = iter(
        model._runs(
            beside[0],
            starts,
            lambda: False,
            np.repeat(candidates, model.n_init).tolist() * len(parts),
            [problem for problem in beside for _ in range(n_each)],
        )
    )
    return [
        [
            Means.of(first_of_the_best(list(islice(results, model.n_init)), problem))
            for _ in candidates
        ]
        for problem in beside
    ]


def _starts(model, candidates, parts, seeds):
    """The starts that separate models would have, one after the other."""
    starts, rng = [], np.random.RandomState()
    for part, of_part in zip(parts, seeds):
        _check_some_positive(part)
        for k, seeded_rng in zip(candidates, generators(of_part, rng)):
            of_runs = seeded_rng.randint(2**31 - 1, size=model.n_init)
            starts += model._starts(part.problem(k), of_runs, rng)
    return starts


def _check_some_positive(part):
    if part.columns is None:
        check_some_positive(part.gram)
    elif not trace_tells(part.diagonal, part.gram.dtype):
        # The square is put together only for the few kernels that need it.
        everyone = np.arange(len(part.diagonal))
        K = part.problem(1).similarities(everyone)
        check_some_positive(DenseGram.training(K))


def predict_in_step(model, candidates, means, parts):
    """For each part, clusters of the nearest means for each number of clusters.

    A part is seen by the objects that its means are of.
    """
    predicted = [None] * len(parts)
    for some in places_of_equals([id(part.gram) for part in parts]):
        of_gram = [parts[i] for i in some], [m for i in some for m in means[i]]
        found = iter(_predict_one_gram(model, candidates, *of_gram))
        for i in some:
            predicted[i] = list(islice(found, len(candidates)))
    return predicted


def _predict_one_gram(model, candidates, parts, means):
    """Clusters of the nearest means, part by part."""
    seen = [part.problem(max(candidates)) for part in parts]
    problems = [problem for problem in seen for _ in candidates]
    n_clusters = list(candidates) * len(parts)
    found = []
    for batch in model._batches(seen[0], len(means)):
        runs = _at_means(problems[batch], n_clusters[batch], means[batch])
        found += list(nearest_of(runs))
    return [m.place[labels] for m, labels in zip(means, found)]


def _at_means(problems, n_clusters, means):
    """Runs that stand where the means are, seen by the objects of the problems."""
    members = np.array([m.members for m in means])
    sums = fresh_sums(problems, members, weight=np.ones(members.shape[1]))
    runs = []
    for problem, k, m in zip(problems, n_clusters, means):
        run = Run(problem, m.members, sums, problem.n_clusters * len(runs), k)
        run.mass, run.norms = m.mass, m.norms
        runs.append(run)
    return runs

"""Kernel k-means with all numbers of clusters, on several halves, in step.

What separate models would find, each with its seed, but all share every product
with the kernel.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from itertools import islice

import numpy as np

from sklearn_kernelclust._cluster_sums import neighbours, partition_sums
from sklearn_kernelclust._eigen import check_some_positive, trace_tells
from sklearn_kernelclust._kernels import stored_if_small
from sklearn_kernelclust._nearest_means import nearest
from sklearn_kernelclust._run_ends import first_of_the_best
from sklearn_kernelclust._runs import Problem
from sklearn_kernelclust._seeding import generators
from sklearn_kernelclust._stored_grams import DenseGram


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

    These are the means of the clusters of `members` that are `kept`: the others
    have no objects.
    """

    labels: np.ndarray
    members: np.ndarray
    mass: np.ndarray
    norms: np.ndarray
    kept: np.ndarray
    tie: float

    @classmethod
    def of(cls, result, n_clusters, tie):
        """Those of a run."""
        n_objects = np.bincount(result.labels, minlength=n_clusters)
        kept = np.flatnonzero(n_objects)
        place = np.cumsum(n_objects > 0) - 1
        means = result.mass[:n_clusters], result.norms[:n_clusters], kept, tie
        return cls(place[result.labels], result.members, *means)

    def nearest(self, sums, diagonal):
        """Cluster of the nearest mean, from sums over the clusters of the members."""
        own = sums[self.kept], self.mass[self.kept], self.norms[self.kept]
        return nearest(*own, diagonal, self.tie)


def fit_in_step(model, candidates, parts, seeds):
    """For each part, which sees itself, its means for each number of clusters.

    Parts in one Gram go in step. A row of seeds is that of a part.
    """
    means = []
    for some in neighbours([id(part.gram) for part in parts]):
        means += _fit_one_gram(model, candidates, [parts[i] for i in some], seeds[some])
    return means


def _fit_one_gram(model, candidates, parts, seeds):
    if parts[0].gram.evaluated:
        # Half of a kernel may fit where all of it does not. Such a one is alone.
        [part] = parts
        parts = [Seen(stored_if_small(part.gram), part.diagonal, part.columns)]
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
            Means.of(
                first_of_the_best(list(islice(results, model.n_init)), problem),
                k,
                problem.tie,
            )
            for k in candidates
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
    # The square is put together only for the few kernels that need a closer look.
    if not trace_tells(part.diagonal, part.gram.dtype):
        everyone = np.arange(len(part.diagonal))
        K = part.problem(1).similarities(everyone)
        check_some_positive(DenseGram.training(K))


def predict_in_step(means, seen):
    """Cluster of the nearest mean, for all numbers of clusters in one product.

    The objects are `seen` by those that the means are of.
    """
    members = np.array([each.members for each in means])
    sizes = [len(each.mass) for each in means]
    weight = np.ones(members.shape[1])
    S = partition_sums(seen.gram, members, weight, sizes, seen.columns)
    of_each = np.split(S, np.cumsum(sizes)[:-1])
    return [m.nearest(sums, seen.diagonal) for m, sums in zip(means, of_each)]

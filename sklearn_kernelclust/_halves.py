"""Two halves of the objects, clustered, and each predicted by the other.

This is one split of prediction-based validation: for each number of clusters,
how well the means found on one half predict the clusters found on the other.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from time import perf_counter

import numpy as np
from scipy.sparse import issparse
from sklearn import get_config
from sklearn.base import clone

from sklearn_kernelclust._agreement import agreement, n_distinct
from sklearn_kernelclust._eigen import check_some_positive
from sklearn_kernelclust._gram import DenseGram
from sklearn_kernelclust._kernel_kmeans import KernelKMeans
from sklearn_kernelclust._lloyd import Problem, first_of_the_best, nearest
from sklearn_kernelclust._sklearn import _safe_indexing

# An array is the faster kernel if it has fewer entries than a product with so
# many columns has multiply-adds.
COLUMNS = 20

# Splits that go in step at most, and the memory for the kernels of their halves.
SPLITS, SQUARES_BYTES = 16, 2**26


@dataclass
class Split:
    """Two halves, and a seed for each number of clusters on each of them."""

    halves: tuple
    seeds: np.ndarray

    @classmethod
    def drawn(cls, n_samples, n_candidates, seed):
        """A random split; its seeds are the same whoever does the work."""
        rng = np.random.RandomState(seed)
        order = rng.permutation(n_samples)
        halves = np.sort(order[: n_samples // 2]), np.sort(order[n_samples // 2 :])
        return cls(halves, rng.randint(2**31 - 1, size=(n_candidates, 2)))


@dataclass
class Score:
    """What came of one number of clusters on one split.

    `values` is the agreement on each half, NaN where there is none to tell;
    `reason` says why.
    """

    values: tuple = (np.nan, np.nan)
    seconds: float = 0.0
    reason: str = ""


class Features:
    """Objects described by features, or anything that can be indexed by row."""

    def __init__(self, X):
        # Not every sparse format can be indexed.
        self.X = X.tocsr() if issparse(X) else X

    def halves(self, split):
        """Both halves, and each as it looks to the model of the other."""
        parts = [_safe_indexing(self.X, half) for half in split.halves]
        return parts, parts


class Kernel:
    """Objects described by a square Gram; parts are arrays where users gave one."""

    def __init__(self, gram, as_array=False):
        self.gram, self.as_array = gram, as_array

    def halves(self, split):
        """Both halves, and each as it looks to the model of the other."""
        own, other = self.grams(split)
        if not self.as_array:
            return own, other
        return [part.toarray() for part in own], [part.toarray() for part in other]

    def grams(self, split):
        """The same as Grams: three parts of the kernel are gathered."""
        a, b = split.halves
        across = self.gram.restrict(a, b)
        own = [self.gram.restrict(half, half) for half in (a, b)]
        return own, [across, across.T]


def score_split(model, param, candidates, data, split, criterion):
    """A `Score` for each of the candidates, in ascending order, on one split."""
    return score_splits(model, param, candidates, data, [split], criterion)[0]


def score_splits(model, param, candidates, data, splits, criterion):
    """The scores of each of some splits."""
    smallest = min(len(half) for half in splits[0].halves)
    possible = [int(k) for k in candidates if k <= smallest]
    too_many = [Score(reason=f"there are only {smallest} objects")]
    too_many *= len(candidates) - len(possible)
    if possible and in_step(model, data):
        scores = _score_in_step(model, possible, data.gram, splits, criterion)
    else:
        scores = [
            _score_one_by_one(model, param, possible, data, split, criterion)
            for split in splits
        ]
    return [of_split + too_many for of_split in scores]


def n_in_step(model, data, n_samples):
    """How many splits are worked on at a time, so that they share the overhead."""
    if not in_step(model, data):
        return 1
    square = data.gram.dtype.itemsize * (n_samples // 2 + 1) ** 2
    return int(min(max(SQUARES_BYTES // (2 * square), 1), SPLITS))


def in_step(model, data):
    """Whether all numbers of clusters can share their products with the kernel."""
    return (
        type(model) is KernelKMeans
        and model.algorithm != "hartigan"
        and isinstance(model.init, str)
        and isinstance(data, Kernel)
    )


def _score_one_by_one(model, param, candidates, data, split, criterion):
    own, other = data.halves(split)
    return [
        _score_one(model, {param: k}, k, own, other, of_k, criterion)
        for k, of_k in zip(candidates, split.seeds)
    ]


def _score_one(model, params, k, own, other, seeds, criterion):
    began = perf_counter()
    try:
        models = [seeded(clone(model).set_params(**params), seed) for seed in seeds]
        labels = [clustered(m, part) for m, part in zip(models, own)]
        predicted = [m.predict(part) for m, part in zip(models[::-1], other)]
    except ValueError as error:
        return Score(reason=str(error), seconds=perf_counter() - began)
    return _scored(labels, predicted, k, criterion, perf_counter() - began)


def clustered(model, X):
    """Fit a model, and the clusters it finds."""
    if hasattr(model, "fit_predict"):
        return model.fit_predict(X)
    return model.fit(X).predict(X)


def _scored(labels, predicted, k, criterion, seconds):
    """Agreement on each half, unless fewer clusters were found than asked for."""
    found = [n_distinct(found) for found in labels]
    values = tuple(
        agreement(criterion, *pair) if n == k else np.nan
        for n, *pair in zip(found, labels, predicted)
    )
    short = "" if min(found) == k else f"only {min(found)} clusters were found"
    return Score(values, seconds, short)


def seeded(model, seed, only_unset=False):
    """The model with its own random states set from one seed."""
    names = [
        name
        for name, value in sorted(model.get_params(deep=True).items())
        if (name == "random_state" or name.endswith("__random_state"))
        and not (only_unset and value is not None)
    ]
    # One alone takes the seed itself, so that runs in step know its starts.
    states = [int(seed)]
    if len(names) > 1:
        states = (
            np.random.RandomState(seed).randint(2**31 - 1, size=len(names)).tolist()
        )
    return model.set_params(**dict(zip(names, states)))


def _score_in_step(model, candidates, gram, splits, criterion):
    """As one model for each, but all share every product with the kernel."""
    began = perf_counter()
    halves = [half for split in splits for half in split.halves]
    seeds = np.hstack([split.seeds[: len(candidates)] for split in splits]).T
    fits = [None] * len(halves)
    for which, beside, parts in gram.squares(halves):
        means = _fit_in_step(model, candidates, beside, parts, seeds[which])
        for i, of_half in zip(which, means):
            fits[i] = of_half
    predicted = []
    for i, split in enumerate(splits):
        predicted += _predict_halves(gram, split, *fits[2 * i : 2 * i + 2])
    share = (perf_counter() - began) / sum(candidates) / len(splits)
    return [
        [
            _scored([m.labels for m in means], guesses, k, criterion, share * k)
            for k, means, guesses in zip(
                candidates, zip(*fits[i : i + 2]), zip(*predicted[i : i + 2])
            )
        ]
        for i in range(0, len(halves), 2)
    ]


@dataclass
class _Means:
    """Labels, and the means that give them back."""

    labels: np.ndarray
    members: np.ndarray
    weight: np.ndarray
    norms: np.ndarray
    tie: float

    @classmethod
    def of(cls, result, tie):
        """Those of a run; clusters without objects are none."""
        kept = np.flatnonzero(np.bincount(result.labels, minlength=len(result.mass)))
        place = np.full(len(result.mass), -1)
        place[kept] = np.arange(len(kept))
        weight = 1 / np.where(result.mass > 0, result.mass, 1)
        labels, members = place[result.labels], place[result.members]
        return cls(labels, members, weight[result.members], result.norms[kept], tie)

    def write_to(self, coef):
        """The means as sums of the objects, a column for each."""
        own = np.flatnonzero(self.members >= 0)
        coef[own, self.members[own]] = self.weight[own]


def _fit_in_step(model, candidates, gram, parts, seeds):
    """For each of the parts, which stand side by side in `gram`, its means.

    That is a list of those for each number of clusters, from the starts of
    separate fits. A row of seeds is that of a part.
    """
    weight, leave_one_out = np.ones(gram.shape[0]), model.algorithm == "split-merge"
    problems, starts, in_step = [], [], []
    for i, (part, of_part) in enumerate(zip(parts, seeds)):
        check_some_positive(part)
        for k, seed in zip(candidates, of_part):
            problem, rng = Problem(part, k, weight), np.random.RandomState(seed)
            of_runs = rng.randint(2**31 - 1, size=model.n_init)
            starts += model._starts(problem, of_runs)
            problems.append(problem)
        in_step.append(
            Problem(
                gram,
                max(candidates),
                weight,
                leave_one_out,
                diagonal=part.diagonal(),
                first=i * len(weight),
            )
        )
    n_each = len(candidates) * model.n_init
    results = model._runs(
        in_step[0],
        starts,
        lambda: False,
        np.repeat(candidates, model.n_init).tolist() * len(parts),
        [problem for problem in in_step for _ in range(n_each)],
    )
    means = []
    for i, problem in enumerate(problems):
        of_k = results[i * model.n_init : (i + 1) * model.n_init]
        best = first_of_the_best(of_k, problem)
        means.append(_Means.of(best, problem.tie))
    n = len(candidates)
    return [means[i : i + n] for i in range(0, len(means), n)]


def _predict_halves(gram, split, *fits):
    """What the means of each half say of the other."""
    a, b = split.halves
    across, diagonal = gram.restrict(a, b), gram.diagonal()
    return [
        _predict_in_step(fits[1], across, diagonal[a]),
        _predict_in_step(fits[0], across.T, diagonal[b]),
    ]


def _predict_in_step(means, block, diagonal):
    """Cluster of the nearest mean, for all numbers of clusters in one product."""
    widths = np.cumsum([0] + [len(m.norms) for m in means])
    coef = np.zeros((block.shape[1], widths[-1]))
    for m, a, b in zip(means, widths, widths[1:]):
        m.write_to(coef[:, a:b])
    S = np.ascontiguousarray((block @ coef).T)
    return [
        nearest(S[a:b], np.ones(b - a), m.norms, diagonal, m.tie)
        for m, a, b in zip(means, widths, widths[1:])
    ]


def held(gram):
    """The same Gram as an array, if that fits `working_memory` and saves work.

    It does where products cost more than a few passes over the entries: those
    of an array only touch the columns of the objects that moved.
    """
    n_entries = gram.shape[0] * gram.shape[1]
    fits = n_entries * gram.dtype.itemsize <= get_config()["working_memory"] * 2**20
    if not fits or not (gram.evaluated or n_entries < COLUMNS * gram.cost):
        return gram
    return DenseGram.training(gram.toarray())

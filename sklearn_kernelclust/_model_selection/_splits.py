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
from sklearn.base import clone

from sklearn_kernelclust._gram._checks import as_gram
from sklearn_kernelclust._kmeans._batched_fits import Seen, fit_in_step, predict_in_step
from sklearn_kernelclust._kmeans._kernel_kmeans import KernelKMeans
from sklearn_kernelclust._utils._sklearn import _safe_indexing
from sklearn_kernelclust.metrics._agreement import (
    CRITERIA,
    agreement,
    cluster_sizes,
    tables_of,
)

# Splits that go in step at most, and the memory for the kernels of their halves,
# which one split alone may exceed.
SPLITS, STRIPS_BYTES = 32, 2**28


@dataclass
class Split:
    """Two halves, and a seed for each number of clusters on each of them.

    `common` are the seeds of what all numbers of clusters share.
    """

    halves: tuple
    seeds: np.ndarray
    common: np.ndarray

    @classmethod
    def drawn(cls, n_samples, n_candidates, seed):
        """A random split; its seeds are the same whoever does the work."""
        rng = np.random.RandomState(seed)
        order = rng.permutation(n_samples)
        halves = np.sort(order[: n_samples // 2]), np.sort(order[n_samples // 2 :])
        seeds = rng.randint(2**31 - 1, size=(n_candidates + 1, 2))
        return cls(halves, seeds[:-1], seeds[-1])


@dataclass
class Score:
    """What came of one number of clusters on one split.

    `values` is the agreement on each half, NaN where there is none to tell;
    `reason` says why. `alone` is the share of the halves in which an object is a
    cluster of its own, which has no pair to predict.
    """

    values: tuple = (np.nan, np.nan)
    seconds: float = 0.0
    reason: str = ""
    alone: float = 0.0


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
    """Objects described by a square Gram.

    Parts are arrays, or sparse matrices, where users gave one (`as_array`).
    """

    def __init__(self, gram, as_array=False):
        self.gram, self.as_array = gram, as_array

    def halves(self, split):
        """Both halves, and each as it looks to the model of the other."""
        own, other = self._grams(split)
        if not self.as_array:
            return own, other
        return [part.matrix() for part in own], [part.matrix() for part in other]

    def _grams(self, split):
        a, b = split.halves
        across = self.gram.restrict(a, b)
        return [self.gram.restrict(half, half) for half in (a, b)], [across, across.T]

    def together(self, splits):
        """All halves as they see themselves, and as the others see them."""
        if not self.gram.free_columns:
            return seen_apart(map(self._grams, splits))
        # The halves of a split follow each other: i ^ 1 is the other one.
        halves = [half for split in splits for half in split.halves]
        diagonal, n = self.gram.diagonal(), self.gram.shape[1]
        own, other = [None] * len(halves), [None] * len(halves)
        for which, strips in self.gram.strips(halves):
            for first, i in zip(range(0, strips.shape[1], n), which):
                alike = diagonal[halves[i]]
                own[i] = Seen(strips, alike, first + halves[i])
                other[i] = Seen(strips, alike, first + halves[i ^ 1])
        return own, other


class Transformed:
    """Objects after steps that are fitted on each half, for all candidates once."""

    def __init__(self, data, steps):
        self.data, self.steps = data, steps

    def halves(self, split):
        """Both halves, and each as it looks to the model of the other."""
        own, other = self.data.halves(split)
        models = [seeded(clone(self.steps), seed) for seed in split.common]
        own = [model.fit_transform(part) for model, part in zip(models, own)]
        return own, [m.transform(part) for m, part in zip(models[::-1], other)]

    def together(self, splits):
        """The same as of a `Kernel`, for steps that make kernels."""
        return seen_apart(map(self.halves, splits))


def seen_apart(halves):
    """Halves as they see themselves, and as the others see them, each in a Gram."""
    seen = [], []
    for own, other in halves:
        for K, block in zip(own, other):
            part = as_gram(K)
            seen[0].append(Seen(part, part.diagonal()))
            seen[1].append(Seen(as_gram(block, training=False), part.diagonal()))
    return seen


def score_splits(model, param, candidates, data, splits, criterion):
    """The scores of each of some splits.

    Not of more clusters than there are pairs of objects: with nearly as many
    as objects, the few pairs that are left are so close that noise predicts
    them.
    """
    smallest = min(len(half) for half in splits[0].halves)
    possible = [int(k) for k in candidates if 2 * k <= smallest]
    too_many = [Score(reason=f"{smallest} objects are not two for each cluster")]
    too_many *= len(candidates) - len(possible)
    if possible and in_step(model, param, data):
        scores = _score_in_step(model, possible, data, splits, criterion)
    else:
        scores = [
            _score_one_by_one(model, param, possible, data, split, criterion)
            for split in splits
        ]
    return [of_split + too_many for of_split in scores]


def n_in_step(model, param, data, n_samples):
    """How many splits are worked on at a time, so that they share the overhead."""
    shared = isinstance(data, Kernel) and data.gram.free_columns
    if not shared or not in_step(model, param, data):
        return 1
    strips = data.gram.dtype.itemsize * n_samples**2
    return int(min(max(STRIPS_BYTES // strips, 1), SPLITS))


def in_step(model, param, data):
    """Whether all numbers of clusters can share their products with the kernel."""
    return (
        type(model) is KernelKMeans
        and param == "n_clusters"
        and model.algorithm != "hartigan"
        and isinstance(model.init, str)
        and (
            isinstance(data, Kernel)
            or (isinstance(data, Transformed) and model._precomputed())
        )
    )


def _score_one_by_one(model, param, candidates, data, split, criterion):
    if not candidates:
        return []
    began = perf_counter()
    try:
        own, other = data.halves(split)
    except ValueError as error:
        return [Score(reason=str(error))] * len(candidates)
    share = (perf_counter() - began) / len(candidates)
    return [
        _score_one(model, {param: k}, k, own, other, of_k, criterion, share)
        for k, of_k in zip(candidates, split.seeds)
    ]


def _score_one(model, params, k, own, other, seeds, criterion, seconds):
    began = perf_counter() - seconds
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
    """Score from the agreement on each half, unless there are too few clusters."""
    sizes = [cluster_sizes(found) for found in labels]
    values = [
        agreement(criterion, *pair) if len(size) == k else np.nan
        for size, *pair in zip(sizes, labels, predicted)
    ]
    return _score_of(values, sizes, k, seconds)


def _scored_together(labels, predicted, k, criterion, seconds):
    """The same for the halves of several splits, with labels below `k`."""
    firsts = range(0, len(labels), 2)
    if callable(criterion):
        pairs = [(labels[i : i + 2], predicted[i : i + 2]) for i in firsts]
        return [_scored(*pair, k, criterion, seconds) for pair in pairs]
    tables = tables_of(labels, predicted, k)
    values, sizes = CRITERIA[criterion](tables), tables.sum(axis=2)
    return [_score_of(values[i : i + 2], sizes[i : i + 2], k, seconds) for i in firsts]


def _score_of(values, sizes, k, seconds):
    """Without the values of halves with fewer clusters than asked for."""
    sizes = [size[size > 0] for size in sizes]
    found = [len(size) for size in sizes]
    values = tuple(float(v) if n == k else np.nan for v, n in zip(values, found))
    short = "" if min(found) == k else f"only {min(found)} clusters were found"
    alone = float(np.mean([size.min() == 1 for size in sizes]))
    return Score(values, seconds, short, alone)


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


def _score_in_step(model, candidates, data, splits, criterion):
    """As one model for each, but all share every product with the kernel."""
    began = perf_counter()
    seeds = np.hstack([split.seeds[: len(candidates)] for split in splits]).T
    try:
        model = clone(model).set_params(n_clusters=candidates[0])
        model._validate_params()
        own, other = data.together(splits)
        fits = fit_in_step(model, candidates, own, seeds)
        # The halves of a split follow each other: i ^ 1 is the other one.
        of_others = [fits[i ^ 1] for i in range(len(fits))]
        predicted = predict_in_step(model, candidates, of_others, other)
    except ValueError as error:
        if len(splits) == 1:
            return [[Score(reason=str(error))] * len(candidates)]
        # Which of them it was is found out one by one.
        return [
            _score_in_step(model, candidates, data, [split], criterion)[0]
            for split in splits
        ]
    share = (perf_counter() - began) / sum(candidates) / len(splits)
    of_each = [
        _scored_together(
            [means[j].labels for means in fits],
            [guesses[j] for guesses in predicted],
            k,
            criterion,
            share * k,
        )
        for j, k in enumerate(candidates)
    ]
    return [list(of_split) for of_split in zip(*of_each)]

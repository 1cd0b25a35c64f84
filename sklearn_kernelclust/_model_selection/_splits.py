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

from sklearn_kernelclust._gram._checks import as_gram
from sklearn_kernelclust._gram._stored import DenseGram, SparseGram
from sklearn_kernelclust._kmeans._batched_fits import fit_each_k, predict_each_k
from sklearn_kernelclust._kmeans._kernel_kmeans import KernelKMeans
from sklearn_kernelclust._utils._sklearn import _safe_indexing
from sklearn_kernelclust.metrics._agreement import (
    agreement,
    cluster_sizes,
)

# An array is the faster kernel if it has fewer entries than a product with so
# many columns has multiply-adds.
COLUMNS = 20


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
        """Both halves, and each against the training objects of the other's model."""
        parts = [_safe_indexing(self.X, half) for half in split.halves]
        return parts, parts


class Kernel:
    """Objects described by a square Gram.

    Parts are arrays, or sparse matrices, where users gave one (`as_array`).
    """

    def __init__(self, gram, as_array=False):
        self.gram, self.as_array = gram, as_array

    def halves(self, split):
        """Both halves, and each against the training objects of the other's model."""
        own, other = self.grams(split)
        if not self.as_array:
            return own, other
        return [as_given(part) for part in own], [as_given(part) for part in other]

    def grams(self, split):
        """The same as Grams, whatever users gave."""
        a, b = split.halves
        across = self.gram.restrict(a, b)
        return [self.gram.restrict(half, half) for half in (a, b)], [across, across.T]


class Transformed:
    """Objects after steps that are fitted on each half, for all candidates once."""

    def __init__(self, data, steps):
        self.data, self.steps = data, steps

    def halves(self, split):
        """Both halves, and each against the training objects of the other's model."""
        own, other = self.data.halves(split)
        models = [seeded(clone(self.steps), seed) for seed in split.common]
        own = [model.fit_transform(part) for model, part in zip(models, own)]
        return own, [m.transform(part) for m, part in zip(models[::-1], other)]

    def grams(self, split):
        """The same as Grams, of steps that make kernels."""
        own, other = self.halves(split)
        return [as_gram(K) for K in own], [as_gram(K, training=False) for K in other]


def as_given(gram):
    """A kernel matrix as other packages know it."""
    return gram.K if isinstance(gram, SparseGram) else gram.toarray()


def score_split(model, param, candidates, data, split, criterion):
    """The scores of all numbers of clusters on one split.

    Not of more clusters than there are pairs of objects: with nearly as many
    as objects, the few pairs that are left are so close that noise predicts
    them.
    """
    smallest = min(len(half) for half in split.halves)
    possible = [int(k) for k in candidates if 2 * k <= smallest]
    too_many = [Score(reason=f"{smallest} objects are not two for each cluster")]
    too_many *= len(candidates) - len(possible)
    if possible and share_products(model, param, data):
        scores = _score_all_k(model, possible, data, split, criterion)
    else:
        scores = _score_one_by_one(model, param, possible, data, split, criterion)
    return scores + too_many


def share_products(model, param, data):
    """Whether all numbers of clusters can share their products with the kernel."""
    return (
        type(model) is KernelKMeans
        and param == "n_clusters"
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
    # One alone takes the seed itself, so that batched fits know its starts.
    states = [int(seed)]
    if len(names) > 1:
        states = (
            np.random.RandomState(seed).randint(2**31 - 1, size=len(names)).tolist()
        )
    return model.set_params(**dict(zip(names, states)))


def _score_all_k(model, candidates, data, split, criterion):
    """As one model for each number of clusters, but they share their products."""
    began = perf_counter()
    try:
        model = clone(model).set_params(n_clusters=candidates[0])
        model._validate_params()
        own, other = data.grams(split)
        seeds = split.seeds[: len(candidates)].T
        fits = [fit_each_k(model, candidates, *half) for half in zip(own, seeds)]
        predicted = [
            predict_each_k(runs, block, gram.diagonal())
            for runs, block, gram in zip(fits[::-1], other, own)
        ]
    except ValueError as error:
        return [Score(reason=str(error))] * len(candidates)
    share = (perf_counter() - began) / sum(candidates)
    return [
        _scored([run.labels for run in runs], labels, k, criterion, share * k)
        for k, runs, labels in zip(candidates, zip(*fits), zip(*predicted))
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

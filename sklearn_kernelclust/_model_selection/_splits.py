"""Splits of the objects into two halves that predict each other.

One split of prediction-based validation: both halves are clustered, and for each
number of clusters the model of one half predicts the clusters of the other.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from contextlib import nullcontext
from dataclasses import dataclass
from itertools import chain
from time import perf_counter
from traceback import clear_frames, format_exception

import numpy as np
from joblib import effective_n_jobs
from joblib.parallel import get_active_backend
from scipy.sparse import issparse
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.utils.parallel import Parallel, delayed

from sklearn_kernelclust._gram._checks import as_gram
from sklearn_kernelclust._kmeans._kernel_kmeans import KernelKMeans
from sklearn_kernelclust._model_selection._kernel_splits import (
    labels_of_kernel_kmeans,
)
from sklearn_kernelclust._model_selection._kmeans_splits import (
    fits_together,
    labels_of_kmeans,
)
from sklearn_kernelclust._utils._arrays import on_host
from sklearn_kernelclust._utils._sklearn import _safe_indexing, check_params
from sklearn_kernelclust._utils._threads import one_openmp_thread
from sklearn_kernelclust.metrics._agreement import agreement, table_of

# Splits that are scored together: at most so many, and so many bytes of kernels.
BATCH, STACK_BYTES = 10, 2**26

# Fits of fewer objects use one thread: k-means of scikit-learn takes 256 at a time.
FEW = 2048

# Objects of fits on features that go together.
FITS_TOGETHER = 2**14


@dataclass
class Split:
    """Two halves, and a seed for each number of clusters on each of them.

    `common` are the seeds of the steps that all numbers of clusters share, `source`
    is the number of the data that are split, where there are several.
    """

    halves: tuple
    seeds: np.ndarray
    common: np.ndarray
    source: int = 0

    @classmethod
    def drawn(cls, n_samples, n_candidates, seed, source=0):
        """A random split. It carries its seeds, so no worker draws any."""
        rng = np.random.RandomState(seed)
        order = rng.permutation(n_samples)
        halves = np.sort(order[: n_samples // 2]), np.sort(order[n_samples // 2 :])
        seeds = rng.randint(2**31 - 1, size=(n_candidates + 1, 2))
        return cls(halves, seeds[:-1], seeds[-1], source)


@dataclass
class Score:
    """Score of one number of clusters on one split.

    Attributes
    ----------
    values : tuple of two floats
        Agreement on each half; NaN if there is none.
    seconds : float
        Time spent.
    reason : str
        Why the values are NaN.
    alone : float
        Share of the halves in which a cluster is a single object, which has no
        pair to predict.
    too_few : bool
        Whether a half has fewer clusters than asked for.
    unpredicted : float
        Share of the halves with a cluster in which no object is predicted to be.
    error : Exception or None
        Exception of the estimator, with its traceback.
    """

    values: tuple = (np.nan, np.nan)
    seconds: float = 0.0
    reason: str = ""
    alone: float = 0.0
    too_few: bool = False
    unpredicted: float = 0.0
    error: Exception | None = None

    @classmethod
    def failed(cls, error, seconds=0.0):
        """No score, because the estimator raised `error`.

        The variables of its frames are dropped, which would keep the data of every
        failed fit in memory; its traceback still names each line.
        """
        trace = error.__traceback__.tb_next or error.__traceback__
        clear_frames(trace)
        return cls(
            seconds=seconds, reason=str(error), error=error.with_traceback(trace)
        )

    def __getstate__(self):
        """For another process: tracebacks cannot be pickled, nor some exceptions."""
        state = dict(vars(self))
        if self.error is not None:
            lines = format_exception(self.error)
            state["error"] = WorkerError("\n" + "".join(lines))
        return state


class WorkerError(Exception):
    """The traceback of an exception in another process, as text."""


def results_in_order(tasks, n_jobs):
    """A generator of the results of delayed calls, in order.

    It yields each as soon as it is there. Not every backend of joblib can do that.
    """
    backend, _ = get_active_backend()
    if getattr(backend, "supports_return_generator", False):
        return Parallel(n_jobs=n_jobs, return_as="generator")(tasks)
    return _results_in_groups(tasks, n_jobs)


def _results_in_groups(tasks, n_jobs):
    """The same, one task for each worker at a time, so that progress is seen."""
    n_workers = effective_n_jobs(n_jobs)
    with Parallel(n_jobs=n_jobs) as workers:
        for first in range(0, len(tasks), n_workers):
            yield from workers(tasks[first : first + n_workers])


def check_any_scored(scored, candidates, n_samples):
    """Raise if the estimator failed and nothing was scored, from its exception."""
    scores = list(chain.from_iterable(scored))
    failed = next((score for score in scores if score.error is not None), None)
    if failed and all(np.isnan(score.values).all() for score in scores):
        message = not_scored(candidates, n_samples, failed.reason)
        raise ValueError(message) from failed.error


def not_scored(candidates, n_samples, reason):
    """Message about numbers of clusters without a score."""
    return (
        f"{candidates.tolist()} clusters could not be scored on halves of "
        f"{n_samples // 2} objects: {reason}"
    )


class Features:
    """Objects described by features, or anything that can be indexed by row."""

    def __init__(self, X):
        # Not every sparse format can be indexed.
        self.X = X.tocsr() if issparse(X) else X

    def halves(self, split):
        """Both halves to fit on, and both as input to the other's `predict`."""
        halves = [_safe_indexing(self.X, half) for half in split.halves]
        return halves, halves


class Kernel:
    """Objects described by a square Gram.

    Halves are arrays or sparse matrices if the user passed one (`as_array`).
    """

    def __init__(self, gram, as_array=False):
        self.gram, self.as_array = gram, as_array

    def halves(self, split):
        """Both halves to fit on, and both as input to the other's `predict`."""
        own, other = self.grams(split)
        if not self.as_array:
            return own, other
        return [part.matrix() for part in own], [part.matrix() for part in other]

    def grams(self, split):
        """The same as Grams, whatever users gave."""
        a, b = split.halves
        across = self.gram.restrict(a, b)
        return [self.gram.restrict(half, half) for half in (a, b)], [across, across.T]


class Transformed:
    """Objects transformed by steps that are fitted once on each half."""

    def __init__(self, data, steps):
        self.data, self.steps = data, steps

    def halves(self, split):
        """Both halves to fit on, and both as input to the other's `predict`."""
        own, other = self.data.halves(split)
        models = [seeded(clone(self.steps), seed) for seed in split.common]
        own = [model.fit_transform(part) for model, part in zip(models, own)]
        return own, [m.transform(part) for m, part in zip(models[::-1], other)]

    def grams(self, split):
        """The same as Grams, of steps that make kernels."""
        own, other = self.halves(split)
        return [as_gram(K) for K in own], [as_gram(K, training=False) for K in other]


def score_splits(model, param, candidates, data, splits, criterion, error_score):
    """The score of each number of clusters, a list of them for each split.

    There is no score for more clusters than pairs of objects: with nearly as many
    clusters as objects, the few pairs left are so close that noise predicts them.
    """
    smallest = min(len(half) for half in splits[0].halves)
    possible = [int(k) for k in candidates if 2 * k <= smallest]
    too_many = [Score(reason=f"{smallest} objects are not two for each cluster")]
    too_many *= len(candidates) - len(possible)
    caught = () if error_score == "raise" else (ValueError,)
    if possible and fit_all_k(model, param, data):
        scores = _score_all_k(model, possible, data, splits, criterion, caught)
    else:
        how = model, param, possible, data
        with one_openmp_thread() if smallest < FEW else nullcontext():
            scores = [_score_one_by_one(*how, s, criterion, caught) for s in splits]
    return [scores_of_split + too_many for scores_of_split in scores]


def split_tasks(n_samples, seeds, setting, criterion, error_score):
    """Calls of `score_splits` for random splits, a seed each, to be made anywhere.

    `setting` is the model, its parameter, the candidates and the data.
    """
    model, param, candidates, data = setting
    splits = [Split.drawn(n_samples, len(candidates), seed) for seed in seeds]
    batches, call = batches_of_splits(splits, model, param, data), delayed(score_splits)
    return [call(*setting, batch, criterion, error_score) for batch in batches]


def batches_of_splits(splits, model, param, data, most=BATCH):
    """Lists of at most so many splits whose fits go together.

    Small arrays are mostly overhead, large ones leave the cache. Whatever the
    number of jobs, the batches are the same.
    """
    size, n = 1, max(len(half) for half in splits[0].halves)
    if share_products(model, param, data):
        size = min(max(STACK_BYTES // (8 * n * n), 1), most)
    elif fit_all_k(model, param, data):
        size = min(max(FITS_TOGETHER // n, 1), most)
    return [splits[first : first + size] for first in range(0, len(splits), size)]


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


def fit_all_k(model, param, data):
    """Whether the fits of all numbers of clusters, and of several splits, go together.

    So do those that share products, and those of scikit-learn's k-means.
    """
    if type(model) is KMeans and type(data) is Features:
        return fits_together(model, param, data.X)
    return share_products(model, param, data)


def _score_one_by_one(model, param, candidates, data, split, criterion, caught):
    """The score of each number of clusters on a split, one model after the other."""
    if not candidates:
        return []
    began = perf_counter()
    try:
        halves = data.halves(split)
        fit_params = data.fit_params(split) if hasattr(data, "fit_params") else ({}, {})
    except caught as error:
        return [Score.failed(error)] * len(candidates)
    share = (perf_counter() - began) / len(candidates)
    scores = []
    for k, seeds in zip(candidates, split.seeds):
        began = perf_counter() - share
        try:
            labels = _labels_of(model, {param: k}, seeds, *halves, fit_params)
        except caught as error:
            scores.append(Score.failed(error, perf_counter() - began))
        else:
            scores.append(_scored(*labels, k, criterion, perf_counter() - began))
    return scores


def _labels_of(model, params, seeds, halves, as_new, fit_params):
    """Labels of both halves, and those that the model of the other half predicts."""
    models = [seeded(clone(model).set_params(**params), seed) for seed in seeds]
    labels = [clustered(m, X, **p) for m, X, p in zip(models, halves, fit_params)]
    predicted = [m.predict(half) for m, half in zip(models[::-1], as_new)]
    return list(map(on_host, labels)), list(map(on_host, predicted))


def clustered(model, X, **fit_params):
    """Fit a model and return the labels of its objects."""
    if fit_params:  # which `fit` takes, and `fit_predict` of a pipeline may not
        model.fit(X, **fit_params)
        last = model[-1] if hasattr(model, "steps") else model
        return last.labels_ if hasattr(last, "labels_") else model.predict(X)
    if hasattr(model, "fit_predict"):
        return model.fit_predict(X)
    return model.fit(X).predict(X)


def _scored(labels, predicted, k, criterion, seconds):
    """Score of a split from its labels, unless a half has too few clusters."""
    tables = [table_of(*pair) for pair in zip(labels, predicted)]
    sizes = [table.sum(axis=1) for table in tables]
    values = [np.nan, np.nan]
    if min(map(len, sizes)) == k:
        pairs = zip(labels, predicted, tables)
        values = [agreement(criterion, *pair) for pair in pairs]
    n_predicted = [table.shape[1] for table in tables]
    return _score_of(values, sizes, n_predicted, k, seconds)


def _score_of(values, sizes, n_predicted, k, seconds):
    """Score of a split, NaN if either half has fewer clusters than asked for.

    A half with fewer clusters is not a partition into `k`, and cannot predict one.
    """
    sizes = [size[size > 0] for size in sizes]
    n_found = min(map(len, sizes))
    alone = float(np.mean([size.min() == 1 for size in sizes]))
    if n_found < k:
        reason = f"only {n_found} clusters were found"
        return Score(seconds=seconds, reason=reason, alone=alone, too_few=True)
    unpredicted = float(np.mean([n < k for n in n_predicted]))
    values = tuple(map(float, values))
    return Score(values, seconds, alone=alone, unpredicted=unpredicted)


def seeded(model, seed, only_unset=False):
    """Set all random states of a model from one seed."""
    names = [
        name
        for name, value in sorted(model.get_params(deep=True).items())
        if (name == "random_state" or name.endswith("__random_state"))
        and not (only_unset and value is not None)
    ]
    # A single one is set to the seed itself, as batched runs do.
    states = [int(seed)]
    if len(names) > 1:
        rng = np.random.RandomState(seed)
        states = rng.randint(2**31 - 1, size=len(names)).tolist()
    return model.set_params(**dict(zip(names, states)))


def _score_all_k(model, candidates, data, splits, criterion, caught):
    """As one model for each number of clusters, but all at once."""
    began = perf_counter()
    try:
        model = clone(model).set_params(n_clusters=candidates[0])
        check_params(model)
        kernel = type(model) is KernelKMeans
        how = labels_of_kernel_kmeans if kernel else labels_of_kmeans
        labels = how(model, candidates, data, splits)
    except caught as error:
        how = criterion, caught
        if len(splits) > 1:
            alone = [_score_all_k(model, candidates, data, [s], *how) for s in splits]
            return [scores for [scores] in alone]
        return [[Score.failed(error)] * len(candidates)]
    share = (perf_counter() - began) / (sum(candidates) * len(splits))
    return [
        [
            _scored(*both, k, criterion, share * k)
            for k, *both in zip(candidates, own_labels, predicted)
        ]
        for own_labels, predicted in labels
    ]

"""Distances of objects, by a metric or from a matrix, as Grams."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.sparse import issparse
from scipy.spatial.distance import cdist
from sklearn.metrics import pairwise_distances
from sklearn.metrics.pairwise import PAIRWISE_BOOLEAN_FUNCTIONS
from sklearn.utils.extmath import row_norms
from sklearn.utils.validation import validate_data

from sklearn_kernelclust._gram._base import Gram
from sklearn_kernelclust._gram._checks import check_kernel
from sklearn_kernelclust._gram._chunked import ChunkedGram
from sklearn_kernelclust._gram._stored import DenseGram
from sklearn_kernelclust._gram._symmetry import (
    check_symmetric,
    check_symmetric_callable,
)
from sklearn_kernelclust._kernels._centers import center_of
from sklearn_kernelclust._kernels._evaluate import for_loops
from sklearn_kernelclust._kernels._fitted import like
from sklearn_kernelclust._kernels._objects import (
    ObjectIndex,
    Objects,
    are_features,
    check_objects,
)
from sklearn_kernelclust._kernels._row_index import RowIndex
from sklearn_kernelclust._utils._arrays import evaluated_on_host
from sklearn_kernelclust._utils._block_rows import moved
from sklearn_kernelclust._utils._sklearn import StrOptions
from sklearn_kernelclust._utils._threads import batches
from sklearn_kernelclust._utils._validation import (
    FLOATS,
    check_features,
    refuse_what_numbers_would_hide,
)
from sklearn_kernelclust._utils._warnings import warn_user

# Metrics that take sparse features.
SPARSE = {"cityblock", "cosine", "euclidean", "l1", "l2", "manhattan"}

# Without "russellrao", by which few objects are at distance 0 from themselves.
METRICS = SPARSE | {
    "braycurtis",
    "canberra",
    "chebyshev",
    "correlation",
    "dice",
    "hamming",
    "haversine",
    "jaccard",
    "mahalanobis",
    "minkowski",
    "rogerstanimoto",
    "seuclidean",
    "sokalsneath",
    "sqeuclidean",
    "yule",
}

EUCLIDEAN = "euclidean", "l2"

# Distance of an object to itself, over the largest one and the root of the rounding.
SELF_DISTANCE = 64

# Objects whose distances the median is taken of.
MEDIAN_OBJECTS = 1000

# Entries that a pass over the rows of a matrix holds at a time.
PASS_ENTRIES = 2**21


class MetricMixin:
    """For transformers that take distances, or evaluate a metric."""

    _parameter_constraints: dict = {
        "metric": [StrOptions(METRICS | {"precomputed"}), callable],
        "metric_params": [dict, None],
    }

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._precomputed()
        tags.input_tags.sparse = isinstance(self.metric, str) and self.metric in SPARSE
        tags.input_tags.positive_only = self._precomputed()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    def _precomputed(self):
        return isinstance(self.metric, str) and self.metric == "precomputed"

    def _training_distances(self, X):
        """Gram of the distances of training objects; their metric if there is one."""
        X = evaluated_on_host(X)
        if self._precomputed() or isinstance(X, Gram):
            if self.metric_params:
                warn_user(
                    f"metric_params={self.metric_params!r} are ignored: distances were "
                    "given, and no metric is evaluated."
                )
            return check_distances(self, X, reset=True), None
        if callable(self.metric) and not are_features(X):
            X = check_objects(X)
        else:
            X = check_features(self, X, reset=True, copy=True)
            refuse_sparse(self.metric, X)
        metric = FittedMetric(X, self.metric, self.metric_params or {})
        distances = metric.gram()
        if callable(self.metric):
            check_symmetric_callable(distances, "metric")
            metric.check_zero_self_distances()
        return distances, metric

    def _new_distances(self, X):
        """Gram of the distances of objects to the training objects."""
        X = evaluated_on_host(X)
        if self._metric is None:
            return check_distances(self, X, reset=False)
        if isinstance(self._metric.X, Objects):
            return self._metric.against(check_objects(X))
        return self._metric.against(check_features(self, X, reset=False))

    def _remember(self, metric):
        """Keep a fitted metric; None if distances were given."""
        self._metric = metric
        X = None if metric is None else metric.X
        self.X_fit_ = X.sequence if isinstance(X, Objects) else X


class FittedMetric:
    """A metric and its training objects.

    Parameters
    ----------
    X : array, CSR matrix or Objects
        Training objects, which nobody else writes to.
    metric : str or callable
        One of `METRICS`, or a function of two objects.
    params : dict
        Keyword arguments of the metric. What a metric needs of the training
        features is computed where it is not given.
    """

    def __init__(self, X, metric, params):
        self.X = X
        params = {**fitted_params(metric, X, params), **params}
        self._distances = Distances(metric, params)
        # Distances of sparse features come from inner products, which need a centre.
        by_products = issparse(X) and metric in EUCLIDEAN and not params
        self._center = center_of(X) if by_products else None
        self._columns = self._placed(X)
        self._index = ObjectIndex(X) if isinstance(X, Objects) else RowIndex(X)

    def gram(self):
        """Distances of the training objects."""
        gram = self._gram_of(self._columns)
        gram.symmetric = True
        return gram

    def against(self, X):
        """Distances of objects to the training objects."""
        X = like(X, self.X)
        gram = self._gram_of(self._placed(X))
        gram.training_index = self._index.find(X)
        return gram

    def check_zero_self_distances(self):
        """Refuse a function by which an object is not at distance 0 from itself.

        It may compute in float32 whatever it is given.
        """
        each = (self.X[i] for i in batches(self.X.shape[0], 1))
        own = np.array([self._distances(x, x)[0, 0] for x in each], dtype=np.float32)
        largest = self._distances(self.X[:1], self.X).max()
        check_zero_diagonal(own, largest, "Distances of the callable", "function")

    def _placed(self, X):
        if self._center is None:
            return X
        return moved(X, self._center).astype(X.dtype, copy=False)

    def _gram_of(self, rows):
        zeros = (np.zeros(Y.shape[0], self.X.dtype) for Y in (rows, self._columns))
        return ChunkedGram(self._distances, rows, self._columns, *zeros)


def refuse_sparse(metric, X):
    """Refuse sparse features where a metric takes dense ones only."""
    if issparse(X) and isinstance(metric, str) and metric not in SPARSE:
        raise TypeError(
            f"metric={metric!r} takes dense features, and X is sparse: pass "
            f"X.toarray(), or one of {', '.join(sorted(SPARSE))}."
        )


def fitted_params(metric, X, given):
    """What a metric learns of the training features, where it is not given."""
    if metric == "seuclidean" and "V" not in given:
        return {"V": variances(X)}
    if metric == "mahalanobis" and "VI" not in given:
        return {"VI": inverse_covariance(X)}
    return {}


def variances(X):
    """Variances of the features, none of which may be 0."""
    if X.shape[0] < 2:
        raise ValueError(f"Variances need 2 or more objects, got {X.shape[0]}.")
    V = np.var(X, axis=0, ddof=1, dtype=np.float64)
    constant = np.flatnonzero(V == 0)
    if len(constant):
        raise ValueError(
            f"{len(constant)} of {len(V)} features are constant (the first is feature "
            f"{constant[0]}), and the metric divides by their variances: drop them, or "
            "give the metric what it needs in metric_params."
        )
    return V


def inverse_covariance(X):
    """The inverse covariance matrix of features that are not collinear."""
    scale = np.sqrt(variances(X))
    correlation = np.atleast_2d(np.cov(X.T.astype(np.float64) / scale[:, None]))
    rank, n_features = np.linalg.matrix_rank(correlation, hermitian=True), len(scale)
    if rank < n_features:
        raise ValueError(
            f"The covariance matrix of {n_features} features of {X.shape[0]} objects "
            f"has rank {rank} and no inverse: drop features that the others determine, "
            "or pass metric_params={'VI': numpy.linalg.pinv(numpy.cov(X.T))}."
        )
    return np.linalg.inv(correlation).T / np.multiply.outer(scale, scale)


class Distances:
    """A metric as a function of two sets of objects, which gives a block."""

    def __init__(self, metric, params):
        self.metric, self.params = metric, params

    def __call__(self, X, Y):
        block = np.asarray(self._block(X, Y))
        wrong = ~(np.isfinite(block) & (block >= 0))
        if wrong.any():
            raise ValueError(
                f"The metric {self.metric!r} gives {block[wrong][0]} for a pair of "
                "objects: distances must be finite and not negative."
            )
        return block

    def _block(self, X, Y):
        if isinstance(X, Objects):
            pairs = [
                [self.metric(x, y, **self.params) for y in Y.sequence]
                for x in X.sequence
            ]
            return np.array(pairs, dtype=np.float64).reshape(X.shape + Y.shape)
        if self.metric in PAIRWISE_BOOLEAN_FUNCTIONS:
            X, Y = X.astype(bool), Y.astype(bool)
        named = isinstance(self.metric, str)
        if named and self.metric in EUCLIDEAN and not (issparse(X) or self.params):
            # Differences: distances from inner products would lose half the digits.
            return cdist(X, Y)
        X, Y = for_loops(X), for_loops(Y)
        distances = pairwise_distances(X, Y, metric=self.metric, **self.params)
        if named and self.metric == "cosine":
            # Equal objects are at distance 0, also those without a direction.
            distances[np.ix_(rows_of_zeros(X), rows_of_zeros(Y))] = 0
        # A difference that rounds below zero, as of 1 - cos.
        return np.maximum(distances, 0) if named else distances


def rows_of_zeros(X):
    return np.flatnonzero(row_norms(X, squared=True) == 0)


def check_distances(estimator, D, *, reset):
    """The Gram of a matrix of distances; square in fit, new rows otherwise."""
    if isinstance(D, Gram):
        D = check_kernel(estimator, D, reset=reset)
        if reset:
            check_zero_diagonal(D.diagonal(), np.abs(D[0]).max())
            check_not_negative(D[:1].toarray())
        return D
    refuse_what_numbers_would_hide(D)
    D = validate_data(estimator, D, dtype=FLOATS, reset=reset)
    check_not_negative(D)
    if not reset:
        return DenseGram(D, np.zeros(len(D), D.dtype), np.zeros(D.shape[1], D.dtype))
    if D.shape[0] != D.shape[1]:
        raise ValueError(f"Precomputed distances must be square, got {D.shape}.")
    check_symmetric(D, what="Precomputed distances K")
    check_zero_diagonal(D.diagonal(), D.max())
    zeros = np.zeros(len(D), D.dtype)
    return DenseGram(D, zeros, zeros, symmetric=True)


def check_not_negative(D):
    """Refuse an array of distances with negative ones."""
    if D.min() < 0:
        i, j = np.unravel_index(D.argmin(), D.shape)
        raise ValueError(
            "Negative values in data passed as distances: "
            f"D[{i}, {j}] is {D[i, j]:.3g}."
        )


def check_zero_diagonal(diagonal, largest, what="Precomputed distances", kind="matrix"):
    """Refuse distances of objects to themselves that are more than rounding.

    That is much where distances were computed from inner products.
    """
    i = int(np.abs(diagonal).argmax())
    rounding = SELF_DISTANCE * np.sqrt(np.finfo(diagonal.dtype).eps)
    if abs(diagonal[i]) > rounding * largest:
        raise ValueError(
            f"{what} must be 0 on the diagonal, D[{i}, {i}] is "
            f"{diagonal[i]:.3g}. Is it a kernel {kind}?"
        )


def median_distance(distances):
    """Median distance of different objects, of at most a thousand that are drawn.

    Where more than half of the pairs coincide, of those that do not; 0 if all do.
    """
    n = distances.shape[0]
    index = np.sort(np.random.RandomState(0).permutation(n)[:MEDIAN_OBJECTS])
    D = distances.restrict(index, index).toarray()
    values = D[np.triu_indices(len(D), 1)]
    median = np.median(values) if len(values) else 0.0
    if median == 0 and values.any():
        median = np.median(values[values > 0])
    return float(median)


def nearest_distances(distances, which):
    """Distance of each object to one of its nearest training objects.

    Parameters
    ----------
    distances : Gram
        Of objects to the training objects.
    which : int
        Its place in the order of the distances, from 0 on; the last if there are
        fewer.

    Returns
    -------
    nearest : ndarray
        The distances.
    index : ndarray
        The training object that each is, or the first at distance 0, else -1.
    """
    n, m = distances.shape
    which = min(which, m - 1)
    nearest, index = np.empty(n, distances.dtype), np.full(n, -1, dtype=np.intp)
    for rows in batches(n, max(1, PASS_ENTRIES // m)):
        block = distances.restrict(rows).toarray()
        nearest[rows] = np.partition(block, which, axis=1)[:, which]
        zero = np.flatnonzero(block.min(axis=1) == 0)
        index[rows.start + zero] = block[zero].argmin(axis=1)
    if distances.training_index is not None:
        index = np.where(distances.training_index >= 0, distances.training_index, index)
    return nearest, index

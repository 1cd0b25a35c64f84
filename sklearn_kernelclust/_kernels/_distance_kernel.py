"""Distances to kernels."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import partial
from numbers import Real

import numpy as np

from sklearn_kernelclust._gram._wrappers import CenteredGram, EntrywiseGram
from sklearn_kernelclust._kernels._degenerate import warn_if_degenerate
from sklearn_kernelclust._kernels._entrywise import (
    exponential,
    exponential_of_square,
    minus_half_square,
)
from sklearn_kernelclust._kernels._metric import MetricMixin, median_distance
from sklearn_kernelclust._kernels._pairwise_kernel import FeatureKernel
from sklearn_kernelclust._utils._sklearn import Interval, StrOptions
from sklearn_kernelclust._utils._warnings import warn_user


class DistanceKernel(MetricMixin, FeatureKernel):
    """Kernel of distances: of a distance matrix, or of a metric.

    Parameters
    ----------
    metric : str or callable, default="euclidean"
        `"precomputed"`, for a matrix of distances; a metric of
        :func:`sklearn.metrics.pairwise_distances` other than `"nan_euclidean"` and
        `"russellrao"`; or a callable ``metric(x, y)`` of two objects, which may be
        rows of features or anything else, such as strings. An object must be at
        distance 0 from itself.

    kind : {"gaussian", "laplacian", "centered"}, default="gaussian"
        - `"gaussian"`: ``exp(-gamma d^2)``.
        - `"laplacian"`: ``exp(-gamma d)``.
        - `"centered"`: ``-H D^2 H / 2``, where H subtracts the mean of the training
          objects. For Euclidean distances these are the inner products of the
          centred objects: what classical scaling starts from [1]_.

    gamma : float or "median", default="median"
        Coefficient of the first two kinds. `"median"` is ``1 / (2 m^2)`` for
        `"gaussian"` and ``1 / m`` for `"laplacian"`, where m is the median
        distance of two different training objects.

    metric_params : dict or None, default=None
        Keyword arguments of the metric.

    lazy : bool, default=False
        Whether to hand on a Gram instead of an array. It evaluates the metric a
        tile at a time.

    Attributes
    ----------
    gamma_ : float or None
        Value of `gamma` used; None for ``kind="centered"``.

    X_fit_ : ndarray, sparse matrix, list or None
        Training objects, a copy of the model's own; None if distances were given.

    n_features_in_ : int
        Number of features seen during fit.

    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of features seen during fit, if all are strings.

    See Also
    --------
    LocalScalingKernel : A Gaussian kernel with a width for each object.
    PairwiseKernel : Kernels of features. Its Gaussian kernel is faster.

    Notes
    -----
    New objects of ``kind="centered"`` are placed by their distances to the
    training objects, as Gower does [1]_: ``fit(X).transform(X)`` is
    ``fit_transform(X)``.

    The kernels are positive semi-definite for Euclidean distances. The Laplacian
    kernel is so for Manhattan distances too. Others, such as edit distances, may
    give an indefinite kernel, which the clusterers of this package take.

    The median is that of all pairs of at most 1,000 objects, drawn with a fixed
    seed. Where more than half of these pairs coincide, it is that of the others.

    References
    ----------
    .. [1] J. C. Gower, "Adding a point to vector diagrams in multivariate
       analysis", Biometrika 55, 1968.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_kernelclust import DistanceKernel
    >>> D = np.array([[0.0, 1.0, 5.0], [1.0, 0.0, 4.0], [5.0, 4.0, 0.0]])
    >>> DistanceKernel("precomputed", gamma=0.1).fit_transform(D).round(2)
    array([[1.  , 0.9 , 0.08],
           [0.9 , 1.  , 0.2 ],
           [0.08, 0.2 , 1.  ]])
    >>> centered = DistanceKernel("precomputed", kind="centered").fit(D)
    >>> centered.transform(D)  # of the places -2, -1 and 3
    array([[ 4.,  2., -6.],
           [ 2.,  1., -3.],
           [-6., -3.,  9.]])

    A metric of strings, here the number of places in which they differ:

    >>> def differences(s, t):
    ...     return sum(a != b for a, b in zip(s, t))
    >>> words = ["cat", "cut", "dog"]
    >>> DistanceKernel(differences, kind="laplacian").fit_transform(words).round(2)
    array([[1.  , 0.72, 0.37],
           [0.72, 1.  , 0.37],
           [0.37, 0.37, 1.  ]])
    """

    _parameter_constraints: dict = {
        **MetricMixin._parameter_constraints,
        **FeatureKernel._parameter_constraints,
        "kind": [StrOptions({"gaussian", "laplacian", "centered"})],
        "gamma": [StrOptions({"median"}), Interval(Real, 0, None, closed="neither")],
    }

    def __init__(
        self,
        metric="euclidean",
        *,
        kind="gaussian",
        gamma="median",
        metric_params=None,
        lazy=False,
    ):
        self.metric = metric
        self.kind = kind
        self.gamma = gamma
        self.metric_params = metric_params
        self.lazy = lazy

    def _fit(self, X):
        distances, metric = self._training_distances(X)
        if self.kind == "centered":
            with np.errstate(over="ignore", invalid="ignore"):
                squares = EntrywiseGram(distances, minus_half_square)
                gram = CenteredGram.training(squares)
            self._means, self.gamma_ = (gram.col_means, gram.mean), None
            check_squares_fit(gram.mean, np.max(gram.col_means))
        else:
            self._means, self.gamma_ = None, self._resolve_gamma(distances)
            gram = self._decaying(distances)
            warn_if_degenerate(gram, self.gamma_, self.gamma, "median")
        self._remember(metric)
        self._n_features_out = distances.shape[1]
        return gram

    def _new_gram(self, X):
        distances = self._new_distances(X)
        if self._means is None:
            gram = self._decaying(distances)
        else:
            gram = EntrywiseGram(distances, minus_half_square)
            n = gram.shape[1]
            row_means = gram @ np.full(n, 1 / n)
            gram = CenteredGram(gram, row_means, *self._means)
        gram.training_index = distances.training_index
        return gram

    def _decaying(self, distances):
        gaussian = self.kind == "gaussian"
        function = exponential_of_square if gaussian else exponential
        return EntrywiseGram(distances, partial(function, gamma=self.gamma_))

    def _resolve_gamma(self, distances):
        if not isinstance(self.gamma, str):
            return float(self.gamma)
        median = median_distance(distances)
        if median > 0:
            with np.errstate(all="ignore"):
                gamma = np.float64(1) / median
                gamma = 0.5 * gamma * gamma if self.kind == "gaussian" else gamma
                check_squares_fit(gamma, 1 / gamma)
            return float(gamma)
        warn_user(
            f"gamma='median' divides by the median distance of {distances.shape[0]} "
            "objects, which is 0: gamma=1.0 is used instead."
        )
        return 1.0


def check_squares_fit(*numbers):
    """Refuse distances whose squares are too large or too small for a number."""
    if not np.isfinite(numbers).all():
        raise ValueError("Squares of distances overflow or underflow: rescale them.")

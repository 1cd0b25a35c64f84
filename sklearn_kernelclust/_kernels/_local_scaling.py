"""The self-tuning Gaussian kernel."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from numbers import Integral

import numpy as np
from sklearn.neighbors import NearestNeighbors
from sklearn.utils.extmath import row_norms

from sklearn_kernelclust._gram._base import Gram
from sklearn_kernelclust._gram._chunked import ChunkedGram
from sklearn_kernelclust._gram._wrappers import EntrywiseGram
from sklearn_kernelclust._kernels._centers import center_of
from sklearn_kernelclust._kernels._entrywise import locally_scaled
from sklearn_kernelclust._kernels._fitted import (
    gaussian,
    gaussian_factor,
    like,
)
from sklearn_kernelclust._kernels._metric import (
    EUCLIDEAN,
    MetricMixin,
    nearest_distances,
)
from sklearn_kernelclust._kernels._pairwise_kernel import FeatureKernel
from sklearn_kernelclust._kernels._row_index import RowIndex
from sklearn_kernelclust._utils._arrays import evaluated_on_host
from sklearn_kernelclust._utils._block_rows import moved
from sklearn_kernelclust._utils._sklearn import Interval
from sklearn_kernelclust._utils._validation import check_features

# Stands in for a width of 0, where the largest feature is of size 1.
SMALLEST_WIDTH = 1e-60


class LocalScalingKernel(MetricMixin, FeatureKernel):
    """Gaussian kernel whose width adapts to the neighbourhood of each object.

    ``exp(-d(x, y)^2 / (s_x s_y))``, where s_x is the distance of x to one of
    its nearest neighbours: the self-tuning kernel [1]_.

    Parameters
    ----------
    n_neighbors : int, default=7
        Which neighbour: the width of an object is its distance to the
        `n_neighbors`-th nearest training object other than itself.

    metric : str or callable, default="euclidean"
        The distance d, as for `DistanceKernel`; `"precomputed"` takes a matrix of
        distances.

    metric_params : dict or None, default=None
        Keyword arguments of the metric.

    lazy : bool, default=False
        Whether to hand on a Gram instead of an array.

    Attributes
    ----------
    scale_ : ndarray of shape (n_samples,)
        Widths of the training objects.

    X_fit_ : ndarray, sparse matrix, list or None
        Training objects, a copy of the model's own; None if distances were given.

    n_features_in_ : int
        Number of features seen during fit.

    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of features seen during fit, if all are strings.

    See Also
    --------
    DistanceKernel : One width for all, of any metric.
    PairwiseKernel : With ``kernel="rbf"``, one width for all.

    Notes
    -----
    An object that coincides with a training object is taken for it, and does
    not count among its own neighbours. With fewer training objects than
    `n_neighbors` the farthest is taken. Where the width is 0, because so many
    objects coincide, the kernel is 1 for those and 0 for all others.

    With the Euclidean metric, neighbours are searched in a tree; with any other, one
    pass over all distances finds them.

    Features are centred on their median (sparse ones if they are far from the
    origin) and scaled, so that neither an offset nor a unit of measurement costs
    digits. The model holds the training features three times: as they are, and in
    float64 for neighbours and for the kernel.

    References
    ----------
    .. [1] L. Zelnik-Manor and P. Perona, "Self-Tuning Spectral Clustering",
       NIPS 2004.

    Examples
    --------
    >>> from sklearn_kernelclust import LocalScalingKernel
    >>> kernel = LocalScalingKernel(n_neighbors=1)
    >>> kernel.fit_transform([[0.0], [1.0], [3.0]]).round(2)
    array([[1.  , 0.37, 0.01],
           [0.37, 1.  , 0.14],
           [0.01, 0.14, 1.  ]])
    """

    _parameter_constraints: dict = {
        **MetricMixin._parameter_constraints,
        **FeatureKernel._parameter_constraints,
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self, n_neighbors=7, *, metric="euclidean", metric_params=None, lazy=False
    ):
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.metric_params = metric_params
        self.lazy = lazy

    def _fit(self, X):
        euclidean = isinstance(self.metric, str) and self.metric in EUCLIDEAN
        if euclidean and not self.metric_params and not isinstance(X, Gram):
            return self._fit_euclidean(X)
        distances, metric = self._training_distances(X)
        widths, _ = nearest_distances(distances, self.n_neighbors)

        self._remember(metric)
        self.scale_, self._n_features_out = widths, distances.shape[1]
        self._place = None
        return EntrywiseGram(distances, locally_scaled, widths, widths)

    def _new_gram(self, X):
        if self._place is not None:
            return self._new_euclidean_gram(X)
        distances = self._new_distances(X)
        widths, index = nearest_distances(distances, self.n_neighbors - 1)
        widths[index >= 0] = self.scale_[index[index >= 0]]
        gram = EntrywiseGram(distances, locally_scaled, widths, self.scale_)
        gram.training_index = distances.training_index
        return gram

    def _fit_euclidean(self, X):
        X = check_features(self, evaluated_on_host(X), reset=True, copy=True)
        place = Place(X)
        points = place(X)
        neighbors = NearestNeighbors().fit(points)
        itself = np.ones(X.shape[0], dtype=bool)
        widths = self._widths(neighbors, points, points, itself)
        columns = local_factor(points, widths, column=True)
        rows = local_factor(points, widths)

        self.X_fit_, self.scale_ = X, widths * place.unit
        self._place, self._neighbors, self._columns = place, neighbors, columns
        self._widths_fit, self._index = widths, RowIndex(X)
        self._n_features_out = X.shape[0]
        gram = self._gram_of(rows)
        gram.symmetric = True
        return gram

    def _new_euclidean_gram(self, X):
        X = check_features(self, evaluated_on_host(X), reset=False)
        X = like(X, self.X_fit_)
        index = self._index.find(X)
        points, fitted = self._place(X), self._neighbors._fit_X
        widths = self._widths(self._neighbors, points, fitted, index >= 0)
        widths[index >= 0] = self._widths_fit[index[index >= 0]]
        gram = self._gram_of(local_factor(points, widths))
        gram.training_index = index
        return gram

    def _gram_of(self, rows):
        dtype = self.X_fit_.dtype
        ones = np.ones(rows.shape[0], dtype), np.ones(len(self.scale_), dtype)
        return ChunkedGram(gaussian, rows, self._columns, *ones, dtype=dtype)

    def _widths(self, neighbors, points, fitted, itself):
        """Distance to the chosen neighbour; of a training object one is itself."""
        n_asked = min(self.n_neighbors + 1, fitted.shape[0])
        index = neighbors.kneighbors(points, n_asked, return_distance=False)
        distances = np.sort(
            np.column_stack([lengths(points - fitted[column]) for column in index.T])
        )
        which = np.minimum(self.n_neighbors - 1 + itself, n_asked - 1)
        return distances[np.arange(len(which)), which]


class Place:
    """Where features are and how large: moves them to the origin, to size 1.

    The unit is a power of two, so that no digit is lost.
    """

    def __init__(self, X):
        self.center, self.unit = center_of(X), 1.0
        with np.errstate(over="ignore"):
            largest = float(abs(self(X)).max())
        if not np.isfinite(largest):
            raise ValueError("Differences of features overflow: rescale X.")
        if largest > 0:
            self.unit = float(2.0 ** np.clip(np.frexp(largest)[1], -1000, 1000))

    def __call__(self, X):
        """Features in float64, about the centre, over the unit."""
        X = X.astype(np.float64, copy=False)
        return (X if self.center is None else moved(X, self.center)) / self.unit


def lengths(differences):
    """Norms of the rows of a matrix, an error where their squares underflow."""
    norms = row_norms(differences)
    zero = norms == 0
    if zero.any() and abs(differences[zero]).max() > 0:
        raise ValueError(
            "Distances of neighbours underflow beside the largest feature: remove "
            "outliers, or rescale X."
        )
    return norms


def local_factor(points, widths, column=False):
    """Factor of a Gaussian kernel with a width for each object."""
    inverse = 1 / np.maximum(widths, SMALLEST_WIDTH)
    with np.errstate(over="ignore"):
        norms = row_norms(points, squared=True)
    if not np.isfinite(norms).all():
        raise ValueError(
            "Squared distances overflowed: an object is more than 1e150 times as far "
            "from the centre as the farthest training object."
        )
    return gaussian_factor(points, norms, inverse, np.float64, column)

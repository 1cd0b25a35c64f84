"""The self-tuning Gaussian kernel."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from numbers import Integral

import numpy as np
from scipy.sparse import issparse
from sklearn.neighbors import NearestNeighbors

from sklearn_kernelclust._gram._wrappers import EntrywiseGram
from sklearn_kernelclust._kernels._entrywise import exponential
from sklearn_kernelclust._kernels._evaluate import like, negative_distances
from sklearn_kernelclust._kernels._pairwise_kernel import FeatureKernel
from sklearn_kernelclust._utils._sklearn import Interval
from sklearn_kernelclust._utils._validation import check_features

# The smallest width, relative to the distance from the centre, by whose square
# a squared distance is rounded.
SMALLEST_WIDTH = 1e-5


class LocalScalingKernel(FeatureKernel):
    """Gaussian kernel whose width adapts to the neighbourhood of each object.

    ``exp(-||x - y||^2 / (s_x s_y))``, where s_x is the distance of x to one of
    its nearest neighbours: the self-tuning kernel [1]_.

    Parameters
    ----------
    n_neighbors : int, default=7
        Which neighbour: the width of an object is its distance to the
        `n_neighbors`-th nearest training object other than itself.

    lazy : bool, default=False
        Whether to hand on a Gram instead of an array.

    Attributes
    ----------
    scale_ : ndarray of shape (n_samples,)
        Widths of the training objects.

    X_fit_ : ndarray or sparse matrix of shape (n_samples, n_features)
        Training objects.

    n_features_in_ : int
        Number of features seen during fit.

    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of features seen during fit, if all are strings.

    See Also
    --------
    PairwiseKernel : With ``kernel="rbf"``, one width for all.

    Notes
    -----
    An object that coincides with a training object is taken for it, and does
    not count among its own neighbours. With fewer training objects than
    `n_neighbors` the farthest is taken. Where the width is 0, because so many
    objects coincide, the kernel is 1 for those and 0 for all others.

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
        **FeatureKernel._parameter_constraints,
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(self, n_neighbors=7, *, lazy=False):
        self.n_neighbors = n_neighbors
        self.lazy = lazy

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    def _fit(self, X):
        X = check_features(self, X, reset=True)
        neighbors = NearestNeighbors().fit(X)
        scale = self._scales(neighbors, X, X)
        self.X_fit_, self.scale_, self._neighbors = X, scale, neighbors
        self._n_features_out = X.shape[0]
        gram = local_scaling(X, X, scale, scale)
        gram.symmetric = True
        return gram

    def _new_gram(self, X):
        X = like(check_features(self, X, reset=False), self.X_fit_)
        scale = self._scales(self._neighbors, X, self.X_fit_)
        return local_scaling(X, self.X_fit_, scale, self.scale_)

    def _scales(self, neighbors, X, X_fit):
        """Distance to the chosen neighbour; of coinciding objects one is x itself."""
        n_asked = min(self.n_neighbors + 1, X_fit.shape[0])
        distances, index = neighbors.kneighbors(X, n_neighbors=n_asked)
        itself = is_among(X, X_fit, index)
        which = np.minimum(self.n_neighbors - 1 + itself, n_asked - 1)
        return distances[np.arange(len(which)), which]


def is_among(X, Y, index):
    """Whether one of the rows of `Y` at `index` is the row of `X` itself.

    By its features: the distance of an object to itself is not always 0.
    """
    found = np.zeros(X.shape[0], dtype=bool)
    for column in index.T:
        found |= np.asarray(abs(X - Y[column]).sum(axis=1)).ravel() == 0
    return found


def local_scaling(X, Y, scale_X, scale_Y):
    """Gram of the self-tuning Gaussian kernel.

    A width is at least what the rounding of a distance needs, so that objects
    that coincide have similarity 1.
    """
    gram = negative_distances(X, Y, wide=True)
    left = np.maximum(scale_X, _least_width(gram.A[:, [-2]]))
    right = np.maximum(scale_Y, _least_width(gram.B[:, [-1]]))
    return EntrywiseGram(gram, exponential, left, right, dtype=Y.dtype)


def _least_width(negative_norms):
    """From the column of factors that holds minus the squared norms."""
    if issparse(negative_norms):
        negative_norms = negative_norms.toarray()
    lengths = np.sqrt(-negative_norms.ravel())
    return np.maximum(SMALLEST_WIDTH * lengths, np.finfo(np.float64).tiny ** 0.25)

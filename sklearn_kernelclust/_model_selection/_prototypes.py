"""Prototypes: means of small neighborhoods that replace the objects of a kernel."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from numbers import Integral

import numpy as np
from scipy.sparse import csr_array
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.utils.validation import check_is_fitted

from sklearn_kernelclust._gram._base import ALL, Gram
from sklearn_kernelclust._kernels._base import KernelMatrixMixin
from sklearn_kernelclust._utils._arrays import like_input
from sklearn_kernelclust._utils._sklearn import Interval, refuse_frame
from sklearn_kernelclust._utils._threads import batches, run_in_threads
from sklearn_kernelclust._utils._tolerances import DISTANCE_TIE

# Number of entries of the kernel that are searched for neighbors at a time.
ROW_ENTRIES = 2**20


class PrototypeReducer(
    KernelMatrixMixin, ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator
):
    """Replace the objects of a kernel by means of small neighborhoods.

    The mean of an object and its nearest neighbors in feature space is a candidate
    for a prototype. The candidates are ranked by the compactness of their
    neighborhoods, and every `reduction_rate`-th is kept, so that dense and thin
    regions keep their share [1]_. The kernel of the prototypes is smaller by the
    square of the rate, and shows much the same clusters.

    Parameters
    ----------
    reduction_rate : int, default=4
        Number of objects for each prototype.

    n_neighbors : int, default=5
        Number of neighbors in a neighborhood, besides the object itself. With
        fewer objects, all of them.

    Attributes
    ----------
    prototypes_ : ndarray of shape (n_prototypes,)
        Objects whose neighborhoods were chosen, the most compact first.

    compactness_ : ndarray of shape (n_samples,)
        Mean similarity of all pairs in the neighborhood of each object, pairs
        of an object with itself included.

    neighborhoods_ : ndarray of shape (n_samples, n_neighbors + 1)
        Members of the neighborhood of each object: itself, then the others in
        the order of their index.

    reduced_gram_ : ndarray of shape (n_prototypes, n_prototypes) or Gram
        Kernel of the prototypes; an array if the kernel was one.

    n_features_in_ : int
        Number of training objects.

    See Also
    --------
    PredictionStrengthK : Chooses the number of clusters, on prototypes if asked.

    Notes
    -----
    Neighbors are those at the smallest distance K_ii + K_jj - 2 K_ij; of
    equally near ones the lowest index comes first. With p neighbors the
    prototypes are ``W @ phi(X)`` for a sparse W with p + 1 entries a row, so
    their kernel is ``W @ K @ W.T``. A factored kernel stays factored. Cost:
    one pass over the kernel for the neighbors, O(n_samples n_prototypes p)
    for the rest.

    References
    ----------
    .. [1] D. Greene and P. Cunningham, "Efficient Prediction-Based Validation
       for Document Clustering", ECML 2006.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_kernelclust import PrototypeReducer
    >>> X = np.array([[0.0], [1.0], [2.0], [7.0], [8.0], [9.0]])
    >>> reducer = PrototypeReducer(reduction_rate=2, n_neighbors=1).fit(X @ X.T)
    >>> reducer.neighborhoods_[reducer.prototypes_]
    array([[3, 4],
           [2, 1],
           [1, 0]])
    >>> reducer.reduced_gram_
    array([[56.25, 11.25,  3.75],
           [11.25,  2.25,  0.75],
           [ 3.75,  0.75,  0.25]])
    """

    _parameter_constraints: dict = {
        "reduction_rate": [Interval(Integral, 1, None, closed="left")],
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(self, reduction_rate=4, *, n_neighbors=5):
        self.reduction_rate = reduction_rate
        self.n_neighbors = n_neighbors

    def _fit(self, X):
        gram = self._check_kernel(X, reset=True)
        members = neighborhoods(gram, self.n_neighbors)
        compactness = compactness_of(gram, members)
        chosen = every_so_many(compactness, self.reduction_rate)
        weights = averages(members[chosen], gram.shape[0])
        reduced = gram.combine(weights)

        self.prototypes_, self.compactness_ = chosen, compactness
        self.neighborhoods_ = members
        self.reduced_gram_ = reduced if isinstance(X, Gram) else reduced.native_array()
        self._weights = weights
        self._n_features_out = len(chosen)

    def transform(self, X):
        """Similarities of objects to the prototypes.

        Parameters
        ----------
        X : array-like of shape (n_objects, n_samples) or Gram
            Similarities of the objects to the training objects.

        Returns
        -------
        K : ndarray of shape (n_objects, n_prototypes)
            Means over the neighborhoods.
        """
        check_is_fitted(self)
        gram = self._check_kernel(X, reset=False)
        if isinstance(X, Gram):
            refuse_frame(self)
        return like_input((gram @ self._weights.T).astype(gram.dtype, copy=False), X)


def neighborhoods(gram, n_neighbors):
    """Each object and its nearest neighbors; ties within rounding go to the first."""
    n = gram.shape[0]
    p = min(n_neighbors, n - 1)
    members = np.empty((n, p + 1), dtype=np.intp)
    members[:, 0] = np.arange(n)
    if p == 0:
        return members
    diagonal, tie = gram.diagonal(), DISTANCE_TIE[gram.dtype]

    def fill(rows):
        # Without k(x, x) of the row, which is the same for all its neighbors.
        distances = gram.restrict(rows, ALL).toarray() * -2
        distances += diagonal
        here = np.arange(rows.start, rows.stop)
        distances[here - rows.start, here] = np.inf
        members[rows, 1:] = smallest(distances, p, tie, np.abs(diagonal[rows]))

    run_in_threads(fill, batches(n, max(ROW_ENTRIES // n, 1)))
    return members


def compactness_of(gram, members):
    """Mean similarity of all pairs in each neighborhood.

    Two objects may have the same neighborhood. It is computed once, so that
    rounding cannot rank it before itself.
    """
    different, which = np.unique(np.sort(members, axis=1), axis=0, return_inverse=True)
    forms = gram.quadratic_forms(averages(different, len(members)))
    return forms[which.ravel()]


def smallest(rows, p, tie=0.0, size=0.0):
    """Places of the `p` smallest values of each row; ties go to the first.

    Two values tie if they differ by no more than `tie`, relative to the values and
    to `size`, one number for each row.
    """
    last = np.partition(rows, p - 1, axis=1)[:, p - 1]
    within = tie * (np.abs(last) + size)
    taken = rows <= (last + within)[:, None]
    for r in np.flatnonzero(np.count_nonzero(taken, axis=1) > p):
        below = rows[r] < last[r] - within[r]
        equal = np.flatnonzero(taken[r] & ~below)
        taken[r, equal[p - np.count_nonzero(below) :]] = False
    return np.nonzero(taken)[1].reshape(len(rows), p)


def averages(members, n_objects=None):
    """Sparse matrix that takes the mean over each row of members.

    Members are sorted, so that equal neighborhoods have equal means to the last
    bit.
    """
    n, size = members.shape
    members = np.sort(members, axis=1)
    weights, ends = np.full(n * size, 1 / size), np.arange(0, n * size + 1, size)
    return csr_array((weights, members.ravel(), ends), shape=(n, n_objects or n))


def every_so_many(compactness, rate):
    """Every `rate`-th of the candidates, the most compact first.

    Ties within rounding go to the lower index: the same kernel in another storage,
    or scaled, has the same prototypes.
    """
    order = np.argsort(-compactness, kind="stable")
    tie = DISTANCE_TIE[compactness.dtype] * np.abs(compactness).max(initial=0)
    place = np.empty(len(order), dtype=np.intp)
    place[order] = groups_of(compactness[order].tolist(), tie)
    ranked = np.argsort(place, kind="stable")
    chosen = ranked[rate - 1 :: rate]
    if len(chosen) == 0:
        raise ValueError(
            f"reduction_rate={rate} leaves no prototype of n_samples={len(ranked)}."
        )
    return chosen


def groups_of(values, width):
    """Number of the group of each of descending values, none wider than `width`."""
    groups, group, first = [], -1, np.inf
    for value in values:
        if first - value > width:
            group, first = group + 1, value
        groups.append(group)
    return groups

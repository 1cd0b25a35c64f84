"""Fewer objects that stand for all: means of neighbourhoods."""

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
from sklearn_kernelclust._utils._sklearn import Interval, refuse_frame
from sklearn_kernelclust._utils._threads import batches, run_in_threads
from sklearn_kernelclust._utils._tolerances import DISTANCE_TIE

# Entries of the kernel in which neighbours are looked for at a time.
ROW_ENTRIES = 2**20


class PrototypeReducer(
    KernelMatrixMixin, ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator
):
    """Stand-ins for the objects of a kernel: means of small neighbourhoods.

    An object and its nearest neighbours in feature space make a neighbourhood,
    its mean is a candidate. The candidates are ranked by the compactness of
    their neighbourhoods, and every `reduction_rate`-th is taken, so that dense
    and thin regions keep their share [1]_. The kernel of these prototypes is
    smaller by the square of the rate, and what can be learnt of the clusters
    from it is much the same.

    Parameters
    ----------
    reduction_rate : int, default=4
        One prototype is kept for so many objects.

    n_neighbors : int, default=5
        Neighbours in a neighbourhood, besides the object itself. With fewer
        objects all of them are neighbours.

    Attributes
    ----------
    prototypes_ : ndarray of shape (n_prototypes,)
        Objects whose neighbourhoods were chosen, the most compact first.

    compactness_ : ndarray of shape (n_samples,)
        Mean similarity of all pairs in the neighbourhood of each object, pairs
        of an object with itself included.

    neighbourhoods_ : ndarray of shape (n_samples, n_neighbors + 1)
        Members of the neighbourhood of each object: itself, then the others in
        the order of their index.

    reduced_gram_ : ndarray of shape (n_prototypes, n_prototypes) or Gram
        Kernel of the prototypes; an array if the kernel was one.

    n_features_in_ : int
        Number of training objects.

    See Also
    --------
    PredictionStrengthK : Chooses the number of clusters, on prototypes if told
        so.

    Notes
    -----
    Neighbours are those at the smallest distance K_ii + K_jj - 2 K_ij; of
    equally near ones the lowest index comes first. With p neighbours the
    prototypes are ``W @ phi(X)`` for a sparse W with p + 1 entries a row, so
    their kernel is ``W @ K @ W.T``. A factored kernel stays factored. Cost:
    one pass over the kernel for the neighbours, O(n_samples n_prototypes p)
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
    >>> reducer.neighbourhoods_[reducer.prototypes_]
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
        members = neighbourhoods(gram, self.n_neighbors)
        compactness = compactness_of(gram, members)
        chosen = every_so_many(compactness, self.reduction_rate)
        weights = averages(members[chosen], gram.shape[0])
        reduced = gram.combine(weights)

        self.prototypes_, self.compactness_ = chosen, compactness
        self.neighbourhoods_ = members
        self.reduced_gram_ = reduced if isinstance(X, Gram) else reduced.toarray()
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
            Means over the neighbourhoods.
        """
        check_is_fitted(self)
        gram = self._check_kernel(X, reset=False)
        if isinstance(X, Gram):
            refuse_frame(self)
        return (gram @ self._weights.T).astype(gram.dtype, copy=False)


def neighbourhoods(gram, n_neighbors):
    """Each object and its nearest neighbours, of equally near ones the first.

    Rounding may not say which of them is nearer.
    """
    n = gram.shape[0]
    p = min(n_neighbors, n - 1)
    members = np.empty((n, p + 1), dtype=np.intp)
    members[:, 0] = np.arange(n)
    if p == 0:
        return members
    diagonal, tie = gram.diagonal(), DISTANCE_TIE[gram.dtype]

    def look(rows):
        # Without k(x, x) of the row, which is the same for all its neighbours.
        distances = gram.restrict(rows, ALL).toarray() * -2
        distances += diagonal
        here = np.arange(rows.start, rows.stop)
        distances[here - rows.start, here] = np.inf
        members[rows, 1:] = smallest(distances, p, tie, np.abs(diagonal[rows]))

    run_in_threads(look, batches(n, max(ROW_ENTRIES // n, 1)))
    return members


def compactness_of(gram, members):
    """Mean similarity of all pairs in each neighbourhood, each found once.

    The neighbourhoods of two objects may be one and the same: no rounding may
    rank it before itself.
    """
    different, which = np.unique(np.sort(members, axis=1), axis=0, return_inverse=True)
    forms = gram.quadratic_forms(averages(different, len(members)))
    return forms[which.ravel()]


def smallest(rows, p, tie=0.0, size=0.0):
    """Places of the `p` smallest of each row, the first ones where they tie.

    Values are equal if they differ by no more than `tie`, relative to what they
    are and to `size`, one number for each row.
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

    In the order of their index: equal neighbourhoods have equal means then, to
    the last bit, and no rounding ranks one before the other.
    """
    n, size = members.shape
    members = np.sort(members, axis=1)
    weights, ends = np.full(n * size, 1 / size), np.arange(0, n * size + 1, size)
    return csr_array((weights, members.ravel(), ends), shape=(n, n_objects or n))


def every_so_many(compactness, rate):
    """Every `rate`-th of the candidates, the most compact first.

    What differs by rounding alone is equal, and in the order of its index: the
    same kernel in another form, or scaled, has the same prototypes.
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
    found, group, first = [], -1, np.inf
    for value in values:
        if first - value > width:
            group, first = group + 1, value
        found.append(group)
    return found

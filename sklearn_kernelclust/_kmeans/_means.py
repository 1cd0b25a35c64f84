"""The means of clusters in feature space, and distances of objects to them."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from copy import copy

import numpy as np
from sklearn.utils import check_array

from sklearn_kernelclust._gram._cluster_sums import indicator
from sklearn_kernelclust._kernels._distributed_forms import without_rows
from sklearn_kernelclust._kernels._lazy_predict import fitted_on_workers
from sklearn_kernelclust._utils._validation import FLOATS

# Entries that are turned into distances at a time: they stay in cache.
BLOCK = 2**16


class Means:
    """Means of those clusters of a run that have objects.

    Parameters
    ----------
    problem : Problem
        The training objects.
    run : Run
        A result of `solve`.

    Attributes
    ----------
    labels : ndarray of shape (n_samples,)
        Clusters of the training objects, numbered without gaps.
    coef : sparse array of shape (n_samples, n_clusters)
        The means as weighted sums of the training objects.
    norms : ndarray of shape (n_clusters,)
        Squared norms of the means.
    shifts : ndarray of shape (n_clusters,)
        What the shift of the diagonal adds to them.
    medoids : ndarray of shape (n_clusters,) or None
        Object of each cluster that is nearest to its mean, if the run knows it.
    typical : float
        Mean self-similarity, for objects whose own is unknown.
    """

    def __init__(self, problem, run):
        kept, self.labels = np.unique(run.labels, return_inverse=True)
        mass = np.where(run.mass > 0, run.mass, 1)
        coef = indicator(run.members, problem.weight / mass[run.members], len(mass))
        self.coef, self.norms = coef[:, kept], run.norms[kept]
        self.medoids = None if run.medoids is None else run.medoids[kept]
        self.shifts, self.shifted = run.shift / mass[kept], run.shift > 0
        self.typical, self.tie = float(problem.diagonal.mean()), problem.tie

    def nearest(self, S, self_similarity, index=None):
        """Cluster of the nearest mean.

        Parameters
        ----------
        S : ndarray of shape (n_clusters, n_objects)
            Similarities of objects to the means.
        self_similarity : ndarray of shape (n_objects,)
            Of the objects, NaN where it is unknown.
        index : ndarray of shape (n_objects,) or None
            The training object that each object is, -1 for a new one. Needed only
            if the kernel is `shifted`.
        """
        S, norms, _ = self._in_shifted_kernel(S, index)
        return self._first_within_tie(S, norms, self_similarity)

    def squared_distances(self, S, self_similarity, index=None):
        """Squared distances to the means, a row for each object, and the nearest.

        In the shifted kernel, less what the shift adds to the distance of an
        object to its own mean, so that this one is that of the kernel itself.
        """
        S, norms, own_shifts = self._in_shifted_kernel(S, index)
        unknown = np.isnan(self_similarity)
        constants = np.where(unknown, self.typical, self_similarity) + own_shifts
        squared = constants[:, None] + norms - 2 * S.T
        return squared, self._first_within_tie(S, norms, self_similarity)

    def distances(self, S, self_similarity, index=None):
        """Distances to the means, a row for each object.

        Squares that would be negative are shifted by one constant for each row.
        """
        squared, labels = self.squared_distances(S, self_similarity, index)
        lowest = squared.min(axis=1)
        squared -= np.minimum(lowest, 0)[:, None]
        # Of distances that tie, the smallest is that to the predicted cluster.
        squared[np.arange(len(labels)), labels] = np.maximum(lowest, 0)
        return np.sqrt(squared)

    def _first_within_tie(self, S, norms, self_similarity):
        # The scale of a tie is the self-similarity. Where that is unknown, only the
        # distances count.
        scale = np.nan_to_num(self_similarity, nan=0.0)
        return nearest(S, norms, scale, self.tie)

    def _in_shifted_kernel(self, S, index):
        """Similarities to the means and norms of these, in the shifted kernel.

        And what the shift adds to the norm of the own mean of each object: zero
        for new objects and those without weight, which are in no mean.
        """
        if not self.shifted:
            return S, self.norms, 0.0
        own_shifts = np.zeros(S.shape[1])
        weighted = self.coef.sum(axis=1) > 0
        rows = np.flatnonzero((index >= 0) & weighted[index])
        clusters = self.labels[index[rows]]
        own_shifts[rows] = self.shifts[clusters]
        S = S.copy()
        S[clusters, rows] += own_shifts[rows]
        return S, self.norms + self.shifts, own_shifts


def nearest(S, norms, scale, tie):
    """Cluster of the nearest mean; of means that tie, the first.

    Parameters
    ----------
    S : ndarray of shape (n_clusters, n_objects)
        Similarities of objects to the means.
    norms : ndarray of shape (n_clusters,)
        Squared norms of the means.
    scale : ndarray of shape (n_objects,)
        Self-similarities of the objects: what a tie is relative to.
    tie : float
        As for :func:`sklearn_kernelclust._gram._assignment.assign`.
    """
    labels = np.empty(S.shape[1], dtype=np.intp)
    size = max(BLOCK // len(S), 1)
    for start in range(0, len(labels), size):
        objects = slice(start, start + size)
        distances = norms[:, None] - 2 * S[:, objects]
        smallest = distances.min(axis=0)
        limit = smallest + tie * (np.abs(scale[objects]) + np.abs(smallest))
        if len(S) == 2:  # the same in a third of the time
            labels[objects] = distances[0] > limit
        else:
            labels[objects] = (distances <= limit).argmax(axis=0)
    return labels


def block_predictor(model):
    """What predicts a block of a dask array, for a `KernelKMeans` with explicit means.

    None for others, and where the model itself does it.
    """
    if not fitted_on_workers(model) or model._means_fit is None:
        return None
    return BlockPredictor(model._kernel, model._means, model._means_fit)


class BlockPredictor:
    """Clusters of the objects of a block on a worker, by explicit means.

    Parameters
    ----------
    kernel : FittedKernel
        With its training objects on workers.
    means : Means
    features : ndarray of shape (n_features, n_clusters)
        The means as features.
    """

    def __init__(self, kernel, means, features):
        self.kernel = without_rows(kernel, with_index=means.shifted)
        self.means, self.features = copy(means), features
        if not means.shifted:
            self.means.labels = self.means.coef = self.means.medoids = None

    def __call__(self, X):
        X = check_array(X, accept_sparse="csr", dtype=FLOATS)
        S, self_similarity = self.kernel.similarities(X, None, self.features)
        index = self.kernel.training_index(X) if self.means.shifted else None
        S = np.ascontiguousarray(S.T, dtype=np.float64)
        return self.means.nearest(S, self_similarity, index)

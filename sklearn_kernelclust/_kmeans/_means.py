"""The means of clusters in feature space, and distances of objects to them."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_kernelclust._gram._assignment import nearest
from sklearn_kernelclust._gram._cluster_sums import indicator
from sklearn_kernelclust._gram._training_rows import TrainingRows


class Means:
    """Means of those clusters of a run that have objects.

    Parameters
    ----------
    problem : Problem
        The training objects.
    run : Run
        A result of `solve`.
    gram : Gram
        Of the training objects, in the storage in which new rows will come.
    precomputed : bool
        Whether new rows may come without self-similarities.

    Attributes
    ----------
    labels : ndarray of shape (n_samples,)
        Clusters of the training objects, numbered without gaps.
    coef : sparse array of shape (n_samples, n_clusters)
        The means as weighted sums of the training objects.
    norms : ndarray of shape (n_clusters,)
        Squared norms of the means.
    """

    def __init__(self, problem, run, gram, precomputed):
        kept, self.labels = np.unique(run.labels, return_inverse=True)
        mass = np.where(run.mass > 0, run.mass, 1)
        coef = indicator(run.members, problem.weight / mass[run.members], len(mass))
        self.coef, self.norms = coef[:, kept], run.norms[kept]
        # What the shift of the diagonal adds to the norms.
        self.shifts = run.shift / mass[kept]
        self.tie, self.rows = problem.tie, None
        if run.shift > 0:
            self.rows = TrainingRows(gram)
        elif precomputed:
            self.rows = TrainingRows(gram, unless_constant=True)

    def nearest(self, gram):
        """Cluster of the nearest mean, for each row of a Gram."""
        S, norms, _ = self._similarities(gram)
        return self._nearest(gram, S, norms)

    def squared_distances(self, gram):
        """Squared distances to the means, and the cluster of the nearest.

        In the shifted kernel, less what the shift adds to the distance of an
        object to its own mean, so that this one is that of the kernel itself.
        """
        S, norms, own_shifts = self._similarities(gram)
        constants = self._self_similarity(gram) + own_shifts
        return constants[:, None] + norms - 2 * S.T, self._nearest(gram, S, norms)

    def _similarities(self, gram):
        """Similarities to the means and norms of these, in the shifted kernel.

        And what the shift adds to the norm of the own mean of each object: zero
        for new objects and those without weight, which are in no mean.
        """
        S = np.ascontiguousarray((gram @ self.coef).T)
        own_shifts = np.zeros(gram.shape[0])
        if self.shifts.any():
            index = self.rows.match(gram)
            weighted = self.coef.sum(axis=1) > 0
            rows = np.flatnonzero((index >= 0) & weighted[index])
            clusters = self.labels[index[rows]]
            own_shifts[rows] = self.shifts[clusters]
            S[clusters, rows] += own_shifts[rows]
        return S, self.norms + self.shifts, own_shifts

    def _nearest(self, gram, S, norms):
        # The scale of a tie is the self-similarity. Of new objects in a
        # precomputed block it is unknown, and only the distances count.
        diagonal = gram._row_diagonal
        if diagonal is None:
            diagonal = np.nan_to_num(self.rows.self_similarity(gram), nan=0.0)
        return nearest(S, np.ones(len(norms)), norms, diagonal, self.tie)

    def _self_similarity(self, gram):
        if gram._row_diagonal is not None:
            return gram._row_diagonal
        known = self.rows.self_similarity(gram)
        return np.where(np.isnan(known), self.rows.diagonal.mean(), known)

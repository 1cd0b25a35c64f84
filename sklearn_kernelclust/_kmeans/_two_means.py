"""Lloyd's steps for two clusters of objects with few dense features.

Whether an object is nearer to one mean or to the other depends on its product with
their difference alone. So an iteration of all runs is one product with the features,
and the sums follow from the objects that moved.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np

from sklearn_kernelclust._utils._tolerances import DISTANCE_TIE, FLOAT64


@dataclass
class TwoMeans:
    """The end of a run: its partition, the sizes of both clusters, iterations.

    And the sum of the second cluster as features, about the mean of all objects. That
    of the first is its negative.
    """

    members: np.ndarray
    mass: np.ndarray
    n_iter: int
    sum: np.ndarray
    converged: bool = True


@dataclass
class DenseFeatures:
    """Objects with dense features in float64, which need not be centred.

    Attributes
    ----------
    A : ndarray of shape (n_samples, n_features)
    center : ndarray of shape (n_features,)
        The mean of the objects.
    scatter : float
        Sum of squared distances to it.
    longest : float
        The largest squared length of a row.
    """

    A: np.ndarray
    center: np.ndarray
    scatter: float
    longest: float

    tie = DISTANCE_TIE[FLOAT64]

    @property
    def n_samples(self):
        return len(self.A)

    def rounding(self, objective):
        """Change of the objective that is only rounding, as of a `Problem`."""
        return 0.1 * self.tie * (self.scatter + abs(objective))


def two_means_of_problem(problem, starts, max_iter):
    """The best of the runs from all starts, as `solve` and `best_run` give it.

    None where the general solver is needed: the kernel is not that of dense features
    in float64, there are weights, or `two_means_of_features` gives none.

    Parameters
    ----------
    problem : Problem
        The objects, about their mean.
    starts : list of ndarray of shape (n_samples,)
        Labels 0 and 1.
    max_iter : int
        Most iterations of a run.
    """
    A = problem.gram.factor()
    if A is None or A.dtype != FLOAT64 or not (problem.weight == 1).all():
        return None
    longest = problem.diagonal.max(initial=0)
    features = DenseFeatures(A, A.mean(axis=0), problem.total, longest)
    return two_means_of_features(features, starts, max_iter)


def two_means_of_features(features, starts, max_iter):
    """The same for `DenseFeatures`.

    None where an object is at the same distance of both means, a cluster runs empty,
    or a run does not converge.
    """
    runs = Runs(features, np.array(starts, dtype=bool))
    if not runs.converge(max_iter):
        return None
    objectives = features.scatter - runs.explained()
    lowest = objectives.min()
    if not np.isfinite(lowest):
        return None
    best = int((objectives <= lowest + features.rounding(lowest)).argmax())
    size = runs.size[best]
    mass = np.array([features.n_samples - size, size], dtype=np.float64)
    members = runs.labels[best].astype(np.intp)
    return TwoMeans(
        members, mass, int(runs.n_iter[best]), runs.centered_sums([best])[0]
    )


class Runs:
    """Two clusters in each run: which objects are in the second, and its sum.

    Parameters
    ----------
    features : DenseFeatures
    labels : ndarray of bool of shape (n_runs, n_samples)
    """

    def __init__(self, features, labels):
        self.A, self.center = features.A, features.center
        self.tie, self.longest = features.tie, features.longest
        self.labels = labels
        self.sums = labels.astype(np.float64) @ self.A
        self.size = labels.sum(axis=1)
        self.n_iter = np.zeros(len(labels), dtype=int)

    def converge(self, max_iter):
        """Step until no object moves; whether that went without a doubt."""
        active = np.arange(len(self.labels))
        for n_iter in range(1, max_iter + 1):
            nearer = self._nearer(active)
            if nearer is None:
                return False
            moving = []
            for run, labels in zip(active, nearer):
                moved = np.flatnonzero(labels != self.labels[run])
                if len(moved):
                    self._move(run, labels, moved)
                    moving.append(run)
                else:
                    self.n_iter[run] = n_iter
            if not moving:
                return True
            active = np.array(moving)
        return False

    def _nearer(self, runs):
        """Whether the second mean is nearer; None if there is doubt.

        With the sum s of the second cluster about the mean of all objects, the means
        are ``-s / n_1`` and ``s / n_2``, and an object x is between them where
        ``s . x == |s|^2 (n_1 - n_2) / (2 n_1 n_2)``.
        """
        size = self.size[runs]
        rest = self.labels.shape[1] - size
        if not (size.all() and rest.all()):
            return None
        s = self.centered_sums(runs)
        squares, both = np.einsum("ij,ij->i", s, s), 2.0 * size * rest
        border = s @ self.center + squares * (rest - size) / both
        beyond = s @ self.A.T
        beyond -= border[:, None]
        # More than two costs differ by at a tie, whose sizes this bounds.
        largest = self.longest + squares / np.minimum(size, rest) ** 2
        doubt = 2 * self.tie * largest * both / self.labels.shape[1]
        if (np.abs(beyond).min(axis=1) <= doubt).any():
            return None
        return beyond > 0

    def centered_sums(self, runs):
        """Sum of the second cluster about the mean of all objects."""
        return self.sums[runs] - self.size[runs, None] * self.center

    def _move(self, run, labels, moved):
        """Take new labels."""
        if 2 * len(moved) < len(labels):
            sign = np.where(labels[moved], 1.0, -1.0)
            self.sums[run] += sign @ self.A[moved]
        else:
            self.sums[run] = labels.astype(np.float64) @ self.A
        self.labels[run], self.size[run] = labels, np.count_nonzero(labels)

    def explained(self):
        """Sum of the squared norms of the means times their sizes, of each run."""
        s, n = self.centered_sums(slice(None)), self.labels.shape[1]
        return np.einsum("ij,ij->i", s, s) * n / (self.size * (n - self.size))

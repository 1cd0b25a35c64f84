"""Starts of k-means on an embedding, all drawn together.

They are those of scikit-learn's k-means++ from the same random numbers. One start
of it on a thousand rows is mostly overhead.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_kernelclust._utils._threads import batches

# Distances that are computed at a time: so many stay in a core's cache.
BLOCK = 2**19


class PlusPlus:
    """The `init` of scikit-learn's `KMeans`, which is called once for each start.

    Parameters
    ----------
    n_init : int
        Number of starts.
    weight : ndarray of shape (n_samples,) or None
        Weights of the rows; 1 by default.
    """

    def __init__(self, n_init, weight=None):
        self.n_init, self.weight, self.centers = n_init, weight, None

    def __call__(self, X, n_clusters, random_state):
        if self.centers is None:
            chosen = plus_plus(X, n_clusters, self.n_init, random_state, self.weight)
            self.centers = iter(X[chosen])
        return next(self.centers)


def plus_plus(X, k, n_init, rng, weight=None):
    """Rows that `n_init` starts of k-means++ choose, of shape (n_init, k).

    Each is the best of 2 + log(k) that are drawn with a probability in proportion
    to weight times squared distance to the nearest row so far.
    """
    n, n_trials = len(X), 2 + int(np.log(k))
    weight = np.ones(n) if weight is None else weight.astype(np.float64)
    # One for the first row, as `rng.choice` has it, and one for each that is tried.
    drawn = rng.uniform(size=(n_init, 1 + (k - 1) * n_trials))
    shares = np.cumsum(weight / weight.sum())
    first = np.searchsorted(shares / shares[-1], drawn[:, 0], side="right")
    uniform = drawn[:, 1:].reshape(n_init, k - 1, n_trials)
    squares = np.einsum("ij,ij->i", X, X, dtype=np.float64)
    # The product of two of these rows is a squared distance.
    right = np.column_stack([X, squares, np.ones(n)]).T
    left = np.column_stack([-2.0 * X, np.ones(n), squares])
    parts = batches(n_init, max(BLOCK // (n_trials * n), 1))
    return np.concatenate(
        [_chosen(left, right, weight, first[part], uniform[part]) for part in parts]
    )


def _chosen(left, right, weight, first, uniform):
    """Rows that starts choose, from a first one and uniform numbers of each."""
    starts, n_trials = np.arange(len(first)), uniform.shape[2]
    chosen, closest = [first], np.maximum(left[first] @ right, 0)
    tried = np.empty((len(first), n_trials), dtype=np.intp)
    potential = closest @ weight
    for c in range(uniform.shape[1]):
        sums = np.cumsum(closest * weight, axis=1)
        for row, cumulated, u in zip(tried, sums, uniform[:, c] * potential[:, None]):
            row[:] = np.searchsorted(cumulated, u)
        # Rounding may lead beyond the last row.
        np.minimum(tried, len(weight) - 1, out=tried)
        distances = (left[tried.ravel()] @ right).reshape(*tried.shape, -1)
        np.minimum(distances, closest[:, None], out=distances)
        potentials = distances @ weight
        best = potentials.argmin(axis=1)
        chosen.append(tried[starts, best])
        closest = np.maximum(distances[starts, best], 0)
        potential = potentials[starts, best]
    return np.column_stack(chosen)

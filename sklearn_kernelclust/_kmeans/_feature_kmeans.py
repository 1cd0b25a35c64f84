"""K-means on features for several data sets of one size, by scikit-learn's rules.

One fit of scikit-learn's `KMeans` on a thousand objects is mostly checks. Here many
of them make their steps together, from the same starts and until the same tolerance.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np
from sklearn.cluster import kmeans_plusplus

from sklearn_kernelclust._kmeans._seeding import generators


@dataclass
class Fits:
    """Fits of k-means, one for each data set.

    `filled` is False where a cluster ran empty, which is not treated here.
    """

    labels: np.ndarray
    centers: np.ndarray
    inertia: np.ndarray
    filled: np.ndarray


def with_ones(X):
    """Features with a column of ones, which sums and squared norms go to."""
    return np.concatenate([X, np.ones((*X.shape[:-1], 1), X.dtype)], axis=-1)


def nearest(X, centers):
    """Nearest centre of each object, and its squared distance less ``x . x``.

    Parameters
    ----------
    X : ndarray of shape (n_sets, n_samples, n_features + 1)
        Features and ones.
    centers : ndarray of shape (n_sets, n_clusters, n_features)
        Those of each data set.
    """
    norms = np.einsum("scf,scf->sc", centers, centers)
    weights = np.concatenate([-2 * centers, norms[..., None]], axis=2)
    costs = weights @ X.transpose(0, 2, 1)
    smallest, k = costs[:, 0].copy(), costs.shape[1]
    labels = np.zeros(smallest.shape, dtype=np.min_scalar_type(k))
    for c in range(1, k):
        nearer = np.multiply(costs[:, c] < smallest, c, dtype=labels.dtype)
        np.maximum(labels, nearer, out=labels)
        np.minimum(smallest, costs[:, c], out=smallest)
    return labels, smallest


def means(X, labels, k):
    """Means of the clusters, and whether none of a data set is empty."""
    members = labels[:, None] == np.arange(k, dtype=labels.dtype)[:, None]
    sums = members.astype(X.dtype) @ X
    sizes = sums[..., -1:]
    return sums[..., :-1] / np.maximum(sizes, 1), (sizes[..., 0] > 0).all(axis=1)


def lloyd(X, centers, tol, max_iter):
    """Lloyd's steps of all data sets, until labels rest or centres hardly move.

    Parameters
    ----------
    X : ndarray of shape (n_sets, n_samples, n_features + 1)
        Features and ones.
    centers : ndarray of shape (n_sets, n_clusters, n_features)
        The starts.
    tol : ndarray of shape (n_sets,)
        Sum of squared moves of the centres below which a fit ends.
    max_iter : int
        Most steps.
    """
    centers, k = centers.copy(), centers.shape[1]
    filled, active, stacked = np.ones(len(X), bool), np.arange(len(X)), X
    labels = None
    for _ in range(max_iter):
        new, _ = nearest(stacked, centers[active])
        moved, full = means(stacked, new, k)
        shift = ((moved - centers[active]) ** 2).sum(axis=(1, 2))
        centers[active], filled[active] = moved, full
        goes_on = full & (shift > tol[active])
        if labels is not None:
            goes_on &= (new != labels).any(axis=1)
        labels = new[goes_on]
        if not goes_on.all():
            active = active[goes_on]
            stacked = X[active]
        if not len(active):
            break
    labels, smallest = nearest(X, centers)
    inertia = np.einsum("snf,snf->s", X[..., :-1], X[..., :-1]) + smallest.sum(axis=1)
    return Fits(labels, centers, inertia, filled)


def fit_kmeans(model, k, X, seeds, variances):
    """The best of the starts of scikit-learn's `KMeans` on each data set.

    Parameters
    ----------
    model : KMeans
        With `init` "random" or "k-means++"; `n_clusters` is not used.
    k : int
        Number of clusters.
    X : ndarray of shape (n_sets, n_samples, n_features + 1)
        Features about a common mean, and ones.
    seeds : sequence of int
        The `random_state` of each fit.
    variances : ndarray of shape (n_sets,)
        Mean variance of the features, which the tolerance is relative to.
    """
    n_init = model.n_init
    if n_init == "auto":
        n_init = 10 if model.init == "random" else 1
    starts = [
        drawn_centers(model.init, k, features[:, :-1], rng, n_init)
        for features, rng in zip(X, generators(seeds))
    ]
    best = None
    for centers in np.swapaxes(np.array(starts), 0, 1):
        fits = lloyd(X, centers, model.tol * variances, model.max_iter)
        if best is None:
            best = fits
            continue
        better = fits.inertia < best.inertia
        best.filled &= fits.filled
        for name in ("labels", "centers", "inertia"):
            getattr(best, name)[better] = getattr(fits, name)[better]
    return best


def drawn_centers(init, k, X, rng, n_init):
    """Centres to start from, as scikit-learn draws them, for each of the starts."""
    if init == "random":
        share = np.full(len(X), 1 / len(X))
        chosen = [rng.choice(len(X), k, replace=False, p=share) for _ in range(n_init)]
        return [X[objects] for objects in chosen]
    return [kmeans_plusplus(X, k, random_state=rng)[0] for _ in range(n_init)]

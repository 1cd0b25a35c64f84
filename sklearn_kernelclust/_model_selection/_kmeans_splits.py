"""Splits of features for scikit-learn's k-means: the fits of all splits together."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from sklearn.base import clone
from sklearn.cluster import KMeans

from sklearn_kernelclust._kmeans._feature_kmeans import fit_kmeans, nearest, with_ones
from sklearn_kernelclust._utils._tolerances import FLOAT32, FLOAT64

# Objects of which a fit of scikit-learn is mostly steps, not checks.
MANY = 4096


def fits_together(model, param, X):
    """Whether this is k-means with plain settings on a plain array of few objects.

    The halves are half as many. All else goes through the estimator, which knows
    what to do with it, or what to say.
    """
    return (
        type(model) is KMeans
        and param == "n_clusters"
        and model.algorithm == "lloyd"
        and isinstance(model.init, str)
        and not model.verbose
        and type(X) is np.ndarray
        and X.ndim == 2
        and X.shape[1] > 0
        and X.dtype in (FLOAT32, FLOAT64)
        and 4 <= len(X) <= 2 * MANY
        and bool(np.isfinite(np.vdot(X, X)))
    )


def labels_of_kmeans(model, candidates, data, splits):
    """For each split the labels of both halves, and those the other half predicts.

    Each is a list of pairs, one for each number of clusters.
    """
    X = data.X - data.X.mean(axis=0)
    halves = [with_ones(X[np.array([s.halves[h] for s in splits])]) for h in (0, 1)]
    seeds = np.array([split.seeds for split in splits])
    variances = [half[..., :-1].var(axis=1).mean(axis=1) for half in halves]
    labels = [([], []) for _ in splits]
    for row, k in enumerate(candidates):
        facts = zip(halves, seeds[:, row].T, variances)
        fits = [fit_kmeans(model, k, *of_half) for of_half in facts]
        predicted = [nearest(halves[h], fits[1 - h].centers)[0] for h in (0, 1)]
        filled = fits[0].filled & fits[1].filled
        for i, split in enumerate(splits):
            pairs = [fit.labels[i] for fit in fits], [p[i] for p in predicted]
            if not filled[i]:
                pairs = labels_of_pair(model, k, seeds[i, row], data.X, split)
            for found, pair in zip(labels[i], pairs):
                found.append([one.astype(np.intp) for one in pair])
    return labels


def labels_of_pair(model, k, seeds, X, split):
    """The same of one number of clusters on one split, by the estimator itself."""
    halves = [X[half] for half in split.halves]
    models = [
        clone(model).set_params(n_clusters=k, random_state=int(seed)).fit(half)
        for seed, half in zip(seeds, halves)
    ]
    predicted = [m.predict(half) for m, half in zip(models[::-1], halves)]
    return [m.labels_ for m in models], predicted

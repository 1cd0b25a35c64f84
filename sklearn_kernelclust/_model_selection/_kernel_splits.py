"""Splits of a kernel for kernel k-means: the fits of all splits together."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_kernelclust._kmeans._batched_fits import fit_each_k, predict_each_k


def labels_of_kernel_kmeans(model, candidates, data, splits):
    """For each split the labels of both halves, and those the other half predicts.

    Each is a list of pairs, one for each number of clusters.
    """
    grams = [data.grams(split) for split in splits]
    seeds = np.array([split.seeds[: len(candidates)] for split in splits])
    own = [list(halves) for halves in zip(*(own for own, _ in grams))]
    fits = [_fitted(model, candidates, own[half], seeds[..., half]) for half in (0, 1)]
    labels = []
    for (own_grams, other), runs in zip(grams, zip(*fits)):
        predicted = [
            predict_each_k(*facts, gram.diagonal())
            for *facts, gram in zip(runs[::-1], other, own_grams)
        ]
        pairs = [[run.labels for run in pair] for pair in zip(*runs)]
        labels.append((pairs, list(zip(*predicted))))
    return labels


def _fitted(model, candidates, grams, seeds):
    """All fits together, unless a Gram is cheaper than the array it stands for."""
    if any(gram.cost < gram.shape[0] ** 2 for gram in grams):
        fits = [fit_each_k(model, candidates, [g], [s]) for g, s in zip(grams, seeds)]
        return [runs for [runs] in fits]
    return fit_each_k(model, candidates, grams, seeds)

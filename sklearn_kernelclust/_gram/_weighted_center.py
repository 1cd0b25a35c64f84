"""Grams of weighted objects about their weighted mean."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_kernelclust._gram._factored import FactoredGram
from sklearn_kernelclust._gram._wrappers import CenteredGram, centered


def shares(weight, n):
    """Share of each object in the mean: equal without weights, or if all are 0."""
    if weight is None or not weight.any():
        return np.full(n, 1 / n)
    return weight / weight.sum()


def weighted_centered(gram, weight=None):
    """A square Gram with the weighted mean of its objects at the origin."""
    if weight is None:
        return centered(gram)
    share = shares(weight, gram.shape[0])
    A = gram.factor()
    if A is None:
        means = gram @ share
        return CenteredGram(gram, means, means, share @ means)
    A = A - (share @ A).astype(A.dtype)
    return FactoredGram(A, A, symmetric=True)


def weighted_products(centered_gram, weight=None):
    """``sqrt(w_i w_j) K_ij``, whose eigenvectors are those of the weighted scatter."""
    if weight is None:
        return centered_gram
    root = np.sqrt(weight)
    return centered_gram.scaled(root, root)


def are_mean(vectors, weight=None):
    """Which eigenvectors of `weighted_products` are the direction of the mean.

    Centring takes it away, and what rounding leaves is its eigenvalue: the largest
    where all others are negative.
    """
    mean = np.sqrt(shares(weight, len(vectors)))
    return np.abs(mean @ vectors) > 0.5


def weighted_total(values, weight):
    """Sum of the values, in float64."""
    values = values.astype(np.float64)
    return float(values.sum() if weight is None else weight @ values)

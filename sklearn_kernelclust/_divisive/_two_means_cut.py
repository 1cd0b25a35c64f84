"""Cuts by the two means, or more, that k-means ends with."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_kernelclust._divisive._cuts import nearest_mean_cut
from sklearn_kernelclust._gram._cluster_sums import indicator
from sklearn_kernelclust._gram._weighted_center import weighted_total
from sklearn_kernelclust._kmeans._runs import Problem
from sklearn_kernelclust._kmeans._solve import best_run, draw_starts, solve
from sklearn_kernelclust._kmeans._two_means import (
    DenseFeatures,
    two_means_of_features,
    two_means_of_problem,
)
from sklearn_kernelclust._utils._tolerances import DISTANCE_TIE, PROJECTION_TIE


def centered_problem(gram, centered_gram, weight=None):
    """Members about their mean, where ties go by the rounding before centring."""
    weight = None if weight is None or not weight.any() else weight / weight.max()
    if gram.factor() is not None:
        return Problem(centered_gram, weight)
    size = weighted_total(np.abs(gram.diagonal()), weight)
    return Problem(centered_gram, weight, size=size)


def two_means(objects, gram, centered_gram, starts, max_iter, problem=None):
    """Cut by the means that k-means ends with, from the best of the starts.

    The problem is that of the centred Gram, if it is not known yet.
    """
    k = max(int(start.max()) for start in starts) + 1
    if k < 2:
        return None
    if problem is None:
        problem = centered_problem(gram, centered_gram, objects.weight)
    # A cut knows the means only, so the labels must be those that means give.
    best = two_means_of_problem(problem, starts, max_iter) if k == 2 else None
    if best is None:
        centered_gram = centered_gram.stored()
        problem = centered_problem(gram, centered_gram, objects.weight)
        runs = solve(problem, starts, k, max_iter=max_iter, single_moves=False)
        best = best_run(problem, runs)
    mass = np.where(best.mass > 0, best.mass, 1)
    weights = indicator(best.members, problem.weight / mass[best.members], k).toarray()
    weights = weights[:, best.mass > 0] - objects.shares[:, None]
    functionals = objects.functionals(gram, weights.astype(gram.dtype))
    spread = np.abs(centered_gram.diagonal()).mean()
    cut, side = cut_by_means(objects, weights, functionals, spread)
    cut.n_iter, cut.converged = best.n_iter, best.converged or best.n_iter < max_iter
    return (cut, side) if side.max() > 0 else None


def two_means_as_they_are(objects, seeds, rng, max_iter):
    """The same from random labels, for features that need not be centred.

    None where `two_means` is needed.
    """
    if objects.center is None:
        return None
    A, longest = objects.gram.factor(), objects.gram.diagonal().max()
    features = DenseFeatures(A, objects.center, objects.scatter, longest)
    starts = draw_starts(features, 2, "random", seeds, rng)
    best = two_means_of_features(features, starts, max_iter)
    if best is None:
        return None
    clusters, mass = np.arange(2)[:, None], best.mass[:, None]
    weights = ((clusters == best.members) / mass - 1 / len(A)).T
    directions, size = objects.directions(weights)
    # The means are on one line with that of all members.
    values = (np.array([[-1], [1]]) / mass * (A @ best.sum)).T
    functionals = directions, values, size
    cut, side = cut_by_means(objects, weights, functionals, objects.scatter / len(A))
    cut.n_iter = best.n_iter
    return (cut, side) if side.max() > 0 else None


def cut_by_means(objects, weights, functionals, spread):
    """The cut by means of members with these weights, and the side of each member.

    `spread` is the mean squared distance of the members to their mean.
    """
    directions, values, size = functionals
    offset, dtype = objects.mean(values), np.dtype(objects.gram.dtype)
    rounding = PROJECTION_TIE[dtype] / DISTANCE_TIE[dtype] * size.max()
    scale, tie = float(spread + rounding), DISTANCE_TIE[dtype]
    return nearest_mean_cut(directions, offset, values - offset, weights, scale, tie)

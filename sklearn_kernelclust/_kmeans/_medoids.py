"""The objects nearest to the means of clusters."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_kernelclust._gram._cluster_sums import sum_by_cluster
from sklearn_kernelclust._kmeans._runs import labels_of, numbers


def find_medoids(problem, sums, runs):
    """Set `medoids` of the runs, from sums that are at hand.

    The squared distance of object i to the mean of its cluster c is ``K_ii - 2 S[c, i]
    / W[c]``, up to a constant of the cluster. Objects without weight are no medoids.
    Of objects that tie, the first is taken.
    """
    labels, n_clusters = labels_of(runs), sums.most_clusters
    mass = sum_by_cluster(labels, problem.weight, n_clusters)
    sums_of_own = sums.own(numbers(runs), labels)
    counted = problem.weight > 0
    for run, row, W, S in zip(runs, labels, mass, sums_of_own):
        share = S / np.where(W > 0, W, 1)[row]
        distances = np.where(counted, run.problem.diagonal - 2 * share, np.inf)
        tie = run.problem.tie * (np.abs(run.problem.diagonal) + np.abs(share))
        run.medoids = first_smallest(distances, tie, row, n_clusters)


def first_smallest(values, tie, labels, n_clusters):
    """In each cluster, the first object whose value ties with the smallest, else -1."""
    smallest = np.full(n_clusters, np.inf)
    np.minimum.at(smallest, labels, values)
    near = np.flatnonzero((values <= smallest[labels] + tie) & np.isfinite(values))
    medoids = np.full(n_clusters, -1, dtype=np.intp)
    medoids[labels[near[::-1]]] = near[::-1]
    return medoids

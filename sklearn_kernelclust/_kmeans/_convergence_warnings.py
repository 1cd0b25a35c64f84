"""What a user should hear of a run of kernel k-means."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np


def complaints(result, algorithm, n_clusters, max_iter):
    """Messages, each with its numbers and a cure; none if all went well."""
    found = len(np.unique(result.labels))
    if found < n_clusters:
        yield (
            f"Number of distinct clusters ({found}) found smaller than n_clusters "
            f"({n_clusters}). Possibly due to duplicate points in X, or to points "
            "nearer to each other than the rounding of the kernel."
        )
    if algorithm == "split-merge" and result.n_emptied:
        yield from _collapse(result, n_clusters)
    if not result.converged:
        yield f"The best run {_why_not_converged(result, max_iter)}"


def _collapse(result, n_clusters):
    """A cluster that took more than three times its share from emptied ones."""
    share = np.bincount(result.labels).max() / len(result.labels)
    fair = 1 / n_clusters
    if share > min(3 * fair, (1 + fair) / 2):
        yield (
            f"split-merge emptied {result.n_emptied} clusters on its way, and one of "
            f"{n_clusters} now holds {share:.0%} of the objects: the norms of the "
            "means keep the large diagonal that the distances leave out, so that "
            "large clusters take all. Put a DiagonalShift in front, or use "
            "algorithm='hartigan'."
        )


def _why_not_converged(result, max_iter):
    n_iter = len(result.n_reassignments)
    if result.stopped:
        return f"was stopped by a callback after {n_iter} iterations."
    if result.period:
        return (
            f"fell into a cycle of {result.period} partitions, which only an "
            "indefinite kernel or split-merge brings about; the best partition seen "
            "is kept. algorithm='hartigan' always ends."
        )
    if n_iter < max_iter:
        return (
            "ended at a fixed point whose objective is above that of an earlier "
            "partition, which is kept: the kernel is indefinite, or split-merge does "
            "not suit it. algorithm='hartigan' never goes up."
        )
    return (
        f"did not converge in {n_iter} iterations: increase max_iter, or look at "
        "n_reassignments_."
    )

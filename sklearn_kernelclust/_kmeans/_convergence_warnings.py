"""Convergence warnings of kernel k-means."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np


def convergence_messages(run, model):
    """Messages about a run, each with its numbers and a cure; none if all is well."""
    n_clusters, max_iter = model.n_clusters, model.max_iter
    n_distinct = len(np.unique(run.labels))
    if n_distinct < n_clusters:
        yield (
            f"Number of distinct clusters ({n_distinct}) found smaller than n_clusters "
            f"({n_clusters}). Possibly due to duplicate points in X, or to points "
            "nearer to each other than the rounding of the kernel."
        )
    if model.algorithm == "split-merge" and run.n_emptied:
        yield from _collapse(run, n_clusters)
    if run.stopped:
        yield f"The best run was stopped by a callback after {run.n_iter} iterations."
    elif not run.converged:
        yield (
            f"The best run did not converge in {max_iter} iterations: increase "
            "max_iter, or look at n_reassignments_."
        )


def _collapse(run, n_clusters):
    """A cluster that took more than three times its share from emptied ones."""
    share = np.bincount(run.labels).max() / len(run.labels)
    fair = 1 / n_clusters
    if share > min(3 * fair, (1 + fair) / 2):
        yield (
            f"split-merge emptied {run.n_emptied} clusters on its way, and one of "
            f"{n_clusters} now holds {share:.0%} of the objects: the norms of the "
            "means keep the large diagonal that the distances leave out, so that "
            "large clusters take all. Put a DiagonalShift in front, or use "
            "algorithm='hartigan'."
        )

"""Which mean is nearest to an object, and what is a tie.

With the sums S, masses W and Q of ``_cluster_sums``, the squared distance of
object i to the mean of cluster c is::

    d(i, c) = K_ii - 2 S[c, i] / W[c] + Q[c] / W[c]^2
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

# Nearer than anything, and still finite.
NEAREST = -np.finfo(np.float64).max / 4

# Entries of S that are turned into distances at a time: they stay in cache.
BLOCK = 2**16


def nearest(S, mass, norms, diagonal, tie, labels=None, weight=None):
    """Cluster of the nearest mean for each column of `S`.

    An object stays in its own cluster (`labels`) if that is within a tie of
    the nearest; otherwise, and where there are no labels, the lowest index
    within a tie wins. With `weight`, the own mean leaves the object out, as
    the split-and-merge rule wants: its distance is then (W / (W - w))^2 times
    the one that includes it.
    """
    rows = None if labels is None else labels[None]
    alone = [S], mass[None], norms[None], diagonal[None]
    return nearest_together(*alone, tie, rows, weight)[0]


def nearest_together(S, mass, norms, diagonal, tie, labels=None, weight=None):
    """The same for several runs of one size: a list of sums, else rows for each."""
    n_runs, (k, n) = len(S), S[0].shape
    result = np.empty((n_runs, n), dtype=np.intp) if labels is None else labels.copy()
    factor = -2 / np.where(mass > 0, mass, np.inf)
    size = max(BLOCK // (k * n_runs), 1)
    for cols in (slice(i, min(i + size, n)) for i in range(0, n, size)):
        G = np.empty((n_runs, k, cols.stop - cols.start))
        for of_run, sums, f in zip(G, S, factor):
            np.multiply(sums[:, cols], f[:, None], out=of_run)
        G += norms[:, :, None]
        if labels is not None:
            own = labels[:, cols]
            at_home = at_labels(G, own)
            if weight is not None:
                at_home = _without_itself(
                    at_home,
                    diagonal[:, cols],
                    np.take_along_axis(mass, own, axis=1),
                    weight[cols],
                )
                np.put_along_axis(G, own[:, None], at_home[:, None], axis=1)
        smallest = G.min(axis=1)
        limit = smallest + tie * (np.abs(diagonal[:, cols]) + np.abs(smallest))
        if labels is None:
            result[:, cols] = (G <= limit[:, None]).argmax(axis=1)
        else:
            leaves = np.nonzero(at_home > limit)
            near = G[leaves[0], :, leaves[1]] <= limit[leaves][:, None]
            result[:, cols][leaves] = near.argmax(axis=1)
    return result


def at_labels(values, labels, first=None):
    """Entry of each object in the row of its cluster, a row for each run.

    `values` are rows of clusters, and those of a run begin at its `first`, or
    follow those of the run before it.
    """
    n_runs, n = labels.shape
    if first is None:
        first = values.shape[1] * np.arange(n_runs)
    # Half the time of an index for each dimension.
    cells = labels * n
    cells += n * first[:, None] + np.arange(n)
    return values.reshape(-1).take(cells)


def _without_itself(own, diagonal, mass, weight):
    """Distance to the own mean without the object, less k(x, x); alone it stays."""
    left = mass - weight
    alone = left <= 1e-12 * mass
    ratio = np.divide(mass, left, out=np.ones_like(mass), where=~alone)
    return np.where(alone, NEAREST, ratio**2 * (diagonal + own) - diagonal)

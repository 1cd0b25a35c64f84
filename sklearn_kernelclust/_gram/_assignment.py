"""Assign objects to clusters, with the rule for ties.

With S, W and Q of ``_cluster_sums``, the squared distance of object i to the
mean of cluster c is::

    d(i, c) = K_ii - 2 S[c, i] / W[c] + Q[c] / W[c]^2

Rules compare these distances for an object of weight w in cluster a:

``"mean"``
    d(i, c) of all clusters: the nearest mean, Lloyd's rule.
``"leave-one-out"``
    d(i, c), but (W[a] / (W[a] - w))^2 d(i, a) for the own cluster: its mean
    without the object, the split-and-merge rule.
``"single-move"``
    w W[c] / (W[c] + w) d(i, c), which the objective gains where the object
    joins c, against w W[a] / (W[a] - w) d(i, a), which it saves where the
    object leaves a. A shift of the diagonal adds the same to both: it cancels.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_kernelclust._utils._threads import batches

# Nearer than anything, and still finite.
NEAREST = -np.finfo(np.float64).max / 4

# Entries of S that are turned into distances at a time: they stay in cache.
BLOCK = 2**16

# A cluster without its only object holds no more than this share of its mass.
ALONE = 1e-12


def assign(S, mass, norms, diagonal, tie, labels=None, weight=None, rule="mean"):
    """Clusters of the objects in several runs, a row of them for each run.

    An object stays in its own cluster (`labels`) if that is within a tie of the
    best; otherwise, and where there are no labels, the lowest index within a
    tie wins. A tie is a difference below ``tie * (|K_ii| + |d - K_ii|)``.

    Parameters
    ----------
    S : list of ndarray of shape (n_clusters, n_objects)
        Sums of each run; runs may have fewer clusters than others.
    mass, norms : ndarray of shape (n_runs, n_clusters)
        Mass and squared norm of the means; the norm of an empty cluster is
        infinite.
    diagonal : ndarray of shape (n_objects,) or (n_runs, n_objects)
        Self-similarities, the same for all runs or not.
    tie : float
        Relative difference below which two distances tie.
    labels : ndarray of shape (n_runs, n_objects) or None
        Present clusters of the objects.
    weight : ndarray of shape (n_objects,) or None
        For all rules but ``"mean"``.
    rule : {"mean", "leave-one-out", "single-move"}
        See above.
    """
    diagonal = np.atleast_2d(diagonal)
    n_runs, n, k = len(S), diagonal.shape[1], max(len(sums) for sums in S)
    result = np.empty((n_runs, n), dtype=np.intp) if labels is None else labels.copy()
    factor = -2 / np.where(mass > 0, mass, np.inf)[:, :k]
    for cols in batches(n, max(BLOCK // (k * n_runs), 1)):
        G = np.empty((n_runs, k, cols.stop - cols.start))
        for costs, sums, f in zip(G, S, factor):
            np.multiply(sums[:, cols], f[: len(sums), None], out=costs[: len(sums)])
            costs[len(sums) :] = 0
        G += norms[:, :k, None]
        own_labels = own_costs = None
        if labels is not None:
            own_labels = labels[:, cols]
            own_costs = at_labels(G, own_labels)
        if rule != "mean":
            own = diagonal[:, cols], weight[cols], own_labels, own_costs
            n_clusters = [len(sums) for sums in S]
            own_costs = RULES[rule](G, mass[:, :k], n_clusters, *own)
            np.put_along_axis(G, own_labels[:, None], own_costs[:, None], axis=1)
        smallest = G.min(axis=1)
        limit = smallest + tie * (np.abs(diagonal[:, cols]) + np.abs(smallest))
        if labels is None:
            result[:, cols] = (G <= limit[:, None]).argmax(axis=1)
        else:
            leaves = np.nonzero(own_costs > limit)
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


def _leave_one_out(G, mass, n_clusters, diagonal, weight, labels, own):
    """Cost of the own mean without the object; alone it stays."""
    ratio, alone = _without_itself(mass, weight, labels)
    return np.where(alone, NEAREST, ratio**2 * (diagonal + own) - diagonal)


def _single_move(G, mass, n_clusters, diagonal, weight, labels, own):
    """Turn distances `G` into gains of the objective by joining, over w.

    Returns what leaving the own cluster saves. Joining an empty cluster costs
    nothing.
    """
    ratio, alone = _without_itself(mass, weight, labels)
    # Of equal weights, one number for each cluster instead of one for each entry.
    same = (weight == weight[:1]).all()
    W = mass[:, :, None]
    joined = W + (weight[:1] if same else weight)
    share = np.divide(W, joined, out=np.ones_like(joined), where=joined > 0)
    G += diagonal[:, None]
    with np.errstate(invalid="ignore"):
        G *= share
    for costs, m, k in zip(G, mass, n_clusters):
        costs[:k][m[:k] == 0] = 0
        costs[k:] = np.inf
    return np.where(alone, NEAREST, ratio * (diagonal + own))


def _without_itself(mass, weight, labels):
    """Mass of the own cluster over that without the object; whether it is alone."""
    own_mass = np.take_along_axis(mass, labels, axis=1)
    left = own_mass - weight
    alone = left <= ALONE * own_mass
    return np.divide(own_mass, left, out=np.ones_like(left), where=~alone), alone


RULES = {"leave-one-out": _leave_one_out, "single-move": _single_move}

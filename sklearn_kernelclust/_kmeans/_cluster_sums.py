"""Sums over clusters: computed once, then changed by what moved.

Notation, for objects i, clusters c and weights w::

    S[c, i] = sum_{j in c} w_j K_ij        kept, and changed by what moved
    W[c]    = sum_{j in c} w_j             mass
    Q[c]    = sum_{i in c} w_i S[c, i]

The sums S of runs in step stand one below the other in one array.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.sparse import csr_array

from sklearn_kernelclust._kmeans._partition_products import (
    by_classes,
    indicator_rows,
    most_classes,
    renumbered,
)
from sklearn_kernelclust._utils._threads import batches

# Multiply-adds from which on it pays to look for what partitions have in common.
WORTH_JOINING = 5_000_000


def indicator(labels, weight, n_clusters):
    """Sparse matrix that sums over the members of each cluster."""
    n = len(labels)
    return csr_array((weight, labels, np.arange(n + 1)), shape=(n, n_clusters))


def totals(labels, values, n_clusters):
    """Sum of the values in each cluster, a row for each row of labels."""
    n_runs = len(labels)
    cells = (labels + n_clusters * np.arange(n_runs)[:, None]).ravel()
    values = np.broadcast_to(values, labels.shape).ravel()
    sums = np.bincount(cells, values, minlength=n_runs * n_clusters)
    return sums.reshape(n_runs, n_clusters)


def partition_sums(gram, labels, weight, n_clusters, columns=None):
    """``S`` of some partitions of objects, `n_clusters` rows of each.

    The objects have the columns of the Gram that are named, one row of them for
    all partitions or a row for each; or all columns there are. Rows of clusters
    that a partition does not have are zero, and cost nothing.
    """
    columns = np.arange(gram.shape[1]) if columns is None else columns
    n_found = labels.max(axis=1) + 1
    if columns.ndim == 1 and worth_joining(gram, labels):
        own = weight, n_found, columns, gram.shape[1], most_classes(gram)
        left, right = by_classes(labels, *own)
        found = left @ (gram @ right.T).T
    else:
        first = np.cumsum([0, *n_found])
        rows, shape = first[:-1, None] + labels, (first[-1], gram.shape[1])
        found = (gram @ indicator_rows(rows, weight, columns, shape).T).T
    if (n_found == n_clusters).all():
        return np.ascontiguousarray(found)
    S = np.zeros((len(labels) * n_clusters, gram.shape[0]))
    S[np.flatnonzero(np.arange(n_clusters) < n_found[:, None])] = found
    return S


def worth_joining(gram, labels):
    """Whether there is enough to sum up that classes in common save time."""
    n_additions = gram.shape[0] * labels.size
    return gram.free_columns and len(labels) > 1 and n_additions >= WORTH_JOINING


def fresh_sums(problems, labels, weight=None):
    """``S`` of partitions of the objects of their problems, which share a Gram.

    The objects of a problem are those of its columns; their weights are those
    of the problems unless they are given.
    """
    gram, k = problems[0].gram, problems[0].n_clusters
    weight = problems[0].weight if weight is None else weight

    def sums(group, columns):
        return partition_sums(gram, labels[group], weight, k, columns)

    groups = places_of_equals([id(problem) for problem in problems])
    if len(groups) == 1:
        return sums(groups[0], problems[0].columns)
    # Where a problem has few partitions, these go together with those of others.
    many = [group for group in groups if worth_joining(gram, labels[group])]
    few = np.setdiff1d(np.arange(len(labels)), [r for group in many for r in group])
    S = np.empty((len(labels), k, gram.shape[0]))
    for group in many:
        S[group] = sums(group, problems[group[0]].columns).reshape(-1, *S.shape[1:])
    for part in batches(len(few), max(most_classes(gram) // k, 1)):
        columns = np.array([problems[r].columns for r in few[part]])
        S[few[part]] = sums(few[part], columns).reshape(-1, *S.shape[1:])
    return S.reshape(-1, gram.shape[0])


def places_of_equals(keys):
    """For each of the different keys a list of its places."""
    places = {}
    for place, key in enumerate(keys):
        places.setdefault(key, []).append(place)
    return list(places.values())


def move_sums(runs, old, new):
    """Bring ``S`` up to date with new labels.

    Only the columns of the objects that moved are needed. Where more than half
    of the objects moved, summing afresh is cheaper.
    """
    moved = new != old
    afresh = np.flatnonzero(2 * np.count_nonzero(moved, axis=1) >= old.shape[1])
    if len(afresh):
        S = fresh_sums([runs[r].problem for r in afresh], new[afresh])
        for r, of_run in zip(afresh, np.split(S, len(afresh))):
            runs[r].S[:] = of_run
    moved[afresh] = False
    if moved.any():
        _add_moves(runs, old[moved], new[moved], *np.nonzero(moved))


def _add_moves(runs, old, new, of_run, objects):
    """Take objects from the sums of old clusters to those of new, in one product."""
    problem, S = runs[0].problem, runs[0].sums
    gram, columns, weight = problem.gram, objects, problem.weight[objects]
    if problem.columns is not None:
        columns = np.array([run.problem.columns for run in runs])[of_run, objects]
    source = np.array([run.first for run in runs])[of_run] + old
    n, k = gram.shape[1], problem.n_clusters
    # Where there may be fewer ways from cluster to cluster than objects on them,
    # those that go the same way are summed once.
    if gram.free_columns and len(runs) * k**2 < 2 * len(objects):
        way, found = renumbered(source * k + new)
        if len(found) <= most_classes(gram):
            D = indicator_rows(way, weight, columns, (len(found), n))
            each = np.ones(len(found)), np.arange(len(found)), len(found)
            rows, signed = _signed_rows(*np.divmod(found, k), k, *each)
            S[rows] += signed @ (gram @ D.T).T
            return
    rows, D = _signed_rows(source, new, k, weight, columns, n)
    S[rows] += (gram @ D.T).T


def _signed_rows(source, new, n_clusters, weight, columns, n_columns):
    """Rows of ``S`` that change, and a matrix that adds up what to change them by.

    Each move goes from its row, the source, to that of its new cluster; its
    weight is in the column that is named.
    """
    target = source - source % n_clusters + new
    touched, rows = renumbered(np.concatenate([source, target]))
    signed, shape = np.stack([-weight, weight]), (len(rows), n_columns)
    return rows, indicator_rows(touched.reshape(2, -1), signed, columns, shape)

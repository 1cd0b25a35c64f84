"""Sums over clusters: computed once, then changed by what moved.

Notation, for objects i, clusters c and weights w::

    S[c, i] = sum_{j in c} w_j K_ij        kept, and changed by what moved
    W[c]    = sum_{j in c} w_j             mass
    Q[c]    = sum_{i in c} w_i S[c, i]

The sums S of runs in step stand one below the other in one array.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from itertools import groupby

import numpy as np
from scipy.sparse import csr_array

from sklearn_kernelclust._joint_classes import (
    by_classes,
    indicator_rows,
    most_classes,
    renumbered,
)


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
    """``S`` of some partitions of the same objects, in one product.

    There is a number of clusters for each. The objects have the columns of the
    Gram that are named, or all.
    """
    n = gram.shape[1]
    columns = np.arange(n) if columns is None else columns
    if gram.free_columns and len(labels) > 1:
        own = weight, n_clusters, columns, n, most_classes(gram)
        left, right = by_classes(labels, *own)
        return left @ (gram @ right.T).T
    first = np.cumsum([0, *n_clusters])
    rows = first[:-1, None] + labels
    D = indicator_rows(rows, weight, columns, (first[-1], n))
    return np.ascontiguousarray((gram @ D.T).T)


def first_sums(problems, starts):
    """``S`` for several starts, each with its problem."""
    labels = np.array(starts)
    blocks = [
        _sums_of(problems[some[0]], labels[some])
        for some in neighbours([id(problem) for problem in problems])
    ]
    return blocks[0] if len(blocks) == 1 else np.concatenate(blocks)


def _sums_of(problem, labels):
    n_clusters = [problem.n_clusters] * len(labels)
    own = problem.weight, n_clusters, problem.columns
    return partition_sums(problem.gram, labels, *own)


def neighbours(keys):
    """Lists of the places of equal keys that follow each other."""
    groups = groupby(range(len(keys)), key=lambda place: keys[place])
    return [list(places) for _, places in groups]


def move_sums(runs, old, new):
    """Bring ``S`` up to date with new labels.

    Only the columns of the objects that moved are needed. Where more than half
    of the objects moved, summing afresh is cheaper.
    """
    moved = new != old
    afresh = np.flatnonzero(2 * np.count_nonzero(moved, axis=1) >= old.shape[1])
    for some in neighbours([id(runs[r].problem) for r in afresh]):
        some = afresh[some]
        of_runs = np.split(_sums_of(runs[some[0]].problem, new[some]), len(some))
        for r, S in zip(some, of_runs):
            runs[r].S[:] = S
    moved[afresh] = False
    if moved.any():
        _add_moves(runs, old[moved], new[moved], *np.nonzero(moved))


def _add_moves(runs, old, new, run, objects):
    """Take objects from the sums of old clusters to those of new, in one product."""
    problem, S = runs[0].problem, runs[0].sums
    gram, columns, weight = problem.gram, objects, problem.weight[objects]
    if problem.columns is not None:
        columns = np.array([run.problem.columns for run in runs])[run, objects]
    source = np.array([run.first for run in runs])[run] + old
    n, k = gram.shape[1], problem.n_clusters
    if gram.free_columns and len(runs) * k**2 < 2 * len(objects):
        way, found = renumbered(source * k + new)
        if len(found) <= most_classes(gram):
            # Those that go the same way are summed once.
            D = indicator_rows(way, weight, columns, (len(found), n))
            rows, signed = _signed_rows(*np.divmod(found, k), k, np.ones(len(found)))
            S[rows] += signed @ (gram @ D.T).T
            return
    rows, D = _signed_rows(source, new, k, weight, columns, n)
    S[rows] += (gram @ D.T).T


def _signed_rows(source, new, n_clusters, weight, columns=None, n_columns=None):
    """Rows of ``S`` that change, and a matrix that adds up what to change them by.

    Each move goes from its row, the source, to that of its new cluster. Its
    weight is in the column that is named, or in one of its own.
    """
    if columns is None:
        columns, n_columns = np.arange(len(source)), len(source)
    target = source - source % n_clusters + new
    touched, rows = renumbered(np.concatenate([source, target]))
    signed = np.stack([-weight, weight])
    return rows, indicator_rows(touched, signed, columns, (len(rows), n_columns))

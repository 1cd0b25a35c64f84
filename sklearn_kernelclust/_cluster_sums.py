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


def first_sums(problems, starts):
    """``S`` for several starts, each with its problem, in one wide product."""
    gram, weight, k = problems[0].gram, problems[0].weight, problems[0].n_clusters
    n, n_runs = len(weight), len(starts)
    rows = np.stack(starts) + k * np.arange(n_runs)[:, None]
    shape = n_runs * n, n_runs * k
    weights, ends = np.tile(weight, n_runs), np.arange(n_runs * n + 1)
    # Sorted by the rows of S; what is sorted are pairs of run and object.
    Z = csr_array((weights, rows.ravel(), ends), shape=shape).tocsc()
    run, columns = np.divmod(Z.indices, n)
    columns += np.array([own.first for own in problems], dtype=columns.dtype)[run]
    D = csr_array((Z.data, columns, Z.indptr), shape=(shape[1], gram.shape[1]))
    return np.ascontiguousarray((gram @ D.T).T)


def move_sums(runs, labels):
    """Bring ``S`` up to date with new labels, in one product for all runs.

    Only the columns of the objects that moved are needed.
    """
    gram, S = runs[0].problem.gram, runs[0].sums
    columns, rows, values = _moves(runs, np.stack(labels))
    n_moves = np.bincount(rows, minlength=len(S))
    touched = np.flatnonzero(n_moves)
    # By rows of the transpose, which is how products take it.
    # Of small integers this is a radix sort.
    by_row = np.argsort(rows.astype(np.min_scalar_type(len(S))), kind="stable")
    ends = np.zeros(len(touched) + 1, dtype=columns.dtype)
    np.cumsum(n_moves[touched], out=ends[1:])
    shape = len(touched), gram.shape[1]
    D = csr_array((values[by_row], columns[by_row], ends), shape=shape)
    S[touched] += (gram @ D.T).T


def _moves(runs, new):
    """Columns of the kernel, the rows of ``S`` to add them to, and weights.

    Where more than half of the objects moved, summing afresh is cheaper: those
    sums become zero.
    """
    weight = runs[0].problem.weight
    old = np.stack([run.labels for run in runs])
    first = np.array([run.first for run in runs])
    # Small integers, which sparse matrices take as they are.
    index = np.int32 if runs[0].problem.gram.shape[1] < 2**31 else np.int64
    column = np.array([run.problem.first for run in runs], dtype=index)
    moved = new != old
    afresh = 2 * np.count_nonzero(moved, axis=1) >= len(weight)
    for r in np.flatnonzero(afresh):
        runs[r].S[:] = 0
    gone = np.nonzero(moved & ~afresh[:, None])
    come = np.nonzero(moved | afresh[:, None])
    return (
        np.concatenate([column[run] + i for run, i in (gone, come)], dtype=index),
        np.concatenate([first[gone[0]] + old[gone], first[come[0]] + new[come]]),
        np.concatenate([-weight[gone[1]], weight[come[1]]]),
    )

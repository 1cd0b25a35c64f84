"""Lengths of the rows of a product of sparse features, without the product.

That of a row a of ``A B'`` is ``a (B'B) a'``, a sum over pairs of features of a. Pairs
of two rare features are in few entries of ``A B'``, which are computed. All other
pairs are counted at the rarer of the two features: with features in order of
frequency, its row of ``B'B`` is needed up to that feature only, and up to where rare
features begin.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import partial

import numpy as np
from scipy.sparse import csc_array, csr_array
from sklearn import get_config

from sklearn_kernelclust._utils._threads import batches, n_threads, run_in_threads

# A feature of at most so many objects is rare.
RARE = 48

# Entries of B'B, and of the objects that they are multiplied by, held at a time.
ENTRIES = 2**21

# Objects are cut to fewer features where that leaves this share of their entries.
SHARE = 0.8

# Bytes of an entry of a sparse product, and its least number of parts.
ENTRY, PARTS = 16, 8

# What a pair of features of one object, a feature, and an entry of the product cost,
# relative to a multiply-add of that entry.
PAIR_COST, FEATURE_COST, ENTRY_COST = 3, 200, 5


def few_pairs(A, B):
    """Whether `squared_row_norms` takes less time than all entries of ``A B'``."""
    lengths = [np.diff(X.indptr).astype(np.float64) for X in (A, B)]
    n_pairs = sum((n**2).sum() for n in lengths) / 2
    n_objects = [np.bincount(X.indices, minlength=A.shape[1]) for X in (A, B)]
    n_products = float(n_objects[0].astype(np.float64) @ n_objects[1])
    cost = PAIR_COST * n_pairs + FEATURE_COST * A.shape[1]
    return cost < ENTRY_COST * float(A.shape[0]) * B.shape[0] + n_products


def squared_row_norms(A, B):
    """Squared lengths of the rows of ``A @ B.T``, in float64, for sparse rows.

    The cost goes by the squares of the numbers of features of an object, not of the
    number of objects.
    """
    n_objects = [np.bincount(X.indices, minlength=A.shape[1]) for X in (A, B)]
    most = np.maximum(*n_objects)
    order, n_frequent = np.argsort(-most, kind="stable"), np.count_nonzero(most > RARE)
    left = Ranked(A, order)
    right = left if A is B else Ranked(B, order)
    for features, width in stages(left, right, n_frequent):
        left.cut(width)
        right.cut(width)
        work = partial(count_pairs, left, right)
        run_in_threads(work, groups(left, right, features))
    norms = 2 * np.bincount(left.columns.indices, left.pairs, minlength=A.shape[0])
    rare = [side.rows[:, n_frequent:] for side in (left, right)]
    return norms + norms_of_product(*rare, symmetric=A is B)


class Ranked:
    """Objects with features in order of frequency, by rows and by columns."""

    def __init__(self, X, order):
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        data = X.data.astype(np.float64), rank[X.indices], X.indptr
        self.columns = csc_array(csr_array(data, shape=X.shape))
        self.rows = self.heads = csr_array(self.columns)
        self.pairs = np.zeros(X.nnz)

    def cut(self, width):
        """Keep a number of the most frequent features in `heads`."""
        if self.heads.shape[1] != width:
            self.heads = self.heads[:, :width]

    def entries(self, features):
        """Where the entries of some features are in `columns`."""
        return slice(*self.columns.indptr[[features.start, features.stop]])

    def beside(self, features):
        """For each entry of some features, the head of its object.

        A head stands in the columns of its feature: those of the first feature, then
        those of the next.
        """
        n_features, width = features.stop - features.start, self.heads.shape[1]
        heads = self.heads[self.columns.indices[self.entries(features)]]
        ends = self.columns.indptr[features.start : features.stop + 1]
        first = np.repeat(width * np.arange(n_features), np.diff(ends))
        first = first.astype(heads.indices.dtype)
        heads.indices += np.repeat(first, np.diff(heads.indptr))
        shape = heads.shape[0], n_features * width
        return csr_array((heads.data, heads.indices, heads.indptr), shape=shape)


def stages(left, right, n_frequent):
    """Slices of features, rare ones first, and how many features heads then need."""
    n_features = left.rows.shape[1]
    if n_frequent:
        yield slice(n_frequent, n_features), n_frequent
    n_entries = left.columns.indptr + right.columns.indptr
    stop = n_frequent
    while stop:
        start = int(np.searchsorted(n_entries, SHARE * n_entries[stop]))
        start = min(start, stop - 1)
        yield slice(start, stop), stop
        stop = start


def groups(left, right, features):
    """Slices of the features of a stage with about `ENTRIES` to compute each."""
    cost = np.zeros(features.stop - features.start)
    for side in (left, right):
        ends = side.columns.indptr[features.start : features.stop + 1]
        cost += np.diff(ends) * (side.heads.nnz / max(side.heads.shape[0], 1))
    cost += left.heads.shape[1]
    group = (np.cumsum(cost) - cost) // ENTRIES
    starts = np.flatnonzero(np.diff(group, prepend=-1)) + features.start
    return list(map(slice, starts, [*starts[1:], features.stop]))


def count_pairs(left, right, features):
    """Sum up ``a[f] (B'B)[f, g] a[g]`` over features g up to f, for each a[f]."""
    start, stop = features.start, features.stop
    entries, beside = left.entries(features), right.beside(features)
    sums = beside.T @ right.columns.data[right.entries(features)]
    sums = sums.reshape(stop - start, -1)
    if start < sums.shape[1]:
        sums[:, stop:] = 0
        # A feature with itself is no pair: half of what is doubled later.
        sums[:, start:stop] *= np.tri(stop - start, k=-1) + 0.5 * np.eye(stop - start)
    beside = beside if left is right else left.beside(features)
    left.pairs[entries] = left.columns.data[entries] * (beside @ sums.ravel())


def norms_of_product(A, B, symmetric):
    """Squared lengths of the rows of ``A @ B.T``, by its entries that are not zero.

    Of a symmetric product, entries up to the diagonal count for both objects.
    """
    Bt = csr_array(B.T)
    n_bytes = ENTRY * float(np.bincount(A.indices, np.diff(Bt.indptr)[A.indices]).sum())
    budget = get_config()["working_memory"] * 2**20 / n_threads()
    n_parts = max(PARTS, int(np.ceil(n_bytes / budget)))
    parts = batches(A.shape[0], max(-(-A.shape[0] // n_parts), 1))
    norms = np.zeros((len(parts), A.shape[0]))

    def work(number):
        rows = parts[number]
        product = A[rows] @ (Bt[:, : rows.stop] if symmetric else Bt)
        product.data **= 2
        if symmetric:
            sums = np.bincount(product.indices, product.data, minlength=rows.stop)
            norms[number, : rows.start] = sums[: rows.start]
        norms[number, rows] = product.sum(axis=1)

    run_in_threads(work, range(len(parts)))
    return norms.sum(axis=0)

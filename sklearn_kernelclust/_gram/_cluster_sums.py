"""Sums over clusters, which kernel k-means asks for its decisions.

Notation, for objects i, clusters c and weights w::

    S[c, i] = sum_{j in c} w_j K_ij        computed once, then updated
    W[c]    = sum_{j in c} w_j             mass
    Q[c]    = sum_{i in c} w_i S[c, i]     total

Several runs (starts, numbers of clusters) share one object and so every product
with the Gram.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from abc import ABC, abstractmethod

import numpy as np
from scipy.sparse import csc_array, csr_array

from sklearn_kernelclust._gram._assignment import BLOCK, assign, at_labels
from sklearn_kernelclust._gram._refinements import (
    common_refinements,
    factors,
    renumbered,
)
from sklearn_kernelclust._utils._threads import batches
from sklearn_kernelclust._utils._tolerances import DISTANCE_TIE

# Additions that a second product must save: it costs a tenth of a millisecond.
WORTH_A_PRODUCT = 2**18

# Clusters must be held against other means by more than so many ties.
HELD = 8


class ClusterSums(ABC):
    """The sums S of several runs, known by verbs: the array itself stays inside.

    Kernel k-means sees labels, masses, norms and totals only, so S may live in
    the memory of another device or of several workers. An implementation has
    the abstract methods below; what goes in and out of them is numpy arrays on
    the host.

    Runs are numbered from 0. `runs` names those that a call is about, as an
    index array; the other arguments have a row for each of them. `labels` are
    clusters of the column objects, of shape (n_runs, n_columns). `mass` and
    `norms` are of shape (n_runs, max(n_clusters)); the norm of a cluster that
    is empty, or that a run does not have, is infinite.

    Parameters
    ----------
    gram : Gram
        Rows are objects to assign, columns the objects that are summed. All
        verbs but `set`, and `nearest` without labels, are for a square Gram.
    n_clusters : sequence of int
        Number of clusters of each run.
    weight : ndarray of shape (n_columns,) or None
        Weights of the column objects; 1 by default.
    self_similarity : ndarray of shape (n_rows,) or None
        That of the row objects, by default the diagonal of the Gram. It only
        sets the scale of ties where there are no labels.
    """

    def __init__(self, gram, n_clusters, weight=None, self_similarity=None):
        self.gram, self.n_clusters = gram, np.asarray(n_clusters)
        self.most_clusters = int(self.n_clusters.max(initial=0))
        self.weight = np.ones(gram.shape[1]) if weight is None else weight
        if self_similarity is None:
            self_similarity = gram.diagonal()
        self.diagonal = self_similarity.astype(np.float64, copy=False)
        self.tie = DISTANCE_TIE[np.dtype(gram.dtype)]

    @abstractmethod
    def set(self, runs, labels):
        """Compute S afresh."""

    @abstractmethod
    def move(self, runs, objects, old, new):
        """Move objects from old to new clusters; a run, object and so on each.

        Only the columns of these objects are needed.
        """

    @abstractmethod
    def own(self, runs, labels):
        """S of each object at its own cluster, of shape (n_runs, n_rows)."""

    @abstractmethod
    def nearest(self, runs, mass, norms, labels=None, rule="mean"):
        """Cluster of each row object, of shape (n_runs, n_rows).

        By a rule of ``_assignment``, where ties are explained. With labels an
        object stays where it is as well off as elsewhere.
        """

    @abstractmethod
    def columns(self, run, objects):
        """S at a few objects, of shape (n_clusters, n_objects)."""

    @abstractmethod
    def holding_shift(self, run, labels, mass, norms):
        """Least s >= 0 for which ``K + s diag(1 / w)`` makes `labels` a fixed point.

        That shift lowers the squared distance of an object to its own mean by
        s / W[a] and raises those to others by s / W[c], up to a constant of the
        object. So s is the largest of ``(d(i, a) - d(i, c)) / (1 / W[a] + 1 / W[c])``,
        plus a margin for rounding. It changes the objective of all partitions
        into as many clusters by the same amount.
        """

    def totals(self, runs, labels):
        """Q of the clusters, of shape (n_runs, max(n_clusters))."""
        values = self.weight * self.own(runs, labels)
        return sum_by_cluster(labels, values, self.most_clusters)

    def descent(self, run, labels, mass, norms, factors):
        """Lloyd's steps of one run where S is; None if the solver is to make them.

        Parameters
        ----------
        run : int
            Its number.
        labels : ndarray of shape (n_rows,)
            Its present partition, which S is of.
        mass, norms : ndarray of shape (n_clusters,)
            Those of its clusters.
        factors : ndarray of uint64 of shape (n_rows,)
            Random integers, by which the solver names partitions.
        """
        return None

    def update(self, runs, old, new):
        """Bring S from old to new labels.

        A move takes two additions of a column, one of a fresh sum takes one.
        """
        n = old.shape[1]
        afresh = 2 * count_moved(old, new) >= n
        if afresh.any():
            self.set(runs[afresh], new[afresh])
            runs, old, new = runs[~afresh], old[~afresh], new[~afresh]
        places = np.flatnonzero(new != old)
        if len(places):
            row, objects = np.divmod(places, n)
            self.move(runs[row], objects, old.take(places), new.take(places))


class ArrayClusterSums(ClusterSums):
    """S as one array on the host, the clusters of all runs one below the other.

    Parameters
    ----------
    gram, n_clusters, weight, self_similarity : object
        As of `ClusterSums`.
    free_columns : bool
        Whether a product with a sparse matrix costs by its entries, however
        many columns they are in, as that of an array does.
    blocks : ndarray of shape (n_runs,) or None
        Number of the kernel of each run, where several square kernels of as many
        objects stand side by side in `gram`. Then `weight` has an entry and
        `self_similarity` a column for each object of a kernel.
    """

    def __init__(
        self,
        gram,
        n_clusters,
        weight,
        self_similarity,
        free_columns=False,
        blocks=None,
    ):
        super().__init__(gram, n_clusters, weight, self_similarity)
        self.free_columns = free_columns
        self.diagonal = np.atleast_2d(self.diagonal)
        self._blocks = np.zeros_like(self.n_clusters) if blocks is None else blocks
        self._first_column = self._blocks * gram.shape[0]
        self._first = np.cumsum([0, *self.n_clusters])
        self._S = None

    def set(self, runs, labels):
        Z, members = self._indicators(runs, labels)
        parts = self.gram.product_parts(Z)
        if members is not None:
            sums = (members @ (self.gram @ Z).T).T
            parts = [(slice(0, len(sums)), slice(0, sums.shape[1]), sums)]
        first, sizes = self._first[runs], self.n_clusters[runs]
        before = np.cumsum(sizes) - sizes
        self._put(np.repeat(first - before, sizes) + np.arange(sizes.sum()), parts)

    def _indicators(self, runs, labels):
        """A matrix that sums up, and None or one that makes clusters of its sums."""
        n, first = labels.shape[1], np.cumsum([0, *self.n_clusters[runs]])
        rows, columns = first[:-1, None] + labels, self._first_column[runs]
        shape, members = (self.gram.shape[1], first[-1]), None
        if len(runs) > 1 and self._pays(labels.size):
            refinements = common_refinements(labels, columns)
            rows, members = factors(refinements, first)
            columns = columns[[refinement.runs[0] for refinement in refinements]]
            shape = self.gram.shape[1], members.shape[1]
        objects = columns[:, None] + np.arange(n)
        return indicators(rows, self.weight, shape, objects), members

    def _put(self, rows, parts):
        """Set rows of S to the columns of a product, which comes in blocks."""
        shape = self._first[-1], self.gram.shape[0]
        for objects, cols, block in parts:
            if block.T.shape == shape and np.array_equal(rows, np.arange(len(rows))):
                self._S = np.ascontiguousarray(block.T, dtype=np.float64)
                continue
            if self._S is None:
                self._S = np.zeros(shape)
            self._S[rows[cols], objects] = block.T

    def _add(self, rows, parts):
        """Add the columns of a product to different rows of S."""
        for objects, cols, block in parts:
            # Few rows at a time: these are copied.
            for few in batches(block.shape[1], max(BLOCK // len(block), 1)):
                self._S[rows[cols][few], objects] += block[:, few].T

    def move(self, runs, objects, old, new):
        self._add(*self._changes(runs, objects, old, new))

    def _changes(self, runs, objects, old, new):
        """Rows of S that change, and a product that changes them, in blocks."""
        source, target = self._first[runs] + old, self._first[runs] + new
        weight, objects = self.weight[objects], self._first_column[runs] + objects
        if self._pays(len(objects)):
            # Objects that go from one cluster to the same other are summed once.
            way, codes = renumbered(source * self.most_clusters + new)
            if self._pays(len(objects) - 2 * len(codes)):
                shape = self.gram.shape[1], len(codes)
                sums = self.gram @ indicators(way, weight, shape, objects)
                source, new = np.divmod(codes, self.most_clusters)
                run = np.searchsorted(self._first, source, side="right") - 1
                ways = np.arange(len(codes)), np.ones(len(codes)), len(codes)
                rows, D = moves(source, self._first[run] + new, *ways)
                changes = (D.T @ sums.T).T
                return rows, [(slice(0, len(sums)), slice(0, len(rows)), changes)]
        rows, D = moves(source, target, objects, weight, self.gram.shape[1])
        return rows, self.gram.product_parts(D)

    def own(self, runs, labels):
        return at_labels(self._S, labels, self._first[runs])

    def nearest(self, runs, mass, norms, labels=None, rule="mean"):
        result = np.empty((len(runs), self.gram.shape[0]), dtype=np.intp)
        n_entries = self.most_clusters * self.gram.shape[0]
        # Runs with similar numbers of clusters together: they share a block.
        order = np.argsort(self.n_clusters[runs], kind="stable")
        for batch in batches(len(runs), max(BLOCK // max(n_entries, 1), 1)):
            rows = order[batch]
            diagonal = self.diagonal
            if len(diagonal) > 1:
                diagonal = diagonal[self._blocks[runs[rows]]]
            result[rows] = assign(
                [self._S[self._rows(run)] for run in runs[rows]],
                mass[rows],
                norms[rows],
                diagonal,
                self.tie,
                labels=None if labels is None else labels[rows],
                weight=self.weight,
                rule=rule,
            )
        return result

    def columns(self, run, objects):
        return self._S[self._rows(run), objects]

    def holding_shift(self, run, labels, mass, norms):
        S, k = self._S[self._rows(run)], self.n_clusters[run]
        filled = np.flatnonzero(mass[:k] > 0)
        diagonal = self.diagonal[self._blocks[run]]
        shares, shift = 1 / np.where(mass > 0, mass, np.inf)[:k], 0.0
        for cols in batches(len(labels), max(BLOCK // k, 1)):
            own_labels, kii = labels[cols], diagonal[cols]
            D = kii + norms[filled, None] - 2 * S[filled, cols] * shares[filled, None]
            own = own_labels, np.arange(len(own_labels))
            d = kii + norms[own_labels] - 2 * S[:, cols][own] * shares[own_labels]
            d = d + HELD * self.tie * (np.abs(kii) + np.abs(d))
            needed = (d - D) / (shares[filled, None] + shares[own_labels])
            needed[filled[:, None] == own_labels] = 0
            counts = (self.weight[cols] > 0) & (mass[own_labels] > 0)
            shift = max(shift, needed[:, counts].max(initial=0.0))
        # More than the margin where the shift is large beside the kernel.
        return float(shift * (1 + 1e-6))

    def _pays(self, n_columns):
        """Whether a product more pays if it saves the addition of so many columns."""
        return self.free_columns and n_columns * self.gram.shape[0] > WORTH_A_PRODUCT

    def _rows(self, run):
        return slice(self._first[run], self._first[run + 1])


def moves(source, target, objects, weight, n_objects):
    """Rows of S that change, and a matrix that sums up by what they change."""
    place, rows = renumbered(np.concatenate([source, target]))
    signed, shape = np.stack([-weight, weight]), (n_objects, len(rows))
    return rows, indicators(place.reshape(2, -1), signed, shape, objects)


def count_moved(old, new):
    """In how many places each row of labels differs from that of others."""
    # Much faster than for all rows at once.
    return np.array([np.count_nonzero(row) for row in new != old], dtype=np.intp)


def sum_by_cluster(labels, values, n_clusters):
    """Sum of the values in each cluster, a row for each row of labels."""
    n_runs = len(labels)
    if n_runs == 1:
        values = np.broadcast_to(values, labels.shape)[0]
        return np.bincount(labels[0], values, minlength=n_clusters)[None]
    cells = (labels + n_clusters * np.arange(n_runs)[:, None]).ravel()
    values = np.broadcast_to(values, labels.shape).ravel()
    sums = np.bincount(cells, values, minlength=n_runs * n_clusters)
    return sums.reshape(n_runs, n_clusters)


def indicator(labels, weight, n_clusters):
    """Sparse matrix that sums over the members of each cluster."""
    n = len(labels)
    index = small_index(n)
    entries = weight, labels.astype(index), np.arange(n + 1, dtype=index)
    return csr_array(entries, shape=(n, n_clusters))


def indicators(places, weight, shape, objects=None):
    """Sparse matrix with the weight of each object in the column of its place.

    There may be several rows of places, which may share weights and objects.
    Without objects they are those of all rows of the matrix.
    """
    objects = np.arange(shape[0]) if objects is None else objects
    small = places.ravel().astype(np.min_scalar_type(shape[1]))
    # A radix sort, as the integers are small.
    order = np.argsort(small, kind="stable")
    index = small_index(max(shape[0], len(order)))
    ends = np.zeros(shape[1] + 1, dtype=index)
    np.cumsum(np.bincount(small, minlength=shape[1]), out=ends[1:])
    values, objects = (
        np.broadcast_to(array, places.shape).ravel()[order]
        for array in (weight, objects)
    )
    return csc_array((values, objects.astype(index), ends), shape=shape)


def small_index(n):
    """Type of indices up to `n`: with wide ones, a product copies those of features."""
    return np.int32 if n < 2**31 else np.int64

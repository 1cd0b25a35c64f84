"""All substrings of a text as the nodes of a tree, and their counts.

Substrings that are followed by one letter only occur as often as the longer
ones, so a node stands for several of them: those that end on the edge to it.
However long substrings may be, there are fewer than two nodes a character.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import coo_array, csr_array, vstack

from sklearn_kernelclust._gram._cluster_sums import small_index
from sklearn_kernelclust._gram._tiles import balanced_slices
from sklearn_kernelclust._strings._suffix_array import (
    Alphabet,
    SuffixOrder,
    Text,
    Words,
    changes,
    common_prefixes,
    sort_suffixes,
)
from sklearn_kernelclust._utils._cached_property import cached_property
from sklearn_kernelclust._utils._threads import n_threads, run_in_threads

ROOT = 0
ALL = slice(None)

# Suffixes below the nodes that are counted at once.
PIECE = 2**18

# Nodes above a suffix, on average, from which on counts are passed upwards
# instead of being taken from each node's suffixes.
DEEP = 40


@dataclass
class Nodes:
    """The tree: its root, its inner nodes, and a leaf for each group of suffixes.

    Attributes
    ----------
    depth, parent : ndarray of shape (n_nodes,)
        Length of the longest substring of a node, and the node above.
    start, stop : ndarray of shape (n_nodes,)
        The suffixes that begin with it, as slots of their order.
    """

    depth: np.ndarray
    parent: np.ndarray
    start: np.ndarray
    stop: np.ndarray

    @property
    def size(self):
        """How often the substrings of a node occur."""
        return self.stop - self.start

    def gain(self, total, nodes=ALL):
        """Weight of all substrings of a node; `total` is that of all prefixes."""
        return total[self.depth[nodes]] - total[self.depth[self.parent[nodes]]]


def make_nodes(suffixes, prefixes, leaf_depth):
    """Nodes of the tree from the letters that neighbouring groups share.

    An inner node is a run of groups that share more letters with each other
    than with the groups before and after the run.
    """
    lower, upper, number, inner = inner_nodes(prefixes)
    groups = np.arange(len(leaf_depth), dtype=np.int32)
    low = np.concatenate([[0], lower, groups], dtype=np.int32)
    high = np.concatenate([[len(groups)], upper, groups + 1], dtype=np.int32)
    parent = number[np.where(prefixes[low] >= prefixes[high], low, high)]
    parent[ROOT] = ROOT
    depth = np.concatenate([[0], prefixes[inner], leaf_depth], dtype=np.int32)
    return Nodes(depth, parent, suffixes.bounds[low], suffixes.bounds[high])


def inner_nodes(prefixes):
    """Ends of the run of each node, the node of each border, a border of each node."""
    lower = nearest(prefixes, -1, np.greater)
    upper = nearest(prefixes, 1, np.greater_equal)
    borders = np.arange(len(prefixes), dtype=np.int32)
    again = (prefixes > 0) & (prefixes[lower] == prefixes)
    first = settle(np.where(again, lower, borders))
    inner = np.flatnonzero((first == borders) & (prefixes > 0))
    number = np.zeros(len(prefixes), dtype=np.int32)
    number[inner] = np.arange(1, len(inner) + 1)
    return lower[inner], upper[inner], number[first], inner


def nearest(values, step, passes):
    """Nearest place on one side whose value does not pass the comparison.

    Each place looks at its neighbour, and as long as that passes, at what the
    neighbour found so far: all that lies between passes too.
    """
    place = np.arange(len(values), dtype=np.int32) + np.int32(step)
    place[values == 0] = 0
    active = np.flatnonzero((values > 0) & passes(np.roll(values, -step), values))
    while len(active):
        place[active] = place[place[active]]
        active = active[passes(values[place[active]], values[active])]
    return place


def settle(pointer):
    """Where pointers lead that are followed to the end."""
    while True:
        further = pointer[pointer]
        if np.array_equal(further, pointer):
            return pointer
        pointer = further


@dataclass
class SubstringTree:
    """Substrings of the training strings: what they weigh, who has them.

    Substrings of one string only count in its self-similarity: all of a
    string together are one feature. Substrings that several strings have are
    one feature if all strings have them equally often.

    Attributes
    ----------
    text : Text
    alphabet : Alphabet
    words : Words
    suffixes : SuffixOrder
    nodes : Nodes
    total : ndarray of shape (longest + 1,)
        Weight of all prefixes of a string, by its length.
    bound : int
        Length of the longest substrings that weigh something.
    """

    text: Text
    alphabet: Alphabet
    words: Words
    suffixes: SuffixOrder
    nodes: Nodes
    total: np.ndarray
    bound: int

    @classmethod
    def of(cls, text, total, apart=False):
        """Tree of a text; with `apart`, strings share no node but the root."""
        bound = min(len(total) - 1, max(text.longest, 1))
        alphabet = text.alphabet()
        words = Words.of(text, alphabet, bound)
        owner = text.owner if apart else None
        suffixes = sort_suffixes(words, bound, owner)
        if total[bound - 1] > 0:
            prefixes = common_prefixes(suffixes, words, owner)
        else:  # substrings of one length only: each is a leaf
            prefixes = np.zeros(len(suffixes.bounds), dtype=np.int32)
        leaf_depth = np.minimum(words.left[suffixes.first], bound)
        nodes = make_nodes(suffixes, prefixes, leaf_depth)
        suffixes = replace(suffixes, levels=[])  # only needed to build the tree
        return cls(text, alphabet, words, suffixes, nodes, total[: bound + 1], bound)

    def gain(self, nodes=ALL):
        """Weight of some nodes, of all by default."""
        return self.nodes.gain(self.total, nodes)

    @cached_property
    def string(self):
        """The string that alone has a node, -1 where several have it."""
        owner = self.text.owner[self.suffixes.order]
        if not len(owner):
            return np.full(1, -1, dtype=np.int32)
        n_changes = np.cumsum(changes(owner))
        start, last = self.nodes.start, self.nodes.stop - 1
        string = np.where(n_changes[start] == n_changes[last], owner[start], -1)
        string[ROOT] = -1
        return string

    @cached_property
    def own(self):
        """Self-similarity that each string owes to substrings that it alone has."""
        mine = np.flatnonzero(self.string >= 0)
        values = self.gain(mine) * self.nodes.size[mine].astype(np.float64) ** 2
        return np.bincount(self.string[mine], values, self.text.n_strings)

    @cached_property
    def columns(self):
        """Nodes that are features, the root before them."""
        kept = (self.string < 0) & (self.gain() > 0)
        kept[ROOT] = True
        return np.flatnonzero(kept)

    @cached_property
    def column(self):
        """Place in `columns` of the next feature at a node or above it."""
        kept = np.full(len(self.nodes.depth), -1, dtype=np.int32)
        kept[self.columns] = np.arange(len(self.columns))
        nodes = np.arange(len(kept), dtype=np.int32)
        return kept[settle(np.where(kept >= 0, nodes, self.nodes.parent))]

    @cached_property
    def own_above(self):
        """Sum of weight times count over a node and the nodes of its string above.

        Doubling: what the node above summed up so far is added each time.
        """
        mine = self.string >= 0
        sums = np.where(mine, self.gain() * self.nodes.size, 0.0)
        above = np.where(mine, self.nodes.parent, ROOT)
        while above.any():
            sums = sums + sums[above]
            above = above[above]
        return sums

    @property
    def leaves(self):
        """Node of each group of suffixes."""
        n_nodes = len(self.nodes.depth)
        n_groups = len(self.suffixes.bounds) - 1
        return np.arange(n_nodes - n_groups, n_nodes, dtype=np.int32)

    def substring(self, node):
        """The longest substring of a node."""
        start = self.suffixes.order[self.nodes.start[node]]
        return self.text.substring(start, self.nodes.depth[node])

    def features(self):
        """Features of the training strings."""
        nodes = self.columns[1:]
        counts = self._counts(nodes)
        first, feature = twins(counts)
        counts, n = counts[first], self.text.n_strings
        gain = np.bincount(feature, self.gain(nodes), len(first))
        gains = np.repeat(gain, np.diff(counts.indptr))
        values = counts.data.astype(np.float64)
        squares = np.bincount(counts.indices, gains * values**2, n)
        values *= np.sqrt(gains)
        shape, index = (len(first) + n, n), small_index(counts.nnz + n)
        parts = (
            np.concatenate([values, np.sqrt(self.own)]),
            np.concatenate([counts.indices, np.arange(n)], dtype=index),
            np.concatenate(
                [counts.indptr, counts.nnz + np.arange(1, n + 1)], dtype=index
            ),
        )
        del counts, gains, values  # as large as what follows
        A = csr_array(csr_array(parts, shape=shape).T)
        return Features(A, self.own + squares, feature, gain)

    def _counts(self, nodes):
        """How often the substrings of some nodes occur in each string."""
        start, size = self.nodes.start[nodes], self.nodes.size[nodes]
        if size.sum(dtype=np.int64) > DEEP * len(self.text.points):
            return self._counts_of_deep_tree()
        owner = self.text.owner[self.suffixes.order]
        # Small integers, also in `runs`: all pieces are held at the same time.
        ones = np.ones(len(owner), dtype=np.int32)
        slots = np.arange(len(owner) + 1, dtype=np.int32)
        strings = csr_array(
            (ones, owner, slots), shape=(len(owner), self.text.n_strings)
        )
        ends = np.cumsum(size, dtype=np.int64)
        n_pieces = max(int(ends[-1:].sum()) // PIECE, n_threads())
        pieces = balanced_slices(ends, n_pieces)
        counts = [None] * len(pieces)

        def work(i):
            piece = pieces[i]
            counts[i] = runs(start[piece], size[piece], len(owner)) @ strings

        run_in_threads(work, range(len(pieces)))
        empty = csr_array((0, self.text.n_strings), dtype=np.int32)
        return csr_array(vstack([empty, *counts], format="csr"))

    def _counts_of_deep_tree(self):
        """The same where long repeats put most suffixes below very many nodes."""
        leaf = np.empty(len(self.text.points), dtype=np.int32)
        leaf[self.suffixes.order] = np.repeat(self.leaves, self.nodes.size[self.leaves])
        counts = csr_array(
            (np.ones(len(leaf)), self.column[leaf], self.text.starts.copy()),
            shape=(self.text.n_strings, len(self.columns)),
        )
        counts.sum_duplicates()
        return csr_array(self.add_above(counts).T)[1:]

    @cached_property
    def ladder(self):
        """Matrices that pass counts from features to those above them.

        Doubling: to the next one above, then to the next two, the next four.
        """
        above, steps = self.column[self.nodes.parent[self.columns]], []
        while above.any():
            steps.append(itself_and(above))
            above = above[above]
        return steps

    def add_above(self, counts):
        """Add counts, of strings by `columns`, to all features above."""
        for step in self.ladder:
            counts = counts @ step
        return counts


@dataclass
class Features:
    """Features of strings.

    Attributes
    ----------
    matrix : csr_array of shape (n_strings, n_features + n_strings)
        A; A @ A.T is the kernel. The last columns are what one string alone has.
    similarity : ndarray of shape (n_strings,)
        Diagonal of the kernel, without the rounding of roots.
    feature : ndarray
        Feature of each node in ``columns[1:]`` of the tree.
    gain : ndarray of shape (n_features,)
        Weight of each feature.
    """

    matrix: csr_array
    similarity: np.ndarray
    feature: np.ndarray
    gain: np.ndarray


def twins(counts):
    """First of the rows that are equal to each row, and which of them it is.

    Rows are told apart by sums of random 64-bit integers: of a million rows
    two different ones are taken for equal once in ten million texts.
    """
    if counts.shape[0] == 0:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    random = np.random.RandomState(0).randint(
        2**63, size=counts.shape[1], dtype=np.int64
    )
    terms = random[counts.indices]
    terms *= counts.data.astype(np.int64)
    sums = np.add.reduceat(terms, counts.indptr[:-1])
    _, first, which = np.unique(sums, return_index=True, return_inverse=True)
    return first, which


def runs(start, size, n_columns):
    """Sparse matrix with a run of ones in each row."""
    n_ones = int(size.sum(dtype=np.int64))
    indptr = np.zeros(len(size) + 1, dtype=small_index(n_ones))
    np.cumsum(size, out=indptr[1:])
    indices = np.repeat(start - indptr[:-1], size)
    indices += np.arange(n_ones, dtype=indices.dtype)
    ones = np.ones(n_ones, dtype=np.int32)
    return csr_array((ones, indices, indptr), shape=(len(start), n_columns))


def itself_and(above):
    """Matrix that adds each column to the one above it, but none to the root's."""
    columns = np.arange(len(above), dtype=np.int32)
    deeper = np.flatnonzero(above)
    rows = np.concatenate([columns, deeper])
    cols = np.concatenate([columns, above[deeper]])
    ones = np.ones(len(rows))
    return csr_array(coo_array((ones, (rows, cols)), shape=(len(above),) * 2))


def self_similarities(text, total):
    """k(x, x) of each string."""
    return SubstringTree.of(text, total, apart=True).own

"""New strings in the tree of substrings of the training strings."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.sparse import coo_array, csr_array

from sklearn_kernelclust._strings._suffix_array import Words


def new_features(tree, features, text):
    """Sparse matrix B of new strings: B @ A.T is their kernel with the old ones.

    A is that of `features`. From each place in a new string the longest match
    is looked up; it counts for all substrings on the way to it.
    """
    words = Words.of(text, tree.alphabet, tree.bound)
    leaf, length = longest_matches(tree, words)
    places = np.flatnonzero(length)
    length = length[places]
    node = climb(tree.nodes, leaf[places], length)
    above = tree.nodes.parent[node]
    part = tree.total[length] - tree.total[tree.nodes.depth[above]]
    string = text.owner[places]
    pieces = [
        _whole_edges(tree, features, string, above, text.n_strings),
        _last_edge(tree, features, string, node, part),
        _of_one_string(tree, features, string, node, above, part),
    ]
    rows, cols, values = (np.concatenate(parts) for parts in zip(*pieces))
    shape = text.n_strings, features.matrix.shape[1]
    return csr_array(coo_array((values, (rows, cols)), shape=shape))


def climb(nodes, node, length):
    """The node below which there is more than is matched: up from the leaves."""
    node = node.copy()
    active = np.arange(len(node))
    while len(active):
        above = nodes.parent[node[active]]
        high = nodes.depth[above] >= length[active]
        active = active[high]
        node[active] = above[high]
    return node


def _whole_edges(tree, features, string, above, n_strings):
    """Features that the match passes in full."""
    shape = n_strings, len(tree.columns)
    ones = np.ones(len(string))
    counts = csr_array(coo_array((ones, (string, tree.column[above])), shape=shape))
    counts = coo_array(tree.add_above(counts))
    kept = counts.col > 0
    rows, cols, values = counts.row[kept], counts.col[kept], counts.data[kept]
    feature = features.feature[cols - 1]
    gain = tree.gain(tree.columns[cols])
    return rows, feature, values * gain / np.sqrt(features.gain[feature])


def _last_edge(tree, features, string, node, part):
    """The feature in which the match ends."""
    kept = (tree.string[node] < 0) & (tree.gain(node) > 0)
    feature = features.feature[tree.column[node[kept]] - 1]
    return string[kept], feature, part[kept] / np.sqrt(features.gain[feature])


def _of_one_string(tree, features, string, node, above, part):
    """The part of the match that only one training string has."""
    owner = tree.string[node]
    kept = np.flatnonzero((owner >= 0) & (tree.own[owner] > 0))
    owner, node, above = owner[kept], node[kept], above[kept]
    values = tree.own_above[above] + part[kept] * tree.nodes.size[node]
    cols = len(features.gain) + owner
    return string[kept], cols, values / np.sqrt(tree.own[owner])


def longest_matches(tree, words):
    """For each suffix, a leaf that shares most letters with it, and how many."""
    first, n_groups = tree.suffixes.first, len(tree.suffixes.first)
    places = np.arange(len(words.left), dtype=np.int32)
    after = insertion(tree, words)
    before = np.maximum(after - 1, 0)
    after = np.minimum(after, n_groups - 1)
    start = np.zeros(len(places), dtype=np.int32)
    left, _ = compare(tree, words, places, first[before], start)
    right, _ = compare(tree, words, places, first[after], start)
    group = np.where(left > right, before, after)
    return tree.leaves[group], np.maximum(left, right)


def insertion(tree, words):
    """The first group that does not come before each suffix."""
    first = tree.suffixes.first
    known = tree.words.values[first]
    low = np.searchsorted(known, words.values, "left").astype(np.int32)
    high = np.searchsorted(known, words.values, "right").astype(np.int32)
    active = np.flatnonzero(low < high)
    low_shares = np.full(len(low), words.width, dtype=np.int32)
    high_shares = low_shares.copy()
    while len(active):
        middle = (low[active] + high[active]) // 2
        shares = np.minimum(low_shares[active], high_shares[active])
        shares, order = compare(tree, words, active, first[middle], shares)
        later = order > 0
        low[active[later]] = middle[later] + 1
        low_shares[active[later]] = shares[later]
        high[active[~later]] = middle[~later]
        high_shares[active[~later]] = shares[~later]
        active = active[low[active] < high[active]]
    return low


def compare(tree, words, places, others, shares):
    """Letters that new and old suffixes share, and which comes first.

    `shares` is how many they are known to share. The order is negative where
    the new suffix comes first, 0 where both are equal up to the bound.
    """
    shares, order = shares.copy(), np.zeros(len(places), dtype=np.int8)
    limit = np.minimum(tree.bound, words.left[places])
    limit = np.minimum(limit, tree.words.left[others])
    active = np.arange(len(places))
    while len(active):
        here = shares[active]
        new = words.at(places[active], here)
        old = tree.words.at(others[active], here)
        too_many = np.maximum(here + words.width - tree.bound, 0) * words.bits
        new, old = new >> too_many, old >> too_many
        order[active] = np.sign(new - old)
        shares[active] += words.common((new ^ old) << too_many)
        active = active[(new == old) & (shares[active] < tree.bound) & (new > 0)]
    return np.minimum(shares, limit), order

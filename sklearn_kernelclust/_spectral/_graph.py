"""A Gram as a graph: objects are vertices, similarities are weights of edges.

Self-similarities are no edges. What storage makes cheap is registered for it;
the rest works on any Gram, by tiles or by rows.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import singledispatch

import numpy as np
from scipy.sparse import bmat, coo_array, issparse
from scipy.sparse.csgraph import connected_components

from sklearn_kernelclust._gram._base import ALL
from sklearn_kernelclust._gram._factored import FactoredGram
from sklearn_kernelclust._gram._stored import DenseGram, SparseGram
from sklearn_kernelclust._gram._tiles import for_each_tile
from sklearn_kernelclust._utils._tolerances import NEGATIVE_WEIGHT

# Entries of the rows that are looked at together.
ROW_ENTRIES = 2**21


class Graph:
    """The weights of a square Gram, without its diagonal.

    Attributes
    ----------
    degree : ndarray
        Sums of the weights of each object, 0 for the isolated ones.
    isolated : ndarray of bool
        Objects whose weights are lost in the rounding of their
        self-similarity, or 0.
    """

    def __init__(self, gram):
        self.gram, self.diagonal = gram, gram.diagonal()
        sums = gram @ np.ones(gram.shape[0], gram.dtype)
        degree = sums - self.diagonal
        self.isolated = degree <= weight_floor(gram.shape[0], self.diagonal)
        self.degree = np.where(self.isolated, 0, degree)

    def restrict(self, kept):
        """The graph of some of the objects, all of whose neighbours are kept."""
        part = object.__new__(Graph)
        part.gram = self.gram.restrict(kept, kept)
        part.diagonal, part.degree = self.diagonal[kept], self.degree[kept]
        part.isolated = self.isolated[kept]
        return part

    def components(self):
        """Number of the connected component of each object, from 0 on.

        An edge counts if it shows beside 1 in the normalised weights.
        """
        found = components(self.gram, 1 / np.sqrt(self.degree))
        return in_order_of_appearance(found)


def weight_floor(n, self_similarity):
    """What a sum of weights must exceed to be more than rounding."""
    eps = np.finfo(self_similarity.dtype).eps
    return 8 * np.sqrt(n) * eps * np.abs(self_similarity)


def check_weights(gram):
    """Refuse negative weights, and say the smallest."""
    low, high = weight_range(gram)
    if low < -NEGATIVE_WEIGHT[gram.dtype] * max(high, -low):
        raise ValueError(
            f"Negative values in data: the smallest affinity is {low:.3g}, and a graph "
            "has no negative weights. Use a kernel that is never negative (rbf, "
            "laplacian), or pass (K + 1) / 2 of a cosine, abs(K) or "
            "np.maximum(K, 0) with kernel='precomputed'."
        )


@singledispatch
def weight_range(gram):
    """Smallest and largest of 0 and all weights: every tile is looked at."""
    found = [(0.0, 0.0)]

    def look(rows, cols, tile):
        # A tile may be a view of what the user gave: it is not written to.
        i = np.arange(max(rows.start, cols.start), min(rows.stop, cols.stop))
        if len(i):
            tile = tile.copy()
            tile[i - rows.start, i - cols.start] = 0
        found.append((tile.min(initial=0), tile.max(initial=0)))

    for_each_tile(gram, look)
    low, high = zip(*found)
    return float(min(low)), float(max(high))


@weight_range.register
def _(gram: DenseGram):
    if gram.K.min() >= 0:
        return 0.0, float(gram.K.max())
    return weight_range.dispatch(object)(gram)


@weight_range.register
def _(gram: SparseGram):
    K = gram.K.tocoo()
    weights = K.data[K.row != K.col]
    return float(weights.min(initial=0)), float(weights.max(initial=0))


@weight_range.register
def _(gram: FactoredGram):
    if _no_negative_factor(gram):
        return 0.0, float(gram.diagonal().max(initial=0))
    return weight_range.dispatch(object)(gram)


@singledispatch
def components(gram, scale):
    """Components by search along the rows, each of which is evaluated once."""
    n, eps = gram.shape[0], np.finfo(gram.dtype).eps
    height = max(ROW_ENTRIES // n, 1)
    label, n_found, n_left = np.full(n, -1), 0, n
    while n_left:
        frontier = np.flatnonzero(label < 0)[:1]
        label[frontier], n_left = n_found, n_left - 1
        while len(frontier) and n_left:
            batch, frontier = frontier[:height], frontier[height:]
            block = gram.restrict(batch, ALL).toarray()
            linked = (block * scale > eps / scale[batch][:, None]).any(axis=0)
            new = np.flatnonzero(linked & (label < 0))
            label[new], n_left = n_found, n_left - len(new)
            frontier = np.concatenate([frontier, new])
        n_found += 1
    return label


@components.register
def _(gram: SparseGram, scale):
    K = gram.K.tocoo()
    normalized = scale[K.row] * K.data * scale[K.col]
    kept = normalized > np.finfo(gram.dtype).eps
    edges = coo_array((normalized[kept], (K.row[kept], K.col[kept])), K.shape)
    return connected_components(edges.tocsr(), directed=False)[1]


@components.register
def _(gram: FactoredGram, scale):
    if not (gram.A is gram.B and issparse(gram.A) and _no_negative_factor(gram)):
        return components.dispatch(object)(gram, scale)
    # Two documents are linked if they share a term: walk over the terms.
    A = coo_array(gram.A)
    A.eliminate_zeros()
    both = bmat([[None, A], [A.T, None]], format="csr")
    return connected_components(both, directed=False)[1][: gram.shape[0]]


def _no_negative_factor(gram):
    return gram.A.min() >= 0 and (gram.A is gram.B or gram.B.min() >= 0)


def in_order_of_appearance(labels):
    """The same partition with the labels 0, 1, ... in the order they come up."""
    _, first, code = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.intp)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[code]


def grouped(component, k):
    """At most `k` groups: the k - 1 largest components, and all others together.

    Of components of the same size the first comes first.
    """
    size = np.bincount(component)
    if len(size) <= k:
        return component
    group = np.full(len(size), k - 1)
    group[np.argsort(-size, kind="stable")[: k - 1]] = np.arange(k - 1)
    return in_order_of_appearance(group[component])

"""A Gram as a graph: objects are vertices, similarities are weights of edges.

Self-similarities are no edges.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from sklearn_kernelclust._gram._without_diagonal import without_diagonal
from sklearn_kernelclust._utils._tolerances import NEGATIVE_WEIGHT
from sklearn_kernelclust._utils._warnings import warn_user

# A sum of weights below so many roots of the rounding, relative to the self-similarity,
# would lose so many digits beside it that eigenvectors could not be found.
HIDDEN = 16


class Graph:
    """The weights of a square Gram, without its diagonal.

    Attributes
    ----------
    degree : ndarray
        Sums of the weights of each object, 0 for the isolated ones.
    isolated : ndarray of bool
        Objects whose weights are lost in the rounding of their
        self-similarity, or 0.
    weights, loops : Gram, ndarray
        The Gram to multiply by, and its diagonal, which is not part of the graph: the
        given one, or one without a diagonal that would hide small weights.
    """

    def __init__(self, gram):
        self.gram, self.diagonal = gram, gram.diagonal()
        self.weights, self.loops = gram, self.diagonal
        ones, size = np.ones(gram.shape[0], gram.dtype), np.abs(self.diagonal)
        degree = gram @ ones - self.diagonal
        self.isolated = degree <= weight_floor(gram.shape[0], self.diagonal)
        hidden = degree < HIDDEN * np.sqrt(np.finfo(gram.dtype).eps) * size
        if (hidden & ~self.isolated).any():
            self.weights = without_diagonal(gram)
            self.loops = self.weights.diagonal()
            degree = self.weights @ ones - self.loops
        self.degree = np.where(self.isolated, 0, degree)

    def restrict(self, kept):
        """The graph of a subset that contains all neighbors of its objects."""
        part = object.__new__(Graph)
        part.gram = self.gram.restrict(kept, kept)
        part.weights = part.gram
        if self.weights is not self.gram:
            part.weights = self.weights.restrict(kept, kept)
        part.diagonal, part.degree = self.diagonal[kept], self.degree[kept]
        part.isolated, part.loops = self.isolated[kept], self.loops[kept]
        return part

    def components(self):
        """Number of the connected component of each object, from 0 on.

        An edge counts if it shows beside 1 in the normalised weights.
        """
        scale = 1 / np.sqrt(self.degree)
        return in_order_of_appearance(self.gram.connected_components(scale))


def weight_floor(n, self_similarity):
    """Threshold above which a sum of weights is more than rounding."""
    eps = np.finfo(self_similarity.dtype).eps
    return 8 * np.sqrt(n) * eps * np.abs(self_similarity)


def check_weights(gram):
    """Refuse negative weights; the message has the smallest."""
    low, high = gram.entry_range()
    if low < -NEGATIVE_WEIGHT[gram.dtype] * max(high, -low):
        raise ValueError(
            f"Negative values in data: the smallest affinity is {low:.3g}, and a graph "
            "has no negative weights. Use a kernel that is never negative (rbf, "
            "laplacian), or pass (K + 1) / 2 of a cosine, abs(K) or "
            "np.maximum(K, 0) with kernel='precomputed'."
        )


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


def warn_of_leftovers(graph, component, labels, n_clusters):
    """Warn of components and objects that are no cluster of their own."""
    sizes = np.bincount(component)
    if len(sizes) > n_clusters:
        rest = np.sort(sizes)[: len(sizes) - n_clusters + 1]
        warn_user(
            f"The graph has {len(sizes)} connected components, more than "
            f"n_clusters={n_clusters}: the {n_clusters - 1} largest are "
            f"clusters, and the {len(rest)} others, of {rest.min()} to "
            f"{rest.max()} objects, are one together.",
        )
    if graph.isolated.any():
        warn_user(
            f"{np.count_nonzero(graph.isolated)} of {len(graph.isolated)} objects "
            f"are isolated (the first is object {graph.isolated.argmax()}): "
            "similar to no other, they join the largest cluster.",
        )
    if labels.max() + 1 < n_clusters:
        warn_user(
            f"Number of distinct clusters ({labels.max() + 1}) found smaller than "
            f"n_clusters ({n_clusters}).",
            ConvergenceWarning,
        )

"""Describe clusters: the words that distinguish them, their central documents."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array, issparse

N_TERMS = 8
SNIPPET = 100


@dataclass
class Cluster:
    """Description of a cluster.

    Attributes
    ----------
    label : int
        Label of the cluster in the model.
    terms : list of str
        Terms that distinguish the cluster, best first; empty if there are none.
    members : list of int
        Its documents, the nearest to its mean first.
    """

    label: int
    terms: list
    members: list

    @property
    def size(self):
        """Number of documents."""
        return len(self.members)


def describe(labels, gram, terms):
    """Describe all clusters, the largest first.

    Parameters
    ----------
    labels : ndarray of int
        Cluster of each document.
    gram : Gram
        Kernel of the documents, before its diagonal is shifted.
    terms : dict of lists of str
        Terms of each label.
    """
    clusters = [
        Cluster(c, terms.get(c, []), members)
        for c, members in nearest_first(gram, labels).items()
    ]
    return sorted(clusters, key=lambda cluster: (-cluster.size, cluster.label))


def nearest_first(gram, labels):
    """Sort the documents of each cluster by their distance to its mean."""
    squared = squared_distances(gram, labels)
    # An empty document may be the nearest, but is not typical.
    squared[gram.diagonal() == 0] = np.inf
    members_of = {}
    for c in np.unique(labels).tolist():
        members = np.flatnonzero(labels == c)
        members_of[c] = members[np.argsort(squared[members], kind="stable")].tolist()
    return members_of


def squared_distances(gram, labels):
    """Squared distance of each document to the mean of its cluster."""
    means = _means(labels)
    to_means = (gram @ means)[np.arange(len(labels)), labels]
    of_means = np.bincount(labels, to_means) / np.maximum(np.bincount(labels), 1)
    return np.maximum(gram.diagonal() - 2 * to_means + of_means[labels], 0)


def top_words(X, names, labels, n=N_TERMS):
    """Words whose mean weight in a cluster exceeds that outside it the most."""
    inside = _mean_rows(X, labels)
    sizes = np.bincount(labels)[:, None]
    total = (sizes * inside).sum(axis=0)
    outside = (total - sizes * inside) / np.maximum(len(labels) - sizes, 1)
    return {
        c: [names[j] for j in _largest(inside[c] - outside[c], n)]
        for c in np.unique(labels).tolist()
    }


def top_features(X, labels, names=(), n=N_TERMS):
    """Columns whose mean in a cluster is most standard deviations off the mean."""
    names = names or [f"column {j + 1}" for j in range(X.shape[1])]
    inside = _mean_rows(X, labels)
    mean = np.asarray(X.mean(axis=0)).ravel()
    squares = X.multiply(X) if issparse(X) else np.square(X, dtype=np.float64)
    variance = np.asarray(squares.mean(axis=0)).ravel() - mean**2
    deviation = np.sqrt(np.maximum(variance, 0))
    off = np.divide(
        inside - mean, deviation, out=np.zeros_like(inside), where=deviation > 0
    )
    return {
        c: [
            f"{names[j]} ({off[c, j]:+.1f})"
            for j in _largest(abs(off[c]), n, above=0.05)
        ]
        for c in np.unique(labels).tolist()
    }


def snippet(text, width=SNIPPET):
    """Beginning of a text, on one line."""
    words = " ".join(text[: 20 * width].split())
    return words if len(words) <= width else words[: width - 3].rstrip() + "..."


def _largest(weights, n, above=0.0):
    """Indices of the largest weights above a limit, the largest first."""
    best = np.argsort(-weights, kind="stable")[:n]
    return best[weights[best] > above].tolist()


def _means(labels):
    sizes = np.bincount(labels)
    n = len(labels)
    weights = 1 / sizes[labels]
    return csr_array((weights, labels, np.arange(n + 1)), shape=(n, len(sizes)))


def _mean_rows(X, labels):
    means = _means(labels).T @ X
    return means.toarray() if issparse(means) else np.asarray(means, dtype=np.float64)

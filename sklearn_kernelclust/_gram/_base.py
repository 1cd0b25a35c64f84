"""The Gram: a kernel matrix known by its verbs, not by its storage.

No algorithm of this package sees how a kernel matrix is held. It asks for
products, for the diagonal, for a part; each kind of Gram answers in the way
that its storage makes cheap. This file has what all share. The leaves are in
``_stored_grams``, ``_factored_gram`` and ``_chunked_gram``; ``_gram_wrappers``
has the Grams made of other Grams.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_kernelclust._gram._cluster_sums import ArrayClusterSums
from sklearn_kernelclust._gram._tiles import for_each_pair, for_each_tile, tiled_product
from sklearn_kernelclust._utils._memory import require_memory
from sklearn_kernelclust._utils._threads import n_threads

ALL = slice(None)


class Gram:
    """A kernel matrix of row objects against column objects.

    Verbs: ``shape``, ``dtype``, ``gram @ Z`` with a dense or sparse block,
    ``diagonal()`` (self-similarities of the **row** objects), ``T``,
    ``restrict(rows, cols)``, ``squared_row_norms()``,
    ``prefix_sums(order)``, ``factor()``, ``toarray()``. A subclass says how a
    tile of it is computed (`_tile`), what its transpose and its parts are, and
    overrides the product where it knows a cheaper way.

    Parameters
    ----------
    shape, dtype
        As of an array.
    row_diagonal, col_diagonal : ndarray or None
        Self-similarities of the row and of the column objects, None if they
        cannot be known.
    symmetric : bool
        Whether rows and columns are the same objects in the same order.
    """

    ndim = 2
    evaluated = True  # whether a product computes entries that are not stored
    __array_ufunc__ = None  # an array on the left must not take us for a scalar

    def __init__(self, shape, dtype, row_diagonal, col_diagonal, symmetric=False):
        self.shape, self.dtype = tuple(shape), np.dtype(dtype)
        self._row_diagonal, self._col_diagonal = row_diagonal, col_diagonal
        self.symmetric = symmetric

    def __repr__(self):
        return f"<{type(self).__name__} of shape {self.shape}, {self.dtype}>"

    @property
    def cost(self):
        """Multiply-adds of a product with one dense column."""
        return self.shape[0] * self.shape[1]

    def diagonal(self):
        """Self-similarities k(x, x) of the row objects."""
        if self._row_diagonal is None:
            raise ValueError(
                "The self-similarities k(y, y) of the row objects are not in a "
                "precomputed block of new rows. Pass them as self_similarity= "
                "where that is offered, or give features with a kernel."
            )
        return self._row_diagonal

    def __matmul__(self, Z):
        if Z.shape[0] != self.shape[1]:
            raise ValueError(f"Cannot multiply {self.shape} by {Z.shape}.")
        if Z.ndim == 1:
            return self._product(Z[:, None])[:, 0]
        return self._product(Z)

    def matvec(self, v):
        """Product with one vector, the name scipy's solvers call it by."""
        return self @ v

    def restrict(self, rows=ALL, cols=ALL):
        """Gram of some of the row and of the column objects, in that order."""
        rows, cols = as_index(rows), as_index(cols)
        part = self._part(rows, cols)
        part.symmetric = self.symmetric and same_index(rows, cols)
        return part

    def toarray(self):
        """Dense matrix; refused before it is allocated if it does not fit."""
        require_memory(
            self.shape,
            self.dtype,
            "Keep it lazy (lazy=True), restrict it, or use float32.",
        )
        K = np.empty(self.shape, dtype=self.dtype)

        def fill(rows, cols, tile):
            K[rows, cols] = tile

        def fill_both(worker, rows, cols, tile):
            K[rows, cols] = tile
            K[cols, rows] = tile.T

        if not self.symmetric:
            for_each_tile(self, fill)
            return K
        for_each_pair(self, fill_both, n_threads())
        if self._row_diagonal is not None:
            np.fill_diagonal(K, self._row_diagonal)
        return K

    def squared_row_norms(self):
        """Sums of the squares of the entries of each row, in one pass.

        In float64: squares leave the range of float32 long before entries do.
        """
        norms = np.zeros(self.shape[0])

        def add(rows, cols, tile):
            norms[rows] += np.einsum("ij,ij->i", tile, tile, dtype=np.float64)

        for_each_tile(self, add)
        return norms

    def prefix_sums(self, order):
        """Similarities of each object to all that are before it in an order.

        Entry t is ``sum_{s < t} K[order[t], order[s]]``; all come from one
        pass over a square Gram.
        """
        rank = np.empty(len(order), dtype=np.intp)
        rank[order] = np.arange(len(order))
        sums = np.zeros(len(order))

        def add(rows, cols, tile):
            np.putmask(tile, rank[cols] >= rank[rows][:, None], 0)
            sums[rows] += tile.sum(axis=1)

        for_each_tile(self, add)
        return sums[order]

    def cluster_sums(self, n_clusters, weight=None, self_similarity=None):
        """Sums over the clusters of several runs of k-means; see `ClusterSums`."""
        return ArrayClusterSums(self, n_clusters, weight, self_similarity)

    def factor(self):
        """A dense A with ``A @ A.T`` equal to this Gram; None if there is none."""
        return None

    def _product(self, Z):
        return tiled_product(self, Z)


def as_index(index):
    """A slice as it is, anything else as an array of integers (empty ones too)."""
    if isinstance(index, slice):
        return index
    index = np.asarray(index)
    return index if index.dtype.kind == "b" else index.astype(np.intp, copy=False)


def same_index(rows, cols):
    """Whether two indices take the same objects in the same order."""
    if isinstance(rows, slice) and isinstance(cols, slice):
        return rows == cols
    if isinstance(rows, slice) or isinstance(cols, slice):
        return False
    return rows is cols or np.array_equal(rows, cols)


def take(vector, index):
    """Part of a vector that may be unknown."""
    return None if vector is None else vector[index]

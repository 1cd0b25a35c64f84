"""The work of a Gram whose tiles are numpy arrays. Its counterpart is ``_device``."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.sparse import issparse
from sklearn import get_config

from sklearn_kernelclust._gram._cluster_sums import ArrayClusterSums
from sklearn_kernelclust._gram._graph_search import components_by_rows, range_by_tiles
from sklearn_kernelclust._gram._passes import (
    dense_by_tiles,
    diagonal_by_tiles,
    prefix_sums_by_tiles,
    squared_norms_by_tiles,
)
from sklearn_kernelclust._gram._tiles import tiled_product
from sklearn_kernelclust._gram._weighted_sums import forms_by_parts, kernel_of_sums


class Host:
    """Where the tiles of a Gram are, and what one pass over them gives there.

    Blocks are numpy arrays or sparse matrices.
    """

    arrays = None
    cluster_sums = ArrayClusterSums
    product = staticmethod(tiled_product)
    dense = staticmethod(dense_by_tiles)
    diagonal = staticmethod(diagonal_by_tiles)
    squared_row_norms = staticmethod(squared_norms_by_tiles)
    prefix_sums = staticmethod(prefix_sums_by_tiles)
    entry_range = staticmethod(range_by_tiles)
    connected_components = staticmethod(components_by_rows)
    kernel_of_sums = staticmethod(kernel_of_sums)
    quadratic_forms = staticmethod(forms_by_parts)

    def storage(self):
        """Bytes that a stored matrix may take."""
        return get_config()["working_memory"] * 2**20

    def multiply(self, gram, Z):
        """``gram @ Z`` for a vector or a block."""
        if Z.ndim == 1:
            return gram._product(Z[:, None])[:, 0]
        return gram._product(Z)

    def array(self, gram):
        """The dense matrix where the tiles are, of a Gram that fits."""
        return gram.toarray()

    def native(self, vector):
        """A vector of the host where the tiles are."""
        return vector

    def astype(self, tile, dtype):
        """A tile in another type."""
        return tile.astype(dtype, copy=False)

    def set_at(self, K, rows, cols, values):
        """Set different entries of a matrix, in place."""
        K[rows, cols] = values

    def add_at(self, tile, rows, cols, value):
        """Add a number to different entries of a tile, in place."""
        tile[rows, cols] += tile.dtype.type(value)

    def left_product(self, A, Z):
        """``A @ Z`` for a sparse matrix `A` of the host."""
        product = A @ Z
        return product.toarray() if issparse(product) else product

    def scaled_rows(self, scale, Z):
        """``diag(scale) @ Z``."""
        if issparse(Z):
            return Z.multiply(scale[:, None]).tocsr()
        return scale[:, None] * Z

    def column_sums(self, Z):
        """Sums of the columns of a block."""
        return np.asarray(Z.sum(axis=0)).ravel()

    def weighted_sums(self, weight, Z):
        """``weight @ Z``."""
        if issparse(Z):
            return self.left_product(weight[None, :], Z).ravel()
        return np.einsum("i,ij->j", weight, Z)


HOST = Host()

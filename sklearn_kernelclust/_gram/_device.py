"""The work of a Gram whose tiles are arrays of another namespace, such as a GPU's.

Tiles, blocks and sums stay on the device. What algorithms see are numpy arrays:
products, self-similarities and sums of rows, which are small beside the tiles. Its
counterpart is ``_host``.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.sparse import csr_array, issparse
from sklearn import get_config

from sklearn_kernelclust._gram._device_sums import DeviceClusterSums
from sklearn_kernelclust._gram._graph_search import components_by_rows
from sklearn_kernelclust._gram._weighted_sums import forms_by_parts, kernel_of_sums
from sklearn_kernelclust._utils._threads import batches

# Tiles of so many columns, and of no more entries: larger ones are no faster.
TILE_WIDTH = 2**14
TILE_ENTRIES = 2**28

# A tile is worked on in place or in up to so many copies.
COPIES = 4

# Rows of the blocks on the diagonal that are evaluated for self-similarities.
DIAGONAL_ROWS = 256


class Device:
    """Where the tiles of a Gram are, and what one pass over them gives there.

    Parameters
    ----------
    arrays : Arrays
        The namespace and the device.
    """

    cluster_sums = DeviceClusterSums
    connected_components = staticmethod(components_by_rows)
    kernel_of_sums = staticmethod(kernel_of_sums)
    quadratic_forms = staticmethod(forms_by_parts)

    def __init__(self, arrays):
        self.arrays = arrays

    def storage(self):
        """Bytes that a stored matrix may take."""
        free = self.arrays.free_memory()
        return get_config()["working_memory"] * 2**20 if free is None else free // 4

    # From the host and back

    def native(self, vector):
        """A vector of the host where the tiles are."""
        return self.arrays.native(vector)

    def multiply(self, gram, Z):
        """``gram @ Z``: on the host for a block of the host, else on the device."""
        if not issparse(Z) and self.arrays.owns(Z):
            block = self.astype(Z if Z.ndim == 2 else Z[:, None], gram.dtype)
            product = gram._product(block)
            return product if Z.ndim == 2 else product[:, 0]
        dtype, vector = np.result_type(gram.dtype, Z.dtype), Z.ndim == 1
        if issparse(Z):
            Z = csr_array(Z)
            used = np.flatnonzero(np.diff(Z.indptr))
            if 2 * len(used) < Z.shape[0]:
                gram, Z = gram.restrict(slice(None), used), Z[used]
            Z = Z.toarray()
        Z = Z[:, None] if vector else Z
        product = gram._product(self.arrays.native(Z, gram.dtype))
        product = self.arrays.host(product).astype(dtype, copy=False)
        return product[:, 0] if vector else product

    def dense(self, gram):
        """The dense matrix, on the host."""
        K = self.arrays.host(gram.native_array())
        return K if K.flags.writeable else K.copy()

    # Passes over tiles

    def tiles(self, gram, half=False):
        """Slices of rows and columns of the tiles, with `half` on one side only."""
        height, width = self.tile_shape(gram, half)
        for rows in batches(gram.shape[0], height):
            for cols in batches(gram.shape[1], width):
                if not half or cols.start >= rows.start:
                    yield rows, cols

    def tile_shape(self, gram, square=False):
        """Rows and columns of a tile within the memory that is granted."""
        budget = get_config()["working_memory"] * 2**20
        free = self.arrays.free_memory()
        if free is not None:
            budget = min(budget, free // (2 * COPIES))
        entries = max(min(int(budget) // gram.dtype.itemsize, TILE_ENTRIES), 1)
        width = max(min(TILE_WIDTH, gram.shape[1], int(entries**0.5)), 1)
        return (width if square else max(entries // width, 1)), width

    def product(self, gram, Z):
        """``gram @ Z`` by tiles; a symmetric Gram is evaluated by half."""
        arrays, half = self.arrays, gram.symmetric
        sums = arrays.zeros((gram.shape[0], Z.shape[1]), arrays.wide)
        for rows, cols in self.tiles(gram, half):
            tile = gram._tile(rows, cols)
            sums[rows, :] += self.astype(tile @ Z[cols, :], arrays.wide)
            if half and rows != cols:
                sums[cols, :] += self.astype(tile.T @ Z[rows, :], arrays.wide)
        return sums

    def array(self, gram):
        """The dense matrix on the device; of a symmetric Gram exactly symmetric."""
        half, K = gram.symmetric, self.arrays.zeros(gram.shape, gram.dtype)
        for rows, cols in self.tiles(gram, half):
            tile = gram._tile(rows, cols)
            if half and rows == cols:
                tile = self.arrays.xp.tril(tile, k=-1)
                tile = tile + tile.T
                self._set_diagonal(tile, gram.self_similarity[rows].astype(gram.dtype))
            K[rows, cols] = tile
            if half and rows != cols:
                K[cols, rows] = tile.T
        return K

    def _set_diagonal(self, tile, values):
        """Put values of the host on a diagonal of zeros."""
        i = np.arange(len(values))
        tile += self.arrays.scattered(tile.shape, i, i, values, values.dtype)

    def diagonal(self, gram):
        """Self-similarities of a symmetric Gram, from small tiles on the diagonal."""
        parts = [np.empty(0, gram.dtype)]
        for rows in batches(gram.shape[0], DIAGONAL_ROWS):
            i = np.arange(rows.stop - rows.start)
            tile = gram._tile(rows, rows)
            parts.append(self.arrays.host(self.arrays.at(tile, i, i)))
        return np.concatenate(parts)

    def squared_row_norms(self, gram):
        """Sums of the squares of the entries of each row, in the widest type."""
        arrays = self.arrays
        norms = arrays.zeros(gram.shape[0], arrays.wide)
        for rows, cols in self.tiles(gram):
            norms[rows] += arrays.squared_lengths(gram._tile(rows, cols))
        return arrays.host(norms).astype(np.float64)

    def prefix_sums(self, gram, order):
        """Similarities of each object to all that are before it in an order."""
        arrays, xp = self.arrays, self.arrays.xp
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = np.arange(len(order))
        rank, sums = arrays.native(rank), arrays.zeros(len(order), arrays.wide)
        for rows, cols in self.tiles(gram):
            tile = gram._tile(rows, cols)
            tile *= self.astype(rank[cols] < rank[rows][:, None], gram.dtype)
            sums[rows] += xp.sum(self.astype(tile, arrays.wide), axis=1)
        return arrays.host(sums).astype(np.float64)[order]

    def entry_range(self, gram):
        """Smallest and largest of 0 and all entries off the diagonal."""
        low, high = 0.0, 0.0
        for rows, cols in self.tiles(gram):
            tile = gram._tile(rows, cols)
            i = np.arange(max(rows.start, cols.start), min(rows.stop, cols.stop))
            if len(i):
                index = self.arrays.arange(gram.shape[0])
                tile *= self.astype(index[rows][:, None] != index[cols], gram.dtype)
            low = min(low, float(self.arrays.xp.min(tile)))
            high = max(high, float(self.arrays.xp.max(tile)))
        return low, high

    # Operations on tiles and blocks

    def astype(self, tile, dtype):
        """A tile in another type, given as a numpy one."""
        return self.arrays.astype(tile, dtype)

    def set_at(self, K, rows, cols, values):
        """Set different entries of a matrix, in place."""
        if len(rows):
            change = values - self.arrays.host(self.arrays.at(K, rows, cols))
            self.arrays.add_at(K, rows, cols, change)

    def add_at(self, tile, rows, cols, value):
        """Add a number to different entries of a tile, in place."""
        if len(rows):
            self.arrays.add_at(tile, rows, cols, np.full(len(rows), value))

    def left_product(self, A, Z):
        """``A @ Z`` for a sparse matrix `A` of the host, most often a few ones."""
        length, index = np.diff(A.indptr), np.zeros(A.shape[0], dtype=np.int64)
        if (length > 1).any():
            product = A @ self.arrays.host(Z).astype(np.float64)
            return self.arrays.native(product, self.arrays.wide)
        index[length > 0] = A.indices
        values = np.zeros(A.shape[0])
        values[length > 0] = A.data
        if not len(A.indices):
            return self.arrays.zeros((A.shape[0], Z.shape[1]), self.arrays.wide)
        rows = self.astype(self.arrays.take(Z, index), self.arrays.wide)
        return self.arrays.native(values)[:, None] * rows

    def scaled_rows(self, scale, Z):
        """``diag(scale) @ Z``."""
        return scale[:, None] * Z

    def column_sums(self, Z):
        """Sums of the columns of a block."""
        return self.arrays.xp.sum(self.astype(Z, self.arrays.wide), axis=0)

    def weighted_sums(self, weight, Z):
        """``weight @ Z``."""
        wide = self.arrays.wide
        return self.astype(weight, wide) @ self.astype(Z, wide)

"""What one pass over the tiles of a Gram gives: defaults of its verbs."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_kernelclust._gram._tiles import for_each_pair, for_each_tile
from sklearn_kernelclust._utils._threads import batches, n_threads

# Rows of the blocks on the diagonal that are evaluated for self-similarities.
DIAGONAL_ROWS = 32

# Rows of the blocks in which one half of a matrix is copied to the other, and
# what is above the diagonal of such a block.
MIRROR_ROWS = 64
ABOVE = np.triu(np.ones((MIRROR_ROWS, MIRROR_ROWS), dtype=bool), 1)


def dense_by_tiles(gram):
    """The dense matrix; of a symmetric Gram one half is evaluated and mirrored."""
    K = np.empty(gram.shape, dtype=gram.dtype)

    def fill(rows, cols, tile):
        K[rows, cols] = tile

    def fill_both(worker, rows, cols, tile):
        K[rows, cols] = mirror(tile) if rows == cols else tile
        if rows != cols:
            K[cols, rows] = tile.T

    if not gram.symmetric:
        for_each_tile(gram, fill)
        return K
    for_each_pair(gram, fill_both, n_threads())
    np.fill_diagonal(K, gram.self_similarity)
    return K


def mirror(K):
    """Copy the lower half of a square array to the upper one, in place."""
    for rows in batches(len(K), MIRROR_ROWS):
        block = K[rows, rows]
        np.copyto(block, block.T, where=ABOVE[: len(block), : len(block)])
        K[rows, rows.stop :] = K[rows.stop :, rows].T
    return K


def diagonal_by_tiles(gram):
    """Self-similarities of a symmetric Gram, from small tiles on the diagonal."""
    blocks = batches(gram.shape[0], DIAGONAL_ROWS)
    tiles = [gram._tile(rows, rows).diagonal() for rows in blocks]
    return np.concatenate([np.empty(0, gram.dtype), *tiles])


def squared_norms_by_tiles(gram):
    """Sums of the squares of the entries of each row, in float64."""
    norms = np.zeros(gram.shape[0])

    def add(rows, cols, tile):
        norms[rows] += np.einsum("ij,ij->i", tile, tile, dtype=np.float64)

    for_each_tile(gram, add)
    return norms


def prefix_sums_by_tiles(gram, order):
    """Similarities of each object to all that are before it in an order."""
    rank = np.empty(len(order), dtype=np.intp)
    rank[order] = np.arange(len(order))
    sums = np.zeros(len(order))

    def add(rows, cols, tile):
        np.putmask(tile, rank[cols] >= rank[rows][:, None], 0)
        sums[rows] += tile.sum(axis=1)

    for_each_tile(gram, add)
    return sums[order]

"""A square Gram as a graph: the defaults that work on any kind of Gram.

Objects are vertices, similarities are weights of edges, and self-similarities
are no edges.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_kernelclust._gram._tiles import for_each_tile

# Entries of the rows that are looked at together.
ROW_ENTRIES = 2**21


def range_by_tiles(gram):
    """Smallest and largest of 0 and all entries off the diagonal."""
    ranges = [(0.0, 0.0)]

    def look(rows, cols, tile):
        i = np.arange(max(rows.start, cols.start), min(rows.stop, cols.stop))
        tile[i - rows.start, i - cols.start] = 0
        ranges.append((tile.min(initial=0), tile.max(initial=0)))

    for_each_tile(gram, look)
    low, high = zip(*ranges)
    return float(min(low)), float(max(high))


def components_by_rows(gram, scale):
    """Connected components by search along the rows, each evaluated once."""
    n, eps = gram.shape[0], np.finfo(gram.dtype).eps
    height = max(ROW_ENTRIES // max(n, 1), 1)
    component, n_components, n_left = np.full(n, -1), 0, n
    while n_left:
        frontier = np.flatnonzero(component < 0)[:1]
        component[frontier], n_left = n_components, n_left - 1
        while len(frontier) and n_left:
            batch, frontier = frontier[:height], frontier[height:]
            block = gram.restrict(batch).toarray()
            linked = (block * scale > eps / scale[batch][:, None]).any(axis=0)
            new = np.flatnonzero(linked & (component < 0))
            component[new], n_left = n_components, n_left - len(new)
            frontier = np.concatenate([frontier, new])
        n_components += 1
    return component

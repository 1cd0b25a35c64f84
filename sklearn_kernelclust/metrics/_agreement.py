"""Agreement of two partitions, and its mean over random partitions.

Everything is computed from the contingency table of two partitions of the same
objects: entry (h, l) counts the objects of cluster h that are predicted to be in l.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import lru_cache

import numpy as np
from scipy.optimize import linear_sum_assignment

from sklearn_kernelclust._utils._arrays import on_host
from sklearn_kernelclust._utils._threads import batches

# Number of pairs of random partitions that estimate the expected value. With many
# clusters fewer are enough: they differ less, and cost more.
N_RANDOM, FEWEST = 1000, 10

# Number of cells of the tables that are drawn, in all and at a time.
CELLS, CELLS_AT_A_TIME = 2**24, 2**20

# Number of pairs for a callable criterion, which costs more.
N_RANDOM_CALLS = 100


def table_of(labels, predicted):
    """Contingency table of labels that may be anything that can be sorted."""
    (n_rows, row), (n_cols, col) = codes(labels), codes(predicted)
    cells = np.bincount(row * n_cols + col, minlength=n_rows * n_cols)
    table = cells.reshape(n_rows, n_cols)
    return table[table.any(axis=1)][:, table.any(axis=0)]


def codes(labels):
    """Labels as integers, and a number above all of them.

    Small integers are returned as they are, which saves sorting them.
    """
    labels = np.asarray(on_host(labels))
    if labels.dtype.kind in "iu" and labels.size and labels.min() >= 0:
        largest = int(labels.max())
        if largest <= labels.size:
            return largest + 1, labels.astype(np.intp, copy=False)
    distinct, code = np.unique(labels, return_inverse=True)
    return len(distinct), code


def prediction_strength(tables):
    """Share of the pairs of a cluster that stay together, for the worst cluster.

    A cluster of one object has no pair and is left out. If no cluster has a pair,
    the strength is 0.
    """
    tables = np.asarray(tables, dtype=np.float64)
    size = tables.sum(axis=-1)
    pairs = size * (size - 1)
    together = (tables * (tables - 1)).sum(axis=-1)
    share = np.divide(together, pairs, out=np.full(size.shape, np.inf), where=pairs > 0)
    worst = share.min(axis=-1)
    return np.where(np.isinf(worst), 0.0, worst)


def partition_similarity(tables):
    """Share of the objects on which two partitions agree, in the best matching."""
    tables = np.asarray(tables)
    flat = tables.reshape(-1, *tables.shape[-2:])
    agree = [t[linear_sum_assignment(t, maximize=True)].sum() for t in flat]
    return np.reshape(agree, tables.shape[:-2]) / tables.sum(axis=(-2, -1))


CRITERIA = {
    "prediction-strength": prediction_strength,
    "partition-similarity": partition_similarity,
}


def agreement(criterion, labels, predicted, table=None):
    """Value of a criterion, given by name or as a function of two labelings.

    Their contingency table is made if it is not given.
    """
    if callable(criterion):
        return float(criterion(labels, predicted))
    table = table_of(labels, predicted) if table is None else table
    return float(CRITERIA[criterion](table))


def expected_agreement(criterion, n_objects, n_clusters):
    """Mean of a criterion over pairs of random partitions.

    Each object is in each of the clusters with the same probability. The draws
    depend on nothing but the arguments, so that equal partitions have equal
    scores.
    """
    if not callable(criterion):
        return _expected_of_tables(criterion, n_objects, n_clusters)
    rng = np.random.RandomState(0)
    drawn = rng.randint(n_clusters, size=(N_RANDOM_CALLS, 2, n_objects))
    return float(np.mean([criterion(*pair) for pair in drawn]))


@lru_cache(maxsize=4096)
def _expected_of_tables(criterion, n_objects, n_clusters):
    """The same for a named criterion: draws tables instead of partitions."""
    n_cells, rng = n_clusters**2, np.random.RandomState(0)
    n_drawn = min(max(CELLS // n_cells, FEWEST), N_RANDOM)
    values = np.empty(n_drawn)
    for part in batches(n_drawn, max(CELLS_AT_A_TIME // n_cells, 1)):
        size = part.stop - part.start
        tables = rng.multinomial(n_objects, np.full(n_cells, 1 / n_cells), size)
        tables = tables.reshape(size, n_clusters, n_clusters)
        values[part] = CRITERIA[criterion](tables)
    return float(values.mean())


def above_chance(value, expected):
    """Values corrected for chance: 0 for the expected value, 1 for the best."""
    expected = np.asarray(expected, dtype=np.float64)
    room = np.where(expected < 1, 1 - expected, 1)
    return np.where(expected < 1, (value - expected) / room, value * 0)

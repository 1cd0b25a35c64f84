"""How well two partitions agree, and how well two random ones would.

Everything is read off the table of two partitions of the same objects, whose
entry (h, l) counts the objects of cluster h that were predicted to be in l.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import lru_cache

import numpy as np
from scipy.optimize import linear_sum_assignment

from sklearn_kernelclust._utils._threads import batches

# Pairs of random partitions whose mean stands for the expected value. Of many
# clusters fewer are enough: they differ less, and cost more.
N_RANDOM, FEWEST = 1000, 10

# Cells of the tables that are drawn in all, and at a time.
CELLS, CELLS_AT_A_TIME = 2**24, 2**20

# For a criterion of the user, which costs more.
N_RANDOM_CALLS = 100


def table_of(labels, predicted):
    """Counts of the pairs of labels, which may be anything that can be sorted."""
    (n_rows, row), (n_cols, col) = codes(labels), codes(predicted)
    cells = np.bincount(row * n_cols + col, minlength=n_rows * n_cols)
    table = cells.reshape(n_rows, n_cols)
    return table[table.any(axis=1)][:, table.any(axis=0)]


def codes(labels):
    """A bound, and integers below it that say the same as the labels.

    Small integers stay as they are: to sort them would take longer.
    """
    labels = np.asarray(labels)
    if labels.dtype.kind in "iu" and labels.size and labels.min() >= 0:
        largest = int(labels.max())
        if largest <= labels.size:
            return largest + 1, labels.astype(np.intp, copy=False)
    found, code = np.unique(labels, return_inverse=True)
    return len(found), code


def cluster_sizes(labels):
    """How many objects each of the different labels has."""
    sizes = np.bincount(codes(labels)[1])
    return sizes[sizes > 0]


def prediction_strength(tables):
    """Share of the pairs of a cluster that stay together, of the worst cluster.

    A cluster of one object has no pair: nothing to predict, it is left out. If
    no cluster has a pair, the strength is 0.
    """
    tables = np.asarray(tables, dtype=np.float64)
    size = tables.sum(axis=-1)
    pairs = size * (size - 1)
    together = (tables * (tables - 1)).sum(axis=-1)
    share = np.divide(together, pairs, out=np.full(size.shape, np.inf), where=pairs > 0)
    worst = share.min(axis=-1)
    return np.where(np.isinf(worst), 0.0, worst)


def partition_similarity(tables):
    """Share of the objects on which two partitions agree, if matched at best."""
    tables = np.asarray(tables)
    flat = tables.reshape(-1, *tables.shape[-2:])
    agree = [t[linear_sum_assignment(t, maximize=True)].sum() for t in flat]
    return np.reshape(agree, tables.shape[:-2]) / tables.sum(axis=(-2, -1))


CRITERIA = {
    "prediction-strength": prediction_strength,
    "partition-similarity": partition_similarity,
}


def agreement(criterion, labels, predicted):
    """Value of a criterion, which is a name or a function of two labellings."""
    if callable(criterion):
        return float(criterion(labels, predicted))
    return float(CRITERIA[criterion](table_of(labels, predicted)))


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
    """The tables of random partitions are drawn, not the partitions."""
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
    """Share of the way from what chance gives to the best, which is 1."""
    expected = np.asarray(expected, dtype=np.float64)
    room = np.where(expected < 1, 1 - expected, 1)
    return np.where(expected < 1, (value - expected) / room, value * 0)

"""Common refinements against the definition."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from numpy.testing import assert_array_equal

from sklearn_kernelclust._gram._refinements import (
    OBJECTS,
    common_refinements,
    factors,
    renumbered,
)


def runs_of(refinements):
    return [refinement.runs for refinement in refinements]


def test_factors_make_the_indicator(seed):
    """Partitions with empty clusters, alike and unlike, on two sets of columns."""
    rng = np.random.default_rng(seed)
    ks = np.array([2, 3, 2, 90, 4, 3, 5])
    labels = np.array([rng.integers(k, size=200) for k in ks])
    labels[1] = 2
    refinements = common_refinements(labels, [0, 0, 0, 0, 0, 200, 200])
    first = np.cumsum([0, *ks])
    classes, members = factors(refinements, first)
    assert sum(runs_of(refinements), ()) == tuple(range(7))
    for row, refinement in zip(classes, refinements):
        assert refinement.n_classes == len(np.unique(row))
        for run in refinement.runs:
            clusters = first[run] + np.arange(ks[run])
            parts = members.toarray()[clusters][:, row]
            assert_array_equal(parts, labels[run] == np.arange(ks[run])[:, None])


def test_as_many_runs_as_save_sums():
    n = OBJECTS * 8
    halves = np.arange(n) // np.array([[n // 2], [n // 4], [n // 8], [n // 16]])
    assert runs_of(common_refinements(halves, np.zeros(4))) == [(0, 1, 2), (3,)]
    columns = [0, n, n, 0]
    assert runs_of(common_refinements(halves, columns)) == [(0,), (3,), (1, 2)]


def test_runs_on_the_same_columns_with_others_between():
    n = OBJECTS * 8
    labels = np.tile(np.arange(n) // (n // 4), (4, 1))
    assert runs_of(common_refinements(labels, [0, n, 0, n])) == [(0, 2), (1, 3)]


def test_sums_that_are_not_saved():
    """Two partitions into thirds of 9 objects: 9 classes, 27 additions, not 18."""
    labels = np.array([np.arange(9) // 3, np.arange(9) % 3])
    assert runs_of(common_refinements(labels, [0, 0])) == [(0,), (1,)]


def test_renumbered_without_gaps():
    numbers, codes = renumbered(np.array([7, 2, 7, 4]))
    assert_array_equal(numbers, [2, 0, 2, 1])
    assert_array_equal(codes, [2, 4, 7])

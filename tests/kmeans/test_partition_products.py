"""Classes of objects that several partitions have in common."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from sklearn_kernelclust._kmeans._partition_products import (
    by_classes,
    indicator_rows,
    joint_classes,
    renumbered,
)


@st.composite
def partitions(draw):
    """Labels of some partitions, and their numbers of clusters."""
    n_clusters = draw(st.lists(st.integers(1, 6), min_size=1, max_size=5))
    n, seed = draw(st.integers(1, 40)), draw(st.integers(0, 1000))
    rng = np.random.default_rng(seed)
    return np.array([rng.integers(0, k, n) for k in n_clusters]), n_clusters


@given(partitions())
def test_a_class_is_what_no_partition_parts(drawn):
    labels, n_clusters = drawn
    joints = joint_classes(labels, n_clusters)
    assert [p for joint in joints for p, _ in joint.members] == list(range(len(labels)))
    for joint in joints:
        own = labels[[p for p, _ in joint.members]]
        assert len(np.unique(own, axis=1).T) == joint.n_classes
        assert_array_equal(np.unique(joint.of_object), np.arange(joint.n_classes))
        for (_, clusters), row in zip(joint.members, own):
            assert_array_equal(clusters[joint.of_object], row)


@given(partitions())
def test_two_factors_of_the_indicator(drawn):
    labels, n_clusters = drawn
    n = labels.shape[1]
    rng = np.random.default_rng(n)
    weight, columns = rng.random(n), rng.permutation(2 * n)[:n]
    left, right = by_classes(labels, weight, n_clusters, columns, 2 * n)
    expected = np.zeros((sum(n_clusters), 2 * n))
    for first, row in zip(np.cumsum([0, *n_clusters]), labels):
        expected[first + row, columns] = weight
    assert_allclose((left @ right).toarray(), expected)


def test_alike_partitions_take_one_pass():
    labels = np.array([np.arange(1000) % 4] * 5)
    left, right = by_classes(labels, np.ones(1000), [4] * 5, np.arange(1000), 1000)
    assert (left.nnz, right.nnz) == (20, 1000)


def test_partitions_that_part_everything_stay_apart():
    labels = np.random.default_rng(0).integers(0, 50, (3, 500))
    assert len(joint_classes(labels, [50] * 3)) == 3


def test_numbers_without_gaps():
    numbers, found = renumbered(np.array([7, 2, 7, 5]))
    assert_array_equal(numbers, [2, 0, 2, 1])
    assert_array_equal(found, [2, 5, 7])


def test_rows_of_weights():
    classes, weight = np.array([[0, 2, 0], [1, 1, 2]]), np.arange(1.0, 7).reshape(2, 3)
    D = indicator_rows(classes, weight, np.array([4, 1, 0]), (3, 5))
    assert_array_equal(D.toarray(), [[3, 0, 0, 0, 1], [0, 5, 0, 0, 4], [6, 2, 0, 0, 0]])

"""Coarser views of a tree of clusters."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from clusterings import same_partition
from numpy.testing import assert_array_equal
from one_topic import nested_blobs

from sklearn_kernelclust import KernelKMeans, PredictionStrengthTree


@pytest.fixture(scope="module")
def tree():
    X, _, _ = nested_blobs(0, n_per_blob=30)
    model = KernelKMeans(kernel="linear", n_init=3)
    params = {"n_clusters": range(2, 6), "n_splits": 8, "n_references": 4}
    return PredictionStrengthTree(model, random_state=0, **params).fit(X)


def refines(fine, coarse):
    return len(np.unique(np.c_[fine, coarse], axis=0)) == len(np.unique(fine))


def test_labels_at_each_depth(tree):
    assert_array_equal(tree.labels_at(0), 0)
    assert_array_equal(tree.labels_at(tree.depth_), tree.labels_)
    assert_array_equal(tree.labels_at(99), tree.labels_)
    for depth in range(tree.depth_):
        assert refines(tree.labels_at(depth + 1), tree.labels_at(depth))
        labels = np.unique(tree.labels_at(depth))
        assert_array_equal(labels, range(len(labels)))


def test_cuts_refine_each_other(tree):
    assert_array_equal(tree.cut(1), 0)
    assert_array_equal(tree.cut(tree.n_leaves_), tree.labels_)
    coarser = tree.cut(1)
    for n_leaves in range(2, tree.n_leaves_ + 1):
        labels = tree.cut(n_leaves)
        assert len(np.unique(labels)) <= n_leaves
        assert refines(labels, coarser)
        coarser = labels
    assert same_partition(tree.cut(3), tree.labels_at(1))


def test_views_that_do_not_exist(tree):
    with pytest.raises(ValueError, match="depth=-1 must not be negative"):
        tree.labels_at(-1)
    with pytest.raises(ValueError, match="n_leaves=0 must be at least 1"):
        tree.cut(0)
    for view in (tree.labels_at, tree.cut):
        with pytest.raises(TypeError, match="float"):
            view(1.5)

"""The tree on cuts written by hand."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.cluster.hierarchy import dendrogram, is_valid_linkage

from sklearn_kernelclust._divisive._tree import ClusterTree
from sklearn_kernelclust._gram._stored import DenseGram


class At:
    """Parts one feature at some places."""

    def __init__(self, *places):
        self.places = places

    def side(self, block):
        return np.searchsorted(self.places, block.toarray()[:, 0])


def split_at(tree, i, x, *places):
    side = np.searchsorted(places, x[tree.members(i)])
    scatters = [len(x) / len(tree.nodes) / (s + 1) for s in range(len(places) + 1)]
    return tree.split(i, At(*places), side, scatters)


def small():
    x = np.array([5.0, 1, 9, 3, 7, 2, 8])
    tree = ClusterTree(len(x), 100.0, dual=False)
    low, high = split_at(tree, 0, x, 4)
    split_at(tree, high, x, 6, 7.5)
    split_at(tree, low, x, 1.5)
    tree.number_leaves()
    return x, tree


def test_labels_run_from_left_to_right_and_route_gives_them_back():
    x, tree = small()
    assert_array_equal(tree.labels(), [2, 0, 4, 1, 3, 1, 4])
    assert tree.n_leaves == 5
    assert_array_equal(tree.route(DenseGram(x[:, None])), tree.labels())
    new = np.array([[-1e9], [1e9], [7.4]])
    assert_array_equal(tree.route(DenseGram(new)), [0, 4, 3])
    assert_array_equal(tree.route(DenseGram(new[:1])), [0])


def test_members_are_partitions_of_their_parents():
    x, tree = small()
    assert_array_equal(tree.members(0), np.arange(len(x)))
    for i in tree.splits:
        children = [tree.members(c) for c in tree.nodes[i].children]
        assert_array_equal(np.sort(np.concatenate(children)), tree.members(i))
        assert all(tree.nodes[c].parent == i for c in tree.nodes[i].children)
    sizes = [tree.nodes[i].size for i in tree.leaves()]
    assert sizes == list(np.bincount(tree.labels()))


def test_objective_is_the_scatter_of_the_leaves():
    _, tree = small()
    assert tree.nodes[0].objective_before == 100
    for before, after in zip(tree.splits, tree.splits[1:]):
        assert tree.nodes[before].objective_after == pytest.approx(
            tree.nodes[after].objective_before
        )
    assert tree.objective() == pytest.approx(tree.inertia())


def test_linkage_is_scipys():
    _, tree = small()
    Z = tree.linkage()
    assert is_valid_linkage(Z)
    assert Z[-1, 3] == tree.n_leaves
    assert Z[-1, 2] == Z[:, 2].max()
    assert dendrogram(Z, no_plot=True)["ivl"] == ["0", "1", "2", "3", "4"]
    assert_array_equal(Z[:, :2], [[0, 1], [2, 3], [6, 4], [5, 7]])


def test_one_leaf():
    tree = ClusterTree(3, 2.0, dual=False)
    tree.number_leaves()
    assert_array_equal(tree.labels(), [0, 0, 0])
    assert_array_equal(tree.route(DenseGram(np.zeros((2, 1)))), [0, 0])
    assert tree.linkage().shape == (0, 4)
    assert tree.inertia() == tree.objective() == 2.0


def test_chain_of_2000_leaves_needs_no_recursion():
    n = 2000
    x = np.arange(n, dtype=float)
    tree = ClusterTree(n, float(n), dual=False)
    rest = 0
    for place in range(n - 1):
        side = (x[tree.members(rest)] > place).astype(int)
        _, rest = tree.split(rest, At(place), side, [0.0, n - place - 1.0])
    tree.number_leaves()
    assert_array_equal(tree.labels(), np.arange(n))
    assert_array_equal(tree.route(DenseGram(x[:, None])), np.arange(n))
    assert is_valid_linkage(tree.linkage())
    assert_allclose(pickle.loads(pickle.dumps(tree)).labels(), np.arange(n))


def uneven_tree():
    """Six objects: the first three are cut twice, at different heights."""
    tree = ClusterTree(6, 10.0, dual=False)
    left, _ = tree.split(0, At(), np.array([0, 0, 0, 1, 1, 1]), [6.0, 2.0])
    tree.split(left, At(), np.array([0, 1, 1]), [1.0, 3.0])
    tree.number_leaves()
    return tree


def test_partitions_above_the_leaves():
    tree = uneven_tree()
    assert tree.depths() == [0, 1, 1, 2, 2]
    for depth, labels in [
        (0, [0] * 6),
        (1, [0, 0, 0, 1, 1, 1]),
        (2, [0, 1, 1, 2, 2, 2]),
    ]:
        assert_array_equal(tree.partition(tree.leaves_at(depth)), labels)
    for n_leaves, n_nodes in [(1, 1), (2, 2), (3, 3), (9, 3)]:
        assert len(tree.highest_leaves(n_leaves)) == n_nodes


def test_a_cut_into_too_many_parts_is_left_out():
    tree = ClusterTree(7, 9.0, dual=False)
    left, _ = tree.split(0, At(), np.array([0, 0, 0, 0, 1, 1, 1]), [6.0, 2.0])
    tree.split(left, At(), np.array([0, 1, 2, 3]), [1.0, 1.0, 1.0, 1.0])
    assert len(tree.highest_leaves(4)) == 2
    assert len(tree.highest_leaves(5)) == 5


def test_without_scatters():
    tree = ClusterTree(4, None, dual=False)
    tree.split(0, At(), np.array([0, 1, 0, 1]))
    assert [node.size for node in tree.nodes] == [4, 2, 2]
    assert tree.nodes[0].objective_after is None

"""What ClusterTreeDisplay shows."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.cluster.hierarchy import dendrogram
from sklearn.datasets import make_blobs
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_kernelclust import (
    KPDDP,
    PDDP,
    BisectingKernelKMeans,
    ClusterTreeDisplay,
    KernelKMeans,
    PredictionStrengthTree,
)
from sklearn_kernelclust._displays._tree import outline
from sklearn_kernelclust._divisive._tree import ClusterTree

pytest.importorskip("matplotlib")

X, _ = make_blobs(120, 4, centers=6, random_state=0)


@pytest.mark.parametrize(
    "model", [PDDP(9), KPDDP(9), BisectingKernelKMeans(9, random_state=0)]
)
def test_nodes_are_where_the_dendrogram_has_them(model):
    display = ClusterTreeDisplay.from_estimator(model.fit(X))
    expected = dendrogram(model.tree_.linkage(), no_plot=True)
    # scipy has leaves at 5, 15, ...; each of its rows is three lines of ours.
    tops = {
        (round((x[0] - 5) / 10, 6), round((x[3] - 5) / 10, 6), y[1])
        for x, y in zip(expected["icoord"], expected["dcoord"])
    }
    level = display.segments[display.segments[:, 0, 1] == display.segments[:, 1, 1]]
    ours = {(round(a[0], 6), round(b[0], 6), a[1]) for a, b in level}
    assert ours == tops
    assert len(display.segments) == 3 * 8


def test_leaves_are_in_the_order_of_labels_at_their_scatter():
    model = PDDP(5).fit(X)
    display = ClusterTreeDisplay.from_estimator(model)
    nodes = [model.tree_.nodes[i] for i in model.tree_.leaves()]
    assert_array_equal(display.leaves[:, 0], range(5))
    assert_allclose(display.leaves[:, 1], [node.scatter for node in nodes])
    sizes = np.bincount(model.labels_)
    names = [text.get_text() for text in display.ax_.get_xticklabels()]
    assert names == [f"{c} ({size})" for c, size in enumerate(sizes)]
    assert_allclose(np.transpose(display.leaves_.get_data()), display.leaves)


def test_drawn_lines_and_the_root_on_the_left():
    pipeline = make_pipeline(StandardScaler(), PDDP(4)).fit(X)
    display = ClusterTreeDisplay.from_estimator(pipeline, leaf_names=list("abcd"))
    assert_allclose(display.lines_.get_segments(), display.segments)
    display.plot(orientation="left")
    assert_allclose(display.lines_.get_segments(), display.segments[..., ::-1])
    assert [text.get_text() for text in display.ax_.get_yticklabels()] == list("abcd")
    left, right = display.ax_.get_xlim()
    assert left > right


def test_more_than_two_parts():
    model = PDDP(8, n_components=3, exact=False).fit(X)
    n_parts = len(model.tree_.nodes[0].children)
    assert n_parts > 2
    display = ClusterTreeDisplay.from_estimator(model)
    root = display.segments[-1 - n_parts :]
    assert_allclose(root[:, 0, 1], model.tree_.nodes[0].scatter)


def test_a_chain_deeper_than_any_recursion():
    n = 5000
    tree = ClusterTree(n, float(n), dual=False)
    node = 0
    for left in range(n - 1, 0, -1):
        side = np.r_[0, np.ones(left, dtype=int)]
        node = tree.split(node, None, side, [0.0, float(left)])[1]
    tree.number_leaves()
    segments, leaves = outline(tree)
    assert len(segments) == 3 * (n - 1)
    assert_array_equal(leaves[:, 0], np.arange(n))
    assert segments[..., 1].max() == n


def test_a_part_never_lies_above_the_whole():
    K = np.random.default_rng(0).normal(size=(40, 40))  # indefinite
    model = KPDDP(10, kernel="precomputed").fit(K + K.T)
    segments, _ = outline(model.tree_)
    assert (segments[:, 0, 1] >= segments[:, 1, 1]).all()


def test_one_cluster_and_many():
    display = ClusterTreeDisplay.from_estimator(PDDP(1).fit(X))
    assert len(display.segments) == 0 and len(display.leaves) == 1
    many = ClusterTreeDisplay.from_estimator(PDDP(100).fit(X))
    assert len(many.ax_.get_xticklabels()) < 60  # numbers, not names


def test_what_has_no_tree_or_no_such_names():
    with pytest.raises(TypeError, match="KernelKMeans has no tree: PDDP, KPDDP, Bi"):
        ClusterTreeDisplay.from_estimator(KernelKMeans(2, random_state=0).fit(X))
    with pytest.raises(ValueError, match="Got 2 leaf_names for 3 clusters"):
        ClusterTreeDisplay.from_estimator(PDDP(3).fit(X), leaf_names=["a", "b"])
    with pytest.raises(ValueError, match=r"must be 'top' or 'left', got 'up'"):
        ClusterTreeDisplay.from_estimator(PDDP(3).fit(X), orientation="up")


def test_scores_are_written_at_the_branches():
    params = {"n_clusters": [2, 3], "n_splits": 4, "n_references": 2, "max_depth": 2}
    model = PredictionStrengthTree(KernelKMeans(), threshold=0.1, **params)
    tree = model.set_params(random_state=0).fit(X).tree_
    display = ClusterTreeDisplay.from_estimator(model)
    choices = [tree.nodes[i].choice for i in tree.splits]
    expected = [f"{c.score:.2f} ({c.reference:.2f})" for c in choices]
    assert [text.get_text() for text in display.branches_] == expected != []
    assert display.ax_.get_ylabel() == "evidence"
    assert_allclose(display.branches[0, 1], max(c.evidence for c in choices))
    names = [f"topic {i}" for i in tree.splits]
    left = ClusterTreeDisplay.from_estimator(
        model, branch_names=names, orientation="left"
    )
    assert [text.get_text() for text in left.branches_] == names
    assert_array_equal(left.branches_[0].xy, display.branches[0, ::-1])
    with pytest.raises(ValueError, match=f"Got 0 branch_names for {len(names)}"):
        ClusterTreeDisplay.from_estimator(model, branch_names=[])


def test_nothing_is_written_where_no_score_decides():
    assert ClusterTreeDisplay.from_estimator(PDDP(4).fit(X)).branches_ == []

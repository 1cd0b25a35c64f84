"""What ProjectionDisplay shows."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from sklearn.datasets import make_blobs
from sklearn.pipeline import make_pipeline

from sklearn_kernelclust import (
    KPDDP,
    PDDP,
    BisectingKernelKMeans,
    KernelKMeans,
    PairwiseKernel,
    ProjectionDisplay,
)
from sklearn_kernelclust._divisive._splitters import SPLITS

pytest.importorskip("matplotlib")

X, _ = make_blobs(150, 4, centers=5, cluster_std=2, random_state=0)


def first_component(X):
    X = X - X.mean(axis=0)
    return X @ np.linalg.svd(X, full_matrices=False)[2][0]


@pytest.mark.parametrize("kind", [np.asarray, csr_array])
@pytest.mark.parametrize("model", [PDDP(4), KPDDP(4, kernel="linear")])
@pytest.mark.parametrize("cut", [0, 1, 2])
def test_projections_are_those_on_the_principal_component(model, kind, cut):
    model.fit(kind(X))
    node = model.tree_.splits[cut]
    display = ProjectionDisplay.from_estimator(model, kind(X), node=node)
    expected = first_component(X[model.tree_.members(node)])
    sign = np.sign(expected @ display.projections)
    assert_allclose(display.projections, sign * expected, atol=1e-8)


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("make", [PDDP, pytest.param(KPDDP, marks=pytest.mark.slow)])
def test_the_threshold_parts_the_children(make, split):
    model = make(6, split=split).fit(X)
    for node in model.tree_.splits:
        display = ProjectionDisplay.from_estimator(model, X, node=node)
        above = display.projections > display.threshold
        assert_array_equal(above, display.sides == 1)
        members = model.tree_.members(node)
        for side, child in enumerate(model.tree_.nodes[node].children):
            found = members[display.sides == side]
            assert_array_equal(found, model.tree_.members(child))


def test_two_means_are_as_far_apart_as_in_space():
    model = BisectingKernelKMeans(2, kernel="linear", random_state=0).fit(X)
    display = ProjectionDisplay.from_estimator(model, X)
    means = [X[model.labels_ == c].mean(axis=0) for c in range(2)]
    ours = [display.projections[model.labels_ == c].mean() for c in range(2)]
    assert ours[1] - ours[0] == pytest.approx(np.linalg.norm(means[1] - means[0]))
    assert display.threshold == pytest.approx(sum(ours) / 2)


def test_each_component_of_a_cut_across_several():
    model = PDDP(8, n_components=2).fit(X)
    for component in range(2):
        display = ProjectionDisplay.from_estimator(model, X, component=component)
        above = display.projections > display.threshold
        orthants = model.tree_.nodes[0].cut.orthants[display.sides, component]
        assert_array_equal(above, orthants)
    with pytest.raises(ValueError, match=r"component must be from 0 to 1 .* got 2"):
        ProjectionDisplay.from_estimator(model, X, component=2)


def test_bars_count_the_objects():
    model = make_pipeline(
        PairwiseKernel("rbf", gamma=0.01, lazy=True), KPDDP(3, kernel="precomputed")
    ).fit(X)
    display = ProjectionDisplay.from_estimator(model, X, bins=10)
    counts = [sum(bar.get_height() for bar in bars) for bars in display.bars_]
    assert_array_equal(counts, np.bincount(display.sides))
    assert_array_equal(display.cut_.get_xdata(), [display.threshold] * 2)
    legend = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert legend == [f"node {c + 1} ({int(n)} objects)" for c, n in enumerate(counts)]


def test_without_sides_there_is_one_histogram():
    display = ProjectionDisplay(np.array([0.0, 1.0, 5.0]), 2.0).plot(bins=5)
    assert len(display.bars_) == 1
    assert display.ax_.get_legend() is None


def test_what_cannot_be_drawn():
    model = PDDP(3).fit(X)
    leaf = model.tree_.leaves()[0]
    with pytest.raises(ValueError, match=f"Node {leaf} is a leaf .* these were: 0, "):
        ProjectionDisplay.from_estimator(model, X, node=leaf)
    for node in (-1, 5):
        with pytest.raises(ValueError, match=f"no node {node}: the tree has 5"):
            ProjectionDisplay.from_estimator(model, X, node=node)
    with pytest.raises(ValueError, match="is a leaf and was not cut; these were: none"):
        ProjectionDisplay.from_estimator(PDDP(1).fit(X), X)
    with pytest.raises(ValueError, match="X has 100 objects, and PDDP was fitted on 1"):
        ProjectionDisplay.from_estimator(model, X[:100])
    with pytest.raises(TypeError, match="KernelKMeans has no tree"):
        ProjectionDisplay.from_estimator(KernelKMeans(2, random_state=0).fit(X), X)
    many = PDDP(8, n_components=2, split="2-means").fit(X)
    with pytest.raises(ValueError, match="cut by 4 means, and only two"):
        ProjectionDisplay.from_estimator(many, X)

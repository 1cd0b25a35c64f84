"""Figures for a page."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import base64

import numpy as np
import pytest

from sklearn_kernelclust import KPDDP, KernelKMeans, PairwiseKernel, PredictionStrengthK
from sklearn_kernelclust._cli._pictures import (
    can_draw,
    gram_picture,
    picture,
    strength_picture,
    tree_picture,
)
from sklearn_kernelclust._cli._words import Cluster

pytest.importorskip("matplotlib")

X = np.vstack([np.eye(3)] * 8) + 0.1 * np.random.RandomState(0).normal(size=(24, 3))


def content(address):
    head, _, code = address.partition(";base64,")
    return head, base64.b64decode(code)


def test_kernels_are_pixels():
    gram = PairwiseKernel("linear", lazy=True).fit_transform(X)
    head, data = content(gram_picture(gram, np.arange(24) % 3))
    assert can_draw()
    assert head == "data:image/png"
    assert data.startswith(b"\x89PNG")


def test_curves_are_lines():
    chooser = PredictionStrengthK(
        KernelKMeans(kernel="linear"), n_clusters=[2, 3], n_splits=3, random_state=0
    ).fit(X)
    head, data = content(strength_picture(chooser))
    assert head == "data:image/svg+xml"
    assert b"number of clusters" in data


@pytest.mark.parametrize("word", ["goal", "$x", "$\\frac$", "日本", "a\nb", "<b>"])
def test_trees_have_words(word):
    """Whatever they are: no formulas, no missing letters, no new lines."""
    tree = KPDDP(3, kernel="linear").fit(X)
    clusters = [
        Cluster(c, [word], np.flatnonzero(tree.labels_ == c).tolist()) for c in range(3)
    ]
    _, data = content(tree_picture(tree, clusters))
    shown = {"<b>": "&lt;b&gt;", "a\nb": "a?b"}.get(word, word)
    assert f"0: {shown} (8)" in data.decode()


def test_the_same_picture_twice():
    def draw(ax):
        ax.plot([1, 2])

    for kind in ("png", "svg"):
        assert picture(draw, (2, 2), kind) == picture(draw, (2, 2), kind)

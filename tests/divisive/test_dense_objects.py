"""Moments of the members of a node against those of centred copies."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest

from sklearn_kernelclust._divisive import _dense_objects
from sklearn_kernelclust._divisive._base import grow
from sklearn_kernelclust._divisive._dense_objects import (
    DenseObjects,
    ImplicitScatterMatrix,
    blocks_of,
)
from sklearn_kernelclust._divisive._splitters import FeatureObjects, PrincipalSplitter


def features(kind, seed=0, m=5):
    """Objects in groups, where differences of sums cost digits or do not."""
    rng = np.random.RandomState(seed)
    X = rng.standard_normal((300, m)) * np.geomspace(5, 0.5, m)
    X += 20 * rng.standard_normal((6, m))[rng.randint(6, size=300)]
    if kind == "far":
        X += 1e6
        X -= X.mean(axis=0)
    if kind == "tight":
        X[:150] = X[:150] * 1e-7 + 5
    if kind == "duplicates":
        X = np.repeat(X[:60], 5, axis=0)
    return X.astype(np.float32) if kind == "float32" else X


KINDS = ["plain", "far", "tight", "duplicates", "float32"]


def nodes(objects, side):
    """A node, its two sides, and the sides of the larger side."""
    parts = objects.parts([np.flatnonzero(side == s) for s in (0, 1)])
    large = max(parts, key=len)
    half = np.arange(len(large)) % 3 == 0
    large.scatter_matrix  # noqa: B018, so that the parts refer to it
    return [
        objects,
        *parts,
        *large.parts([np.flatnonzero(~half), np.flatnonzero(half)]),
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_moments_are_those_of_centred_features(kind):
    X = features(kind)
    objects = DenseObjects(X)
    objects.scatter_matrix  # noqa: B018
    side = (X[:, 0] > np.quantile(X[:, 0], 0.3)).astype(int)
    tolerance = 1e-5 if kind == "float32" else 1e-10
    for node in nodes(objects, side):
        A = node.X.astype(np.float64)
        A -= A.mean(axis=0)
        scatter = (A**2).sum()
        np.testing.assert_allclose(node.scatter, scatter, rtol=tolerance)
        matrix = node.scatter_matrix.matrix
        np.testing.assert_allclose(matrix, A.T @ A, atol=tolerance * scatter)


@pytest.mark.parametrize("n_components", [1, 2])
@pytest.mark.parametrize("split", ["sign", "projection-cut", "optimal-cut", "2-means"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_tree_is_that_of_centred_features(kind, split, n_components):
    X = features(kind, seed=n_components)
    splitter = PrincipalSplitter(n_components, split, 100)
    tree = grow(DenseObjects(X), 12, splitter)
    expected = grow(FeatureObjects(X), 12, splitter)
    assert np.array_equal(tree.labels(), expected.labels())
    rtol = 1e-4 if kind == "float32" else 1e-9
    np.testing.assert_allclose(tree.inertia(), expected.inertia(), rtol=rtol)


# Features, and how many of them or of objects have a matrix of products.
FORMS = {"scatter matrix": (5, 500), "implicit": (200, 40), "products": (400, 500)}


@pytest.mark.parametrize("n_components", [1, 3])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", KINDS)
def test_every_form_of_the_scatter_matrix_gives_the_same_tree(
    monkeypatch, kind, form, n_components
):
    m, small = FORMS[form]
    monkeypatch.setattr(_dense_objects, "SMALL", small)
    monkeypatch.setattr(_dense_objects, "MOST_FEATURES", 0)
    monkeypatch.setattr(_dense_objects, "BLOCK_BYTES", 70 * m * 8)
    X = features(kind, m=m)
    splitter = PrincipalSplitter(n_components, "sign", 100)
    tree = grow(DenseObjects(X), 14, splitter)
    expected = grow(FeatureObjects(X), 14, splitter)
    assert np.array_equal(tree.labels(), expected.labels())
    rtol = 1e-4 if kind == "float32" else 1e-9
    np.testing.assert_allclose(tree.inertia(), expected.inertia(), rtol=rtol)


def test_implicit_products_are_those_of_the_scatter_matrix():
    X = features("plain", m=100)
    mean = X.mean(axis=0)
    for Z in (np.eye(100)[:, :3], np.random.RandomState(0).uniform(size=(100, 1))):
        expected = (X - mean).T @ (X - mean) @ Z
        product = ImplicitScatterMatrix(X, mean) @ Z
        np.testing.assert_allclose(product, expected, atol=1e-12 * np.vdot(X, X))


def test_children_take_the_products_of_their_node():
    objects = DenseObjects(features("plain", m=400))
    objects.principal(1, objects.prepared)
    sides = [np.arange(100), np.arange(100, 300)]
    for part, side in zip(objects.parts(sides), sides):
        expected = objects.X[side] @ objects.X[side].T
        np.testing.assert_allclose(vars(part)["products"], expected)


def test_blocks_of_rows():
    X = np.arange(30.0).reshape(10, 3)
    for index in (None, np.array([7, 2, 2, 9])):
        blocks = [block.copy() for _, block in blocks_of(X, index)]
        expected = X if index is None else X[index]
        assert np.array_equal(np.concatenate(blocks), expected)


def test_a_smaller_side_is_multiplied_out_and_the_larger_is_not():
    objects = DenseObjects(features("plain"))
    objects.scatter_matrix  # noqa: B018
    small, large = objects.parts([np.arange(100), np.arange(100, 300)])
    large.scatter_matrix  # noqa: B018
    assert "scatter_matrix" in vars(small)
    assert large.difference is None
    assert not {"X"} & (set(vars(small)) | set(vars(large)))


def test_numbers_whose_squares_lose_digits_take_centred_features():
    X = features("plain")
    splitter = PrincipalSplitter(1, "sign", 100)
    expected = grow(FeatureObjects(X), 4, splitter).labels()
    for scale in (1e-120, 1e120):
        assert np.array_equal(
            grow(DenseObjects(scale * X), 4, splitter).labels(), expected
        )

"""From an embedding to labels."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
import scipy.linalg
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics import adjusted_rand_score

from sklearn_kernelclust._spectral._label_assignment import (
    ASSIGNMENTS,
    LargestCoordinate,
    NearestCenter,
    cluster_means,
    labels_by,
    on_grid,
    pivots,
    squared_distances,
    without_empty,
)
from sklearn_kernelclust._utils._tolerances import EMBEDDING_TIE


def rotated_axes(seed, n=60, k=4, noise=0.1):
    """Rows near axes of a frame that nobody knows."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % k)
    Q = np.linalg.qr(rng.normal(size=(k, k)))[0]
    length = 0.5 + rng.random((n, 1))
    return length * (np.eye(k)[y] + noise * rng.normal(size=(n, k))) @ Q, y


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_axes_are_found(name, seed):
    E, y = rotated_axes(seed)
    rule = ASSIGNMENTS[name](E, 4, 10, np.random.RandomState(0))
    labels, rule = without_empty(rule, E)
    assert adjusted_rand_score(labels, y) == 1
    assert_array_equal(labels_by(rule, E), labels)
    assert_array_equal(labels_by(rule, 1e-3 * E[:5] + 0.999 * E[:5]), labels[:5])


def test_rotations_are_orthogonal(seed):
    E, _ = rotated_axes(seed)
    for name in ("cluster_qr", "discretize"):
        R = ASSIGNMENTS[name](E, 4, 3, np.random.RandomState(0)).rotation
        assert np.abs(R.T @ R - np.eye(4)).max() < 1e-12


def test_ties_go_to_the_first():
    rule = NearestCenter(np.array([[-1.0], [1.0]]))
    assert_array_equal(labels_by(rule, np.array([[1e-12], [-1e-12], [0.1]])), [0, 0, 1])


def test_what_no_row_has_is_left_out():
    rule = LargestCoordinate(np.eye(3))
    E = np.array([[1.0, 0, 0], [0, 0, 1.0]])
    labels, rule = without_empty(rule, E)
    assert_array_equal(labels, [0, 1])
    assert rule.rotation.shape == (3, 2)
    assert_array_equal(labels_by(rule, E), [0, 1])


def test_means_and_distances_of_clusters(seed):
    rng = np.random.default_rng(seed)
    E, labels = rng.normal(size=(30, 2)), np.arange(30) % 4
    means = cluster_means(E, labels)
    distances = squared_distances(E, means, labels)
    for c in range(4):
        part = E[labels == c]
        assert_allclose(means[c], part.mean(axis=0))
        expected = ((part - part.mean(axis=0)) ** 2).sum(axis=1)
        assert_allclose(distances[labels == c], expected)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("size", [1e-20, 1, 1e20])
def test_coordinates_without_rounding(dtype, size, seed):
    rng = np.random.default_rng(seed)
    E = (size * rng.normal(size=(200, 3))).astype(dtype)
    noise = 1 + 4 * np.finfo(dtype).eps * rng.uniform(-1, 1, E.shape)
    other = (E * noise).astype(dtype)
    assert (on_grid(E) == on_grid(other)).mean() > 0.97
    tol = 2 * EMBEDDING_TIE[np.dtype(dtype)] * np.abs(E).max()
    assert_allclose(on_grid(E), E, atol=tol, rtol=0)
    assert on_grid(E).dtype == dtype
    assert_array_equal(on_grid(0 * E), 0 * E)


def test_pivots_are_those_of_lapack(seed):
    E = np.random.RandomState(seed).standard_normal((60, 5))
    expected = scipy.linalg.qr(E.T, mode="r", pivoting=True)[1][:5]
    assert_array_equal(pivots(E), expected)
    assert_array_equal(pivots(np.repeat(E, 3, axis=0)), 3 * expected)
    assert_array_equal(pivots(np.zeros((4, 2))), [0, 0])

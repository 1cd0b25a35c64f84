"""Silhouettes in the feature space of a kernel."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from sklearn.datasets import make_blobs
from sklearn.metrics import pairwise_distances, silhouette_samples
from sklearn.metrics.pairwise import rbf_kernel

from sklearn_kernelclust import PairwiseKernel
from sklearn_kernelclust.metrics import (
    kernel_silhouette_samples,
    kernel_silhouette_score,
)

X, Y = make_blobs(80, centers=4, random_state=0)


def by_distances(K, labels):
    """That of scikit-learn, of squared distances."""
    D = K.diagonal() + K.diagonal()[:, None] - 2 * K
    np.fill_diagonal(D, 0)
    return silhouette_samples(np.maximum(D, 0), labels, metric="precomputed")


@pytest.mark.parametrize("kernel", ["linear", "rbf", "poly", "cosine"])
@pytest.mark.parametrize("seed", range(3))
def test_it_is_that_of_squared_distances(kernel, seed):
    labels = np.random.default_rng(seed).integers(5, size=80)
    labels[0] = 7  # alone
    for y in (Y, labels):
        K = PairwiseKernel(kernel).fit_transform(X)
        gram = PairwiseKernel(kernel, lazy=True).fit_transform(X)
        expected = by_distances(K, y)
        for form in (K, csr_array(K), gram):
            assert_allclose(kernel_silhouette_samples(form, y), expected, atol=1e-9)
        assert_allclose(kernel_silhouette_score(gram, y), expected.mean(), atol=1e-9)


def test_labels_of_any_kind():
    K, names = rbf_kernel(X), np.array(["d", "a", "c", "b"])[Y]
    expected = kernel_silhouette_samples(K, Y)
    found = kernel_silhouette_samples(K, names)
    assert_allclose(found, expected, rtol=1e-12)  # sums in another order


def test_a_constant_of_the_objects_makes_no_difference():
    """Distances do not know the origin."""
    K = rbf_kernel(X)
    c = np.random.default_rng(0).normal(size=80)
    expected = kernel_silhouette_samples(K, Y)
    moved = K + c + c[:, None]
    assert_allclose(kernel_silhouette_samples(moved, Y), expected, atol=1e-9)


def test_objects_that_coincide():
    K = np.ones((6, 6))
    assert_array_equal(kernel_silhouette_samples(K, [0, 0, 0, 1, 1, 1]), np.zeros(6))


def test_an_object_in_the_wrong_cluster_is_negative():
    points, y = make_blobs(60, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)
    assert kernel_silhouette_samples(points @ points.T, y).min() > 0.5
    y[7] = (y[7] + 1) % 3
    values = kernel_silhouette_samples(points @ points.T, y)
    assert values[7] == values.min() < -0.5


def test_float32():
    K = rbf_kernel(X.astype(np.float32))
    assert K.dtype == np.float32
    expected = kernel_silhouette_samples(rbf_kernel(X), Y)
    assert_allclose(kernel_silhouette_samples(K, Y), expected, atol=1e-4)


@pytest.mark.parametrize(
    "labels, message",
    [
        (np.zeros(80, int), r"Number of labels is 1. Valid values are 2 to .* = 79"),
        (np.arange(80), "Number of labels is 80"),
        (np.zeros(79, int), "a kernel of 80 objects and 79 labels"),
    ],
)
def test_labels_are_checked(labels, message):
    with pytest.raises(ValueError, match=message):
        kernel_silhouette_samples(rbf_kernel(X), labels)


def test_an_object_far_away_hides_no_distances():
    X = 1e-6 * np.random.default_rng(0).normal(size=(30, 2))
    labels = np.repeat([0, 1, 2], 10)
    X += 3e-6 * labels[:, None]
    X[-1] = 1e3
    expected = silhouette_samples(
        pairwise_distances(X) ** 2, labels, metric="precomputed"
    )
    found = kernel_silhouette_samples(X @ X.T, labels)
    assert_allclose(found[:20], expected[:20], atol=1e-6)

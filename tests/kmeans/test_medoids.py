"""The objects nearest to the means of clusters."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn import config_context
from sklearn.datasets import make_blobs
from sklearn.metrics.pairwise import rbf_kernel

from sklearn_kernelclust import KernelKMeans, PairwiseKernel
from sklearn_kernelclust._kmeans._medoids import first_smallest

X, _ = make_blobs(150, 3, centers=5, random_state=0)


def nearest_objects(K, labels, weight):
    """By the definition, cluster by cluster."""
    medoids = []
    for c in range(labels.max() + 1):
        inside = np.flatnonzero((labels == c) & (weight > 0))
        w = weight[inside] / weight[inside].sum()
        d = K.diagonal()[inside] - 2 * K[np.ix_(inside, inside)] @ w
        medoids.append(inside[d.argmin()])
    return medoids


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("algorithm", ["lloyd", "split-merge", "hartigan"])
@pytest.mark.parametrize("shift", [0, -1])
@pytest.mark.parametrize("max_iter", [1, 100])
def test_against_the_definition(algorithm, shift, max_iter):
    K = rbf_kernel(X, gamma=0.1) + shift * np.eye(150)
    rng = np.random.default_rng(0)
    for weight in (np.ones(150), rng.integers(0, 4, size=150) * 1.0):
        model = KernelKMeans(
            5, kernel="precomputed", algorithm=algorithm, max_iter=max_iter, n_init=3
        )
        model.set_params(random_state=0).fit(K, sample_weight=weight)
        expected = nearest_objects(K, model.labels_, weight)
        assert_array_equal(model.medoids_, expected)
        assert_array_equal(model.labels_[model.medoids_], np.arange(5))


def test_storage_does_not_matter():
    model = KernelKMeans(5, gamma=0.1, random_state=0)
    medoids = model.fit(X).medoids_
    with config_context(working_memory=0.01):
        assert_array_equal(model.fit(X).medoids_, medoids)
    gram = PairwiseKernel("rbf", gamma=0.1, lazy=True).fit_transform(X)
    assert_array_equal(model.fit(gram).medoids_, medoids)


@pytest.mark.parametrize("kernel", ["rbf", "linear"])
def test_they_are_nearest_by_transform(kernel):
    """Also where objects differ in their self-similarity."""
    model = KernelKMeans(5, kernel=kernel, random_state=0).fit(X)
    assert_array_equal(model.transform(X).argmin(axis=0), model.medoids_)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_duplicates_and_fewer_clusters():
    points = np.repeat([[0.0], [1.0]], 4, axis=0)
    model = KernelKMeans(3, kernel="linear", random_state=0).fit(points)
    assert set(model.medoids_) == {0, 4}


def test_ties_go_to_the_first():
    values, labels = np.array([2.0, 1.0, 1.0 + 1e-15, np.inf]), np.array([0, 0, 0, 2])
    medoids = first_smallest(values[[0, 2, 1, 3]], np.full(4, 1e-12), labels, 3)
    assert_array_equal(medoids, [1, -1, -1])

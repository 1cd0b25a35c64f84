"""What is true of BisectingKernelKMeans alone."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from clusterings import binary_and_blobs, labels_by_storage
from numpy.testing import assert_array_equal
from sklearn import config_context
from sklearn.cluster import BisectingKMeans
from sklearn.datasets import load_wine, make_blobs
from sklearn.metrics import adjusted_rand_score

from sklearn_kernelclust import BisectingKernelKMeans


def test_blobs_that_lie_apart(seed):
    X, y = make_blobs(200, 3, centers=5, cluster_std=0.1, random_state=seed)
    for init in ("k-means++", "random"):
        model = BisectingKernelKMeans(5, kernel="linear", init=init, random_state=0)
        assert adjusted_rand_score(y, model.fit_predict(X)) == pytest.approx(1)


def test_one_cut_like_the_one_on_features(seed):
    X = make_blobs(200, 3, centers=2, cluster_std=3, random_state=seed)[0]
    ours = BisectingKernelKMeans(2, kernel="linear", random_state=0).fit(X)
    theirs = BisectingKMeans(2, n_init=10, random_state=0).fit(X)
    assert ours.inertia_ == pytest.approx(theirs.inertia_, rel=1e-2)


def test_seeds_decide():
    X = np.random.default_rng(0).normal(size=(100, 5))
    model = BisectingKernelKMeans(9, n_init=1, random_state=3)
    assert_array_equal(model.fit_predict(X), model.fit_predict(X))
    generator = np.random.RandomState(3)
    again = BisectingKernelKMeans(9, n_init=1, random_state=generator)
    assert_array_equal(model.labels_, again.fit_predict(X))


def test_no_seed_in_a_hundred_fails():
    X = np.repeat(np.arange(6.0), [30, 1, 1, 1, 2, 5])[:, None]
    for seed in range(100):
        for init in ("k-means++", "random"):
            model = BisectingKernelKMeans(
                6, kernel="linear", init=init, n_init=1, random_state=seed
            )
            assert_array_equal(np.unique(model.fit_predict(X)), np.arange(6))


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
@pytest.mark.parametrize("init", ["k-means++", "random"])
def test_storage_does_not_matter(kernel, init, first_seed):
    model = BisectingKernelKMeans(5, init=init, n_init=3, random_state=first_seed)
    for X in binary_and_blobs(first_seed):
        (_, expected), *others = labels_by_storage(model, X, kernel)
        for storage, labels in others:
            assert_array_equal(labels, expected, err_msg=storage)


def test_ties_by_rounding_before_centring():
    """Of two starts that end alike but for the names, the first wins everywhere."""
    X = load_wine().data[::2]
    model = BisectingKernelKMeans(
        4, kernel="laplacian", gamma="scale", n_init=3, random_state=0
    )
    labels = model.fit(X).labels_
    with config_context(working_memory=0.01):
        assert_array_equal(model.fit(X).labels_, labels)


@pytest.mark.parametrize("n_init", [1, 3])
@pytest.mark.parametrize("kind", ["near", "far", "tight", "duplicates"])
def test_random_starts_on_features_are_those_on_their_products(kind, n_init):
    X = make_blobs(150, 4, centers=6, cluster_std=2, random_state=0)[0]
    if kind == "far":
        X[:70] += 1e4
    if kind == "tight":
        X[:70] = 1e-5 * X[:70] + 3
    if kind == "duplicates":
        X = np.repeat(X[:50], 3, axis=0)
    settings = {"init": "random", "n_init": n_init, "random_state": 0}
    model = BisectingKernelKMeans(8, kernel="linear", **settings).fit(X)
    A = X - X.mean(axis=0)
    expected = BisectingKernelKMeans(8, kernel="precomputed", **settings).fit(A @ A.T)
    assert np.array_equal(model.labels_, expected.labels_)
    assert np.array_equal(model.predict(X), model.labels_)
    np.testing.assert_allclose(model.inertia_, expected.inertia_, rtol=1e-6)

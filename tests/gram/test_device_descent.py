"""Steps of k-means on a device: those of the host, whatever ends them."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings

import numpy as np
import pytest
from clusterings import four_blobs
from namespaces import dispatch, host, on_devices
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics.pairwise import rbf_kernel

from sklearn_kernelclust import KernelKMeans
from sklearn_kernelclust._gram._device_leaves import StoredDeviceGram

KERNELS = {
    "definite": lambda X: rbf_kernel(X, gamma=0.02),
    "indefinite": lambda X: rbf_kernel(X, gamma=0.02) - 0.7 * np.eye(len(X)),
    "of few distinct objects": lambda X: (
        np.repeat(X[:3], len(X) // 3 + 1, 0)[: len(X)]
        @ np.repeat(X[:3], len(X) // 3 + 1, 0)[: len(X)].T
    ),
}


def fitted(K, weight=None, **params):
    model = KernelKMeans(6, kernel="precomputed", init="random", n_init=1, **params)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(K, sample_weight=weight)


def assert_same_run(model, expected):
    assert_array_equal(host(model.labels_), expected.labels_)
    assert_array_equal(host(model.n_reassignments_), expected.n_reassignments_)
    assert model.n_iter_ == expected.n_iter_
    assert model.inertia_ == pytest.approx(expected.inertia_, rel=1e-8, abs=1e-8)


@on_devices
@pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS)
@pytest.mark.parametrize("max_iter", [1, 2, 100])
@pytest.mark.parametrize("weighted", [False, True])
def test_steps_are_those_of_the_host(to_device, kernel, max_iter, weighted):
    for seed in range(5):
        K = kernel(four_blobs(seed))
        weight = (
            np.random.RandomState(seed).randint(3, size=len(K)) if weighted else None
        )
        params = {"max_iter": max_iter, "random_state": seed}
        expected = fitted(K, weight, **params)
        with dispatch():
            assert_same_run(fitted(to_device(K), weight, **params), expected)


@on_devices
@pytest.mark.parametrize("n_moved", [5, 60])
def test_updates_are_products(to_device, n_moved):
    K, rng = 1 + rbf_kernel(four_blobs(0)), np.random.RandomState(0)
    old, new = rng.randint(3, size=(2, len(K)))
    new[n_moved:] = old[n_moved:]
    weight = rng.uniform(size=len(K))
    with dispatch():
        sums = StoredDeviceGram.training(to_device(K)).cluster_sums([3], weight)
        sums.set(np.array([0]), old[None])
        labels = [sums.device_labels(row) for row in (old, new)]
        moved = sums.arrays.native(np.flatnonzero(old != new))
        sums.device_update(0, moved, *labels)
        S = sums.columns(0, np.arange(len(K)))
        mass, totals = map(host, sums.device_means(0, labels[1]))
    Z = weight[:, None] * np.eye(3)[new]
    assert_allclose(S, Z.T @ K, rtol=1e-12)
    assert_allclose(mass, Z.sum(axis=0), rtol=1e-12)
    assert_allclose(totals, np.diag(Z.T @ K @ Z), rtol=1e-12)

"""Rules of assignment on a device: those of the host, ties included."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from namespaces import dispatch, on_devices
from numpy.testing import assert_array_equal

from sklearn_kernelclust._gram._device_leaves import StoredDeviceGram
from sklearn_kernelclust._gram._stored import DenseGram


@on_devices
@pytest.mark.parametrize("rule", ["mean", "leave-one-out", "single-move"])
def test_the_host_decides_the_same(to_device, rule):
    """On a grid of integers, where many objects are at the same distance of two."""
    X = np.indices((6, 6)).reshape(2, -1).T.astype(float)
    K, rng = X @ X.T, np.random.RandomState(0)
    labels = np.r_[np.arange(4), rng.randint(4, size=32)][None]
    mass, run = np.bincount(labels[0])[None].astype(float), np.array([0])

    def nearest(gram):
        sums = gram.cluster_sums([4])
        sums.set(run, labels)
        norms = sums.totals(run, labels) / mass**2
        return sums.nearest(run, mass, norms, labels, rule)

    expected = nearest(DenseGram.training(K))
    assert (expected != labels).any()
    with dispatch():
        assert_array_equal(nearest(StoredDeviceGram.training(to_device(K))), expected)

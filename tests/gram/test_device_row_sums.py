"""Sums by rows: with plain kernels in the place of those for CUDA."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from clusterings import four_blobs
from namespaces import dispatch, host, on_devices
from numpy.testing import assert_allclose
from sklearn.metrics.pairwise import rbf_kernel

from sklearn_kernelclust._gram import _device_row_sums
from sklearn_kernelclust._gram._device_leaves import StoredDeviceGram


class PlainKernels:
    """What ``_cuda_kernels`` says that its kernels do, on the host."""

    def __init__(self, arrays):
        self.arrays, self.called = arrays, []

    def added_rows(self, K, rows, groups, out, weight=None):
        self.called.append("added_rows")
        weight = np.ones(len(host(rows))) if weight is None else host(weight)
        sums = host(out).copy()
        np.add.at(sums, host(groups), weight[:, None] * host(K)[host(rows)])
        out[...] = self.arrays.native(sums)

    def move_rows(self, K, rows, old, new, weight, out):
        self.called.append("move_rows")
        sums, weight = host(out).copy(), host(weight)
        for i in host(rows):
            sums[host(old)[i]] -= weight[i] * host(K)[i]
            sums[host(new)[i]] += weight[i] * host(K)[i]
        out[...] = self.arrays.native(sums)


@on_devices
@pytest.mark.parametrize("unit", [True, False])
@pytest.mark.parametrize("n_moved, few", [(5, 128), (20, 4), (70, 4)])
def test_updates_are_products(to_device, n_moved, few, unit, monkeypatch):
    monkeypatch.setattr(_device_row_sums, "FEW", few)
    K, rng = 1 + rbf_kernel(four_blobs(0)), np.random.RandomState(0)
    old = rng.randint(3, size=len(K))
    new = np.where(np.arange(len(K)) < n_moved, (old + 1) % 3, old)
    weight = np.ones(len(K)) if unit else rng.uniform(size=len(K))
    with dispatch():
        gram = StoredDeviceGram.training(to_device(K))
        kernels = PlainKernels(gram.arrays)
        facts = gram, [3], weight, gram.diagonal(), kernels
        sums = _device_row_sums.RowClusterSums(*facts)
        sums.set(np.array([0]), old[None])
        labels = [sums.device_labels(row) for row in (old, new)]
        sums.device_update(0, gram.arrays.native(np.arange(n_moved)), *labels)
        S = sums.columns(0, np.arange(len(K)))
    assert kernels.called[-1] == ("move_rows" if n_moved <= few else "added_rows")
    assert_allclose(S, (weight[:, None] * np.eye(3)[new]).T @ K, rtol=1e-12)

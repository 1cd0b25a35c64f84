"""Blocks of vectors on the host and on a device: the same arithmetic."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from contract import features
from namespaces import host, on_devices
from numpy.testing import assert_allclose

from sklearn_kernelclust._gram._device_leaves import StoredDeviceGram
from sklearn_kernelclust._gram._stored import DenseGram
from sklearn_kernelclust._linalg import _block_lanczos
from sklearn_kernelclust._linalg._block_lanczos import block_lanczos
from sklearn_kernelclust._linalg._places import HOST, place_of


def kernel(n=60):
    X = features(n)
    return X @ X.T


def test_a_matrix_of_the_host_multiplies_there():
    assert place_of(kernel()) is HOST
    assert place_of(DenseGram.training(kernel())) is HOST


@on_devices
def test_arithmetic(to_device):
    K, W = kernel(), np.random.RandomState(0).normal(size=(60, 3))
    gram = StoredDeviceGram.training(to_device(K))
    place = place_of(gram)
    block = place.native(W)
    assert_allclose(place.host(place.product(gram, block)), K @ W)
    Q, R = place.qr(block)
    assert isinstance(R, np.ndarray)
    assert_allclose(host(Q) @ R, W, atol=1e-12)
    assert_allclose(host(Q).T @ host(Q), np.eye(3), atol=1e-12)


@on_devices
@pytest.mark.parametrize("columns", [60, 12], ids=["one basis", "restarts"])
def test_eigenpairs_of_a_device(to_device, monkeypatch, columns):
    monkeypatch.setattr(_block_lanczos, "COLUMNS", columns)
    K, start = kernel(), np.random.RandomState(0).normal(size=(60, 3))
    expected = np.linalg.eigvalsh(K)[: -1 - 2 : -1]
    gram = StoredDeviceGram.training(to_device(K))
    values, vectors = block_lanczos(gram, 2, 1e-9, start)
    assert_allclose(values[:2], expected)
    assert_allclose(K @ vectors, vectors * values, atol=1e-7 * expected[0])


@on_devices
def test_a_block_that_leads_nowhere_is_replaced(to_device):
    K = np.diag(np.where(np.arange(60) < 2, 5.0, 1.0))
    start = np.random.RandomState(0).normal(size=(60, 3))
    gram = StoredDeviceGram.training(to_device(K))
    assert_allclose(block_lanczos(gram, 2, 1e-9, start)[0][:2], 5)

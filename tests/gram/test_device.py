"""Passes over tiles on a device."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from contract import features
from namespaces import host, on_devices
from scipy.sparse import csr_array
from sklearn import config_context

from sklearn_kernelclust._gram import _device
from sklearn_kernelclust._gram._device_leaves import (
    FactoredDeviceGram,
    StoredDeviceGram,
)


@pytest.fixture(params=[1024, 0.001], ids=["one tile", "many tiles"])
def gram(request, to_device):
    X = features(50)
    norms, A = np.square(X).sum(axis=1), to_device(X)
    with config_context(working_memory=request.param):
        yield FactoredDeviceGram(A, A, norms, norms, symmetric=True)


@on_devices
def test_tiles_cover_each_entry_once(gram):
    for half in (False, True):
        count = np.zeros(gram.shape, dtype=int)
        for rows, cols in gram._place.tiles(gram, half):
            count[rows, cols] += 1
            if half and rows != cols:
                count[cols, rows] += 1
        assert (count == 1).all()


@on_devices
def test_a_tile_fits_the_working_memory(gram):
    with config_context(working_memory=0.001):
        height, width = gram._place.tile_shape(gram)
    assert height * width * 8 <= 0.001 * 2**20


@on_devices
def test_blocks_of_the_device_stay_there(gram, to_device):
    Z = np.random.RandomState(0).normal(size=(50, 3))
    product = gram @ to_device(Z)
    assert type(product) is type(to_device(Z))
    np.testing.assert_allclose(host(product), gram @ Z)
    np.testing.assert_allclose(gram @ csr_array(Z), gram @ Z)
    np.testing.assert_allclose(host(gram @ to_device(Z[:, 0])), gram @ Z[:, 0])


@on_devices
def test_no_more_is_stored_than_fits(to_device, monkeypatch):
    X = features(50)
    norms, A = np.square(X).sum(axis=1), to_device(X)
    gram = FactoredDeviceGram(A, A, norms, norms, symmetric=True)
    monkeypatch.setattr(type(gram.arrays), "free_memory", lambda self: 4 * 50 * 50 * 8)
    assert isinstance(gram.stored(100), StoredDeviceGram)
    monkeypatch.setattr(type(gram.arrays), "free_memory", lambda self: 4 * 50 * 50 * 7)
    assert gram.stored(100) is gram


@on_devices
def test_tiles_leave_room_for_copies(gram, monkeypatch):
    monkeypatch.setattr(type(gram.arrays), "free_memory", lambda self: 8000)
    height, width = gram._place.tile_shape(gram)
    assert height * width * 8 * _device.COPIES <= 8000

"""Grams of arrays on a device keep the contract of the Gram."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from contract import DTYPES, check_gram, features
from namespaces import on_devices

from sklearn_kernelclust._gram._device_leaves import (
    EvaluatedDeviceGram,
    FactoredDeviceGram,
    StoredDeviceGram,
)


def similarity(X, Y):
    """A function of inner products, for arrays of any namespace."""
    return 1 / (1 + abs(X @ Y.T))


@on_devices
@pytest.mark.parametrize("dtype", DTYPES)
def test_stored(to_device, dtype):
    X, Y = features(40, dtype=dtype), features(25, dtype=dtype, seed=1)
    K = X @ X.T
    check_gram(StoredDeviceGram.training(to_device(K)), K, K)
    check_gram(StoredDeviceGram(to_device(X @ Y.T)), X @ Y.T)


@on_devices
@pytest.mark.parametrize("dtype", DTYPES)
def test_factored(to_device, dtype):
    X, Y = features(40, dtype=dtype), features(25, dtype=dtype, seed=1)
    norms, A = [np.square(side).sum(axis=1) for side in (X, Y)], to_device(X)
    gram = FactoredDeviceGram(A, A, norms[0], norms[0], symmetric=True)
    check_gram(gram, X @ X.T, X @ X.T)
    check_gram(FactoredDeviceGram(A, to_device(Y), *norms), X @ Y.T, X @ X.T)


@on_devices
@pytest.mark.parametrize("dtype", DTYPES)
def test_evaluated(to_device, dtype):
    X, Y = features(40, dtype=dtype), features(25, dtype=dtype, seed=1)
    K, known = similarity(X, X), [similarity(s, s).diagonal() for s in (X, Y)]
    A, B = to_device(X), to_device(Y)
    gram = EvaluatedDeviceGram(similarity, A, A, known[0], known[0], symmetric=True)
    check_gram(gram, K, K)
    check_gram(EvaluatedDeviceGram(similarity, A, B, *known), similarity(X, Y), K)


@on_devices
def test_tiles_are_copies(to_device):
    K = np.eye(5)
    gram = StoredDeviceGram.training(to_device(K))
    tile = gram._tile(slice(0, 2), slice(0, 2))
    tile += 1
    np.testing.assert_array_equal(gram.toarray(), K)

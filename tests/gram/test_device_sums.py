"""Cluster sums on a device decide as those of numpy arrays do."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from contract import features
from namespaces import on_devices
from numpy.testing import assert_allclose, assert_array_equal

from sklearn_kernelclust._gram import _device_sums
from sklearn_kernelclust._gram._device_leaves import StoredDeviceGram
from sklearn_kernelclust._gram._stored import DenseGram

KS = [3, 5]


def problem(seed, weighted=True):
    """A kernel, weights, and two runs with an empty cluster and a lonely object."""
    rng = np.random.RandomState(seed)
    X = features(40, seed=seed)
    weight = rng.randint(4, size=40) / 2 if weighted else None
    labels = np.array([rng.randint(k - 1, size=40) for k in KS])
    labels[0, 7] = 2
    return X @ X.T, weight, labels


def means(sums, labels):
    """Masses and norms of clusters."""
    weight = np.ones(labels.shape[1]) if sums.weight is None else sums.weight
    mass = np.array([np.bincount(row, weight, max(KS)) for row in labels])
    totals = sums.totals(np.arange(2), labels)
    filled = mass > 0
    return mass, np.where(filled, totals / np.where(filled, mass, 1) ** 2, np.inf)


@pytest.fixture(params=[2**27, 37], ids=["one block", "blocks"])
def both(request, to_device, seed, monkeypatch):
    monkeypatch.setattr(_device_sums, "BLOCK", request.param)
    K, weight, labels = problem(seed)
    grams = DenseGram.training(K), StoredDeviceGram.training(to_device(K))
    sums = [gram.cluster_sums(KS, weight) for gram in grams]
    for each in sums:
        each.set(np.arange(2), labels)
    return *sums, labels


@on_devices
def test_values(both):
    host, device, labels = both
    runs = np.arange(2)
    assert_allclose(device.own(runs, labels), host.own(runs, labels))
    assert_allclose(device.totals(runs, labels), host.totals(runs, labels))
    few = np.array([3, 8, 20])
    assert_allclose(device.columns(1, few), host.columns(1, few))


@on_devices
@pytest.mark.parametrize("rule", ["mean", "leave-one-out", "single-move"])
def test_decisions(both, rule):
    host, device, labels = both
    arguments = np.arange(2), *means(host, labels)
    expected = host.nearest(*arguments, labels, rule)
    assert_array_equal(device.nearest(*arguments, labels, rule), expected)
    if rule == "mean":
        assert_array_equal(device.nearest(*arguments), host.nearest(*arguments))


@on_devices
def test_holding_shift(both):
    host, device, labels = both
    mass, norms = means(host, labels)
    for run in range(2):
        arguments = run, labels[run], mass[run], norms[run]
        expected = host.holding_shift(*arguments)
        assert_allclose(device.holding_shift(*arguments), expected)


@on_devices
def test_moves(both, seed):
    _, device, labels = both
    rng, runs = np.random.RandomState(seed), np.arange(2)
    new = labels.copy()
    for row, k in zip(new, KS):
        moved = rng.permutation(40)[:7]
        row[moved] = rng.randint(k, size=7)
    device.update(runs, labels, new)
    updated = device.own(runs, new)
    device.set(runs, new)
    assert_allclose(updated, device.own(runs, new), atol=1e-10)

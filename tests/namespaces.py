"""Arrays of other namespaces, wherever a library for them is installed."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from importlib.util import find_spec

import numpy as np
import pytest
import sklearn

from sklearn_kernelclust._utils._arrays import on_host


def _strict(X):
    import array_api_strict

    # Not the device that numpy reads without being asked to.
    device = array_api_strict.Device("device1")
    return array_api_strict.asarray(X, device=device)


def _torch(device):
    def to_device(X):
        import torch

        if device == "mps":
            X = X.astype(np.float32)
        return torch.tensor(X, device=device)

    return to_device


def _cupy(X):
    import cupy

    return cupy.asarray(X)


def _available(device):
    if find_spec("torch") is None:
        return False
    import torch

    if device == "cuda":
        return torch.cuda.is_available()
    return device == "cpu" or torch.backends.mps.is_available()


def _strict_available():
    """With scikit-learn 1.8, which brings what tells namespaces apart."""
    if find_spec("sklearn.externals.array_api_compat") is None:
        return False
    return find_spec("array_api_strict") is not None


def _cupy_available():
    if find_spec("cupy") is None:
        return False
    import cupy

    return cupy.cuda.is_available()


def _parameter(name, to_device, available):
    skip = pytest.mark.skipif(not available, reason=f"no {name} here")
    return pytest.param(to_device, id=name, marks=skip)


# Functions that turn a numpy array into one of a namespace and device.
DEVICES = [
    _parameter("strict", _strict, _strict_available()),
    _parameter("torch-cpu", _torch("cpu"), _available("cpu")),
    _parameter("torch-cuda", _torch("cuda"), _available("cuda")),
    _parameter("cupy", _cupy, _cupy_available()),
]

on_devices = pytest.mark.parametrize("to_device", DEVICES)


def dispatch():
    """scikit-learn works in the namespace of its input."""
    return sklearn.config_context(array_api_dispatch=True)


def host(array):
    """The numpy array of an array of any namespace."""
    return on_host(array)

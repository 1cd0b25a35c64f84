"""Kernels of features on a device are those of scikit-learn on the host."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import partial

import numpy as np
import pytest
from contract import features
from namespaces import dispatch, on_devices
from numpy.testing import assert_allclose
from sklearn.metrics.pairwise import pairwise_kernels

from sklearn_kernelclust import PairwiseKernel
from sklearn_kernelclust._kernels._device_forms import (
    FORMS,
    device_form,
)

PARAMETERS = {"gamma": 0.05, "degree": 2, "coef0": 0.5}


def lazy_kernel(kernel, **parameters):
    return PairwiseKernel(kernel, lazy=True, **parameters)


@on_devices
@pytest.mark.parametrize("kernel", sorted(FORMS))
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_every_form_is_its_kernel(to_device, kernel, dtype):
    X, Y = features(30, dtype=dtype), features(20, dtype=dtype, seed=1)
    wide = X.astype(np.float64), Y.astype(np.float64)
    plain = partial(pairwise_kernels, metric=kernel, filter_params=True, **PARAMETERS)
    rtol = 1e-10 if dtype is np.float64 else 2e-4
    with dispatch():
        model = lazy_kernel(kernel, **PARAMETERS).fit(to_device(X))
        training, new = model.transform(to_device(X)), model.transform(to_device(Y))
    size = np.abs(plain(wide[0])).max()
    assert training.dtype == dtype
    assert_allclose(training.toarray(), plain(wide[0]), rtol, rtol * size)
    assert_allclose(training.diagonal(), plain(wide[0]).diagonal(), rtol, rtol * size)
    assert_allclose(new.toarray(), plain(wide[1], wide[0]), rtol, rtol * size)
    assert_allclose(new.diagonal(), plain(wide[1]).diagonal(), rtol, rtol * size)


@on_devices
def test_far_from_the_origin(to_device):
    X = features(30) + 1e6
    with dispatch():
        gram = lazy_kernel("rbf", gamma=0.05).fit_transform(to_device(X))
    expected = pairwise_kernels(X - 1e6, metric="rbf", gamma=0.05)
    assert_allclose(gram.toarray(), expected, atol=1e-8)


@on_devices
def test_rows_of_zeros_have_no_direction(to_device):
    X = features(10)
    X[3] = 0
    with dispatch(), pytest.warns(UserWarning, match="zero"):
        gram = lazy_kernel("cosine").fit_transform(to_device(X))
    assert not gram.toarray()[3].any()


@on_devices
def test_what_overflows_is_refused(to_device):
    X = np.array([[1e200], [-1e200], [0.0]])
    with dispatch(), pytest.raises(ValueError, match="Squared distances overflowed"):
        lazy_kernel("rbf", gamma=1.0).fit(to_device(X)).transform(to_device(X))


@on_devices
def test_what_underflows_is_refused(to_device):
    X = np.array([[1e-200], [-1e-200], [0.0]])
    with dispatch(), pytest.raises(ValueError, match="largest entry of X is 1e-200"):
        lazy_kernel("linear").fit_transform(to_device(X))


@on_devices
@pytest.mark.parametrize(
    ("kernel", "message"),
    [
        (lambda A, B: A @ B.T[:, :1], r"returned shape \(\d+, 1\)"),
        (lambda A, B: A @ B.T * np.inf, "non-finite values"),
    ],
    ids=["shape", "infinite"],
)
def test_a_callable_is_looked_at(to_device, kernel, message):
    with dispatch(), pytest.raises(ValueError, match=message):
        lazy_kernel(kernel).fit_transform(to_device(features(10)))


@on_devices
def test_kernels_of_the_host_are_named(to_device):
    class Parameters:
        kernel = "chi2"

    with pytest.raises(ValueError, match=r"'chi2' is evaluated on the host only.*rbf"):
        device_form(to_device(features(10)), Parameters)

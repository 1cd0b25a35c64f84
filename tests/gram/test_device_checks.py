"""What is refused on the host is refused on a device, with the same words."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from contract import features
from namespaces import dispatch, on_devices
from scipy.spatial.distance import cdist

from sklearn_kernelclust import KernelKMeans


def message_of(work):
    with pytest.raises((ValueError, UserWarning)) as caught:
        work()
    return str(caught.value)


def hostile_kernels():
    X = features(30)
    asymmetric = X @ X.T
    asymmetric[3, 17] += 0.5
    yield pytest.param(asymmetric, id="asymmetric")
    yield pytest.param(X @ X.T[:, :20], id="not square")
    yield pytest.param(1e-306 * (X @ X.T), id="subnormal")
    yield pytest.param(cdist(X, X), id="distances")
    yield pytest.param(-np.eye(30), id="negative")


@on_devices
@pytest.mark.parametrize("K", hostile_kernels())
def test_the_same_is_refused(to_device, K):
    model = KernelKMeans(2, kernel="precomputed", random_state=0)
    expected = message_of(lambda: model.fit(K))
    with dispatch():
        assert message_of(lambda: model.fit(to_device(K))) == expected


@on_devices
def test_an_infinite_entry_is_named(to_device):
    K = features(30) @ features(30).T
    K[4, 5] = K[5, 4] = np.inf
    with dispatch(), pytest.raises(ValueError, match=r"The first is at K\[4, 5\]"):
        KernelKMeans(2, kernel="precomputed").fit(to_device(K))


@on_devices
def test_features_that_look_like_a_kernel(to_device):
    K = features(20) @ features(20).T
    with dispatch(), pytest.warns(UserWarning, match="looks like a kernel"):
        KernelKMeans(2, random_state=0).fit(to_device(K))

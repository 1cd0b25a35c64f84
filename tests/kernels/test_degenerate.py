"""Kernels that tell no objects apart, or all of them, are noticed."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings

import numpy as np
import pytest
from sklearn.datasets import make_blobs

from sklearn_kernelclust import BisectingKernelKMeans, KernelKMeans
from sklearn_kernelclust._gram._checks import as_gram
from sklearn_kernelclust._kernels._degenerate import warn_if_degenerate

X, _ = make_blobs(60, 3, centers=3, random_state=0)


def quiet(K):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_if_degenerate(as_gram(K), 1.0)


@pytest.mark.parametrize("n", [10, 60, 500])
def test_identity(n):
    K = np.eye(n) + 1e-7 * (1 - np.eye(n))
    with pytest.warns(UserWarning, match=r"nearly the identity \(gamma=2\): 100% of"):
        warn_if_degenerate(as_gram(K), 2.0)
    quiet(K[:9, :9])
    quiet(np.eye(n) + 1e-5)
    # One object in five has a neighbour.
    i = np.arange(0, n - 1, 10)
    K[i, i + 1] = K[i + 1, i] = 0.5
    quiet(K)


def test_constant():
    noise = np.random.default_rng(0).random((20, 20))
    K = 1 - 1e-11 * (noise + noise.T)
    with pytest.warns(UserWarning, match=r"constant up to \de-11 \(gamma=0.5\)"):
        warn_if_degenerate(as_gram(K), 0.5)
    quiet(1 - 1e-7 * (noise + noise.T))
    quiet(np.ones((20, 20)))  # objects that are the same


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("Model", [BisectingKernelKMeans, KernelKMeans])
def test_clusterers_warn(Model):
    with pytest.warns(UserWarning, match="nearly the identity.*smaller gamma"):
        Model(3, gamma=1e6, random_state=0).fit(X)
    with pytest.warns(UserWarning, match="constant up to .*larger gamma"):
        Model(3, gamma=1e-13, random_state=0).fit(X)
    Model(3, random_state=0).fit(X)

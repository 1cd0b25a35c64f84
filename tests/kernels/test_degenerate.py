"""Kernels that tell no objects apart, or all of them, are noticed."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings

import numpy as np
import pytest
from sklearn.datasets import make_blobs

from sklearn_kernelclust import BisectingKernelKMeans, KernelKMeans, PairwiseKernel
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
    with pytest.warns(
        UserWarning, match=r"\(gamma=2\) is nearly the identity: 100% of"
    ):
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
    with pytest.warns(UserWarning, match=r"\(gamma=0.5\) is constant up to \de-11:"):
        warn_if_degenerate(as_gram(K), 0.5)
    quiet(1 - 1e-7 * (noise + noise.T))
    quiet(np.ones((20, 20)))  # objects that are the same


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("Model", [BisectingKernelKMeans, KernelKMeans])
def test_clusterers_warn(Model):
    with pytest.warns(UserWarning, match="nearly the identity.*smaller gamma"):
        Model(3, gamma=1e6, random_state=0).fit(X)
    with pytest.warns(UserWarning, match="larger gamma, or gamma='scale'"):
        Model(3, gamma=1e-13, random_state=0).fit(X)
    Model(3, random_state=0).fit(X)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("kernel, far", [("rbf", 1e6), ("laplacian", 1e12)])
def test_the_cure_is_not_what_was_given(kernel, far):
    """The variance of all entries is that between two columns far apart."""
    apart = X[:, :2] + [0, far]
    with pytest.warns(UserWarning, match="larger gamma, or scale the features"):
        KernelKMeans(3, kernel=kernel, gamma="scale", random_state=0).fit(apart)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("Model", [BisectingKernelKMeans, KernelKMeans])
def test_precomputed_kernels_are_looked_at(Model):
    model = Model(3, kernel="precomputed", random_state=0)
    for gamma, message in [
        (1e6, "matrix is nearly the identity: 100% .*smaller gamma, where it was made"),
        (1e-13, "matrix is constant up to .*larger gamma, where it was made"),
    ]:
        with pytest.warns(UserWarning, match="nearly the identity|constant up to"):
            K = PairwiseKernel("rbf", gamma=gamma).fit_transform(X)
        with pytest.warns(UserWarning, match=message):
            model.fit(K)


@pytest.mark.parametrize("name", ["chi2", "laplacian", "poly", "rbf", "sigmoid"])
def test_the_default_gamma_is_in_the_unit_of_the_features(name):
    K = PairwiseKernel(name).fit_transform(np.abs(X))
    again = PairwiseKernel(name).fit_transform(1000 * np.abs(X))
    np.testing.assert_allclose(again, K, rtol=1e-6)

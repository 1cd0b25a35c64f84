"""Features to kernel matrices."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from samples import normal_features as data
from scipy.sparse import csr_array
from sklearn.metrics.pairwise import pairwise_kernels, rbf_kernel

from sklearn_kernelclust import PairwiseKernel
from sklearn_kernelclust._gram._base import Gram
from sklearn_kernelclust._utils._memory import GramTooLargeError


@pytest.mark.parametrize("container", [np.asarray, csr_array])
@pytest.mark.parametrize("kernel", ["linear", "cosine", "rbf", "poly", "sigmoid"])
def test_pairwise(kernel, container):
    X, new = data(), data(1, 10)
    eager = PairwiseKernel(kernel, gamma=None).fit(container(X))
    lazy = PairwiseKernel(kernel, gamma=None, lazy=True).fit(container(X))
    K, K_new = (
        pairwise_kernels(X, metric=kernel),
        pairwise_kernels(new, X, metric=kernel),
    )
    assert_allclose(eager.fit_transform(container(X)), K, atol=1e-12)
    assert_allclose(eager.transform(container(new)), K_new, atol=1e-12)
    assert isinstance(lazy.transform(container(new)), Gram)
    assert_allclose(lazy.transform(container(new)).toarray(), K_new, atol=1e-12)


def test_precomputed_changes_nothing():
    K = rbf_kernel(data())
    model = PairwiseKernel("precomputed")
    assert_array_equal(model.fit_transform(K), K)
    assert_array_equal(model.transform(K[:3]), K[:3])
    assert isinstance(PairwiseKernel("precomputed", lazy=True).fit_transform(K), Gram)


def test_a_kernel_that_does_not_fit_is_refused():
    X = np.zeros((500_000, 1))
    with pytest.raises(GramTooLargeError, match="lazy=True"):
        PairwiseKernel("rbf", gamma=1.0).fit_transform(X)
    gram = PairwiseKernel("rbf", gamma=1.0, lazy=True).fit_transform(X)
    assert gram.shape == (500_000, 500_000)


def test_rows_of_zeros_have_no_cosine():
    X = data()
    X[:2] = 0
    with pytest.warns(UserWarning, match="2 objects are rows of zeros"):
        K = PairwiseKernel("cosine").fit_transform(X)
    assert not K[:2].any()

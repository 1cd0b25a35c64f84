"""Kernels in which nothing is similar, and rounding in a spectrum."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest

from sklearn_kernelclust._gram._stored import DenseGram
from sklearn_kernelclust._linalg._spectrum_checks import check_some_positive


def test_negative_definite_kernel_is_refused():
    with pytest.raises(ValueError, match=r"no positive eigenvalue \(its largest is -1"):
        check_some_positive(DenseGram.training(-np.eye(3)))
    check_some_positive(DenseGram.training(np.array([[-1.0, 2.0], [2.0, -1.0]])))
    check_some_positive(DenseGram.training(np.array([[-1.0, -2.0], [-2.0, -1.0]])))


@pytest.mark.parametrize("size", [1e-9, 1, 1e9])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("n", [12, 300])
def test_rounding_is_no_positive_eigenvalue(n, dtype, size, seed):
    """The largest eigenvalue is 0, up to rounding on either side of it."""
    X = np.random.default_rng(seed).normal(size=(n, 3)).astype(dtype)
    for Y in (X, X - X.mean(axis=0), np.vstack([X, np.zeros((1, 3), dtype)])):
        K = dtype(size) * (-Y @ Y.T)
        with pytest.raises(ValueError, match="no positive eigenvalue"):
            check_some_positive(DenseGram.training(K))
    check_some_positive(DenseGram.training(np.zeros((n, n), dtype)))

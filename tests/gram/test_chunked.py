"""Functions of two objects as Grams."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from contract import CONTAINERS, DTYPES, check_gram, features
from scipy.sparse import issparse
from sklearn.metrics.pairwise import laplacian_kernel

from sklearn_kernelclust._gram._chunked import ChunkedGram


def laplacian(X, Y):
    """As `laplacian_kernel`, without checks and threads that small tiles wait for."""
    X, Y = (A.toarray() if issparse(A) else A for A in (X, Y))
    return np.exp(-np.abs(X[:, None] - Y).sum(axis=2) / X.shape[1])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("container", CONTAINERS)
def test_chunked(dtype, container):
    X, Y = features(dtype=dtype), features(30, dtype=dtype, seed=1)
    A, B = container(X), container(Y)
    ones = np.ones(60, dtype), np.ones(30, dtype)
    K, K_new = laplacian_kernel(X), laplacian_kernel(X, Y)
    check_gram(ChunkedGram(laplacian, A, A, ones[0], ones[0], True), K, K)
    check_gram(ChunkedGram(laplacian, A, B, *ones), K_new, K)

"""Products of features as Grams."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from contract import CONTAINERS, DTYPES, check_gram, features

from sklearn_kernelclust._gram._factored import FactoredGram


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("container", CONTAINERS)
def test_factored(dtype, container):
    X, Y = features(dtype=dtype), features(30, dtype=dtype, seed=1)
    A, B = container(X), container(Y)
    gram = FactoredGram(A, A, symmetric=True)
    assert gram.dtype == dtype
    check_gram(gram, X @ X.T, X @ X.T)
    check_gram(FactoredGram(A, B), X @ Y.T, X @ X.T)


def test_scaled_alike_it_keeps_one_factor():
    X = features()
    gram = FactoredGram(X, X, symmetric=True)
    scale = 1 / np.sqrt(gram.diagonal())
    alike = gram.scaled(scale, scale)
    assert alike.A is alike.B
    K = X * scale[:, None] @ (X * scale[:, None]).T
    check_gram(alike, K, K)
    assert gram.scaled(scale, 2 * scale).factor() is None

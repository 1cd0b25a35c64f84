"""Products of features as Grams."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import pytest
from contract import CONTAINERS, DTYPES, check_gram, features

from sklearn_kernelclust._factored_gram import FactoredGram


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("container", CONTAINERS)
def test_factored(dtype, container):
    X, Y = features(dtype=dtype), features(30, dtype=dtype, seed=1)
    A, B = container(X), container(Y)
    gram = FactoredGram(A, A, symmetric=True)
    assert gram.dtype == dtype
    check_gram(gram, X @ X.T, X @ X.T)
    check_gram(FactoredGram(A, B), X @ Y.T, X @ X.T)

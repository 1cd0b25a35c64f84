"""Small data, and the contract check with the square matrix of the row objects."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from scipy.sparse import csr_array, csr_matrix
from scipy.sparse import random as random_sparse

from sklearn_kernelclust import gram as public

DTYPES = [np.float64, np.float32]
CONTAINERS = [np.asarray, csr_array, csr_matrix]


def features(n=60, d=11, dtype=np.float64, seed=0):
    X = random_sparse(n, d, density=0.4, random_state=seed).toarray()
    return (X + 0.1 * (X > 0)).astype(dtype)


def close(dtype):
    return {"rtol": 1e-4, "atol": 2e-5} if dtype == np.float32 else {"rtol": 1e-9}


def check_gram(gram, K, K_rows=None):
    """All verbs of `gram` against the matrix `K`.

    `K_rows` is the square matrix of the row objects, which has their
    self-similarities; None if they cannot be known.
    """
    if K_rows is None:
        assert gram.self_similarity is None
        with pytest.raises(ValueError, match="not in a precomputed block"):
            gram.diagonal()
    else:
        K_rows = K_rows.diagonal()
    public.check_gram(gram, K, self_similarity=K_rows)

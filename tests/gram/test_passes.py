"""What one pass over the tiles of a Gram gives."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from sklearn_kernelclust._gram._passes import diagonal_by_tiles, mirror
from sklearn_kernelclust._gram._stored import DenseGram


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("n", [0, 1, 2, 63, 64, 65, 200])
def test_the_upper_half_becomes_the_lower_one(n, order):
    K = np.random.default_rng(0).normal(size=(n, n))
    expected = np.tril(K) + np.tril(K, -1).T
    mirrored = mirror(np.array(K, order=order))
    assert_array_equal(mirrored, expected)
    assert_array_equal(mirrored, mirrored.T)


@pytest.mark.parametrize("n", [0, 1, 100])
def test_the_diagonal_by_tiles(n):
    K = np.random.default_rng(0).normal(size=(n, n))
    assert_array_equal(diagonal_by_tiles(DenseGram(K)), K.diagonal())

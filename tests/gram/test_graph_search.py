"""The defaults of a Gram as a graph, which no leaf of the package overrides."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse.csgraph import connected_components
from sklearn import config_context

from sklearn_kernelclust._gram._graph_search import components_by_rows, range_by_tiles
from sklearn_kernelclust._gram._stored import DenseGram


@pytest.mark.parametrize("size", [1e-3, 1.0])
def test_range_leaves_out_the_diagonal(size, seed):
    K = np.random.default_rng(seed).normal(size=(50, 50))
    K = size * (K + K.T + 100 * np.eye(50))
    before = K.copy()
    off = K[~np.eye(50, dtype=bool)]
    for megabytes in (1024, 0.001):
        with config_context(working_memory=megabytes):
            bounds = range_by_tiles(DenseGram.training(K))
        assert_allclose(bounds, (off.min(), off.max()))
    assert_array_equal(K, before)


def test_components_of_blocks(seed):
    rng = np.random.default_rng(seed)
    block = rng.integers(0, 6, 40)
    K = (block[:, None] == block).astype(float)
    labels = components_by_rows(DenseGram.training(K), np.ones(40))
    n_expected, expected = connected_components(K)
    assert len(np.unique(np.column_stack([labels, expected]), axis=0)) == n_expected

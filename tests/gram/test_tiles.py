"""Products a block at a time."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from grams import make_gram
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array

from sklearn_kernelclust._gram._tiles import (
    balanced_slices,
    for_each_pair,
    sparse_left_product,
)
from sklearn_kernelclust._utils._threads import batches


def test_batches_cover_the_range():
    assert batches(0, 3) == []
    assert batches(7, 3) == [slice(0, 3), slice(3, 6), slice(6, 7)]


def test_float32_sums_are_float64():
    rng = np.random.default_rng(0)
    K = rng.random((60000, 8)).astype(np.float32)
    Zt = csr_array(np.ones((1, 60000)))
    exact = K.astype(np.float64).sum(axis=0)
    found = sparse_left_product(Zt, K, np.float64)[0]
    assert found.dtype == np.float64
    assert_allclose(found, exact, rtol=2e-6)


def test_threads_share_the_entries():
    A = csr_array(
        (
            np.ones(9_000_000 // 8),
            (np.arange(9_000_000 // 8) // 3, [0] * (9_000_000 // 8)),
        )
    )
    slices = balanced_slices(A, 100)
    assert slices[0].start == 0 and slices[-1].stop == A.shape[0]
    assert_array_equal([s.start for s in slices[1:]], [s.stop for s in slices[:-1]])


def test_pairs_cover_half_of_a_symmetric_gram():
    X = np.random.default_rng(0).normal(size=(1500, 3))
    gram = make_gram(X, kernel="rbf", gamma=1.0)
    seen = np.zeros((1500, 1500), dtype=int)

    def see(worker, rows, cols, tile):
        assert_allclose(tile, gram._tile(rows, cols))
        seen[rows, cols] += 1

    for_each_pair(gram, see, 3)
    assert seen.max() == 1
    assert (seen + seen.T >= 1).all()


def test_products_are_the_same_to_the_last_bit():
    """Whatever thread comes first."""
    X = np.random.default_rng(0).normal(size=(3000, 4))
    gram = make_gram(X, kernel="rbf", gamma=1.0)
    z = np.random.default_rng(1).normal(size=(3000, 2))
    assert len({(gram @ z).tobytes() for _ in range(4)}) == 1

"""Products a block at a time."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import tracemalloc

import numpy as np
import pytest
from grams import make_gram
from numpy.testing import assert_allclose
from scipy.sparse import csc_array, csr_array

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


@pytest.mark.parametrize("kind", [csr_array, csc_array])
@pytest.mark.parametrize("of_K, of_Z", [("f4", "f8"), ("f8", "f4"), ("f8", "f8")])
def test_rows_of_any_type_copy_no_more_than_themselves(kind, of_K, of_Z):
    K = np.random.default_rng(0).random((1000, 200)).astype(of_K)
    Z = np.eye(4, 1000, dtype=of_Z)
    Zt = kind(Z)
    tracemalloc.start()
    try:
        found = sparse_left_product(Zt, K, np.float64)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < K.nbytes / 2
    assert_allclose(found, Z @ K, rtol=1e-6)


@pytest.mark.parametrize("sizes", [[], [5], [1, 1, 1, 1], [100, 1, 1, 1], [0, 0, 3]])
@pytest.mark.parametrize("n_slices", [1, 2, 3])
def test_slices_cover_all_in_order(sizes, n_slices):
    slices = balanced_slices(np.cumsum(sizes, dtype=int), n_slices)
    assert len(slices) <= n_slices
    assert [i for s in slices for i in range(s.start, s.stop)] == [*range(len(sizes))]


def test_slices_share_the_work():
    sizes = np.random.default_rng(0).integers(0, 9, 1000)
    slices = balanced_slices(np.cumsum(sizes), 4)
    work = [sizes[s].sum() for s in slices]
    assert max(work) - min(work) <= 2 * sizes.max()


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

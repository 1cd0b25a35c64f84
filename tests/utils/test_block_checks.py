"""Checks of dask arrays, block by block."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import coo_array, csr_array, csr_matrix
from sklearn.base import BaseEstimator

workers = pytest.importorskip("workers")
da = workers.da

from sklearn_kernelclust import (  # noqa: E402
    DiagonalShift,
    KernelKMeans,
    LocalScalingKernel,
    PredictionStrengthK,
    PredictionStrengthTree,
)
from sklearn_kernelclust._utils._block_checks import check_blocks  # noqa: E402

X = np.arange(24.0).reshape(8, 3)


def checked(array):
    return check_blocks(BaseEstimator(), array, reset=True)


@pytest.mark.parametrize("dtype", [np.float64, np.float32, int, bool, np.float16])
def test_types(dtype):
    rows = checked(da.from_array(X.astype(dtype), chunks=(3, 3)))
    expected = np.float32 if dtype == np.float32 else np.float64
    assert rows.dtype == rows.fetched().dtype == expected
    assert_allclose(rows.fetched(), X.astype(dtype))


def test_columns_in_blocks_are_put_together():
    assert_allclose(checked(da.from_array(X, chunks=(3, 2))).fetched(), X)
    sparse = da.from_array(X, chunks=(3, 2)).map_blocks(csr_matrix)
    assert_allclose(checked(sparse).fetched().toarray(), X)


def test_unknown_heights():
    array = da.from_array(X, chunks=(3, 3))
    rows = checked(array[array[:, 0] > 4])
    assert rows.shape == (6, 3)
    assert_allclose(rows.fetched(), X[2:])


def test_empty_blocks_are_left_out():
    array = da.from_array(X, chunks=((3, 0, 5), 3))
    rows = checked(array)
    assert len(rows.blocks) == 2
    assert_allclose(rows.fetched(), X)


def test_repeated_entries_are_summed():
    repeated = coo_array(([1.0, 2.0, 3.0], ([0, 0, 1], [1, 1, 2])), shape=(8, 3))
    array = da.from_array(X, chunks=(8, 3)).map_blocks(
        lambda block: csr_array((repeated.data, [1, 1, 2], [0, 2] + [3] * 7), (8, 3))
    )
    rows = checked(array)
    assert rows.fetched().nnz == 2
    assert_allclose(rows.fetched().toarray(), repeated.toarray())


def bad(value):
    A = X.copy()
    A[5, 1] = value
    return A


@pytest.mark.parametrize(
    "array, error, message",
    [
        (da.from_array(X[:, 0], chunks=3), ValueError, "got 1D array instead"),
        (da.from_array(bad(np.nan), chunks=3), ValueError, "X contains NaN"),
        (da.from_array(bad(np.inf), chunks=3), ValueError, "X contains infinity"),
        (da.from_array(X[:0], chunks=3), ValueError, r"0 sample\(s\) \(shape=\(0, 3"),
        (da.from_array(X[:, :0], chunks=3), ValueError, r"0 feature\(s\)"),
        (
            da.concatenate(
                [da.from_array(X, chunks=8).map_blocks(csr_matrix)] * 2
            ).map_blocks(
                lambda b, block_info=None: (
                    b.toarray() if block_info[0]["chunk-location"][0] else b
                ),
                dtype=float,
            ),
            TypeError,
            "Some blocks of X are sparse and some are not",
        ),
        (
            da.from_array(X, chunks=8).map_blocks(
                lambda b: b[:, :2], chunks=((8,), (3,))
            ),
            ValueError,
            r"A block of X has 2 columns, and X.shape\[1\] is 3",
        ),
    ],
    ids=["1d", "nan", "inf", "no rows", "no columns", "mixed", "columns"],
)
def test_what_is_refused(array, error, message):
    with pytest.raises(error, match=message):
        checked(array)


def test_what_does_not_take_dask_arrays_says_what_to_do():
    array = da.from_array(X, chunks=3)
    cure = r"got a dask array of shape \(8, 3\): pass X.compute\(\) if it fits, or"
    with pytest.raises(TypeError, match=f"LocalScalingKernel takes .*{cure} a sample"):
        LocalScalingKernel().fit(array)
    for choice in (PredictionStrengthK, PredictionStrengthTree):
        with pytest.raises(TypeError, match=f"Prediction strength takes .*{cure}"):
            choice(KernelKMeans()).fit(array)
    kernel = "with a kernel matrix takes data in memory"
    square = da.from_array(np.eye(4), chunks=2)
    for model in (DiagonalShift(), KernelKMeans(2, kernel="precomputed")):
        with pytest.raises(TypeError, match=f"{kernel}.* if it fits, or features"):
            model.fit(square)

"""Arrays of other namespaces: there and back, and what the array API lacks."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle
from contextlib import nullcontext
from importlib.util import find_spec

import numpy as np
import pytest
from namespaces import dispatch, on_devices
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array

from sklearn_kernelclust._utils._arrays import (
    Arrays,
    arrays_of,
    cast,
    is_foreign,
    is_numpy,
    like_input,
    namespace,
    numpy_dtype,
    on_device_of,
    on_host,
    publish,
    take_rows,
)

X = np.arange(12.0).reshape(4, 3)


@pytest.fixture
def arrays(to_device):
    A = to_device(X)
    return Arrays(namespace(A), A.device)


@pytest.mark.parametrize("value", [X, csr_array(X), X.tolist(), None, "text"])
def test_what_is_of_the_host(value):
    # Before scikit-learn 1.8, dispatch needs a package of its own.
    known = find_spec("sklearn.externals.array_api_compat") is not None
    with dispatch() if known else nullcontext():
        assert arrays_of(value) is None
    assert on_host(value) is value
    assert not is_foreign(value)


@on_devices
def test_arrays_of_a_device_only_with_dispatch(to_device):
    A = to_device(X)
    assert arrays_of(A) is None
    with dispatch():
        assert arrays_of(A) == Arrays(namespace(A), A.device)
    assert is_foreign(A)
    assert not is_numpy(A)


@on_devices
@pytest.mark.parametrize(
    "array",
    [
        X,
        X.astype(np.float32),
        X[::-1, ::-1],
        X.T,
        X[:0],
        np.arange(5),
        np.array([True, False]),
        np.arange(3, dtype=np.int8),
    ],
    ids=["C", "float32", "turned", "F", "empty", "int", "bool", "int8"],
)
def test_there_and_back(arrays, array):
    there = arrays.native(array)
    assert numpy_dtype(there) == array.dtype
    assert_array_equal(arrays.host(there), array)
    assert_array_equal(on_host(there), array)


@on_devices
def test_native_is_a_copy(arrays):
    array = np.zeros(3)
    there = arrays.native(array)
    array[:] = 1
    assert not arrays.host(there).any()


@on_devices
def test_native_takes_arrays_that_cannot_be_written(arrays):
    array = np.arange(3.0)
    array.flags.writeable = False
    assert_array_equal(arrays.host(arrays.native(array)), array)


@on_devices
def test_types(to_device, arrays):
    A = to_device(X)
    narrow = cast(A, np.float32)
    assert numpy_dtype(narrow) == np.float32
    assert numpy_dtype(arrays.native(X, np.float32)) == np.float32
    assert cast(X, np.float32).dtype == np.float32
    assert_array_equal(on_host(on_device_of(narrow, X)), X)


@on_devices
@pytest.mark.parametrize(
    "index",
    [slice(1, 3), slice(None, None, 2), slice(3, 1), [2, 0, 2], [-1, 1], []],
    ids=str,
)
@pytest.mark.parametrize("axis", [0, 1])
def test_take(to_device, arrays, index, axis):
    index = index if isinstance(index, slice) else np.array(index, dtype=np.intp)
    square = X @ X.T
    expected = square[index] if axis == 0 else square[:, index]
    assert_array_equal(on_host(arrays.take(to_device(square), index, axis)), expected)


@on_devices
def test_take_by_a_mask(to_device):
    mask = np.array([True, False, True, False])
    assert_array_equal(on_host(take_rows(to_device(X), mask)), X[mask])
    assert_array_equal(take_rows(X, mask), X[mask])


@on_devices
def test_entries(to_device, arrays):
    rows, cols, values = np.array([0, 3]), np.array([2, 1]), np.array([10.0, 20])
    assert_array_equal(arrays.host(arrays.at(to_device(X), rows, cols)), X[rows, cols])
    expected = np.zeros(X.shape)
    expected[rows, cols] = values
    scattered = arrays.scattered(X.shape, rows, cols, values, np.float64)
    assert_array_equal(arrays.host(scattered), expected)
    A = to_device(X.copy())
    arrays.add_at(A, rows, cols, values)
    assert_array_equal(arrays.host(A), X + expected)


@on_devices
def test_rows(to_device, arrays):
    A, rows = to_device(X.copy()), np.array([3, 1])
    arrays.add_to_rows(A, rows, to_device(np.ones((2, 3))))
    expected = X.copy()
    expected[rows] += 1
    assert_array_equal(arrays.host(A), expected)


@on_devices
def test_functions(to_device, arrays):
    A = to_device(X)
    assert_allclose(arrays.host(arrays.squared_lengths(A)), np.square(X).sum(axis=1))
    assert_allclose(arrays.host(arrays.exp(to_device(-X))), np.exp(-X))
    assert_array_equal(arrays.host(arrays.arange(3)), np.arange(3))
    assert not arrays.host(arrays.zeros((2, 2), np.float32)).any()


@on_devices
def test_free_memory_is_known_or_not(arrays):
    free = arrays.free_memory()
    assert free is None or free > 0


@on_devices
def test_pickles(arrays):
    again = pickle.loads(pickle.dumps(arrays))
    assert again == arrays
    assert hash(again) == hash(arrays)
    assert arrays != "arrays"


@on_devices
def test_results_are_like_the_input(to_device):
    A, labels = to_device(X), np.arange(4)
    assert like_input(labels, X) is labels
    assert like_input(labels, A) is labels  # without dispatch
    with dispatch():
        assert type(like_input(labels, A)) is type(A)
        assert like_input("text", A) == "text"


@on_devices
def test_publish_turns_public_arrays_of_numbers(to_device):
    class Fitted:
        def __init__(self):
            self.labels_, self._labels_ = np.arange(4), np.arange(4)
            self.names_, self.inertia_ = np.array(["a"]), 1.0

    A, fitted = to_device(X), Fitted()
    publish(fitted, A)
    assert isinstance(fitted.labels_, np.ndarray)  # without dispatch
    with dispatch():
        publish(fitted, A)
    assert type(fitted.labels_) is type(A)
    assert isinstance(fitted._labels_, np.ndarray)
    assert isinstance(fitted.names_, np.ndarray)
    assert fitted.inertia_ == 1.0

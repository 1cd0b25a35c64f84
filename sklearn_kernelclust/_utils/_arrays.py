"""Arrays of other namespaces than numpy's, and of other devices than the host.

Algorithms work with numpy arrays; kernels may not. Here is what the two need of each
other: how to get from one to the other, and the few operations that the array API
lacks, or that are much faster in place.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from importlib import import_module
from importlib.util import find_spec

import numpy as np
from scipy.sparse import issparse

from sklearn_kernelclust._utils._sklearn import array_namespace, dispatched_namespace


def namespace(array):
    """The functions for an array: numpy's, or those of the array API."""
    return np if isinstance(array, (np.ndarray, np.generic)) else array_namespace(array)


def arrays_of(X):
    """The `Arrays` that X is of; None for numpy arrays and all that becomes one.

    Without scikit-learn's ``array_api_dispatch`` that is everything.
    """
    if isinstance(X, np.ndarray) or issparse(X) or not hasattr(X, "shape"):
        return None
    if hasattr(X, "arrays"):  # a Gram
        return X.arrays
    if hasattr(X, "dask"):  # in blocks, and results of fits are on the host
        return None
    xp = dispatched_namespace(X)
    return None if xp is None else Arrays(xp, X.device)


def on_host(array):
    """A numpy array of an array of any namespace; anything else as it is."""
    if array is None or isinstance(array, np.ndarray) or not hasattr(array, "device"):
        return array
    return Arrays(array_namespace(array), array.device).host(array)


def evaluated_on_host(X):
    """Features for what numpy evaluates: from their device, if that is in use."""
    return X if arrays_of(X) is None else on_host(X)


def on_device_of(X, array):
    """A numpy array in the namespace and on the device of X."""
    return Arrays(array_namespace(X), X.device).native(array)


def is_foreign(X):
    """Whether X is an array of another namespace, and not the class of one."""
    other = isinstance(X, (np.ndarray, np.generic, type))
    return not other and hasattr(X, "__dlpack__")


def is_numpy(X):
    """Whether X is of the host: an array, a sparse matrix, or objects of any kind."""
    return not is_foreign(X)


def numpy_dtype(X):
    """The numpy type of an array of any namespace."""
    return X.dtype if is_numpy(X) else np.dtype(str(X.dtype).rsplit(".", 1)[-1])


def cast(X, dtype):
    """An array of any namespace, or a sparse matrix, in a numpy type."""
    if is_numpy(X):
        return X.astype(dtype, copy=False)
    return Arrays(array_namespace(X), X.device).astype(X, dtype)


def take_rows(X, rows):
    """Rows of an array of any namespace, or of a sparse matrix."""
    if is_numpy(X):
        return X[rows]
    return Arrays(array_namespace(X), X.device).take(X, rows)


def like_input(result, X):
    """A numpy array as one of the namespace and device of the input, X."""
    arrays = arrays_of(X)
    if arrays is None or not isinstance(result, np.ndarray):
        return result
    return arrays.native(result)


def publish(estimator, X):
    """Turn fitted arrays into those of the namespace and device of the input, X.

    Those with a public name and numbers in them.
    """
    arrays = arrays_of(X)
    if arrays is None:
        return
    for name, value in vars(estimator).items():
        public = name.endswith("_") and not name.startswith("_")
        if public and isinstance(value, np.ndarray) and value.dtype.kind in "fiub":
            setattr(estimator, name, arrays.native(value))


class Arrays:
    """A namespace and a device: where arrays are, and what is done with them there.

    Parameters
    ----------
    xp : module
        Namespace of the array API.
    device : object
        Device of that namespace.
    """

    def __init__(self, xp, device):
        self.xp, self.device = xp, device
        # The end of the name, because scikit-learn has copies of these namespaces.
        self.name = xp.__name__.split(".")[-1]
        self._cuda = str(device).startswith("cuda")
        # The widest floating type of the device: sums are kept in it.
        mps = str(device).startswith("mps")
        self.wide = np.dtype(np.float32 if mps else np.float64)
        self._dtypes = {}

    def __eq__(self, other):
        if not isinstance(other, Arrays):
            return NotImplemented
        return (self.name, self.device) == (other.name, other.device)

    def __hash__(self):
        return hash((self.name, str(self.device)))

    def __getstate__(self):
        # CuPy's devices do not pickle, their numbers do.
        device = self.device.id if self.name == "cupy" else self.device
        return {"xp": self.xp.__name__, "device": device}

    def __setstate__(self, state):
        xp, device = import_module(state["xp"]), state["device"]
        self.__init__(xp, xp.cuda.Device(device) if isinstance(device, int) else device)

    def owns(self, array):
        """Whether an array is of this namespace."""
        return not is_numpy(array)

    def dtype(self, dtype):
        """The type of this namespace of a numpy type, as wide as the device has."""
        if dtype not in self._dtypes:
            known = np.dtype(dtype)
            if known.kind == "f":
                known = min(known, self.wide, key=lambda d: d.itemsize)
            self._dtypes[dtype] = getattr(self.xp, known.name)
        return self._dtypes[dtype]

    def native(self, array, dtype=None):
        """A numpy array, in this namespace and on this device; a copy."""
        array = np.asarray(array)
        dtype = self.dtype(array.dtype if dtype is None else dtype)
        if self.name == "torch":
            # Contiguous, because torch has no negative strides; writable, because
            # torch warns of others. CUDA's copy does not wait for what the device does.
            array = self.xp.from_numpy(np.require(array, requirements="CW"))
            return array.to(self.device, dtype, non_blocking=self._cuda, copy=True)
        return self.xp.asarray(array, dtype=dtype, device=self.device, copy=True)

    def host(self, array):
        """The numpy array of one of this namespace."""
        if self.name == "torch":
            return array.detach().cpu().numpy()
        if self.name == "cupy":
            return array.get()
        if self.name == "array_api_strict":
            cpu = self.xp.Device("CPU_DEVICE")
            array = self.xp.asarray(array, device=cpu)
        return np.asarray(array)

    def detached(self, array):
        """The same array without a history: nobody differentiates a clustering."""
        return array.detach() if self.name == "torch" else array

    def astype(self, array, dtype):
        """An array in another type, given as a numpy one; itself if it has that."""
        return self.xp.astype(array, self.dtype(dtype), copy=False)

    def zeros(self, shape, dtype):
        """Zeros of a numpy type."""
        return self.xp.zeros(shape, dtype=self.dtype(dtype), device=self.device)

    def arange(self, n):
        """Integers from 0 to n - 1."""
        return self.xp.arange(n, dtype=self.xp.int64, device=self.device)

    def take(self, array, index, axis=0):
        """Rows, or columns, by a slice or by a numpy array of integers or bools."""
        if isinstance(index, slice):
            start, stop, step = index.indices(array.shape[axis])
            if step == 1:
                where = slice(start, max(stop, start))
                return array[where, ...] if axis == 0 else array[:, where]
            index = np.arange(start, stop, step)
        index = np.flatnonzero(index) if index.dtype.kind == "b" else index
        # Negative ones count from the end, which not all namespaces know.
        index = np.where(index < 0, index + array.shape[axis], index)
        return self.xp.take(array, self.native(index, np.int64), axis=axis)

    def pick(self, array, index):
        """Rows, or entries of a vector, by integers of this namespace."""
        if self.name in ("torch", "cupy"):
            return array[index]
        return self.xp.take(array, index, axis=0)

    def exp(self, block):
        """Exponentials, in place where that is possible."""
        if self.name == "torch":
            return block.exp_()
        if self.name == "cupy":
            return self.xp.exp(block, out=block)
        return self.xp.exp(block)

    def squared_lengths(self, block):
        """Sums of the squares of each row, in the widest type."""
        if self.name == "torch":
            # Without a copy in that type.
            dtype = self.dtype(np.float64)
            lengths = self.xp.linalg.vector_norm(block, axis=1, dtype=dtype)
            return lengths * lengths
        block = self.astype(block, self.wide)
        return self.xp.sum(block * block, axis=1)

    def at(self, array, rows, cols):
        """Entries at pairs of numpy indices, of a matrix."""
        flat = self.xp.reshape(array, (-1,))
        index = self.native(rows * array.shape[1] + cols, np.int64)
        return self.xp.take(flat, index, axis=0)

    def scattered(self, shape, rows, cols, values, dtype):
        """A matrix with values at different places, given as numpy arrays, else 0."""
        if self.name not in ("torch", "cupy"):
            matrix = np.zeros(shape)
            matrix[rows, cols] = values
            return self.native(matrix, dtype)
        flat = self.zeros(shape[0] * shape[1], dtype)
        flat[self.native(rows * shape[1] + cols, np.int64)] = self.native(values, dtype)
        return self.xp.reshape(flat, shape)

    def add_at(self, block, rows, cols, values):
        """Add numpy values to entries at different places, in place."""
        dtype = numpy_dtype(block)
        if self.name not in ("torch", "cupy"):
            block += self.scattered(block.shape, rows, cols, values, dtype)
            return
        at = self.native(rows, np.int64), self.native(cols, np.int64)
        block[at] += self.native(values, dtype)

    def add_to_rows(self, array, rows, values):
        """Add values to some rows, each named once, in place."""
        if self.name in ("torch", "cupy"):
            array[self.native(rows, np.int64), :] += values
            return
        for i, row in enumerate(rows.tolist()):
            array[row, :] += values[i, :]

    def cuda_kernels(self):
        """Our own kernels for this device; None where there are none."""
        if not (self.name == "torch" and self._cuda and find_spec("triton")):
            return None
        kernels = import_module("sklearn_kernelclust._utils._cuda_kernels")
        return kernels if kernels.usable(self.device) else None

    def free_memory(self):
        """Bytes of the device that can be allocated; None where that is unknown.

        Within the limit that the user set for this process, if there is one:
        ``torch.cuda.set_per_process_memory_fraction``, or ``set_limit`` of CuPy's pool.
        """
        if self.name == "torch" and self._cuda:
            cuda = import_module("torch").cuda
            free, total = cuda.mem_get_info(self.device)
            # As `memory_allocated` and `memory_reserved`, which sort all statistics.
            bytes_of = cuda.memory_stats_as_nested_dict(self.device)
            used, reserved = (
                bytes_of[kind]["all"]["current"] if bytes_of else 0
                for kind in ("allocated_bytes", "reserved_bytes")
            )
            cached = reserved - used
            share = getattr(cuda, "get_per_process_memory_fraction", lambda _: 1.0)
            limit = share(self.device) * total - used
            return int(max(min(free + cached, limit), 0))
        if self.name == "cupy":
            cp = import_module("cupy")
            pool, (free, _) = cp.get_default_memory_pool(), cp.cuda.runtime.memGetInfo()
            left = free + pool.free_bytes()
            limit = pool.get_limit() or np.inf
            return int(max(min(left, limit - pool.used_bytes()), 0))
        return None

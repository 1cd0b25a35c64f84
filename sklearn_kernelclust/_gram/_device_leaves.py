"""Grams of arrays on a device: stored, factored, evaluated a tile at a time.

Self-similarities are numpy arrays, as those of all Grams; the rest stays on the device.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_kernelclust._gram._base import (
    ALL,
    EVALUATION,
    Gram,
    same_index,
    scaled_similarity,
    take,
)
from sklearn_kernelclust._gram._device import TILE_WIDTH, Device
from sklearn_kernelclust._gram._device_row_sums import RowClusterSums
from sklearn_kernelclust._gram._device_sums import DeviceClusterSums
from sklearn_kernelclust._utils._arrays import Arrays, numpy_dtype
from sklearn_kernelclust._utils._sklearn import array_namespace
from sklearn_kernelclust._utils._threads import batches


def device_of(array):
    """Where an array is, as the place of a Gram."""
    return Device(Arrays(array_namespace(array), array.device))


class StoredDeviceGram(Gram):
    """A stored array of a device. It is not copied."""

    def __init__(
        self, K, self_similarity=None, column_self_similarity=None, symmetric=False
    ):
        self._place = device_of(K)
        dtype = numpy_dtype(K)
        known = self_similarity, column_self_similarity
        super().__init__(K.shape, dtype, *known, symmetric)
        self.K = K

    @classmethod
    def training(cls, K):
        """The Gram of a square, symmetric array of a device or of the host."""
        gram = cls(K, symmetric=True)
        i = np.arange(K.shape[0])
        gram._self_similarity = gram.arrays.host(gram.arrays.at(K, i, i))
        return gram

    @property
    def T(self):
        known = self.column_self_similarity, self.self_similarity
        return StoredDeviceGram(self.K.T, *known, self.symmetric)

    def _tile(self, rows, cols):
        return self.arrays.xp.asarray(self.K[rows, cols], copy=True)

    def _part(self, rows, cols):
        known = (
            take(self.self_similarity, rows),
            take(self.column_self_similarity, cols),
        )
        if self.symmetric and same_index(rows, ALL):
            # Rows lie together in memory, columns do not.
            return StoredDeviceGram(self.arrays.take(self.K, cols).T, *known)
        part = self.arrays.take(self.arrays.take(self.K, rows), cols, axis=1)
        return StoredDeviceGram(part, *known)

    def native_array(self):
        """The array itself, not a copy."""
        return self.K

    def stored(self, columns=None):
        return self

    def cluster_sums(self, n_clusters, weight=None, self_similarity=None):
        facts = self, n_clusters, weight, self_similarity
        kernels = self.arrays.cuda_kernels() if self.symmetric else None
        if kernels is None or self.K.stride(1) != 1:
            return DeviceClusterSums(*facts)
        return RowClusterSums(*facts, kernels)

    def _product(self, Z):
        # Sums of float32 go to the widest type after some terms.
        wide, K = self.arrays.wide, self.K
        if self.shape[1] <= TILE_WIDTH:
            return self.arrays.astype(K @ Z, wide)
        sums = self.arrays.zeros((self.shape[0], Z.shape[1]), wide)
        for cols in batches(self.shape[1], TILE_WIDTH):
            sums += self.arrays.astype(K[:, cols] @ Z[cols, :], wide)
        return sums


class FactoredDeviceGram(Gram):
    """``A @ B.T``, never formed: the linear and cosine kernels."""

    _of_array = StoredDeviceGram

    def __init__(self, A, B, self_similarity, column_self_similarity, symmetric=False):
        self._place = device_of(A)
        super().__init__(
            (A.shape[0], B.shape[0]),
            numpy_dtype(A),
            self_similarity,
            column_self_similarity,
            symmetric,
        )
        self.A, self.B = A, B

    @property
    def cost(self):
        return sum(self.shape) * self.A.shape[1]

    @property
    def T(self):
        known = self.column_self_similarity, self.self_similarity
        return FactoredDeviceGram(self.B, self.A, *known, self.symmetric)

    def _tile(self, rows, cols):
        return self.A[rows, :] @ self.B[cols, :].T

    def _part(self, rows, cols):
        A = self.arrays.take(self.A, rows)
        same = self.A is self.B and same_index(rows, cols)
        return FactoredDeviceGram(
            A,
            A if same else self.arrays.take(self.B, cols),
            take(self.self_similarity, rows),
            take(self.column_self_similarity, cols),
        )

    def scaled(self, left, right):
        """The factors scaled, so that the result is factored too."""
        alike = np.array_equal(left, right)
        A = self._scaled(self.A, left)
        return FactoredDeviceGram(
            A,
            A if alike and self.A is self.B else self._scaled(self.B, right),
            scaled_similarity(self.self_similarity, left),
            scaled_similarity(self.column_self_similarity, right),
            self.symmetric and alike,
        )

    def _scaled(self, A, scale):
        return self.arrays.native(scale, self.dtype)[:, None] * A

    def _worth_storing(self, columns):
        if columns is None:
            return self.A.shape[1] >= max(self.shape)
        return super()._worth_storing(columns)

    def _product(self, Z):
        product = self.A @ (self.B.T @ Z)
        return self.arrays.astype(product, self.arrays.wide)


class EvaluatedDeviceGram(Gram):
    """Any kernel function of arrays of a device, a tile at a time.

    Parameters
    ----------
    kernel : callable
        ``kernel(X, Y)`` gives the block of all rows of `X` against all of `Y`.
    X, Y : array
        What the kernel takes of the row and of the column objects.
    self_similarity, column_self_similarity : ndarray or None
        k(x, x) of the row objects and k(y, y) of the column objects.
    symmetric : bool
        Whether rows and columns are the same objects in the same order.
    dtype : dtype or None
        Of the kernel, where it is evaluated in a wider one.
    """

    _of_array = StoredDeviceGram

    def __init__(
        self,
        kernel,
        X,
        Y,
        self_similarity=None,
        column_self_similarity=None,
        symmetric=False,
        *,
        dtype=None,
    ):
        self._place = device_of(X)
        super().__init__(
            (X.shape[0], Y.shape[0]),
            numpy_dtype(X) if dtype is None else dtype,
            self_similarity,
            column_self_similarity,
            symmetric,
        )
        self.kernel, self.X, self.Y = kernel, X, Y

    @property
    def cost(self):
        return EVALUATION * super().cost

    @property
    def T(self):
        known = self.column_self_similarity, self.self_similarity
        sides = self.Y, self.X
        return self._of(*sides, *known, self.symmetric)

    def _of(self, *sides_and_known):
        return EvaluatedDeviceGram(self.kernel, *sides_and_known, dtype=self.dtype)

    def _tile(self, rows, cols):
        tile = self.kernel(self.X[rows, :], self.Y[cols, :])
        return self.arrays.astype(tile, self.dtype)

    def _part(self, rows, cols):
        return self._of(
            self.arrays.take(self.X, rows),
            self.arrays.take(self.Y, cols),
            take(self.self_similarity, rows),
            take(self.column_self_similarity, cols),
        )


StoredDeviceGram._of_array = StoredDeviceGram

"""Grams of a function of two objects: what is kept are the features."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_kernelclust._gram._base import Gram, take


class ChunkedGram(Gram):
    """Any kernel function, evaluated a tile at a time and never stored.

    Parameters
    ----------
    kernel : callable
        ``kernel(X, Y)`` gives the dense block of all rows of `X` against all
        rows of `Y`.
    X, Y : array or sparse matrix
        Features of the row and of the column objects.
    row_diagonal, col_diagonal : ndarray
        Self-similarities, which no tile could tell.
    dtype : dtype or None
        Of the kernel, where it is evaluated in a wider one.
    """

    def __init__(
        self,
        kernel,
        X,
        Y,
        row_diagonal,
        col_diagonal,
        symmetric=False,
        dtype=None,
    ):
        super().__init__(
            (X.shape[0], Y.shape[0]),
            X.dtype if dtype is None else dtype,
            row_diagonal,
            col_diagonal,
            symmetric,
        )
        self.kernel, self.X, self.Y = kernel, X, Y

    @property
    def T(self):
        return ChunkedGram(
            self.kernel,
            self.Y,
            self.X,
            self._col_diagonal,
            self._row_diagonal,
            self.symmetric,
            self.dtype,
        )

    def _tile(self, rows, cols):
        tile = self.kernel(self.X[rows], self.Y[cols])
        return np.asarray(tile, dtype=self.dtype)

    def _part(self, rows, cols):
        return ChunkedGram(
            self.kernel,
            self.X[rows],
            self.Y[cols],
            take(self._row_diagonal, rows),
            take(self._col_diagonal, cols),
            dtype=self.dtype,
        )

"""Grams of a function of two objects: what is kept are the features."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_kernelclust._gram._base import EVALUATION, Gram, take


class ChunkedGram(Gram):
    """Any kernel function, evaluated a tile at a time and never stored.

    Parameters
    ----------
    kernel : callable
        ``kernel(X, Y)`` gives the dense block of all rows of `X` against all
        rows of `Y`.
    X, Y : array or sparse matrix
        Features of the row and of the column objects.
    self_similarity, column_self_similarity : ndarray
        k(x, x) of the row objects and k(y, y) of the column objects.
    symmetric : bool
        Whether rows and columns are the same objects in the same order.
    entry_cost : float
        Multiply-adds that the evaluation of an entry takes as long as.
    dtype : dtype or None
        Of the kernel, where it is evaluated in a wider one.
    """

    def __init__(
        self,
        kernel,
        X,
        Y,
        self_similarity=None,
        column_self_similarity=None,
        symmetric=False,
        *,
        entry_cost=EVALUATION,
        dtype=None,
    ):
        super().__init__(
            (X.shape[0], Y.shape[0]),
            X.dtype if dtype is None else dtype,
            self_similarity,
            column_self_similarity,
            symmetric,
        )
        self.kernel, self.X, self.Y = kernel, X, Y
        self.entry_cost = entry_cost

    @property
    def cost(self):
        return self.entry_cost * super().cost

    @property
    def T(self):
        return ChunkedGram(
            self.kernel,
            self.Y,
            self.X,
            self.column_self_similarity,
            self.self_similarity,
            self.symmetric,
            entry_cost=self.entry_cost,
            dtype=self.dtype,
        )

    def _tile(self, rows, cols):
        tile = self.kernel(self.X[rows], self.Y[cols])
        return np.asarray(tile, dtype=self.dtype)

    def _part(self, rows, cols):
        return ChunkedGram(
            self.kernel,
            self.X[rows],
            self.Y[cols],
            take(self.self_similarity, rows),
            take(self.column_self_similarity, cols),
            entry_cost=self.entry_cost,
            dtype=self.dtype,
        )

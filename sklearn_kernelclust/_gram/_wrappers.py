"""Grams made of other Grams: shifted, scaled, centred, entrywise."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.sparse import csr_array, eye

from sklearn_kernelclust._gram._base import (
    ALL,
    EVALUATION,
    Gram,
    same_index,
    scaled_similarity,
    take,
)
from sklearn_kernelclust._gram._factored import FactoredGram
from sklearn_kernelclust._utils._tolerances import FLOAT32, FLOAT64

# What a shift may leave of a squared length before too many digits are gone.
CANCELLED = {FLOAT64: 1e-6, FLOAT32: 1e-2}


class Wrapper(Gram):
    """A Gram made of another one, `gram`: its tiles are where those of that are."""

    @property
    def _place(self):
        return self.gram._place

    @property
    def _of_array(self):
        return self.gram._of_array


class ShiftedGram(Wrapper):
    """``gram + sigma * same``: a shift where row and column are one object.

    Parameters
    ----------
    gram : Gram
    sigma : float
    same : sparse matrix of zeros and ones or None
        Marks the pairs of a row and a column that are the same training
        object; None for a square Gram, where that is the diagonal.
    """

    def __init__(self, gram, sigma, same=None):
        if same is None:
            same = eye(*gram.shape, format="csr")
        super().__init__(
            gram.shape,
            gram.dtype,
            _shift(gram.self_similarity, sigma),
            _shift(gram.column_self_similarity, sigma),
            gram.symmetric,
        )
        self.gram, self.sigma = gram, sigma
        self.same = csr_array(same, dtype=gram.dtype)

    @property
    def cost(self):
        return self.gram.cost

    @property
    def _evaluated(self):
        return self.gram._evaluated

    def _worth_storing(self, columns):
        return self.gram._worth_storing(columns)

    @property
    def T(self):
        return ShiftedGram(self.gram.T, self.sigma, self.same.T)

    def _tile(self, rows, cols):
        tile = self.gram._tile(rows, cols)
        start, stop = self.same.indptr[[rows.start, rows.stop]]
        row = np.searchsorted(self.same.indptr, np.arange(start, stop), "right") - 1
        col = self.same.indices[start:stop]
        inside = (col >= cols.start) & (col < cols.stop)
        at = row[inside] - rows.start, col[inside] - cols.start
        self._place.add_at(tile, *at, self.sigma)
        return tile

    def _part(self, rows, cols):
        same = self.same
        if not same_index(rows, ALL):
            same = same[rows]
        if not same_index(cols, ALL):
            same = same[:, cols]
        return ShiftedGram(self.gram.restrict(rows, cols), self.sigma, same)

    def toarray(self):
        if self.symmetric:
            return super().toarray()
        K = np.array(self.gram.toarray())
        K[self.same.nonzero()] += self.dtype.type(self.sigma)
        return K

    def squared_row_norms(self):
        """Those of the kernel, plus what the shifted entries change.

        They are computed from all entries where the change would cancel digits.
        """
        row, _ = self.same.nonzero()
        if self.gram.self_similarity is None or self._evaluated:
            return super().squared_row_norms()
        norms = self.gram.squared_row_norms()
        entries = self.gram.self_similarity[row].astype(np.float64)
        change = self.sigma * (2 * entries + self.sigma)
        shifted = norms + np.bincount(row, change, minlength=len(norms))
        lost = np.flatnonzero(shifted < CANCELLED[np.dtype(self.dtype)] * norms)
        if len(lost):
            shifted[lost] = Gram.squared_row_norms(self.restrict(lost))
        return shifted

    def _product(self, Z):
        # Off the diagonal there may be so little that only a shift of the entry
        # itself, not of the sum, leaves its digits.
        if self._evaluated:
            return super()._product(Z)
        return self.gram @ Z + self.sigma * self._place.left_product(self.same, Z)


def inverse_root(similarity):
    """``1 / sqrt(similarity)``, which scales to unit length; 0 where there is none."""
    root = np.sqrt(similarity)
    return np.divide(1, root, out=np.zeros_like(root), where=root > 0)


class ScaledGram(Wrapper):
    """``diag(left) @ gram @ diag(right)``: objects scaled in feature space."""

    def __init__(self, gram, left, right):
        super().__init__(
            gram.shape,
            gram.dtype,
            scaled_similarity(gram.self_similarity, left),
            scaled_similarity(gram.column_self_similarity, right),
            gram.symmetric and np.array_equal(left, right),
        )
        self.gram = gram
        self.left = left.astype(gram.dtype, copy=False)
        self.right = right.astype(gram.dtype, copy=False)

    @property
    def cost(self):
        return self.gram.cost

    @property
    def _evaluated(self):
        return self.gram._evaluated

    def _worth_storing(self, columns):
        return self.gram._worth_storing(columns)

    @property
    def T(self):
        return ScaledGram(self.gram.T, self.right, self.left)

    def _tile(self, rows, cols):
        tile = self.gram._tile(rows, cols)
        tile *= self._place.native(self.left[rows])[:, None]
        tile *= self._place.native(self.right[cols])
        return tile

    def _part(self, rows, cols):
        return ScaledGram(
            self.gram.restrict(rows, cols), self.left[rows], self.right[cols]
        )

    def toarray(self):
        if self.symmetric:
            return super().toarray()
        K = self.left[:, None] * self.gram.toarray()
        K *= self.right
        return K

    def _product(self, Z):
        left, right = map(self._place.native, (self.left, self.right))
        return left[:, None] * (self.gram @ self._place.scaled_rows(right, Z))


Gram._of_scales = ScaledGram


def centered(gram):
    """A square Gram with the mean of its objects at the origin.

    Dense factors are centred themselves, which no rounding of large inner
    products can spoil; anything else is centred implicitly.
    """
    A = gram.factor()
    if A is None:
        return CenteredGram.training(gram)
    A = A - A.mean(axis=0, dtype=np.float64).astype(A.dtype)
    return FactoredGram(A, A, symmetric=True)


class CenteredGram(Wrapper):
    """``gram`` after the mean of the training objects moved to the origin.

    Parameters
    ----------
    gram : Gram
    row_means, col_means : ndarray
        Mean similarity of each row and of each column object to the training
        objects.
    mean : float
        Mean similarity of two training objects.
    """

    def __init__(self, gram, row_means, col_means, mean):
        super().__init__(
            gram.shape,
            gram.dtype,
            _center(gram.self_similarity, row_means, mean),
            _center(gram.column_self_similarity, col_means, mean),
            gram.symmetric,
        )
        self.gram, self.mean = gram, self.dtype.type(mean)
        self.row_means = row_means.astype(gram.dtype, copy=False)
        self.col_means = col_means.astype(gram.dtype, copy=False)

    @classmethod
    def training(cls, gram):
        """Centre a square Gram on the mean of its own objects."""
        means = gram @ np.full(gram.shape[1], 1 / gram.shape[1])
        return cls(gram, means, means, means.mean())

    @property
    def cost(self):
        return self.gram.cost

    @property
    def _evaluated(self):
        return self.gram._evaluated

    def _worth_storing(self, columns):
        return self.gram._worth_storing(columns)

    @property
    def T(self):
        return CenteredGram(self.gram.T, self.col_means, self.row_means, self.mean)

    def _tile(self, rows, cols):
        tile = self.gram._tile(rows, cols)
        tile -= self._place.native(self.row_means[rows])[:, None]
        tile -= self._place.native(self.col_means[cols] - self.mean)
        return tile

    def _part(self, rows, cols):
        return CenteredGram(
            self.gram.restrict(rows, cols),
            self.row_means[rows],
            self.col_means[cols],
            self.mean,
        )

    def prefix_sums(self, order):
        n_before = np.arange(len(order))
        cols = self.col_means[order].astype(np.float64)
        rest = self.mean * n_before - self.row_means[order] * n_before
        return self.gram.prefix_sums(order) + rest - (np.cumsum(cols) - cols)

    def _product(self, Z):
        rows, cols = map(self._place.native, (self.row_means, self.col_means))
        sums, along = self._place.column_sums(Z), self._place.weighted_sums(cols, Z)
        product = self.gram @ Z + (float(self.mean) * sums - along)
        product -= rows[:, None] * sums
        return product


class EntrywiseGram(Wrapper):
    """A function of each entry, and of what belongs to its row and column.

    Parameters
    ----------
    gram : Gram
    function : callable
        ``function(block, left, right)`` gets a block that it may write into
        and the parts of `left` (as a column) and `right` that go with it, and
        treats the two alike, as a kernel does its arguments.
        A module-level function or a partial of one, so that it pickles.
    left, right : ndarray or None
        One number for each row and for each column object.
    self_similarity, column_self_similarity : ndarray or None
        By default the function of the diagonals of `gram`.
    dtype : dtype or None
        Of the result, where `gram` is evaluated in a wider one.
    """

    def __init__(
        self,
        gram,
        function,
        left=None,
        right=None,
        *,
        self_similarity=None,
        column_self_similarity=None,
        dtype=None,
    ):
        dtype = gram.dtype if dtype is None else np.dtype(dtype)
        if self_similarity is None and gram.self_similarity is not None:
            self_similarity = function(gram.self_similarity.astype(dtype), left, left)
        if column_self_similarity is None and gram.column_self_similarity is not None:
            column_self_similarity = function(
                gram.column_self_similarity.astype(dtype), right, right
            )
        symmetric = gram.symmetric and (left is right or np.array_equal(left, right))
        super().__init__(
            gram.shape, dtype, self_similarity, column_self_similarity, symmetric
        )
        self.gram, self.function = gram, function
        self.left, self.right = left, right

    @property
    def cost(self):
        return EVALUATION * super().cost

    @property
    def T(self):
        return EntrywiseGram(
            self.gram.T,
            self.function,
            self.right,
            self.left,
            self_similarity=self.column_self_similarity,
            column_self_similarity=self.self_similarity,
            dtype=self.dtype,
        )

    def _tile(self, rows, cols):
        left, right = self._native(self.left, rows), self._native(self.right, cols)
        column = None if left is None else left[:, None]
        tile = self.function(self.gram._tile(rows, cols), column, right)
        return self._place.astype(tile, self.dtype)

    def _native(self, vector, part):
        return None if vector is None else self._place.native(vector[part])

    def _part(self, rows, cols):
        return EntrywiseGram(
            self.gram.restrict(rows, cols),
            self.function,
            take(self.left, rows),
            take(self.right, cols),
            self_similarity=take(self.self_similarity, rows),
            column_self_similarity=take(self.column_self_similarity, cols),
            dtype=self.dtype,
        )


def _shift(diagonal, sigma):
    return None if diagonal is None else diagonal + diagonal.dtype.type(sigma)


def _center(diagonal, means, mean):
    return None if diagonal is None else diagonal - 2 * means + mean

"""The product of two Grams, which is the empirical kernel map."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_kernelclust._gram._base import Gram, as_index, same_index, take
from sklearn_kernelclust._gram._passes import mirror
from sklearn_kernelclust._gram._prefix_sums import prefix_sums_of_blocks


class ProductGram(Gram):
    """``left @ right.T`` of two Grams, never formed: the empirical kernel map.

    A product with it is two products with its factors, where forming it
    would cost O(n^3).
    """

    def __init__(
        self, left, right, self_similarity, column_self_similarity, symmetric=False
    ):
        super().__init__(
            (left.shape[0], right.shape[0]),
            left.dtype,
            self_similarity,
            column_self_similarity,
            symmetric,
        )
        self.left, self.right = left, right

    @property
    def _place(self):
        return self.left._place

    @property
    def _of_array(self):
        return self.left._of_array

    @property
    def cost(self):
        return self.left.cost + self.right.cost

    @property
    def T(self):
        return ProductGram(
            self.right,
            self.left,
            self.column_self_similarity,
            self.self_similarity,
            self.symmetric,
        )

    def _tile(self, rows, cols):
        left = self.left.restrict(as_index(rows))
        right = self.right.restrict(as_index(cols))
        # The array of fewer objects, and a product with it.
        if left.shape[0] < right.shape[0]:
            tile = (right @ left.T.native_array()).T
        else:
            tile = left @ right.T.native_array()
        return self._place.astype(tile, self.dtype)

    def _part(self, rows, cols):
        left = self.left.restrict(rows)
        same = self.left is self.right and same_index(rows, cols)
        return ProductGram(
            left,
            left if same else self.right.restrict(cols),
            take(self.self_similarity, rows),
            take(self.column_self_similarity, cols),
        )

    def _worth_storing(self, columns):
        if columns is None:
            return self.left._worth_storing(columns)
        return super()._worth_storing(columns)

    def prefix_sums(self, order):
        return prefix_sums_of_blocks(
            lambda batch: self.left.restrict(order[batch]).toarray(),
            lambda batch: self.right.restrict(order[batch]).toarray(),
            *self.left.shape,
        )

    def toarray(self):
        if self.arrays is not None:
            return super().toarray()
        self._require_memory()
        K = self._formed()
        return mirror(K) if self.symmetric else K

    def _formed(self):
        if self.left is self.right:
            R = self.left.toarray()
            return R @ R.T  # of one array, half the work
        if self.shape[0] > self.shape[1]:
            return self.left @ self.right.T.toarray()
        return (self.right @ self.left.T.toarray()).T

    def stored(self, columns=None):
        """Without a number of columns the factors are stored, not the product."""
        if columns is not None:
            return super().stored(columns)
        left = self.left.stored()
        right = left if self.left is self.right else self.right.stored()
        if left is self.left and right is self.right:
            return self
        known = self.self_similarity, self.column_self_similarity
        return ProductGram(left, right, *known, self.symmetric)

    def _product(self, Z):
        return self.left @ (self.right.T @ Z)

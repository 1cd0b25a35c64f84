"""Grams made of several Grams of the same objects: weighted sum and product."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import reduce
from operator import add, mul

import numpy as np

from sklearn_kernelclust._gram._base import Gram
from sklearn_kernelclust._gram._host import HOST


class SeveralGrams(Gram):
    """Base class of Grams made of others that have the same shape.

    A subclass has ``_combined(values)``, which makes one array of a list of arrays
    that it may write into, and ``_like(grams)``, which does the same to other Grams.
    """

    def __init__(self, grams):
        if len({gram.arrays is None for gram in grams}) > 1:
            raise ValueError(
                "Some of the kernels are on a device and some on the host: without "
                "lazy=True, all are where the features are."
            )
        self.grams = grams
        super().__init__(
            grams[0].shape,
            np.result_type(*(gram.dtype for gram in grams)),
            self._known([gram.self_similarity for gram in grams]),
            self._known([gram.column_self_similarity for gram in grams]),
            all(gram.symmetric for gram in grams),
        )

    def _known(self, similarities):
        """Combined self-similarities, None if those of one Gram are unknown."""
        if any(similarity is None for similarity in similarities):
            return None
        return self._combined([similarity.copy() for similarity in similarities])

    @property
    def _place(self):
        first = self.grams[0]
        return HOST if first.arrays is None else first._place

    @property
    def _of_array(self):
        first = self.grams[0]
        return Gram._of_array if first.arrays is None else first._of_array

    @property
    def cost(self):
        return sum(gram.cost for gram in self.grams)

    @property
    def T(self):
        return self._like([gram.T for gram in self.grams])

    def _tile(self, rows, cols):
        tiles = [gram._tile(rows, cols) for gram in self.grams]
        return self._place.astype(self._combined(tiles), self.dtype)

    def _part(self, rows, cols):
        return self._like([gram.restrict(rows, cols) for gram in self.grams])


class SumGram(SeveralGrams):
    """``sum_i weights[i] grams[i]``; factored summands stay factored.

    Parameters
    ----------
    grams : list of Gram
    weights : list of float
    """

    def __init__(self, grams, weights):
        self.weights = weights
        super().__init__(grams)

    def _like(self, grams):
        return SumGram(grams, self.weights)

    def _combined(self, values):
        return _weighted_sum(values, self.weights)

    @property
    def _evaluated(self):
        return all(gram._evaluated for gram in self.grams)

    def _product(self, Z):
        if self._evaluated:
            return super()._product(Z)
        return _weighted_sum([gram @ Z for gram in self.grams], self.weights)


class EntrywiseProductGram(SeveralGrams):
    """The product of several Grams, entry by entry."""

    def _like(self, grams):
        return EntrywiseProductGram(grams)

    def _combined(self, values):
        return reduce(mul, values)


def _weighted_sum(values, weights):
    return reduce(add, [float(w) * value for w, value in zip(weights, values)])

"""Entries of a Gram beside a diagonal that is so large that sums would hide them."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_kernelclust._gram._wrappers import ShiftedGram

# Multiply-adds of a product, in those of an array, below which an array costs too much.
CHEAP = 0.1


def without_diagonal(gram):
    """A square Gram less its diagonal, entry by entry; itself where that cannot be.

    A product less what the diagonal adds to it has the rounding of the diagonal, which
    may be more than all other entries. An array must fit into memory, unless tiles are
    evaluated anyway; then the diagonal must be constant, as that of most kernels is.
    """
    diagonal = gram.diagonal()
    shifted = ShiftedGram(gram, -float(diagonal[0]))
    if gram._evaluated:
        return shifted.stored() if (diagonal == diagonal[0]).all() else gram
    n = gram.shape[0]
    fits = n * n * gram.dtype.itemsize <= gram._place.storage()
    if not fits or gram.cost < CHEAP * n * n:
        return gram
    K, i, zeros = shifted.native_array(), np.arange(n), np.zeros(n, gram.dtype)
    gram._place.set_at(K, i, i, zeros)
    return gram._of_array(K, zeros, zeros, gram.symmetric)

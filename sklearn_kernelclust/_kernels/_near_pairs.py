"""Distances of near objects far from the origin, without cancellation."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.sparse import csr_array, issparse
from sklearn.utils.extmath import row_norms

from sklearn_kernelclust._gram._factored import scale_rows
from sklearn_kernelclust._utils._tolerances import EXPONENT_ROUNDING

# Below this exponent a Gaussian kernel is 0 to the last digit of 1.
NEGLIGIBLE = -45.0

# Exponents that are computed anew at a time.
PAIRS = 2**12


def correct_near_pairs(block, A, B):
    """Compute exponents anew that cancellation has spoilt, in place.

    `block` is the product of the factors `A` and `B` of a Gaussian kernel. Where
    objects far from the origin are near to each other, the three terms of their
    distance cancel. The difference of their features does not: the distance of equal
    objects is 0, and that of others does not depend on which of them is the row.
    """
    eps = np.finfo(A.dtype).eps
    (norm_A, width_A), (norm_B, width_B) = _terms(A), _terms(B)
    size = np.multiply.outer(norm_A, width_B)
    np.maximum(size, np.multiply.outer(width_A, norm_B), out=size)
    spoilt = size > EXPONENT_ROUNDING[A.dtype] / eps
    size *= 4 * eps * A.shape[1]  # now a bound of the rounding
    size += block
    spoilt &= size > NEGLIGIBLE
    i, j = np.nonzero(spoilt)
    for start in range(0, len(i), PAIRS):
        rows, cols = i[start : start + PAIRS], j[start : start + PAIRS]
        u, v = width_A[rows], width_B[cols]
        difference = _points(A, rows, u) - _points(B, cols, v)
        block[rows, cols] = row_norms(difference, squared=True) * (-u * v / 2)


def _terms(factor):
    """The terms u ||x||^2 and u of each object, in whichever column they are."""
    last = factor[:, -2:]
    last = last.toarray() if issparse(last) else last
    return -last.min(axis=1), last.max(axis=1)


def _points(factor, index, width):
    """sqrt(2) times the features of some objects."""
    points = factor[index][:, :-2]
    if issparse(points):
        return scale_rows(csr_array(points), 1 / width)
    return points / width[:, None]

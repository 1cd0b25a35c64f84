"""The gap-weighted subsequence kernel.

For strings x and y, ``E_l(i, j)`` sums the weights of all pairs of equal
subsequences of l letters that end at x_i and y_j. With ``F_l`` the sums of ``E_l``
over all ends up to (i, j), weighted by how far back they are::

    E_1(i, j)     = [x_i = y_j]
    B_l(i, j)     = E_l(i, j) + gap * B_l(i, j - 1)
    F_l(i, j)     = B_l(i, j) + gap * F_l(i - 1, j)
    E_(l+1)(i, j) = [x_i = y_j] * F_l(i - 1, j - 1)

and the kernel is the sum of ``E_length``. All terms are positive: nothing cancels.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from math import isqrt

import numpy as np

from sklearn_kernelclust._strings._suffix_array import Text
from sklearn_kernelclust._utils._threads import run_in_threads

# Numbers that are worked on at once. Five arrays of this size stay in cache, and a
# numpy call on one takes longer than its overhead: 3.5 ns a cell and letter.
BLOCK = 2**15

# Codes of the places after the end of a string: equal to no letter, nor each other.
AFTER_X, AFTER_Y = -1, -2


class StringArray:
    """Strings with the part of an array's interface that a chunked Gram needs.

    Parameters
    ----------
    points : ndarray of int32
        Code points of all strings, one after the other.
    starts, lengths : ndarray
        First place and number of characters of each string.
    scale : ndarray or None
        A factor of the kernel for each string.
    """

    dtype = np.dtype(np.float64)  # of the kernel

    def __init__(self, points, starts, lengths, scale=None):
        self.points, self.starts, self.lengths = points, starts, lengths
        self.scale = scale
        self.shape = len(lengths), int(lengths.max(initial=0))

    @classmethod
    def of(cls, strings):
        """The array of a list of strings."""
        text = Text.of(strings)
        points = text.points.astype(np.int32)
        return cls(points, text.starts[:-1], np.diff(text.starts))

    def __getitem__(self, rows):
        scale = None if self.scale is None else self.scale[rows]
        return StringArray(self.points, self.starts[rows], self.lengths[rows], scale)

    def padded(self, rows, after):
        """Columns of code points, one a string; `after` follows the end of each."""
        lengths = self.lengths[rows]
        place = np.arange(lengths.max(initial=0))[:, None]
        inside = place < lengths
        index = np.where(inside, self.starts[rows] + place, 0)
        return np.where(inside, self.points[index], after)

    def by_length(self, length):
        """Strings that have subsequences of this length, the longest first."""
        order = np.argsort(-self.lengths, kind="stable")
        return order[: np.count_nonzero(self.lengths >= length)]


def subsequence_kernel(X, Y, length, gap):
    """Sum of ``gap ** gaps`` over all pairs of equal subsequences.

    `gaps` is the number of characters that the two leave out between their first
    and their last letter; the letters of the subsequences weigh nothing.
    """
    K = np.zeros((X.shape[0], Y.shape[0]))
    columns = Y.by_length(length)

    def work(rows):
        for cols in batches_of(Y, columns, length, X.lengths[rows[0]], len(rows)):
            i, j = (index.ravel() for index in np.meshgrid(rows, cols, indexing="ij"))
            K[i, j] = kernel_of_pairs(X, i, Y, j, length, gap)

    run_in_threads(work, groups_of(X, length, len(columns)))
    return K


def scaled_subsequence_kernel(X, Y, length, gap):
    """The same, times the scale of both strings."""
    K = subsequence_kernel(X, Y, length, gap)
    K *= X.scale[:, None]
    K *= Y.scale
    return K


def subsequence_self_similarities(X, length, gap):
    """The kernel of each string with itself."""
    similarities = np.zeros(X.shape[0])

    def work(rows):
        similarities[rows] = kernel_of_pairs(X, rows, X, rows, length, gap)

    run_in_threads(work, [*batches_of(X, X.by_length(length), length)])
    return similarities


def groups_of(X, length, n_columns):
    """Batches of strings of like lengths, to be paired with batches of columns.

    Square tiles of pairs waste the least on padding; where there are few columns,
    a tile has more rows.
    """
    order, start = X.by_length(length), 0
    while start < len(order):
        n_pairs = max(BLOCK // (length * X.lengths[order[start]]), 1)
        stop = start + max(isqrt(n_pairs), n_pairs // max(n_columns, 1), 1)
        yield order[start:stop]
        start = stop


def batches_of(Y, order, length, other=None, n_rows=1):
    """Batches of strings, so many that their pairs with `n_rows` fill a block.

    `other` is the length of the strings they are paired with, if not their own.
    """
    start = 0
    while start < len(order):
        longest = Y.lengths[order[start]]
        width = longest if other is None else min(longest, other)
        stop = start + max(BLOCK // (length * width * n_rows), 1)
        yield order[start:stop]
        start = stop


def kernel_of_pairs(X, i, Y, j, length, gap):
    """Kernel of string ``X[i[p]]`` with ``Y[j[p]]`` for each p.

    The recursion runs over the antidiagonals, whose cells do not depend on each
    other, so that memory is O(|x| + |y|) for each pair. The shorter strings make
    the rows: a diagonal has no more cells than that.
    """
    x, y = X.padded(i, AFTER_X), Y.padded(j, AFTER_Y)
    if len(x) > len(y):
        x, y = y, x
    m, n, n_pairs = len(x), len(y), len(i)
    y = y[::-1].copy()
    sums, B = np.zeros((m, n_pairs)), np.zeros((length - 1, m, n_pairs))
    E = np.empty((length, m, n_pairs))
    # F of three diagonals; row i + 1 belongs to x_i, and F_0 is 1.
    F, F_1, F_2 = (np.zeros((length, m + 1, n_pairs)) for _ in range(3))
    F[0] = F_1[0] = F_2[0] = 1
    for d in range(m + n - 1):
        low, high = max(0, d - n + 1), min(m, d + 1)
        first = n - 1 - d + low
        equal = x[low:high] == y[first : first + high - low]
        ends, along_y = E[:, : high - low], B[:, low:high]
        np.multiply(F_2[:, low:high], equal, out=ends)
        sums[low:high] += ends[-1]
        along_y *= gap
        along_y += ends[:-1]
        new = F[1:, low + 1 : high + 1]
        np.multiply(F_1[1:, low:high], gap, out=new)
        new += along_y
        F, F_1, F_2 = F_2, F, F_1
    return sums.sum(axis=0)

"""The gap-weighted subsequence kernel."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_kernelclust._strings._suffix_array import Text
from sklearn_kernelclust._utils._threads import run_in_threads

# Pairs of places in two strings that are worked on at once: they stay in cache.
BLOCK = 2**16


class PaddedStrings:
    """Strings as rows of code points plus one, 0 after their end.

    Knows the verbs of an array that a chunked Gram asks for; `dtype` is that
    of the kernel, `scale` a factor for each string.
    """

    dtype = np.dtype(np.float64)

    def __init__(self, codes, lengths, scale=None):
        self.codes, self.lengths, self.scale = codes, lengths, scale
        self.shape = codes.shape

    @classmethod
    def of(cls, strings):
        """Rows of a list of strings."""
        text = Text.of(strings)
        lengths = np.diff(text.starts)
        codes = np.zeros((text.n_strings, text.longest), dtype=np.int32)
        places = np.arange(len(text.points)) - text.starts[text.owner]
        codes[text.owner, places] = text.points.astype(np.int32) + 1
        return cls(codes, lengths)

    def __getitem__(self, rows):
        scale = None if self.scale is None else self.scale[rows]
        return PaddedStrings(self.codes[rows], self.lengths[rows], scale)

    def string(self, i):
        """The codes of one string."""
        return self.codes[i, : self.lengths[i]]


def subsequence_kernel(X, Y, length, gap):
    """Sum of ``gap ** gaps`` over all pairs of equal subsequences.

    `gaps` is how many characters the two leave out between their first and
    their last one; the letters of the subsequence itself weigh nothing.
    """
    K = np.zeros((X.shape[0], Y.shape[0]))
    blocks = [*blocks_of(Y, X.shape[1])]

    def work(i):
        for rows, codes in blocks:
            K[i, rows] = one_against(X.string(i), codes, length, gap)

    run_in_threads(work, np.flatnonzero(X.lengths >= length))
    return K


def scaled_subsequence_kernel(X, Y, length, gap):
    """The same, times the scale of both strings."""
    K = subsequence_kernel(X, Y, length, gap)
    K *= X.scale[:, None]
    K *= Y.scale
    return K


def subsequence_self_similarities(X, length, gap):
    """The same of each string with itself."""
    similarities = np.zeros(X.shape[0])

    def work(i):
        string = X.string(i)
        similarities[i] = one_against(string, string[None], length, gap)[0]

    run_in_threads(work, np.flatnonzero(X.lengths >= length))
    return similarities


def blocks_of(Y, n_letters):
    """Strings of alike lengths, as many as fit in a block beside `n_letters`."""
    by_length = np.argsort(Y.lengths, kind="stable")[::-1]
    start = 0
    while start < len(by_length):
        width = Y.lengths[by_length[start]]
        n_strings = max(BLOCK // max(n_letters * width, 1), 1)
        rows = by_length[start : start + n_strings]
        yield rows, Y.codes[rows, :width]
        start += n_strings


def one_against(string, codes, length, gap):
    """Kernel of one string with the rows of `codes`.

    ``ends[k, i, j]`` sums over the common subsequences that end at the places
    i and j. Those of one letter more come from all ends before both places,
    weighted by how far back they are: a filter along each string.
    """
    # Only this kernel needs it, and its import takes long.
    from scipy.signal import lfilter

    if codes.size == 0 or len(string) == 0:
        return np.zeros(len(codes))
    equal = (string[:, None] == codes[:, None, :]).astype(np.float64)
    ends, forget = equal, [1.0, -gap]
    for _ in range(length - 1):
        before = lfilter([1.0], forget, lfilter([1.0], forget, ends, axis=1), axis=2)
        ends = np.zeros_like(equal)
        np.multiply(equal[:, 1:, 1:], before[:, :-1, :-1], out=ends[:, 1:, 1:])
    return ends.sum(axis=(1, 2))

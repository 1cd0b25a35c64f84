"""String kernels by enumeration, and strings to try them on."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from collections import Counter
from itertools import combinations

import numpy as np

ALPHABETS = ["a", "ab", "acgt", "aé\U0001f600\ud800 \n", "abcdefghijklmnopqrstuvwxyz"]


def substrings(x):
    ends = range(len(x) + 1)
    return Counter(x[i:j] for i, j in combinations(ends, 2))


def substring_kernel(X, Y, weight):
    """The sum over all common substrings, as it is written."""
    left, right = [substrings(x) for x in X], [substrings(y) for y in Y]
    return np.array(
        [
            [sum(weight(len(r)) * a[r] * b[r] for r in a if r in b) for b in right]
            for a in left
        ],
        dtype=np.float64,
    )


def subsequence_kernel(X, Y, length, gap):
    """The sum over all pairs of equal subsequences, as it is written."""

    def spans(x):
        found = {}
        for places in combinations(range(len(x)), length):
            letters = "".join(x[i] for i in places)
            weight = gap ** (places[-1] - places[0] + 1)
            found[letters] = found.get(letters, 0.0) + weight
        return found

    left, right = [spans(x) for x in X], [spans(y) for y in Y]
    return np.array([[sum(a[u] * b.get(u, 0) for u in a) for b in right] for a in left])


def random_strings(rng, alphabet, n_strings, longest):
    """Strings, some of which repeat parts of others."""
    strings = []
    for _ in range(n_strings):
        letters = rng.choice(list(alphabet), rng.randint(longest + 1))
        strings.append("".join(letters))
    return [*strings, strings[0] + strings[-1], strings[-1]]


def prefix_sums(weight, longest):
    weights = [weight(length) for length in range(1, max(longest, 1) + 1)]
    return np.concatenate([[0.0], np.cumsum(weights)])

"""The gap-weighted subsequence kernel against enumeration."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import tracemalloc

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from string_oracles import ALPHABETS, random_strings
from string_oracles import subsequence_kernel as enumerated

from sklearn_kernelclust._strings import _subsequence_kernel
from sklearn_kernelclust._strings._subsequence_kernel import (
    StringArray,
    subsequence_kernel,
    subsequence_self_similarities,
)


@pytest.fixture(params=ALPHABETS)
def strings(request, seed):
    return random_strings(np.random.RandomState(seed), request.param, 4, 7)


@pytest.mark.parametrize("block", [1, 40, 2**15])
@pytest.mark.parametrize("length, gap", [(1, 0.5), (2, 0.3), (3, 0.9), (4, 1.0)])
def test_equal_to_enumeration(strings, length, gap, block, monkeypatch):
    monkeypatch.setattr(_subsequence_kernel, "BLOCK", block)
    X, letters = StringArray.of(strings), gap ** (2 * length)
    expected = enumerated(strings, strings, length, gap)
    K = letters * subsequence_kernel(X, X, length, gap)
    assert_allclose(K, expected, rtol=1e-12)
    assert_allclose(
        letters * subsequence_kernel(X, X[2:], length, gap), expected[:, 2:]
    )
    similarities = letters * subsequence_self_similarities(X, length, gap)
    assert_allclose(similarities, expected.diagonal())


def test_columns_of_padded_strings():
    X = StringArray.of(["ab", "", "é"])
    assert X.shape == (3, 2)
    assert_array_equal(X.padded([0, 1, 2], -1), [[97, -1, 0xE9], [98, -1, -1]])
    assert_array_equal(X[[2]].padded([0], -2), [[0xE9]])
    assert_array_equal(X[1:].by_length(1), [1])


def test_only_empty_strings():
    X = StringArray.of(["", ""])
    assert_array_equal(subsequence_kernel(X, X, 1, 0.5), np.zeros((2, 2)))


def test_shorter_than_the_subsequences():
    X = StringArray.of(["ab", "abab"])
    assert_array_equal(subsequence_kernel(X, X, 3, 0.5)[0], [0, 0])


def test_long_strings_beside_short_ones():
    """Equal to the recursion as it is written; the longer may be on either side."""
    rng = np.random.default_rng(0)
    strings = ["".join(rng.choice(list("acgt"), n)) for n in (400, 3, 90, 1, 250)]
    X, expected = StringArray.of(strings), np.zeros((5, 5))
    for i, j in np.ndindex(5, 5):
        expected[i, j] = recursion(strings[i], strings[j], 3, 0.7)
    assert_allclose(subsequence_kernel(X, X, 3, 0.7), expected, rtol=1e-12)
    similarities = subsequence_self_similarities(X, 3, 0.7)
    assert_allclose(similarities, expected.diagonal(), rtol=1e-12)


def recursion(x, y, length, gap):
    ends = np.equal.outer(list(x), list(y)).astype(float)
    equal = ends
    for _ in range(length - 1):
        sums = np.zeros((len(x) + 1, len(y) + 1))
        for i, row in enumerate(ends):
            along = 0.0
            for j, value in enumerate(row):
                along = value + gap * along
                sums[i + 1, j + 1] = along + gap * sums[i, j + 1]
        ends = equal * sums[:-1, :-1]
    return ends.sum()


def test_memory_is_in_proportion_to_the_lengths():
    """A table of all pairs of places would take 128 MB, five times over."""
    X = StringArray.of(["ab" * 2000])
    tracemalloc.start()
    subsequence_kernel(X, X, 2, 0.5)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4 * 2**20

"""The gap-weighted subsequence kernel against enumeration."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from string_oracles import ALPHABETS, random_strings
from string_oracles import subsequence_kernel as enumerated

from sklearn_kernelclust._strings import _subsequence_kernel
from sklearn_kernelclust._strings._subsequence_kernel import (
    PaddedStrings,
    subsequence_kernel,
    subsequence_self_similarities,
)


@pytest.fixture(params=ALPHABETS)
def strings(request, seed):
    return random_strings(np.random.RandomState(seed), request.param, 4, 7)


@pytest.mark.parametrize("block", [1, 2**16])
@pytest.mark.parametrize("length, gap", [(1, 0.5), (2, 0.3), (3, 0.9), (4, 1.0)])
def test_equal_to_enumeration(strings, length, gap, block, monkeypatch):
    monkeypatch.setattr(_subsequence_kernel, "BLOCK", block)
    X, letters = PaddedStrings.of(strings), gap ** (2 * length)
    expected = enumerated(strings, strings, length, gap)
    K = letters * subsequence_kernel(X, X, length, gap)
    assert_allclose(K, expected, rtol=1e-12)
    assert_allclose(
        letters * subsequence_kernel(X, X[2:], length, gap), expected[:, 2:]
    )
    similarities = letters * subsequence_self_similarities(X, length, gap)
    assert_allclose(similarities, expected.diagonal())


def test_padded_strings():
    X = PaddedStrings.of(["ab", "", "é"])
    assert X.shape == (3, 2)
    assert_array_equal(X.codes, [[98, 99], [0, 0], [0xEA, 0]])
    assert_array_equal(X[[2]].string(0), [0xEA])


def test_only_empty_strings():
    X = PaddedStrings.of(["", ""])
    assert_array_equal(subsequence_kernel(X, X, 1, 0.5), np.zeros((2, 2)))


def test_shorter_than_the_subsequences():
    X = PaddedStrings.of(["ab", "abab"])
    assert_array_equal(subsequence_kernel(X, X, 3, 0.5)[0], [0, 0])

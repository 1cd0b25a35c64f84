"""New strings against the training strings, by enumeration."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from string_oracles import ALPHABETS, prefix_sums, random_strings, substring_kernel

from sklearn_kernelclust._strings._matching_statistics import (
    longest_matches,
    new_features,
)
from sklearn_kernelclust._strings._substring_tree import SubstringTree
from sklearn_kernelclust._strings._suffix_array import Text, Words

WEIGHTS = {
    "one length": lambda length: float(length == 3),
    "up to a length": lambda length: float(length <= 14),
    "falling": lambda length: 1.5**-length,
    "with holes": lambda length: float(length % 3),
}


@pytest.fixture(params=ALPHABETS)
def old_and_new(request, seed):
    rng = np.random.RandomState(seed)
    old = random_strings(rng, request.param, 5, 30)
    new = [*random_strings(rng, request.param, 3, 40), old[0] + "!?", "", old[1], "???"]
    return old, new


@pytest.mark.parametrize("weight", WEIGHTS.values(), ids=WEIGHTS)
def test_kernel_of_new_strings(old_and_new, weight):
    old, new = old_and_new
    text = Text.of(old)
    tree = SubstringTree.of(text, prefix_sums(weight, text.longest))
    features = tree.features()
    K = new_features(tree, features, Text.of(new)) @ features.matrix.T
    assert_allclose(K.toarray(), substring_kernel(new, old, weight), rtol=1e-12)


@pytest.mark.parametrize("bound", [1, 4, 30, 100])
def test_longest_matches(old_and_new, bound):
    old, new = old_and_new
    text = Text.of(old)
    tree = SubstringTree.of(text, np.arange(bound + 1.0))
    words = Words.of(Text.of(new), tree.alphabet, tree.bound)
    _, length = longest_matches(tree, words)
    suffixes = [s[i:] for s in new for i in range(len(s))]
    expected = [
        max(k for k in range(min(len(s), bound) + 1) if any(s[:k] in x for x in old))
        for s in suffixes
    ]
    assert_array_equal(length, expected)

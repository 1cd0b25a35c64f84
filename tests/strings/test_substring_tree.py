"""The tree of substrings against enumeration."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from string_oracles import (
    ALPHABETS,
    prefix_sums,
    random_strings,
    substring_kernel,
    substrings,
)

from sklearn_kernelclust._strings import _substring_tree
from sklearn_kernelclust._strings._substring_tree import (
    SubstringTree,
    nearest,
    self_similarities,
    settle,
)
from sklearn_kernelclust._strings._suffix_array import Text

WEIGHTS = {
    "one length": lambda length: float(length == 3),
    "up to a length": lambda length: float(length <= 4),
    "all": lambda length: 1.0,
    "falling": lambda length: 1.5**-length,
    "with holes": lambda length: float(length % 3),
}


@pytest.fixture(params=ALPHABETS)
def strings(request, seed):
    return random_strings(np.random.RandomState(seed), request.param, 5, 30)


@pytest.fixture(params=WEIGHTS)
def weight(request):
    return WEIGHTS[request.param]


@pytest.fixture(params=["pieces", "one piece", "deep"])
def way_to_count(request, monkeypatch):
    monkeypatch.setattr(
        _substring_tree, "PIECE", 3 if request.param == "pieces" else 2**20
    )
    monkeypatch.setattr(_substring_tree, "DEEP", 0 if request.param == "deep" else 40)


def tree_of(strings, weight):
    text = Text.of(strings)
    return SubstringTree.of(text, prefix_sums(weight, text.longest))


def test_features_give_the_kernel(strings, weight, way_to_count):
    features = tree_of(strings, weight).features()
    A, similarity = features.matrix, features.similarity
    expected = substring_kernel(strings, strings, weight)
    assert_allclose((A @ A.T).toarray(), expected, rtol=1e-12)
    assert_allclose(similarity, expected.diagonal(), rtol=1e-12)


def test_self_similarities(strings, weight):
    text = Text.of(strings)
    expected = substring_kernel(strings, strings, weight).diagonal()
    found = self_similarities(text, prefix_sums(weight, text.longest))
    assert_allclose(found, expected, rtol=1e-12)


def test_nodes_stand_for_all_substrings_once(strings):
    tree = tree_of(strings, WEIGHTS["all"])
    text, nodes, found = "".join(strings), tree.nodes, {}
    for node in range(1, len(nodes.depth)):
        start = tree.suffixes.order[nodes.start[node]]
        for length in range(nodes.depth[nodes.parent[node]] + 1, nodes.depth[node] + 1):
            substring = text[start : start + length]
            assert substring not in found
            found[substring] = nodes.size[node]
    assert found == dict(sum((substrings(s) for s in strings), start=substrings("")))


def test_nodes_are_fewer_than_twice_the_characters(strings):
    for weight in WEIGHTS.values():
        assert (
            len(tree_of(strings, weight).nodes.depth) <= 2 * len("".join(strings)) + 1
        )


def test_substring_of_a_node_is_its_longest():
    tree = tree_of(["xaby", "zabw"], WEIGHTS["all"])
    shared = [tree.substring(node) for node in tree.columns[1:]]
    assert shared == ["ab", "b"]


def test_text_is_not_changed_by_counting(strings, way_to_count):
    tree = tree_of(strings, WEIGHTS["all"])
    starts = tree.text.starts.copy()
    tree.features()
    assert_array_equal(tree.text.starts, starts)


def test_features_are_different_from_each_other(strings):
    features = tree_of(strings, WEIGHTS["all"]).features()
    A = features.matrix[:, : len(features.gain)].toarray() / np.sqrt(features.gain)
    assert len(np.unique(A.round(6), axis=1).T) == len(features.gain)


def test_substrings_that_go_together_are_one_feature():
    tree = tree_of(["xaby", "zabw"], WEIGHTS["all"])
    features = tree.features()
    assert_array_equal(features.feature, [0, 0])
    assert_array_equal(features.gain, [3])


def test_strings_of_one_letter():
    weight = WEIGHTS["all"]
    strings = ["a" * 300, "a" * 200, "b"]
    A = tree_of(strings, weight).features().matrix
    n, m = 300, 200
    common = sum((n - k + 1) * (m - k + 1) for k in range(1, m + 1))
    assert_allclose((A @ A.T).toarray()[0, 1], common)


def test_no_characters_no_features():
    tree = tree_of(["", ""], WEIGHTS["all"])
    features = tree.features()
    assert features.matrix.shape == (2, 2)
    assert features.matrix.sum() == features.similarity.sum() == 0


@pytest.mark.parametrize("step, passes", [(-1, np.greater), (1, np.greater_equal)])
def test_nearest_that_does_not_pass(step, passes, seed):
    values = np.random.RandomState(seed).randint(0, 5, 50)
    values[[0, -1]] = 0
    for i, found in enumerate(nearest(values, step, passes)):
        if values[i]:
            j = i + step
            while passes(values[j], values[i]):
                j += step
            assert found == j


def test_pointers_are_followed_to_the_end():
    assert_array_equal(settle(np.array([0, 0, 1, 2, 4])), [0, 0, 0, 0, 4])

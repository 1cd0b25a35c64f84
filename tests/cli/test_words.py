"""What clusters are about."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from scipy.sparse import csr_array

from sklearn_kernelclust import PairwiseKernel
from sklearn_kernelclust._cli._words import (
    describe,
    nearest_first,
    snippet,
    top_features,
    top_words,
)


def gram_of(X):
    return PairwiseKernel("linear", lazy=True).fit_transform(X)


def test_documents_by_their_distance_to_the_mean(seed):
    rng = np.random.RandomState(seed)
    X, labels = rng.randn(40, 3), rng.randint(3, size=40)
    found = nearest_first(gram_of(X), labels)
    for c in range(3):
        members = np.flatnonzero(labels == c)
        squared = ((X[members] - X[members].mean(axis=0)) ** 2).sum(axis=1)
        assert found[c] == members[np.argsort(squared)].tolist()


def test_empty_documents_are_not_central():
    X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    assert nearest_first(gram_of(X), np.zeros(3, dtype=int))[0][-1] == 0


@pytest.mark.parametrize("make", [np.asarray, csr_array])
def test_top_words_tell_clusters_apart(make):
    # "said" is everywhere, "goal" and "bank" are not.
    X = make(np.array([[5.0, 1, 0], [5, 2, 0], [5, 0, 2], [5, 0, 3]]))
    names = np.array(["said", "goal", "bank"])
    assert top_words(X, names, np.array([0, 0, 1, 1])) == {0: ["goal"], 1: ["bank"]}


def test_words_of_a_single_cluster():
    X = csr_array(np.array([[1.0, 0.0], [3.0, 1.0]]))
    assert top_words(X, ["a", "b"], np.array([0, 0])) == {0: ["a", "b"]}


@pytest.mark.parametrize("make", [np.asarray, csr_array])
def test_top_features_in_standard_deviations(make):
    X = np.array([[0.0, 7, 1], [0, 7, 1], [4, 7, 1.001], [4, 7, 1]])
    found = top_features(make(X), np.array([0, 0, 1, 1]))
    assert found[1][0] == "column 1 (+1.0)"
    assert found[0][0] == "column 1 (-1.0)"
    assert not any("column 2" in text for texts in found.values() for text in texts)


def test_describe_has_the_largest_cluster_first(seed):
    rng = np.random.RandomState(seed)
    labels = np.repeat([0, 1, 2], [3, 9, 3])
    clusters = describe(labels, gram_of(rng.randn(15, 2)), {1: ["word"]})
    assert [c.label for c in clusters] == [1, 0, 2]
    assert [c.size for c in clusters] == [9, 3, 3]
    assert clusters[0].terms == ["word"]
    assert clusters[1].terms == []


def test_snippets_are_short_and_on_one_line():
    assert snippet(" a\n\tb ") == "a b"
    long = snippet("word " * 1000, 20)
    assert len(long) <= 20
    assert long.endswith("...")

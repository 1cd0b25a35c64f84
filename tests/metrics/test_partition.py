"""Measures of partitions beside their definitions."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics import mutual_info_score, normalized_mutual_info_score

from sklearn_kernelclust.metrics import (
    average_nmi,
    conditional_entropy_score,
    matched_confusion_matrix,
    recall_rate,
    variation_of_information,
)

METRICS = [matched_confusion_matrix, recall_rate, variation_of_information]


def partitions(seed, n=12, k=4):
    rng = np.random.default_rng(seed)
    return rng.integers(0, k, (3, n))


def entropy(labels):
    share = np.bincount(labels)[np.bincount(labels) > 0] / len(labels)
    return -(share * np.log(share)).sum()


@given(st.integers(0, 10**6))
@settings(max_examples=100)
def test_variation_of_information_is_a_metric(seed):
    a, b, c = partitions(seed)
    expected = entropy(a) + entropy(b) - 2 * mutual_info_score(a, b)
    assert_allclose(variation_of_information(a, b), expected, atol=1e-12)
    assert_allclose(variation_of_information(b, a), expected, atol=1e-12)
    assert variation_of_information(a, 7 - a) == 0
    assert 0 <= variation_of_information(a, b) <= np.log(len(a)) + 1e-12
    there = variation_of_information(a, b) + variation_of_information(b, c)
    assert variation_of_information(a, c) <= there + 1e-12


def test_known_variations():
    n = 8
    assert_allclose(variation_of_information(np.arange(n), np.zeros(n)), np.log(n))
    assert_allclose(variation_of_information(np.arange(n), np.arange(n)[::-1]), 0)


@given(st.integers(0, 10**6), st.integers(1, 5), st.integers(1, 5))
@settings(max_examples=100)
def test_the_match_is_the_best_of_all(seed, n_classes, n_clusters):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, 20)
    labels = rng.integers(0, n_clusters, 20)
    k = max(n_classes, n_clusters)
    best = max(np.mean(np.array(p)[labels] == y) for p in permutations(range(k)))
    assert_allclose(recall_rate(y, labels), best)
    matrix = matched_confusion_matrix(y, labels)
    assert matrix.sum() == 20
    assert_array_equal(matrix.sum(axis=1), np.unique(y, return_counts=True)[1])
    sizes = np.unique(labels, return_counts=True)[1]
    columns = matrix.sum(axis=0)
    assert_array_equal(np.sort(columns[columns > 0]), np.sort(sizes))


def test_a_class_without_a_cluster_has_an_empty_column():
    matrix = matched_confusion_matrix(["a", "a", "b", "c", "c"], [0, 0, 0, 5, 5])
    assert_array_equal(matrix, [[2, 0, 0], [1, 0, 0], [0, 0, 2]])
    assert recall_rate(["a", "a", "b", "c", "c"], [0, 0, 0, 5, 5]) == 0.8


@pytest.mark.parametrize("metric", METRICS)
def test_labels_that_do_not_fit(metric):
    with pytest.raises(ValueError, match=r"inconsistent numbers of samples: \[2, 3\]"):
        metric([0, 1], [0, 1, 1])
    with pytest.raises(ValueError, match="Found 0 labels"):
        metric([], [])


def test_average_nmi(seed):
    rng = np.random.default_rng(seed)
    partitions = [rng.integers(0, k, 60) * 7 for k in (2, 3, 3, 5)]
    expected = np.mean(
        [
            normalized_mutual_info_score(a, b, average_method="geometric")
            for a, b in combinations(partitions, 2)
        ]
    )
    assert_allclose(average_nmi(partitions), expected)


def test_average_nmi_of_trivial_partitions():
    one, two = [0, 0, 0, 0], [0, 0, 1, 1]
    assert average_nmi([one, one]) == 1
    assert average_nmi([one, two]) == 0
    assert_allclose(average_nmi([one, one, two]), 1 / 3)
    assert_allclose(average_nmi([["a", "b"], ["x", "y"]]), 1)


@pytest.mark.parametrize("partitions", [[[0, 1]], [], [[], []], [0, 1, 2]])
def test_average_nmi_needs_two(partitions):
    with pytest.raises(ValueError, match="at least two partitions"):
        average_nmi(partitions)


def test_conditional_entropy_by_the_book(seed):
    rng = np.random.default_rng(seed)
    classes, clusters = rng.integers(4, size=(2, 60))
    total = 0.0
    for c in range(4):
        share = np.bincount(classes[clusters == c], minlength=4) / (clusters == c).sum()
        share = share[share > 0]
        total -= (clusters == c).mean() * (share * np.log(share)).sum() / np.log(4)
    found = conditional_entropy_score(classes, clusters)
    assert found == pytest.approx(total)
    named = np.array(list("dacb"))[clusters]
    assert conditional_entropy_score(classes, named) == pytest.approx(total)


def test_conditional_entropy_at_its_ends():
    score = conditional_entropy_score
    assert score([0, 1, 2], [5, 6, 7]) == 0
    assert score([0, 1, 2], [5, 5, 5]) == pytest.approx(1)
    assert score([0, 0, 0], [1, 2, 2]) == 0
    with pytest.raises(ValueError, match="inconsistent numbers"):
        score([0, 1], [0])
    with pytest.raises(ValueError, match="Found 0 labels"):
        score([], [])

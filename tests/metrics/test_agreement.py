"""Agreement of partitions against counting by hand."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from sklearn_kernelclust.metrics._agreement import (
    CRITERIA,
    above_chance,
    agreement,
    codes,
    expected_agreement,
    table_of,
)


def strength_by_pairs(labels, predicted):
    """Eq. 1 of the paper, pair by pair."""
    shares = []
    for c in set(labels):
        members = [i for i, label in enumerate(labels) if label == c]
        pairs = list(combinations(members, 2))
        if pairs:
            together = [predicted[i] == predicted[j] for i, j in pairs]
            shares.append(sum(together) / len(pairs))
    return min(shares, default=0.0)


def similarity_by_permutations(labels, predicted):
    k = max([*labels, *predicted]) + 1
    return max(
        np.mean([p[a] == b for a, b in zip(labels, predicted)])
        for p in permutations(range(k))
    )


@st.composite
def partitions(draw):
    n = draw(st.integers(1, 14))
    labels = st.lists(st.integers(0, 4), min_size=n, max_size=n)
    return draw(labels), draw(labels)


@given(partitions())
def test_equal_to_counting(pair):
    strength = agreement("prediction-strength", *pair)
    assert strength == pytest.approx(strength_by_pairs(*pair))
    similarity = agreement("partition-similarity", *pair)
    assert similarity == pytest.approx(similarity_by_permutations(*pair))


@given(partitions(), st.permutations(range(5)))
def test_names_of_clusters_do_not_matter(pair, names):
    labels, predicted = pair
    renamed = [f"cluster {names[label]}" for label in labels]
    for criterion in CRITERIA:
        assert agreement(criterion, renamed, predicted) == pytest.approx(
            agreement(criterion, labels, predicted)
        )


@given(partitions())
def test_perfect_where_no_pair_is_torn_apart(pair):
    labels, predicted = pair
    strength = agreement("prediction-strength", labels, predicted)
    assert 0 <= strength <= 1
    table = table_of(labels, predicted)
    some_pair = (table.sum(axis=1) > 1).any()
    refined = all((row > 0).sum() == 1 for row in table if row.sum() > 1)
    assert (strength == 1) == (some_pair and refined)


def test_a_cluster_of_one_is_left_out():
    assert agreement("prediction-strength", [0, 0, 1], [0, 0, 0]) == 1
    assert agreement("prediction-strength", [0, 1, 2], [0, 0, 0]) == 0


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("k", [2, 5])
def test_expected_value_is_that_of_random_labels(criterion, k):
    rng = np.random.default_rng(0)
    drawn = [
        agreement(criterion, *rng.integers(0, k, size=(2, 60))) for _ in range(2000)
    ]
    error = 5 * np.std(drawn) * np.sqrt(1 / 1000 + 1 / 2000)
    assert abs(expected_agreement(criterion, 60, k) - np.mean(drawn)) < error


def test_expected_value_of_many_clusters():
    """Neither the memory nor the time of a thousand tables of that size."""
    assert expected_agreement("prediction-strength", 5000, 1500) < 0.01


def test_a_criterion_of_the_user():
    def share(labels, predicted):
        return np.mean(labels == predicted)

    assert agreement(share, np.array([0, 1]), np.array([0, 0])) == 0.5
    assert expected_agreement(share, 1000, 4) == pytest.approx(0.25, abs=0.01)


def test_above_chance():
    assert above_chance(0.6, 0.2) == pytest.approx(0.5)
    assert above_chance(1.0, 0.2) == 1
    assert above_chance(0.2, 0.2) == 0
    assert above_chance(1.0, 1.0) == 0  # one cluster: nothing to get right
    assert np.isnan(above_chance(np.nan, 0.5))


@pytest.mark.parametrize(
    "labels", [[0, 2, 2, 5], [-1, 3, 3, 3], ["a", "b", "a", "c"], [10**9, 0, 1, 0], []]
)
def test_codes_say_the_same_as_the_labels(labels):
    bound, code = codes(labels)
    assert all(0 <= c < bound for c in code)
    same = np.equal.outer(np.array(labels), np.array(labels))
    assert_array_equal(np.equal.outer(code, code), same)

"""Tables of scores, and what is best in them."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from sklearn_kernelclust._model_selection._pipeline_steps import check_candidates
from sklearn_kernelclust._model_selection._scores import (
    best_row,
    corrected,
    doubtful_rows,
    mean_of_finite,
    of_splits,
    ranked,
    results_table,
    values_of,
)
from sklearn_kernelclust._model_selection._splits import Score
from sklearn_kernelclust.metrics._agreement import expected_agreement

KS = np.array([2, 3, 4])
NONE = Score(reason="too few")


def table_of(means):
    """The table of scores that are the same on both of two splits."""
    scores = np.repeat(np.array(means, dtype=float)[:, None], 2, axis=1)
    return results_table("n_clusters", KS, scores, scores, np.ones(3))


@pytest.mark.parametrize("given", [3, [3], (3, 3), np.array([3], dtype=np.uint8)])
def test_a_single_candidate(given):
    assert_array_equal(check_candidates(given), [3])


def test_candidates_in_order():
    assert_array_equal(check_candidates([5, 2, 5, 3]), [2, 3, 5])


@pytest.mark.parametrize(
    "given, message",
    [
        ([], "at least one number"),
        ([2.5], r"must hold integers, got \[2\.5\]"),
        ([[2, 3]], r"must hold integers, got \[\[2, 3\]\]"),
        ([2, 0], "at least 1, got 0"),
    ],
)
def test_bad_candidates(given, message):
    with pytest.raises(ValueError, match=message):
        check_candidates(given)


def test_values_of_splits():
    first = [Score((0.5, 0.7), 1.0), Score((0.1, np.nan), 2.0)]
    second = [Score((0.9, 0.8), 3.0), Score((np.nan, 0.2), 6.0)]
    values, seconds = values_of([first, second], KS[:2], 20)
    assert_array_equal(values[0], [[0.5, 0.7], [0.9, 0.8]])
    assert_array_equal(values[1], [[0.1, np.nan], [np.nan, 0.2]])
    assert_array_equal(seconds, [2, 4])


def test_what_has_few_values_has_none():
    good, poor = Score((0.5, 0.5)), Score((0.5, np.nan), reason="of the first")
    scored = [[good, poor, NONE], [good, NONE, NONE]]
    with pytest.warns(UserWarning, match=r"\[3, 4\] .* halves of 10 .*: of the first"):
        values, _ = values_of(scored, KS, 21)
    assert_array_equal(values[0], 0.5)
    assert np.isnan(values[1:]).all()
    with pytest.raises(ValueError, match=r"\[2, 3\] clusters could not .*: too few"):
        values_of([[NONE, NONE]], KS[:2], 20)


def test_too_few_clusters_count_as_nothing():
    """Luck on a few splits makes no number of clusters perfect."""
    perfect, too_few = Score((1.0, 1.0)), Score(reason="fewer", too_few=True)
    scored = [[perfect, perfect, too_few], [perfect, too_few, too_few]]
    with pytest.warns(UserWarning, match=r"\[4\] .*: fewer"):
        values, _ = values_of(scored, KS, 20)
    assert_array_equal(of_splits(values, scored), [[1, 1], [1, 0], [np.nan, np.nan]])


def test_corrected_by_chance_of_each_half():
    values = np.full((2, 1, 2), 0.9)
    values[1] = np.nan
    found = corrected(values, "prediction-strength", KS[:2], 21)
    chance = [expected_agreement("prediction-strength", n, 2) for n in (10, 11)]
    assert_allclose(found[0, 0], (0.9 - np.array(chance)) / (1 - np.array(chance)))
    assert np.isnan(found[1]).all()
    assert_array_equal(values[0], 0.9)


def test_means_leave_out_what_is_not_known(seed):
    values = np.random.default_rng(seed).random((5, 4))
    assert_allclose(mean_of_finite(values, axis=1), values.mean(axis=1))
    values[0], values[1, 2:] = np.nan, np.nan
    assert_allclose(mean_of_finite(values, axis=1)[1:], np.nanmean(values[1:], axis=1))
    assert np.isnan(mean_of_finite(values, axis=1)[0])


def test_table(seed):
    scores, raw = np.random.default_rng(seed).random((2, 3, 6))
    scores[2] = np.nan
    table = results_table("k", KS, scores, raw, np.arange(3))
    assert table["params"] == [{"k": 2}, {"k": 3}, {"k": 4}]
    assert_array_equal(table["param_k"], KS)
    assert_array_equal(table["mean_fit_time"], [0, 1, 2])
    for name, values in (("test", scores), ("raw", raw)):
        assert_allclose(table[f"mean_{name}_score"], values.mean(axis=1))
        assert_allclose(table[f"std_{name}_score"], values.std(axis=1))


@pytest.mark.parametrize(
    "means, by_score, by_threshold",
    [
        ([0.9, 0.7, 0.6], [0, 1, 2], [0, 1, 2]),
        ([0.9, 0.85, 0.1], [0, 1, 2], [1, 0, 2]),
        ([0.5, 0.5 + 1e-14, 0.5], [2, 1, 0], [2, 1, 0]),
        ([0.9, np.nan, 0.1], [0, 2, 1], [0, 2, 1]),
        ([0.1, 0.2, 0.8], [2, 1, 0], [2, 1, 0]),
    ],
)
def test_ranking(means, by_score, by_threshold):
    table = table_of(means)
    assert_array_equal(ranked(KS, table, "max", 0.8), by_score)
    assert_array_equal(ranked(KS, table, "threshold", 0.8), by_threshold)


def test_of_equal_scores_the_one_that_predicts_all_its_clusters():
    table = table_of([1.0, 1.0, 1.0])
    unpredicted = np.array([0.0, 0.0, 0.2])
    assert_array_equal(ranked(KS, table, "max", 0.8, False, unpredicted), [1, 0, 2])


def test_the_doubted_come_after_all_that_have_a_score():
    table, doubted = table_of([0.7, 1.0, 1.0]), np.array([False, True, True])
    assert_array_equal(ranked(KS, table, "max", 0.8, doubted), [0, 2, 1])
    assert_array_equal(ranked(KS, table, "threshold", 0.6, doubted), [0, 2, 1])
    table = table_of([0.7, np.nan, 1.0])
    doubted = np.array([False, False, True])
    assert_array_equal(ranked(KS, table, "max", 0.8, doubted), [0, 2, 1])


def test_strengths_of_clusters_without_pairs_are_doubtful_rows():
    lone, half, none = (Score((1.0, 1.0), alone=share) for share in (1.0, 0.5, 0.0))
    scored = [[lone, half, none], [lone, half, half]]
    found = doubtful_rows(scored, "prediction-strength")
    assert_array_equal(found, [True, False, False])
    assert not doubtful_rows(scored, "partition-similarity").any()


def test_best_row():
    table = table_of([0.3, 0.8, 0.9])
    assert best_row(table, [1, 2, 0], "max", 1.0) == 1
    assert best_row(table, [2, 1, 0], "threshold", 0.8) == 2
    with pytest.warns(UserWarning, match=r"above threshold=0\.9, the highest is 0\.9"):
        assert best_row(table, [2, 1, 0], "threshold", 0.9) == -1

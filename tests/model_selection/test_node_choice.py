"""The choice of the number of clusters at a node."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from sklearn_kernelclust._model_selection._node_choice import (
    SIGNIFICANT,
    Scores,
    chosen_row,
    evidence,
    is_clear,
    is_futile,
    ranked,
    well_separated,
)

KS = np.array([2, 3, 4])


def scores(means, references, spread=0.02, alone=0.0):
    """Scores with these means, and references about theirs."""
    means, references = np.array(means, float), np.array(references, float)
    values = np.repeat(means[:, None], 6, axis=1)
    around = np.array([-1, 1, -1, 1]) * spread * np.sqrt(3) / 2
    reference_values = references[None, :, None] + np.repeat(around, 3)[
        :, None
    ].reshape(4, 3, 1)
    alone = np.broadcast_to(np.reshape(alone, (-1, 1)), (3, 6))
    return Scores(KS, values, np.repeat(reference_values, 2, axis=2), alone)


def test_significance_is_the_excess_in_spreads():
    node = scores([0.5, 0.3, 0.3], [0.1, 0.1, 0.3])
    assert_allclose(node.spreads, 0.02)
    assert_allclose(node.significance(), [10, 5, 0], atol=1e-12)
    assert_allclose(node.references, [0.1, 0.1, 0.3])


def test_missing_scores_are_left_out():
    node = scores([0.5, 0.3, 0.3], [0.1, 0.1, 0.1])
    node.values[0, :3] = np.nan
    node.values[2] = np.nan
    node.reference_values[1, 0, 0] = np.nan
    assert_allclose(node.means, [0.5, 0.3, np.nan])
    assert node.significance()[2] == -np.inf
    assert_array_equal(ranked(node), [2, 3, 4])


def test_the_excess_counts_not_the_score():
    assert chosen_row(scores([0.6, 0.4, 0.2], [0.55, 0.1, 0.1])) == (1, False)
    assert chosen_row(scores([0.1, 0.1, 0.1], [0.1, 0.1, 0.1])) == (-1, False)


def test_more_clusters_say_more():
    """Of equal excesses the largest number of clusters wins."""
    node = scores([0.5, 0.4, 0.45], [0.2, 0.1, 0.15])
    assert chosen_row(node) == (2, False)
    assert_array_equal(ranked(node), [4, 3, 2])
    assert_array_equal(ranked(node, 0), [2, 4, 3])


def test_clusters_of_one_object_are_not_chosen():
    node = scores([0.5, 0.4, 0.9], [0.2, 0.1, 0.1], alone=[0, 0, 0.6])
    assert chosen_row(node) == (1, False)
    assert not well_separated(node).any()


def test_clear_answers_need_no_more_splits():
    spread = 0.02
    for excess, clear in [(0.0, True), (1.5, False), (2.5, False), (4, True)]:
        node = scores([0.1 + excess * 2 * spread, 0.1, 0.1], [0.1] * 3, spread)
        assert is_clear(node) == clear
    assert is_clear(scores([0.9, 0.1, 0.1], [0.85, 0.1, 0.1]))


def test_well_separated_clusters_go_by_the_gap():
    """Their references are predicted well too, so that the excess says nothing."""
    node = scores([1.0, 1.0, 0.3], [0.97, 0.97, 0.3])
    assert node.significance().max() < SIGNIFICANT
    nan = np.nan
    errors = np.array([0.1, 0.1, nan])
    falls, rises = np.array([2.0, 1.5, nan]), np.array([1.5, 2.0, nan])
    nothing, little = np.array([0.1, 0.0, nan]), np.array([0.5, 0.4, nan])
    assert chosen_row(node, (falls, errors)) == (0, True)
    assert chosen_row(node, (rises, errors)) == (1, True)
    assert chosen_row(node, (nothing, errors)) == (-1, False)
    assert chosen_row(node, (little, errors)) == (0, False)
    unknown = np.full(3, nan), np.full(3, nan)
    assert chosen_row(node, unknown) == (-1, False)


def test_without_references_nothing_is_significant():
    node = Scores(KS, np.ones((3, 2)), np.empty((0, 3, 0)), np.zeros((3, 2)))
    assert (node.significance() == -np.inf).all()
    assert_array_equal(node.references, 0)


def test_evidence_grows_with_clusters_and_objects():
    assert_allclose(evidence(0.5, 3, 1.0), 0.5 * np.log(3))
    assert evidence(0.5, 3, 0.25) == evidence(0.25, 3, 1.0)


def test_futile_nodes():
    """Neither more splits nor references would make their evidence enough."""
    certain = Scores(KS, np.full((3, 6), 0.2), np.empty((0, 3, 0)), np.zeros((3, 6)))
    most = evidence(0.2, 4, 0.3)
    assert is_futile(certain, 0.3, 1.001 * most)
    assert not is_futile(certain, 0.3, 0.999 * most)
    # By means that may still rise, by two standard errors.
    varied = Scores(KS, certain.values.copy(), certain.reference_values, certain.alone)
    varied.values[2] = [0.1, 0.3] * 3
    varied.values[1] = np.nan
    error = 0.1 / np.sqrt(5)
    most = evidence(0.2 + 2 * error, 4, 0.3)
    assert is_futile(varied, 0.3, 1.001 * most)
    assert not is_futile(varied, 0.3, 0.999 * most)


def test_well_separated_clusters_are_not_futile():
    node = Scores(KS, np.full((3, 6), 0.9), np.empty((0, 3, 0)), np.zeros((3, 6)))
    assert not is_futile(node, 0.01, 1.0)


def test_references_make_a_node_futile():
    node = scores([0.3, 0.3, 0.3], [0.2, 0.2, 0.2])
    least = evidence(0.15, 4, 1.0)
    assert is_futile(node, 1.0, least)
    assert not is_futile(scores([0.3] * 3, [0.1] * 3), 1.0, least)

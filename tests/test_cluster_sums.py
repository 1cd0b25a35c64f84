"""Sums over clusters against full products."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from sklearn_kernelclust._cluster_sums import (
    first_sums,
    indicator,
    move_sums,
    totals,
)
from sklearn_kernelclust._factored_gram import FactoredGram
from sklearn_kernelclust._runs import Problem, start_together
from sklearn_kernelclust._stored_grams import DenseGram


@pytest.mark.parametrize(
    "gram_of", [FactoredGram, lambda X, Y: DenseGram.training(X @ Y.T)]
)
def test_delta_updates_are_full_products(gram_of, seed):
    rng = np.random.default_rng(seed)
    X, k = rng.normal(size=(80, 3)), 5
    gram, weight = gram_of(X, X), rng.random(80)
    old = [rng.integers(0, k, 80) for _ in range(3)]
    problem = Problem(gram, k, weight)
    runs = start_together([problem] * 3, old)
    S = runs[0].sums
    new = [labels.copy() for labels in old]
    new[0][rng.permutation(80)[:7]] = 2  # few
    new[1] = rng.integers(0, k, 80)  # most: summed afresh
    move_sums(runs, new)
    assert_allclose(S, first_sums([problem] * 3, new), atol=1e-12)
    for r, labels in enumerate(new):
        exact = np.array(
            [weight[labels == c] @ (X @ X.T)[labels == c] for c in range(k)]
        )
        assert_allclose(S[r * k : (r + 1) * k], exact, atol=1e-12)


def test_totals_are_those_of_each_row():
    labels, values = np.array([[0, 2, 0], [1, 1, 1]]), np.array([1.0, 2.0, 4.0])
    assert_array_equal(totals(labels, values, 3), [[5, 0, 2], [0, 7, 0]])
    of_each = np.stack([values, 8 * values])
    assert_array_equal(totals(labels, of_each, 3), [[5, 0, 2], [0, 56, 0]])


def test_indicator():
    Z = indicator(np.array([1, 0, 1]), np.array([2.0, 3.0, 4.0]), 3)
    assert_array_equal(Z.toarray(), [[0, 2, 0], [3, 0, 0], [0, 4, 0]])

"""Grams of weighted objects about their weighted mean."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from contract import features
from grams import make_gram
from numpy.testing import assert_allclose

from sklearn_kernelclust._gram._weighted_center import (
    shares,
    weighted_centered,
    weighted_products,
)
from sklearn_kernelclust.gram import check_gram


@pytest.mark.parametrize("kernel", ["linear", "rbf", "poly"])
def test_against_the_definition(kernel):
    gram = make_gram(features(), kernel=kernel)
    weight = np.random.default_rng(0).integers(0, 4, size=60) * 0.5
    K, p = gram.toarray(), weight / weight.sum()
    H = np.eye(60) - np.outer(np.ones(60), p)
    expected = H @ K @ H.T
    centered = weighted_centered(gram, weight)
    check_gram(centered, expected)
    root = np.sqrt(weight)
    assert_allclose(
        weighted_products(centered, weight).toarray(),
        root[:, None] * expected * root,
        atol=1e-9,
    )


def test_without_weights():
    gram = make_gram(features(), kernel="rbf")
    K = gram.toarray()
    H = np.eye(60) - 1 / 60
    assert_allclose(weighted_centered(gram).toarray(), H @ K @ H, atol=1e-12)
    assert weighted_products(gram) is gram
    assert_allclose(shares(None, 4), 0.25)
    assert_allclose(shares(np.zeros(4), 4), 0.25)
    assert_allclose(shares(np.array([1.0, 3.0]), 2), [0.25, 0.75])

"""Weights by length, and scores of substrings."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_array

from sklearn_kernelclust._strings._models import (
    correlation,
    prefix_weights,
    share_of_similarity,
)
from sklearn_kernelclust._strings._substring_tree import Features


def sums(longest, kind="boundrange", length=3, decay=2.0, weight=None):
    return prefix_weights(longest, kind=kind, length=length, decay=decay, weight=weight)


def test_weights_of_each_kind():
    assert_allclose(sums(5, "spectrum"), [0, 0, 0, 1])
    assert_allclose(sums(5, "boundrange"), [0, 1, 2, 3])
    assert_allclose(sums(5, "constant"), [0, 1, 2, 3, 4, 5])
    assert_allclose(sums(3, "exponential"), [0, 1 / 2, 3 / 4, 7 / 8])


def test_strings_shorter_than_length():
    assert_allclose(sums(2, "spectrum"), [0, 0])
    assert_allclose(sums(2, "boundrange"), [0, 1, 2])
    assert_allclose(sums(0, "constant"), [0, 1])
    assert_allclose(sums(2, "boundrange", length=10**9), [0, 1, 2])


def test_users_weights():
    assert_allclose(sums(9, "constant", weight=[2, 0, 1]), [0, 2, 2, 3])
    assert_allclose(sums(9, "constant", weight=[2, 0, 0]), [0, 2])
    assert_allclose(sums(9, weight=[2, 0, 1, 5]), [0, 2, 2, 3])
    assert_allclose(sums(9, weight=lambda lengths: lengths**2), [0, 1, 5, 14])
    assert_allclose(sums(2, "exponential", weight=[4, 4]), [0, 2, 3])
    assert_allclose(sums(9, weight=[0, 0]), [0, 0])


@pytest.mark.parametrize(
    "weight, message",
    [
        ([1, -1], r"at least 0 and finite, got -1.0 for length 2"),
        (lambda lengths: lengths / 0.0, r"at least 0 and finite, got inf for length 1"),
        ([np.nan], r"at least 0 and finite, got nan for length 1"),
        ([[1.0]], r"weight must be 1D, got an array of shape \(1, 1\)"),
        (lambda lengths: 1.0, r"for each of 3 lengths, got an array of shape \(\)"),
    ],
)
@pytest.mark.filterwarnings("ignore:divide by zero")
def test_weights_that_are_none(weight, message):
    with pytest.raises(ValueError, match=message):
        sums(5, weight=weight)


def features_of(X, feature, gain):
    """As if the nodes had counts `X`, some of which are alike."""
    own = np.ones((len(X), 1))
    A = csr_array(np.hstack([X * np.sqrt(np.bincount(feature, gain)), own]))
    return Features(A, None, feature, np.bincount(feature, gain))


@pytest.fixture
def nodes(seed):
    """Counts of six features and of seven nodes, the last two of which are alike."""
    X = np.random.RandomState(seed).poisson(0.7, size=(30, 6)).astype(float)
    feature, gain = np.array([0, 1, 2, 3, 4, 5, 5]), np.arange(1.0, 8.0)
    return X, feature, gain


def test_correlation_is_that_of_numpy(nodes):
    X, feature, gain = nodes
    X[:, 2] = 3.0
    members = np.arange(30) < 12
    found = correlation(features_of(X, feature, gain), gain, members)
    assert found[2] == 0
    assert found[5] == found[6]
    for j in (0, 1, 3, 4, 5):
        expected = np.corrcoef(X[:, j], members)[0, 1]
        assert_allclose(found[j], expected, atol=1e-14)


def test_shares_of_the_mean_similarity(nodes):
    X, feature, gain = nodes
    members = np.arange(30) < 12
    features = features_of(X, feature, gain)
    shares = share_of_similarity(features, gain, members)
    A = features.matrix.toarray()[members]
    mean = (A @ A.T).mean()
    expected = gain * X[members].mean(axis=0)[feature] ** 2
    assert_allclose(shares * mean, expected)
    assert_allclose(shares.sum(), 1 - 1 / mean)  # what one string alone has

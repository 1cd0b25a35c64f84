"""Measures of kernels beside their definitions."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
import references
from numpy.testing import assert_allclose
from scipy.sparse import csr_array

from sklearn_kernelclust._gram._factored import FactoredGram
from sklearn_kernelclust._gram._stored import DenseGram
from sklearn_kernelclust.metrics import dominance_ratio, kernel_inertia


def data(seed=0, n=50):
    return np.random.default_rng(seed).random(size=(n, 4))


def test_dominance_ratio():
    """DD Eq. 5, by loops; of an array and of a Gram."""
    X = data()
    K = X @ X.T
    rest = [K[i, j] for i in range(50) for j in range(50) if i != j]
    expected = np.mean(K.diagonal()) / np.mean(rest)
    forms = [K, K.astype(np.float32), K.tolist(), csr_array(K)]
    for form in [*forms, DenseGram.training(K), FactoredGram(X, X)]:
        assert_allclose(dominance_ratio(form), expected, rtol=1e-5)


def test_dominance_ratio_of_orthogonal_objects():
    assert dominance_ratio(np.eye(3)) == np.inf
    with pytest.raises(ValueError, match="at least 2 objects, got 1"):
        dominance_ratio([[1.0]])


def test_kernel_inertia(seed):
    rng = np.random.default_rng(seed)
    X, labels, weight = data(seed), rng.choice([0, 2, 5], 50), rng.random(50)
    weight[:5] = 0
    expected = references.objective(X, labels)
    weighted = references.objective(X, labels, weight)
    for form in [X @ X.T, csr_array(X @ X.T), FactoredGram(X, X)]:
        assert_allclose(kernel_inertia(form, labels), expected)
        assert_allclose(kernel_inertia(form, labels, weight), weighted)


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_kernel_inertia_scales_with_the_weights(seed, scale):
    """The product of two weights would overflow, or vanish."""
    X, labels = data(seed), np.arange(50) % 3
    weight = np.random.default_rng(seed).random(50)
    expected = kernel_inertia(X @ X.T, labels, weight)
    scaled = kernel_inertia(X @ X.T, labels, weight * scale)
    assert_allclose(scaled / scale, expected)


def test_kernel_inertia_without_weight():
    assert kernel_inertia(np.eye(3), [0, 0, 1], sample_weight=[0, 0, 0]) == 0


def test_kernel_inertia_of_an_indefinite_kernel(seed):
    A = np.random.default_rng(seed).normal(size=(20, 20))
    labels = np.arange(20) % 3
    expected = references.kernel_objective(A + A.T, labels)
    assert_allclose(kernel_inertia(A + A.T, labels), expected)


def test_a_shift_moves_the_inertia_by_a_constant(seed):
    X, labels = data(seed), np.arange(50) % 4
    shifted = kernel_inertia(X @ X.T - 3 * np.eye(50), labels)
    assert_allclose(shifted, kernel_inertia(X @ X.T, labels) - 3 * (50 - 4))


def test_kernel_inertia_of_other_sizes():
    with pytest.raises(ValueError, match=r"\(3, 3\), 2 labels and 2 weights"):
        kernel_inertia(np.eye(3), [0, 1])
    with pytest.raises(ValueError, match=r"\(3, 3\), 3 labels and 2 weights"):
        kernel_inertia(np.eye(3), [0, 1, 1], sample_weight=[1, 1])


def test_kernels_and_weights_are_checked():
    with pytest.raises(ValueError, match=r"must be square, got \(3, 2\)"):
        dominance_ratio(np.ones((3, 2)))
    with pytest.raises(ValueError, match="must be symmetric"):
        kernel_inertia([[1.0, 2.0], [0.0, 1.0]], [0, 1])
    for weight in ([-1, 1], [np.nan, 1], [np.inf, 1]):
        with pytest.raises(ValueError, match="not negative"):
            kernel_inertia(np.eye(2), [0, 1], sample_weight=weight)

"""Functions of entries, against plain formulas."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from sklearn_kernelclust._kernels._entrywise import (
    divide_by_power_mean,
    exponential,
    exponential_of_square,
    hyperbolic_tangent,
    minus_half_square,
    power,
    signed_power,
)

BLOCK = np.random.default_rng(0).normal(size=(5, 7))


@pytest.mark.parametrize("degree", [1, 2, 3, 6, 11])
def test_power(degree):
    expected = (BLOCK + 0.5) ** degree
    assert_allclose(power(BLOCK.copy(), degree=degree, coef0=0.5), expected)


def test_hyperbolic_tangent_and_signed_power():
    assert_allclose(hyperbolic_tangent(BLOCK.copy(), coef0=1.0), np.tanh(BLOCK + 1))
    expected = np.sign(BLOCK) * np.abs(BLOCK) ** 0.4
    assert_allclose(signed_power(BLOCK.copy(), p=0.4), expected)


@pytest.mark.parametrize("t", [1e-9, 0.5, 1.0, 3.0, np.inf])
def test_power_mean_of_the_self_similarities(t):
    a, b = np.linspace(0.5, 2, 5)[:, None], np.linspace(1, 4, 7)
    if np.isinf(t):
        mean = np.maximum(a, b)
    else:
        # By logarithms: the direct formula has no digits for a small t.
        mean = np.exp(
            np.log1p((np.expm1(t * np.log(a)) + np.expm1(t * np.log(b))) / 2) / t
        )
    assert_allclose(
        divide_by_power_mean(BLOCK.copy(), a, b, t=t), BLOCK / mean, rtol=1e-6
    )


def test_blocks_are_overwritten():
    for function in (
        partial(divide_by_power_mean, left=np.ones((5, 1)), right=np.ones(7), t=2.0),
        partial(exponential, gamma=2.0),
        partial(exponential_of_square, gamma=2.0),
        partial(hyperbolic_tangent, coef0=1.0),
        minus_half_square,
    ):
        block = BLOCK.copy()
        assert function(block) is block


def test_an_object_without_direction_is_similar_to_none():
    a = np.array([0.0, 1, 2, 3, 4])[:, None]
    result = divide_by_power_mean(BLOCK.copy(), a, np.ones(7), t=1.0)
    assert_array_equal(result[0], np.zeros(7))
    assert np.isfinite(result).all()

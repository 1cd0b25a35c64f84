"""Functions of the entries of a kernel, in place where that is possible."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np


def power(block, left=None, right=None, *, degree, coef0):
    """``(block + coef0) ** degree`` by squarings: numpy's power is 20 times slower."""
    block += block.dtype.type(coef0)
    base, result = block, None
    while degree:
        if degree & 1:
            result = base if result is None else result * base
        degree >>= 1
        if degree:
            base = base * base
    return result


def hyperbolic_tangent(block, left=None, right=None, *, coef0):
    """``tanh(block + coef0)``, in place."""
    block += block.dtype.type(coef0)
    return np.tanh(block, out=block)


def exponential(block, left=None, right=None, *, gamma):
    """``exp(-gamma block)`` of distances, in place."""
    block *= block.dtype.type(-gamma)
    return np.exp(block, out=block)


def exponential_of_square(block, left=None, right=None, *, gamma):
    """``exp(-gamma block ** 2)`` of distances, in place."""
    block *= block.dtype.type(np.sqrt(gamma))
    with np.errstate(over="ignore", under="ignore"):  # 0 and 1 are what is meant
        block *= block
        return np.exp(np.negative(block, out=block), out=block)


def minus_half_square(block, left=None, right=None):
    """``-block ** 2 / 2`` of distances, in place."""
    block *= block
    block *= block.dtype.type(-0.5)
    return block


def locally_scaled(block, left, right):
    """``exp(-block ** 2 / (left right))`` of distances; 1 for those that are 0."""
    near = block == 0
    with np.errstate(over="ignore", under="ignore", divide="ignore", invalid="ignore"):
        scaled = block / right
        block /= left
        block *= scaled
        np.exp(np.negative(block, out=block), out=block)
    block[near] = 1
    return block


def signed_power(block, left=None, right=None, *, p):
    """``sign(block) * |block| ** p``: real for negative entries too."""
    return np.copysign(np.abs(block) ** block.dtype.type(p), block)


def divide_by_power_mean(block, left, right, *, t):
    """Each entry over the mean of order `t` of its two self-similarities.

    Where a self-similarity is 0 the object has no direction, and the result
    is 0.
    """
    larger = np.maximum(left, right)
    with np.errstate(divide="ignore", invalid="ignore"):
        block /= larger * _mean_of_one_and(np.minimum(left, right) / larger, t)
    nothing = (left == 0) | (right == 0)
    block[np.broadcast_to(nothing, block.shape)] = 0
    return block


def _mean_of_one_and(ratio, t):
    """Power mean of 1 and `ratio` <= 1, exact down to the smallest `t`."""
    if t == 0:
        return np.sqrt(ratio)
    if t > float(np.finfo(ratio.dtype).max):
        return np.ones_like(ratio)
    log = np.log(ratio)
    with np.errstate(over="ignore", invalid="ignore"):
        mean = np.log1p(np.expm1(t * log) / 2) / t
    # For small t the quotient loses all digits, and a series has them.
    return np.exp(np.where(t * np.abs(log) < 1e-4, log / 2 + t * log**2 / 8, mean))

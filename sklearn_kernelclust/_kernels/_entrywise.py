"""Functions of the entries of a kernel, in place where that is possible."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_kernelclust._utils._arrays import namespace


def power(block, left=None, right=None, *, degree, coef0):
    """``(block + coef0) ** degree`` by squarings: numpy's power is 20 times slower."""
    block += float(coef0)
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
    block += float(coef0)
    if isinstance(block, np.ndarray):
        return np.tanh(block, out=block)
    return namespace(block).tanh(block)


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
    return namespace(block).copysign(abs(block) ** float(p), block)


def divide_by_power_mean(block, left, right, *, t):
    """Each entry over the mean of order ``t > 0`` of its two self-similarities.

    Where a self-similarity is 0 the object has no direction, and the result
    is 0.
    """
    xp = namespace(block)
    larger = xp.maximum(left, right)
    with np.errstate(divide="ignore", invalid="ignore"):
        block /= larger * _mean_of_one_and(xp.minimum(left, right) / larger, t, xp)
    nothing = (left == 0) | (right == 0)
    if xp is np:
        block[np.broadcast_to(nothing, block.shape)] = 0
        return block
    return xp.where(nothing, xp.zeros_like(block), block)


def _mean_of_one_and(ratio, t, xp):
    """Power mean of 1 and `ratio` <= 1, exact down to the smallest `t`."""
    if t > float(xp.finfo(ratio.dtype).max):
        return xp.ones_like(ratio)
    log = xp.log(ratio)
    with np.errstate(over="ignore", invalid="ignore"):
        mean = xp.log1p(xp.expm1(t * log) / 2) / t
    # For small t the quotient loses all digits, and a series has them.
    return xp.exp(xp.where(t * xp.abs(log) < 1e-4, log / 2 + t * log**2 / 8, mean))

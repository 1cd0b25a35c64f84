"""From features and the name of a kernel to a Gram."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import partial
from warnings import warn

import numpy as np
from scipy.sparse import csr_array, hstack, issparse
from sklearn import get_config
from sklearn.metrics.pairwise import (
    additive_chi2_kernel,
    chi2_kernel,
    laplacian_kernel,
)
from sklearn.preprocessing import normalize
from sklearn.utils.extmath import row_norms

from sklearn_kernelclust._gram import ChunkedGram, DenseGram, FactoredGram
from sklearn_kernelclust._gram_wrappers import EntrywiseGram

KERNELS = (
    "additive_chi2",
    "chi2",
    "cosine",
    "laplacian",
    "linear",
    "poly",
    "polynomial",
    "rbf",
    "sigmoid",
)

# Rounding of a squared distance that a float32 exponent may carry; beyond it
# the exponent is computed in float64.
EXPONENT_ERROR = 1e-5


def resolve_gamma(gamma, X, kernel="rbf"):
    """The number that `gamma` stands for on the training features."""
    if gamma is None:
        return 1.0 if kernel == "chi2" else 1.0 / X.shape[1]
    if gamma != "scale":
        return float(gamma)
    variance = X.multiply(X).mean() - X.mean() ** 2 if issparse(X) else X.var()
    if variance > 0:
        return 1.0 / (X.shape[1] * float(variance))
    warn(
        "gamma='scale' divides by the variance of X, which is 0: gamma=1.0 is "
        "used instead.",
        UserWarning,
        stacklevel=3,
    )
    return 1.0


def make_gram(X, Y=None, *, kernel, gamma=1.0, degree=3, coef0=1, kernel_params=None):
    """Gram of the rows of `X` against those of `Y` (the training features).

    Nothing of size n^2 is computed here. Linear and cosine kernels stay
    factored; rbf, polynomial and sigmoid kernels are a function of each entry
    of a factored Gram; the others are evaluated in chunks.

    Parameters
    ----------
    X, Y : array or CSR matrix
        Validated features; `Y` is None for the training Gram.
    kernel : str or callable
        One of `KERNELS`, or ``kernel(X, Y)`` that gives the whole block.
    gamma : float
        Already resolved.
    degree, coef0, kernel_params
        As the estimators have them.
    """
    square = Y is None
    Y = X if square else Y
    X = X.astype(Y.dtype, copy=False)
    with np.errstate(over="ignore", invalid="ignore"):  # looked at below
        if callable(kernel):
            gram = _chunked(X, Y, _Checked(kernel, kernel_params or {}))
        else:
            gram = _BUILDERS[kernel](X, Y, gamma, degree, coef0)
    gram.symmetric = square
    overflow = _first_overflow(gram)
    if overflow is None:
        _check_underflow(gram, X, kernel)
        return gram
    if Y.dtype == np.float32:
        return make_gram(
            X.astype(np.float64),
            None if square else Y.astype(np.float64),
            kernel=kernel,
            gamma=gamma,
            degree=degree,
            coef0=coef0,
            kernel_params=kernel_params,
        )
    raise ValueError(
        f"The kernel {kernel!r} overflowed: k(x, x) of object {overflow} is not "
        f"finite (gamma={gamma:g}, degree={degree}, coef0={coef0:g}). Rescale X "
        "or choose smaller parameters."
    )


def stored_if_small(gram):
    """The same Gram, as an array if that saves work and fits `working_memory`."""
    n_bytes = gram.shape[0] * gram.shape[1] * gram.dtype.itemsize
    if not gram.evaluated or n_bytes > get_config()["working_memory"] * 2**20:
        return gram
    K = gram.toarray()
    return DenseGram(K, gram._row_diagonal, gram._col_diagonal, gram.symmetric)


def _first_overflow(gram):
    bad = ~np.isfinite(gram.diagonal())
    return int(bad.argmax()) if bad.any() else None


def _check_underflow(gram, X, kernel):
    if kernel == "linear" and not gram.diagonal().any() and abs(X).max() > 0:
        raise ValueError(
            "The linear kernel underflowed: k(x, x) is 0 for all objects, and the "
            f"largest entry of X is {abs(X).max():.3g}. Rescale X."
        )


class _Checked:
    """A callable kernel whose every block is looked at."""

    def __init__(self, kernel, params):
        self.kernel, self.params = kernel, params

    def __call__(self, X, Y):
        block = np.asarray(self.kernel(X, Y, **self.params))
        expected = (X.shape[0], Y.shape[0])
        if block.shape != expected:
            raise ValueError(
                f"The kernel callable returned shape {block.shape} for blocks of "
                f"{expected[0]} and {expected[1]} rows, expected {expected}. It is "
                "called with two matrices, as SVC calls it; wrap a function of "
                "two rows in sklearn.metrics.pairwise.pairwise_kernels."
            )
        if not np.isfinite(block).all():
            i, j = np.argwhere(~np.isfinite(block))[0]
            raise ValueError(
                "The kernel callable returned non-finite values, the first "
                f"({block[i, j]}) for row {i} against row {j} of a block."
            )
        return block

    def diag(self, X):
        """Self-similarities, from the kernel's own ``diag`` or small blocks."""
        if hasattr(self.kernel, "diag"):
            return np.asarray(self.kernel.diag(X, **self.params))
        blocks = [X[i : i + 32] for i in range(0, X.shape[0], 32)]
        return np.concatenate([self(b, b).diagonal() for b in blocks])


def _chunked(X, Y, kernel):
    row = np.asarray(kernel.diag(X), dtype=X.dtype)
    col = row if X is Y else np.asarray(kernel.diag(Y), dtype=Y.dtype)
    return ChunkedGram(kernel, X, Y, row, col)


class _Named:
    """A kernel function of scikit-learn and its constant self-similarity."""

    def __init__(self, function, self_similarity, **params):
        self.function, self.params = function, params
        self.self_similarity = self_similarity

    def __call__(self, X, Y):
        return self.function(X, Y, **self.params)

    def diag(self, X):
        return np.full(X.shape[0], self.self_similarity, dtype=X.dtype)


def _linear(X, Y, gamma, degree, coef0):
    return FactoredGram(X, Y)


def _cosine(X, Y, gamma, degree, coef0):
    A = normalize(X)
    return FactoredGram(A, A if X is Y else normalize(Y))


def _rbf(X, Y, gamma, degree, coef0):
    return EntrywiseGram(negative_distances(X, Y, gamma), exponential, dtype=X.dtype)


def _polynomial(X, Y, gamma, degree, coef0):
    gram = FactoredGram(X.dtype.type(gamma) * X, Y, *_scaled_norms(X, Y, gamma))
    return EntrywiseGram(gram, partial(power, degree=degree, coef0=coef0))


def _sigmoid(X, Y, gamma, degree, coef0):
    gram = FactoredGram(X.dtype.type(gamma) * X, Y, *_scaled_norms(X, Y, gamma))
    return EntrywiseGram(gram, partial(hyperbolic_tangent, coef0=coef0))


def _laplacian(X, Y, gamma, degree, coef0):
    return _chunked(X, Y, _Named(laplacian_kernel, 1.0, gamma=gamma))


def _chi2(X, Y, gamma, degree, coef0):
    return _chunked(X, Y, _Named(chi2_kernel, 1.0, gamma=gamma))


def _additive_chi2(X, Y, gamma, degree, coef0):
    return _chunked(X, Y, _Named(additive_chi2_kernel, 0.0))


_BUILDERS = {
    "additive_chi2": _additive_chi2,
    "chi2": _chi2,
    "cosine": _cosine,
    "laplacian": _laplacian,
    "linear": _linear,
    "poly": _polynomial,
    "polynomial": _polynomial,
    "rbf": _rbf,
    "sigmoid": _sigmoid,
}


def _scaled_norms(X, Y, scale):
    rows = X.dtype.type(scale) * row_norms(X, squared=True)
    return rows, rows if X is Y else Y.dtype.type(scale) * row_norms(Y, squared=True)


def negative_distances(X, Y, scale=1.0):
    """Factored Gram of ``-scale * ||x - y||^2``, ready for an exponential.

    The norms are two more features, so that one product gives the exponent.
    Dense features are centred first: far from the origin the three terms of
    the distance would cancel. The factors are float64 where float32 would
    leave too large an error in the exponent.
    """
    same, kept = X is Y, Y.dtype
    if not issparse(Y):
        center = Y.mean(axis=0, dtype=np.float64)
        Y = Y - center
        X = Y if same else X - center
    norms_Y = row_norms(Y, squared=True)
    norms_X = norms_Y if same else row_norms(X, squared=True)
    largest = max(norms_X.max(initial=0), norms_Y.max(initial=0))
    exact = scale * largest * np.finfo(kept).eps < EXPONENT_ERROR
    dtype = kept if exact else np.float64
    root, ones = np.sqrt(2 * scale), np.ones_like
    return FactoredGram(
        _with_columns(root * X, -scale * norms_X, ones(norms_X), dtype),
        _with_columns(root * Y, ones(norms_Y), -scale * norms_Y, dtype),
        np.zeros(X.shape[0], dtype),
        np.zeros(Y.shape[0], dtype),
    )


def _with_columns(X, first, second, dtype):
    columns = np.column_stack([first, second])
    if issparse(X):
        return csr_array(hstack([X, columns], format="csr"), dtype=dtype)
    return np.hstack([X, columns]).astype(dtype, copy=False)


def exponential(block, left=None, right=None):
    """``exp(block / (left * right))`` of negative squared distances, in place."""
    if left is not None:
        block /= left
        block /= right
    np.minimum(block, 0, out=block)
    return np.exp(block, out=block)


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
    block[np.broadcast_to((left * right) == 0, block.shape)] = 0
    return block


def _mean_of_one_and(ratio, t):
    """Power mean of 1 and `ratio` <= 1, exact down to the smallest `t`."""
    if t == 0:
        return np.sqrt(ratio)
    if np.isinf(t):
        return np.ones_like(ratio)
    log = np.log(ratio)
    with np.errstate(over="ignore", invalid="ignore"):
        mean = np.log1p(np.expm1(t * log) / 2) / t
    # For small t the quotient loses all digits, and a series has them.
    return np.exp(np.where(t * np.abs(log) < 1e-4, log / 2 + t * log**2 / 8, mean))

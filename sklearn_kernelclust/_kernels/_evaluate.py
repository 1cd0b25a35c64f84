"""From features and the name of a kernel to a Gram."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import partial

import numpy as np
from scipy.sparse import csr_array, csr_matrix, hstack, issparse
from sklearn.metrics.pairwise import (
    additive_chi2_kernel,
    chi2_kernel,
    laplacian_kernel,
)
from sklearn.utils.extmath import row_norms

from sklearn_kernelclust._gram._chunked import ChunkedGram
from sklearn_kernelclust._gram._factored import FactoredGram, scale_rows
from sklearn_kernelclust._gram._wrappers import EntrywiseGram
from sklearn_kernelclust._kernels._entrywise import (
    exponential,
    hyperbolic_tangent,
    power,
)
from sklearn_kernelclust._utils._warnings import warn_user

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

# So many times k(x, x), summed over all objects, must not overflow: squared
# distances to means have four such terms.
SUMMANDS = 16


def resolve_gamma(gamma, X, kernel="rbf"):
    """The number that `gamma` stands for on the training features."""
    if gamma is None:
        return 1.0 if kernel == "chi2" else 1.0 / X.shape[1]
    if gamma != "scale":
        return float(gamma)
    variance = _variance(X)
    if not np.isfinite(variance):
        raise ValueError("gamma='scale': the variance of X overflowed. Rescale X.")
    if variance > 0:
        return 1.0 / (X.shape[1] * float(variance))
    warn_user(
        "gamma='scale' divides by the variance of X, which is 0: gamma=1.0 is "
        "used instead.",
    )
    return 1.0


def _variance(X):
    """Variance of all entries, without the cancellation of two large moments."""
    with np.errstate(over="ignore"):
        if not issparse(X):
            return X.var(dtype=np.float64)
        n = np.prod(X.shape, dtype=float)
        values = X.data.astype(np.float64)
        mean = values.sum() / n
        rest = (n - X.nnz) * mean**2
        return (((values - mean) ** 2).sum() + rest) / n


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
    X = like(X, Y)
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
        f"The kernel {kernel!r} overflowed: k(x, x) of object {overflow} is "
        f"{gram.diagonal()[overflow]:.3g}, too large to sum over {gram.shape[1]} "
        f"objects (gamma={gamma:g}, degree={degree}, coef0={coef0:g}). Rescale X "
        "or choose smaller parameters."
    )


def _first_overflow(gram):
    """The first object whose similarities, summed over all objects, overflow."""
    largest = np.finfo(gram.dtype).max / (SUMMANDS * gram.shape[1])
    bad = ~(np.abs(gram.diagonal()) <= largest)
    return int(bad.argmax()) if bad.any() else None


def like(X, Y):
    """`X` in the type of `Y`, and dense or sparse as `Y` is."""
    X = X.astype(Y.dtype, copy=False)
    if issparse(X) == issparse(Y):
        return X
    return X.toarray() if issparse(X) else csr_array(X)


def _check_underflow(gram, X, kernel):
    if kernel == "linear" and not gram.diagonal().any() and abs(X).max() > 0:
        raise ValueError(
            "The linear kernel underflowed: k(x, x) is 0 for all objects, and the "
            f"largest entry of X is {abs(X).max():.3g}. Rescale X."
        )


_CALLED_WITH = (
    "A callable kernel is called with two matrices, as SVC calls it; wrap a function "
    "of two rows in sklearn.metrics.pairwise.pairwise_kernels."
)


class _Checked:
    """A callable kernel whose every block is looked at."""

    def __init__(self, kernel, params):
        self.kernel, self.params = kernel, params

    def __call__(self, X, Y):
        expected = (X.shape[0], Y.shape[0])
        try:
            block = np.asarray(self.kernel(X, Y, **self.params))
        except Exception as error:
            error.add_note(_CALLED_WITH)
            raise
        if block.shape != expected:
            raise ValueError(
                f"The kernel callable returned shape {block.shape} for blocks of "
                f"{expected[0]} and {expected[1]} rows, expected {expected}. "
                f"{_CALLED_WITH}"
            )
        if not np.isfinite(block).all():
            i, j = np.argwhere(~np.isfinite(block))[0]
            raise ValueError(
                "The kernel callable returned non-finite values, the first "
                f"({block[i, j]}) for row {i} against row {j} of a block."
            )
        return block

    def diag(self, X):
        """Self-similarities, from small blocks.

        Not from a ``diag`` of the kernel, which may count noise that the
        entries of a block do not have.
        """
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
        return self.function(_for_loops(X), _for_loops(Y), **self.params)

    def diag(self, X):
        return np.full(X.shape[0], self.self_similarity, dtype=X.dtype)


def _for_loops(X):
    """A tile as scikit-learn's loops in C take it.

    An array must be writeable, and indices of 32 bits, which csr_matrix makes
    of any that fit.
    """
    if issparse(X):
        return csr_matrix((X.data, X.indices, X.indptr), shape=X.shape)
    return X if X.flags.writeable else X.copy()


def _linear(X, Y, gamma, degree, coef0):
    return FactoredGram(X, Y)


def _cosine(X, Y, gamma, degree, coef0):
    A = unit_rows(X)
    return FactoredGram(A, A if X is Y else unit_rows(Y))


def unit_rows(X):
    """Rows of length 1, those of zeros as they are, whatever their size was.

    scikit-learn's ``normalize`` takes rows below 1e-15 for zeros.
    """
    squares = row_norms(X, squared=True)
    if not np.isfinite(squares).all() or (squares < np.finfo(X.dtype).tiny).any():
        peaks = abs(X).max(axis=1)
        peaks = peaks.toarray().ravel() if issparse(X) else peaks
        X = scale_rows(X, _inverse(peaks))
        squares = row_norms(X, squared=True)
    return scale_rows(X, _inverse(np.sqrt(squares)))


def _inverse(x):
    return np.divide(1, x, out=np.zeros_like(x), where=x > 0)


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
    _refuse_sparse(Y, "chi2")
    return _chunked(X, Y, _Named(chi2_kernel, 1.0, gamma=gamma))


def _additive_chi2(X, Y, gamma, degree, coef0):
    _refuse_sparse(Y, "additive_chi2")
    return _chunked(X, Y, _Named(additive_chi2_kernel, 0.0))


def _refuse_sparse(Y, kernel):
    if issparse(Y):
        raise ValueError(
            f"kernel={kernel!r} takes dense features only: pass X.toarray()."
        )


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


def negative_distances(X, Y, scale=1.0, wide=False):
    """Factored Gram of ``-scale * ||x - y||^2``, ready for an exponential.

    The norms are two more features, so that one product gives the exponent.
    Dense features are centred first: far from the origin the three terms of
    the distance would cancel; on the median, which no outlier moves. The
    factors are float64 where float32 would leave too large an error in the
    exponent, and if `wide`.
    """
    same, kept = X is Y, Y.dtype
    if not issparse(Y):
        center = np.median(Y, axis=0).astype(np.float64)
        Y = Y - center
        X = Y if same else X - center
    norms_Y = row_norms(Y, squared=True)
    norms_X = norms_Y if same else row_norms(X, squared=True)
    largest = max(norms_X.max(initial=0), norms_Y.max(initial=0))
    if not np.isfinite(scale * largest):
        raise ValueError(
            "Squared distances overflowed: the largest squared norm of X, centred, is "
            f"{largest:.3g} (gamma={scale:.3g}). Rescale X."
        )
    exact = scale * largest * np.finfo(kept).eps < EXPONENT_ERROR
    dtype = kept if exact and not wide else np.float64
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

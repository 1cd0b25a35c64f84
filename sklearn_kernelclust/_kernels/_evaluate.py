"""The kernels of features by name: one record for each, in `KERNELS`."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.sparse import csr_matrix, issparse
from sklearn.metrics.pairwise import (
    additive_chi2_kernel,
    chi2_kernel,
    laplacian_kernel,
)
from sklearn.utils.extmath import row_norms, safe_sparse_dot

from sklearn_kernelclust._gram._chunked import ChunkedGram
from sklearn_kernelclust._gram._factored import FactoredGram
from sklearn_kernelclust._gram._wrappers import EntrywiseGram
from sklearn_kernelclust._kernels._device_forms import device_form
from sklearn_kernelclust._kernels._distributed_forms import distributed_form
from sklearn_kernelclust._kernels._entrywise import hyperbolic_tangent, power
from sklearn_kernelclust._kernels._fitted import (
    Cosine,
    FittedKernel,
    Form,
    Gaussian,
    Linear,
)
from sklearn_kernelclust._kernels._objects import Objects
from sklearn_kernelclust._utils._arrays import cast, is_numpy, namespace
from sklearn_kernelclust._utils._blocks import RowBlocks, is_sparse


@dataclass(frozen=True)
class Kernel:
    """What is known of a kernel by its name.

    Attributes
    ----------
    form : callable
        ``form(X, parameters)`` prepares the training side, see `FittedKernel`.
    spread : callable or None
        ``spread(X)``, of which ``gamma="scale"`` is ``1 / (n_features * spread)``;
        None for kernels without `gamma`.
    default_gamma : float or None
        What ``gamma=None`` stands for; None is ``1 / n_features``.
    accepts_sparse : bool
        Whether it takes sparse features.
    """

    form: Callable
    spread: Callable | None = None
    default_gamma: float | None = None
    accepts_sparse: bool = True


@dataclass(frozen=True)
class Parameters:
    """The parameters of a kernel, as the estimators have them; `gamma` resolved.

    With `center`, features of a linear kernel are centred on the median of the
    training objects, which no outlier moves: for algorithms to which the origin of
    feature space makes no difference but that of rounding.
    """

    kernel: object
    gamma: float = 1.0
    degree: int = 3
    coef0: float = 1
    kernel_params: dict | None = None
    center: bool = False


def fit_kernel(X, *, kernel, gamma="scale", center=False, **others):
    """The kernel of training features, ready for use.

    Nothing of size n^2 is computed here. Linear and cosine kernels stay factored;
    others are evaluated a tile at a time.

    Parameters
    ----------
    X : array or CSR matrix
        Validated training features, which nobody else writes to.
    kernel : str or callable
        One of `KERNELS`, or ``kernel(X, Y)`` that gives the whole block.
    gamma : float, "scale" or None
        As the estimators have it.
    center : bool
        Whether the origin of a linear kernel may be moved, see `Parameters`.
    **others
        `degree`, `coef0` and `kernel_params`, as the estimators have them.
    """
    gamma = resolve_gamma(gamma, X, kernel)
    return FittedKernel(X, Parameters(kernel, gamma, center=center, **others), form_of)


def form_of(X, parameters):
    """The training side of a kernel, where its features are."""
    kernel = parameters.kernel
    if not is_numpy(X):
        return device_form(X, parameters)
    if is_sparse(X) and not (callable(kernel) or KERNELS[kernel].accepts_sparse):
        raise ValueError(
            f"kernel={kernel!r} takes dense features only: pass X.toarray()."
        )
    if isinstance(X, RowBlocks):
        return distributed_form(X, parameters, form_of)
    if callable(kernel):
        return _callable(X, parameters)
    return KERNELS[kernel].form(X, parameters)


def resolve_gamma(gamma, X, kernel="rbf"):
    """The number that `gamma` stands for on the training features."""
    record = None if callable(kernel) else KERNELS[kernel]
    spread = None if record is None else record.spread
    if gamma is None or (isinstance(gamma, str) and spread is None):
        default = None if record is None else record.default_gamma
        return 1.0 / X.shape[-1] if default is None else default
    if not isinstance(gamma, str):
        return float(gamma)
    size = float(spread(X))
    if size <= 0:  # all objects are the same, so that no gamma makes a difference
        return 1.0
    with np.errstate(over="ignore", divide="ignore"):
        gamma = float(np.divide(1.0, X.shape[1] * size))
    if not np.isfinite(size) or not np.isfinite(gamma):
        problem = "overflowed" if size > 1 else "underflowed"
        raise ValueError(f"gamma='scale': the variance of X {problem}. Rescale X.")
    return gamma


def _variance(X):
    """Variance of all entries, without the cancellation of two large moments."""
    with np.errstate(over="ignore"):
        if not is_numpy(X):
            return float(namespace(X).var(cast(X, np.float64)))
        if not issparse(X):
            return X.var(dtype=np.float64)
        n = np.prod(X.shape, dtype=float)
        values = X.data.astype(np.float64)
        mean = values.sum() / n
        rest = (n - X.nnz) * mean**2
        return (((values - mean) ** 2).sum() + rest) / n


def _deviation(X):
    """Standard deviation of all entries: the unit of sums of differences."""
    return np.sqrt(_variance(X))


def _mean(X):
    """Mean of all entries: ``1 / (n_features * mean)`` is 1 for histograms."""
    if not is_numpy(X):
        return float(namespace(X).mean(cast(X, np.float64)))
    with np.errstate(over="ignore"):
        return X.mean(dtype=np.float64)


_CALLED_WITH = (
    "A callable kernel is called with two matrices, as SVC calls it, or with two "
    "sequences of objects that are no numbers, and returns the whole block; wrap a "
    "function of two rows in sklearn.metrics.pairwise.pairwise_kernels."
)


class _Checked:
    """A callable kernel whose every block is looked at."""

    def __init__(self, kernel, params):
        self.kernel, self.params = kernel, params

    def __call__(self, X, Y):
        expected = (X.shape[0], Y.shape[0])
        if isinstance(X, Objects):
            X, Y = X.sequence, Y.sequence
        try:
            block = self.kernel(X, Y, **self.params)
        except Exception as error:
            error.add_note(_CALLED_WITH)
            raise
        block = _as_numbers(block)
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


def _as_numbers(block):
    """An array of real numbers, of what a callable kernel returned."""
    dense = block if issparse(block) else np.asarray(block)
    if issparse(block) or dense.dtype.kind not in "fiub":
        raise TypeError(
            f"The kernel callable returned a {type(block).__name__} of dtype "
            f"{dense.dtype}, expected a dense array of real numbers. {_CALLED_WITH}"
        )
    return dense


class _Named:
    """A kernel function of scikit-learn and its constant self-similarity."""

    def __init__(self, function, self_similarity, **params):
        self.function, self.params = function, params
        self.self_similarity = self_similarity

    def __call__(self, X, Y):
        return self.function(for_loops(X), for_loops(Y), **self.params)

    def diag(self, X):
        return np.full(X.shape[0], self.self_similarity, dtype=X.dtype)


def for_loops(X):
    """A tile as scikit-learn's loops in C take it.

    An array must be writeable, and indices of 32 bits, which csr_matrix makes
    of any that fit.
    """
    if issparse(X):
        return csr_matrix((X.data, X.indices, X.indptr), shape=X.shape)
    return X if X.flags.writeable else X.copy()


class OfProduct(Form):
    """A function of ``gamma x . y``, entry by entry."""

    def __init__(self, X, parameters, function):
        super().__init__(X)
        self.gamma, self.function = parameters.gamma, function
        self.columns, (_, self.diagonal) = X, self.rows(X)

    def rows(self, X):
        gamma = X.dtype.type(self.gamma)
        return gamma * X, self.function(gamma * row_norms(X, squared=True))

    def gram(self):
        return self.against(*self.rows(self.columns), symmetric=True)

    def against(self, rows, diagonal, symmetric=False):
        known = diagonal, self.diagonal
        products = FactoredGram(rows, self.columns, *known, symmetric=symmetric)
        return EntrywiseGram(
            products,
            self.function,
            self_similarity=diagonal,
            column_self_similarity=self.diagonal,
        )

    def block(self, rows):
        products = safe_sparse_dot(rows, self.columns.T, dense_output=True)
        return self.function(products)


class Evaluated(Form):
    """Any kernel, a block at a time.

    ``kernel(X, Y)`` gives the block of two sets of objects, ``kernel.diag(X)`` their
    self-similarities.
    """

    def __init__(self, X, kernel):
        super().__init__(X)
        self.kernel = kernel
        self.columns, self.diagonal = self.rows(X)

    def rows(self, X):
        return X, np.asarray(self.kernel.diag(X), dtype=X.dtype)

    def gram(self):
        gram = self.against(self.columns, self.diagonal)
        gram.symmetric = True
        return gram

    def against(self, rows, diagonal):
        return ChunkedGram(self.kernel, rows, self.columns, diagonal, self.diagonal)

    def block(self, rows):
        return np.asarray(self.kernel(rows, self.columns), dtype=rows.dtype)


def _callable(X, p):
    return Evaluated(X, _Checked(p.kernel, p.kernel_params or {}))


def _polynomial(X, p):
    return OfProduct(X, p, partial(power, degree=p.degree, coef0=p.coef0))


def _sigmoid(X, p):
    return OfProduct(X, p, partial(hyperbolic_tangent, coef0=p.coef0))


def _laplacian(X, p):
    return Evaluated(X, _Named(laplacian_kernel, 1.0, gamma=p.gamma))


def _chi2(X, p):
    return Evaluated(X, _Named(chi2_kernel, 1.0, gamma=p.gamma))


def _additive_chi2(X, p):
    return Evaluated(X, _Named(additive_chi2_kernel, 0.0))


KERNELS = {
    "additive_chi2": Kernel(_additive_chi2, accepts_sparse=False),
    "chi2": Kernel(_chi2, _mean, default_gamma=1.0, accepts_sparse=False),
    "cosine": Kernel(Cosine),
    "laplacian": Kernel(_laplacian, _deviation),
    "linear": Kernel(Linear),
    "poly": Kernel(_polynomial, _variance),
    "polynomial": Kernel(_polynomial, _variance),
    "rbf": Kernel(Gaussian, _variance),
    "sigmoid": Kernel(_sigmoid, _variance),
}

"""Kernels of features on a device, in the forms that ``_fitted`` explains."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import partial

import numpy as np

from sklearn_kernelclust._gram._device_leaves import (
    EvaluatedDeviceGram,
    FactoredDeviceGram,
)
from sklearn_kernelclust._gram._wrappers import EntrywiseGram
from sklearn_kernelclust._kernels._centers import CENTER_ROWS
from sklearn_kernelclust._kernels._entrywise import hyperbolic_tangent, power
from sklearn_kernelclust._kernels._fitted import Form
from sklearn_kernelclust._kernels._underflow import check_linear_kernel
from sklearn_kernelclust._utils._arrays import Arrays, is_numpy, namespace
from sklearn_kernelclust._utils._tolerances import EXPONENT_ROUNDING


class DeviceForm(Form):
    """How a kernel is evaluated on a device; self-similarities are on the host.

    A subclass has what a `Form` has, but for ``block(rows)``.
    """

    one_block = -1

    def __init__(self, X):
        super().__init__(X)
        self.arrays = Arrays(namespace(X), X.device)

    def norms(self, X):
        """Squared lengths of the rows, in the widest type."""
        xp, wide = self.arrays.xp, self.arrays.wide
        return xp.sum(self.arrays.astype(X, wide) ** 2, axis=1)

    def on_host(self, vector):
        """A vector on the host, in the type of the features."""
        return self.arrays.host(vector).astype(self.features_dtype, copy=False)

    def center_of(self, X):
        """The median of some rows, which no outlier moves."""
        rows = np.linspace(0, X.shape[0] - 1, min(CENTER_ROWS, X.shape[0]))
        sample = self.arrays.take(X, rows.astype(np.int64))
        center = np.median(self.arrays.host(sample), axis=0)
        return self.arrays.native(center, self.features_dtype)


class DeviceLinear(DeviceForm):
    """``x . y``, of features about their median if that is asked for."""

    def __init__(self, X, parameters):
        super().__init__(X)
        self.center = self.center_of(X) if parameters.center else None
        self.columns, self.diagonal = self.rows(X)

    def rows(self, X):
        X = X if self.center is None else X - self.center
        return X, self.on_host(self.norms(X))

    def gram(self):
        factor, norms = self.columns, self.diagonal
        return FactoredDeviceGram(factor, factor, norms, norms, symmetric=True)

    def against(self, rows, diagonal):
        return FactoredDeviceGram(rows, self.columns, diagonal, self.diagonal)

    def check(self):
        largest = self.arrays.xp.max
        check_linear_kernel(self.diagonal, lambda: float(largest(abs(self.columns))))


class DeviceCosine(DeviceLinear):
    """The linear kernel of features scaled to unit length."""

    def __init__(self, X, parameters):
        DeviceForm.__init__(self, X)
        self.columns, self.diagonal = self.rows(X)

    def rows(self, X):
        xp = self.arrays.xp
        X = self._scaled(X, xp.max(abs(X), axis=1))
        X = self._scaled(X, xp.sqrt(self.norms(X)))
        return X, self.on_host(self.norms(X))

    def _scaled(self, X, lengths):
        xp, one = self.arrays.xp, self.arrays.xp.ones_like(lengths)
        inverse = xp.where(lengths > 0, one / xp.where(lengths > 0, lengths, one), one)
        return X * self.arrays.astype(inverse, self.features_dtype)[:, None]

    def check(self):
        """Nothing underflows, and rows of zeros may be."""


class DeviceGaussian(DeviceForm):
    """``exp(-gamma ||x - y||^2)``, of features about their median.

    The factors, explained in ``_fitted.gaussian_factor``, are in the widest type where
    float32 would leave too large an error in the exponent.
    """

    def __init__(self, X, parameters):
        super().__init__(X)
        self.gamma, self.center = parameters.gamma, self.center_of(X)
        self.diagonal = np.ones(X.shape[0], self.features_dtype)
        self.columns = self._factor(X, column=True)

    def rows(self, X):
        return self._factor(X), np.ones(X.shape[0], self.features_dtype)

    def gram(self):
        d = self.columns.shape[1]
        index = np.array([*range(d - 2), d - 1, d - 2])
        gram = self.against(
            self.arrays.take(self.columns, index, axis=1), self.diagonal
        )
        gram.symmetric = True
        return gram

    def against(self, rows, diagonal):
        kernel = partial(gaussian_block, arrays=self.arrays)
        xp = self.arrays.xp
        dtype = xp.result_type(rows.dtype, self.columns.dtype)
        sides = (xp.astype(side, dtype, copy=False) for side in (rows, self.columns))
        known = diagonal, self.diagonal
        return EvaluatedDeviceGram(kernel, *sides, *known, dtype=self.features_dtype)

    def _factor(self, X, column=False):
        arrays, dtype, X = self.arrays, self.features_dtype, X - self.center
        norms = self.norms(X)
        largest = self.gamma * float(arrays.xp.max(norms)) if X.shape[0] else 0.0
        if not np.isfinite(largest):
            raise ValueError(
                "Squared distances overflowed: the largest squared norm of X, centred, "
                f"is {float(arrays.xp.max(norms)):.3g} (gamma={self.gamma:.3g}). "
                "Rescale X."
            )
        if largest * np.finfo(dtype).eps > EXPONENT_ROUNDING[np.dtype(dtype)]:
            dtype = arrays.wide
        width = float(np.sqrt(self.gamma))
        extra = [-width * norms[:, None], width * arrays.xp.ones_like(norms)[:, None]]
        extra = extra[::-1] if column else extra
        scaled = float(np.sqrt(2)) * width * arrays.astype(X, dtype)
        extra = [arrays.astype(column, dtype) for column in extra]
        return arrays.xp.concat([scaled, *extra], axis=1)


def gaussian_block(A, B, arrays):
    """Gaussian kernel of two factors."""
    return arrays.exp(A @ B.T)


class DeviceOfProduct(DeviceForm):
    """A function of ``gamma x . y``, entry by entry."""

    def __init__(self, X, parameters, function):
        super().__init__(X)
        self.gamma, self.function = float(parameters.gamma), function
        self.columns, (_, self.diagonal) = X, self.rows(X)

    def rows(self, X):
        gamma_norms = self.on_host(self.gamma * self.norms(X))
        return self.gamma * X, self.function(gamma_norms)

    def gram(self):
        return self.against(*self.rows(self.columns), symmetric=True)

    def against(self, rows, diagonal, symmetric=False):
        known = diagonal, self.diagonal
        products = FactoredDeviceGram(rows, self.columns, *known, symmetric=symmetric)
        return EntrywiseGram(
            products,
            self.function,
            self_similarity=diagonal,
            column_self_similarity=self.diagonal,
        )


class DeviceEvaluated(DeviceForm):
    """Any kernel function of two arrays of the device."""

    def __init__(self, X, kernel, self_similarity=None):
        super().__init__(X)
        self.kernel, self.self_similarity = kernel, self_similarity
        self.columns, self.diagonal = self.rows(X)

    def rows(self, X):
        if self.self_similarity is not None:
            return X, np.full(X.shape[0], self.self_similarity, self.features_dtype)
        return X, EvaluatedDeviceGram(self.kernel, X, X, symmetric=True).diagonal()

    def gram(self):
        gram = self.against(self.columns, self.diagonal)
        gram.symmetric = True
        return gram

    def against(self, rows, diagonal):
        known = diagonal, self.diagonal
        return EvaluatedDeviceGram(self.kernel, rows, self.columns, *known)


def laplacian_block(X, Y, arrays, gamma):
    """``exp(-gamma |x - y|_1)``."""
    if arrays.name == "torch":
        distances = arrays.xp.cdist(X, Y, p=1.0)
    else:
        distances = abs(X[:, :1] - Y[:, 0])
        for j in range(1, X.shape[1]):
            distances += abs(X[:, j : j + 1] - Y[:, j])
    distances *= -gamma
    return arrays.exp(distances)


def called_block(X, Y, arrays, kernel, params):
    """The block of a callable kernel, which is looked at."""
    block, expected = kernel(X, Y, **params), (X.shape[0], Y.shape[0])
    block = arrays.native(np.asarray(block)) if is_numpy(block) else block
    if tuple(block.shape) != expected:
        raise ValueError(
            f"The kernel callable returned shape {tuple(block.shape)} for blocks of "
            f"{expected[0]} and {expected[1]} rows, expected {expected}. A callable "
            "kernel is called with two matrices, as SVC calls it."
        )
    if not bool(arrays.xp.all(arrays.xp.isfinite(block))):
        raise ValueError("The kernel callable returned non-finite values.")
    return arrays.detached(block)


def _polynomial(X, p):
    return DeviceOfProduct(X, p, partial(power, degree=p.degree, coef0=p.coef0))


def _sigmoid(X, p):
    return DeviceOfProduct(X, p, partial(hyperbolic_tangent, coef0=p.coef0))


def _laplacian(X, p):
    arrays = Arrays(namespace(X), X.device)
    kernel = partial(laplacian_block, arrays=arrays, gamma=float(p.gamma))
    return DeviceEvaluated(X, kernel, 1.0)


def _callable(X, p):
    arrays, params = Arrays(namespace(X), X.device), p.kernel_params or {}
    kernel = partial(called_block, arrays=arrays, kernel=p.kernel, params=params)
    return DeviceEvaluated(X, kernel)


FORMS = {
    "cosine": DeviceCosine,
    "laplacian": _laplacian,
    "linear": DeviceLinear,
    "poly": _polynomial,
    "polynomial": _polynomial,
    "rbf": DeviceGaussian,
    "sigmoid": _sigmoid,
}


def device_form(X, parameters):
    """The training side of a kernel of features on a device."""
    if callable(parameters.kernel):
        return _callable(X, parameters)
    if parameters.kernel not in FORMS:
        raise ValueError(
            f"kernel={parameters.kernel!r} is evaluated on the host only: pass a numpy "
            f"array, or one of {sorted(FORMS)}."
        )
    return FORMS[parameters.kernel](X, parameters)

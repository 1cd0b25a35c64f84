"""Kernels of features on the workers of a cluster, in the forms of ``_fitted``."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from copy import copy
from functools import partial

import numpy as np
from sklearn.utils.extmath import row_norms

from sklearn_kernelclust._gram._distributed_leaves import (
    DistributedFactoredGram,
    DistributedGram,
)
from sklearn_kernelclust._kernels._centers import sample_origin
from sklearn_kernelclust._kernels._fitted import Form, unit_rows
from sklearn_kernelclust._kernels._underflow import check_linear_kernel
from sklearn_kernelclust._utils._block_rows import BlockRows, moved, squared_lengths
from sklearn_kernelclust._utils._blocks import RowBlocks
from sklearn_kernelclust._utils._dask import compute


class DistributedLinear(Form):
    """``x . y``, of features about their median if that is asked for."""

    one_block = -1

    def __init__(self, X, parameters):
        super().__init__(X)
        center = sample_origin(X) if parameters.center else None
        self.step = None if center is None else partial(moved, center=center)
        self.columns, self.diagonal = self.rows(X)

    def rows(self, X):
        if not isinstance(X, RowBlocks):
            X = self.on_host(X)
            return X, row_norms(X, squared=True)
        X = self.on_workers(X)
        return X, X.by_row(X.each(squared_lengths))

    def on_host(self, X):
        """Rows of the host, prepared."""
        return X if self.step is None else self.step(X)

    def on_workers(self, X):
        """Rows on the workers, prepared."""
        return X if self.step is None else X.then(self.step)

    def gram(self):
        gram = self.against(self.columns, self.diagonal)
        gram.symmetric = True
        return gram

    def against(self, rows, diagonal):
        known = diagonal, self.diagonal
        return DistributedFactoredGram(rows, self.columns, *known)

    def means(self, coef):
        means = self.columns.sums(coef)
        return np.ascontiguousarray(means.T, dtype=self.columns.dtype)

    def check(self):
        entries = self.columns.each
        check_linear_kernel(self.diagonal, lambda: max(compute(entries(largest_entry))))


class DistributedCosine(DistributedLinear):
    """The linear kernel of features scaled to unit length."""

    def __init__(self, X, parameters):
        Form.__init__(self, X)
        self.columns, self.diagonal = self.rows(X)

    def on_host(self, X):
        return unit_rows(X)

    def on_workers(self, X):
        return X.of_unit_length(unit_factors)

    def check(self):
        """Nothing underflows, and rows of zeros may be."""


class DistributedEvaluated(Form):
    """Any other kernel, of two blocks at a time, by its form on the host.

    Parameters
    ----------
    X : RowBlocks
    parameters : Parameters
    make_form : callable
        ``make_form(X, parameters)``, as of `FittedKernel`, for a block.
    """

    one_block = -1

    def __init__(self, X, parameters, make_form):
        super().__init__(X)
        self.local = OfTwoBlocks(parameters, make_form)
        self.columns, self.diagonal = self.rows(X)

    def rows(self, X):
        if isinstance(X, RowBlocks):
            return X, X.by_row(X.each(self.local.diagonal))
        return X, self.local.diagonal(X)

    def gram(self):
        gram = self.against(self.columns, self.diagonal)
        gram.symmetric = True
        return gram

    def against(self, rows, diagonal):
        known = diagonal, self.diagonal
        dtype = self.features_dtype
        return DistributedGram(rows, self.columns, self.local, *known, dtype=dtype)


class OfTwoBlocks:
    """The Gram of two blocks on a worker."""

    def __init__(self, parameters, make_form):
        self.parameters, self.make_form = parameters, make_form

    def __call__(self, X, Y, same):
        form = self.make_form(Y, self.parameters)
        return form.gram() if same else form.against(*form.rows(X))

    def diagonal(self, rows):
        """Self-similarities of the objects of a block."""
        X = rows.multiplied_out() if isinstance(rows, BlockRows) else rows
        return self.make_form(X, self.parameters).diagonal


def without_rows(kernel, with_index):
    """A fitted kernel for use on a worker, by means: without training objects.

    With an index of these, if it is asked for.
    """
    light = copy(kernel)
    light.X, light._form = kernel.X.without_blocks(), copy(kernel._form)
    light._form.columns = light._form.diagonal = None
    light._index = kernel._index.without_rows() if with_index else None
    return light


def unit_factors(X):
    """Rows, factors that give them length 1, and squared lengths without these."""
    squares = row_norms(X, squared=True)
    if not np.isfinite(squares).all() or (squares < np.finfo(X.dtype).tiny).any():
        return unit_rows(X), None, None
    return X, 1 / np.sqrt(squares), squares


def largest_entry(rows):
    """The largest absolute value of a block."""
    X = rows.multiplied_out()
    return float(abs(X).max()) if X.shape[0] and X.shape[1] else 0.0


def distributed_form(X, parameters, make_form):
    """The training side of a kernel of features on workers."""
    if parameters.kernel == "linear":
        return DistributedLinear(X, parameters)
    if parameters.kernel == "cosine":
        return DistributedCosine(X, parameters)
    return DistributedEvaluated(X, parameters, make_form)

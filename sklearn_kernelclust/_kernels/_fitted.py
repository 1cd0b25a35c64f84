"""A fitted kernel: the training objects, ready for new ones.

What a kernel needs of its training features (a centre, norms, unit rows, factors) is
computed once, in `FittedKernel`. How, is the business of its form:

=============  ==========================================================
`Linear`       ``x . y``
`Cosine`       the same, of features scaled to unit length
`Gaussian`     ``exp(-gamma ||x - y||^2)``
`OfProduct`    a function of ``gamma x . y`` (see ``_evaluate``)
`Evaluated`    any other, a block at a time (see ``_evaluate``)
=============  ==========================================================
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace
from functools import partial

import numpy as np
from scipy.sparse import csr_array, hstack, issparse
from sklearn.utils.extmath import row_norms, safe_sparse_dot
from sklearn.utils.sparsefuncs import inplace_csr_row_scale

from sklearn_kernelclust._gram._chunked import ChunkedGram
from sklearn_kernelclust._gram._factored import FactoredGram
from sklearn_kernelclust._gram._sparse_products import dense_sums
from sklearn_kernelclust._kernels._centers import center_of, sample_origin
from sklearn_kernelclust._kernels._near_pairs import correct_near_pairs
from sklearn_kernelclust._kernels._row_index import index_of
from sklearn_kernelclust._kernels._underflow import check_linear_kernel
from sklearn_kernelclust._utils._arrays import cast, numpy_dtype
from sklearn_kernelclust._utils._block_rows import moved
from sklearn_kernelclust._utils._blocks import RowBlocks, like_blocks
from sklearn_kernelclust._utils._tolerances import EXPONENT_ROUNDING

# So many times k(x, x), summed over all objects, must not overflow.
SUMMANDS = 16

# Entries of a block of new rows that are evaluated at once. More go by tiles.
ONE_BLOCK = 2**19


class FittedKernel:
    """A kernel and its training objects.

    Beside the features it holds what its form prepared of them: nothing of their size
    for sparse linear, polynomial and evaluated kernels, one more matrix for others.

    Parameters
    ----------
    X : array, CSR matrix or Objects
        Validated training objects, which nobody else writes to.
    parameters : Parameters
    make_form : callable
        ``make_form(X, parameters)`` prepares the training side.

    Attributes
    ----------
    X, gamma
        Training features, and the value of `gamma` used.
    """

    def __init__(self, X, parameters, make_form):
        self.X, self.gamma = X, parameters.gamma
        self._parameters, self._make_form = parameters, make_form
        self._form = self._prepared()
        self._index = index_of(X)

    def gram(self):
        """Gram of the training objects."""
        return self._form.gram()

    def against(self, X):
        """Gram of new objects against the training objects.

        Its `training_index` says which rows are training objects, by their
        features.
        """
        X = like(X, self.X)
        gram = self._with_rows(X, lambda form, *rows: form.against(*rows))
        gram.training_index = self.training_index(X)
        return gram

    def training_index(self, X):
        """The training object that each object is, by its features; -1 if none."""
        return self._index.find(like(X, self.X))

    def means(self, coef):
        """Explicit combinations of training objects, None where there are none.

        The columns of `coef` are their coefficients, those of the result their
        features.
        """
        return self._form.means(coef)

    def similarities(self, X, coef, means=None):
        """Similarities of new objects to combinations of training objects.

        Parameters
        ----------
        X : array or CSR matrix
            Validated features of new objects.
        coef : array or sparse matrix of shape (n_samples, n_combinations)
            The combinations.
        means : array or None
            What `means` gave for `coef`.

        Returns
        -------
        S : ndarray of shape (n_objects, n_combinations)
            The product of the Gram with `coef`.
        self_similarity : ndarray of shape (n_objects,)
            Self-similarities k(x, x) of the new objects.
        """

        def product(form, rows, diagonal):
            if means is not None and form is self._form:
                return rows @ means, diagonal
            if rows.shape[0] * self.X.shape[0] > form.one_block:
                return form.against(rows, diagonal) @ coef, diagonal
            return (coef.T @ form.block(rows).T).T, diagonal

        return self._with_rows(like(X, self.X), product)

    def on(self, X, *, center=None):
        """The same kernel, with the same `gamma`, of other training objects.

        With ``center=False`` it is the kernel as it is defined, about the origin.
        """
        parameters = self._parameters
        if center is not None:
            parameters = replace(parameters, center=center)
        return FittedKernel(X, parameters, self._make_form)

    def __sklearn_array_api_convert__(self, converter):
        return self.on(converter(self.X))

    def _prepared(self):
        """The training side; in float64 where float32 would overflow."""
        form = self._formed(self.X)
        narrow = form.features_dtype == np.float32
        self._widened = bool(narrow and self._first_overflow(form.diagonal))
        if self._widened:
            form = self._formed(cast(self.X, np.float64))
        self._refuse_overflow(form.diagonal)
        form.check()
        return form

    def _formed(self, X):
        with np.errstate(over="ignore", invalid="ignore"):  # looked at later
            return self._make_form(X, self._parameters)

    def _with_rows(self, X, use):
        """Call ``use(form, rows, diagonal)``; in float64 if float32 overflows."""
        form = self._form
        with np.errstate(over="ignore", invalid="ignore"):
            rows, diagonal = form.rows(cast(X, np.float64) if self._widened else X)
            if form.features_dtype == np.float32 and self._first_overflow(diagonal):
                form = self._formed(cast(self.X, np.float64))
                rows, diagonal = form.rows(cast(X, np.float64))
        self._refuse_overflow(diagonal)
        return use(form, rows, diagonal)

    def _first_overflow(self, diagonal):
        """The first object whose similarities, summed over all objects, overflow.

        As a list of none or one.
        """
        largest = np.finfo(diagonal.dtype).max / (SUMMANDS * self.X.shape[0])
        return np.flatnonzero(~(np.abs(diagonal) <= largest))[:1].tolist()

    def _refuse_overflow(self, diagonal):
        for i in self._first_overflow(diagonal):
            p = self._parameters
            raise ValueError(
                f"The kernel {p.kernel!r} overflowed: k(x, x) of object {i} is "
                f"{diagonal[i]:.3g}, too large to sum over {self.X.shape[0]} objects "
                f"(gamma={p.gamma:g}, degree={p.degree}, coef0={p.coef0:g}). Rescale X "
                "or choose smaller parameters."
            )


class Form:
    """How a kernel is evaluated.

    A subclass has `columns`, the training side, and `diagonal`, k(x, x) of these;
    ``rows(X)``, the side of new objects and their k(x, x); ``against(rows, diagonal)``
    and ``gram()``, which give Grams; and ``block(rows)``, which gives an array.
    """

    one_block = ONE_BLOCK

    def __init__(self, X):
        self.features_dtype = numpy_dtype(X)

    def means(self, coef):
        """Explicit combinations of training objects, None where there are none."""

    def check(self):
        """Look at the training side: an error, or a warning, if something is wrong."""


class Linear(Form):
    """``x . y``, of features about their median if that is asked for."""

    def __init__(self, X, parameters):
        super().__init__(X)
        self.center = sample_origin(X) if parameters.center else None
        self.columns, self.diagonal = self.rows(X)

    def rows(self, X):
        if self.center is not None:
            X = moved(X, self.center) if issparse(X) else X - self.center
        return X, row_norms(X, squared=True)

    def gram(self):
        factor, norms = self.columns, self.diagonal
        return FactoredGram(factor, factor, norms, norms, symmetric=True)

    def against(self, rows, diagonal):
        return FactoredGram(rows, self.columns, diagonal, self.diagonal)

    def means(self, coef):
        n_entries = self.columns.nnz if issparse(self.columns) else self.columns.size
        if coef.shape[1] * self.columns.shape[1] > max(n_entries, ONE_BLOCK):
            return None
        means = np.empty((self.columns.shape[1], coef.shape[1]), self.columns.dtype)
        return dense_sums(csr_array(coef.T), self.columns, out=means.T).T

    def block(self, rows):
        return safe_sparse_dot(rows, self.columns.T, dense_output=True)

    def check(self):
        check_linear_kernel(self.diagonal, lambda: abs(self.columns).max())


class Cosine(Linear):
    """The linear kernel of features scaled to unit length."""

    def __init__(self, X, parameters):
        Form.__init__(self, X)
        self.columns, self.diagonal = self.rows(X)

    def rows(self, X):
        X = unit_rows(X)
        return X, row_norms(X, squared=True)

    def check(self):
        """Nothing underflows, and rows of zeros may be."""


class Gaussian(Form):
    """``exp(-gamma ||x - y||^2)``, of features about their median.

    Factors are float64 where float32 leaves too large an error in the exponent.
    """

    def __init__(self, X, parameters):
        super().__init__(X)
        self.gamma, self.center = parameters.gamma, center_of(X)
        self.diagonal = np.ones(X.shape[0], X.dtype)
        self.columns = self._factor(X, column=True)

    def rows(self, X):
        return self._factor(X), np.ones(X.shape[0], X.dtype)

    def gram(self):
        rows = self.columns[:, [*range(self.columns.shape[1] - 2), -1, -2]]
        rows = rows if issparse(rows) else np.ascontiguousarray(rows)
        gram = self.against(rows, self.diagonal)
        gram.symmetric = True
        return gram

    def against(self, rows, diagonal):
        columns = self.columns.astype(rows.dtype, copy=False)
        kernel = partial(gaussian, size=largest_terms(rows, columns))
        diagonals = diagonal, self.diagonal
        return ChunkedGram(kernel, rows, columns, *diagonals, dtype=self.features_dtype)

    def block(self, rows):
        columns = self.columns.astype(rows.dtype, copy=False)
        return gaussian(rows, columns).astype(self.features_dtype, copy=False)

    def _factor(self, X, column=False):
        dtype = X.dtype
        if self.center is not None:
            X = moved(X, self.center) if issparse(X) else X - self.center
        norms = row_norms(X, squared=True)
        largest = self.gamma * norms.max(initial=0)
        if not np.isfinite(largest):
            raise ValueError(
                "Squared distances overflowed: the largest squared norm of X, "
                f"centred, is {norms.max():.3g} (gamma={self.gamma:.3g}). Rescale X."
            )
        if largest * np.finfo(dtype).eps > EXPONENT_ROUNDING[dtype]:
            dtype = np.float64
        return gaussian_factor(X, norms, np.sqrt(self.gamma), dtype, column)


def gaussian_factor(X, norms, width, dtype, column=False):
    """Factor of objects whose products are exponents of a Gaussian kernel.

    The exponent is ``-u_x u_y ||x - y||^2``. The norms are two more features, so
    that one product gives it::

        row      [sqrt(2) u_x x, -u_x ||x||^2, u_x]
        column   [sqrt(2) u_y y, u_y, -u_y ||y||^2]

    Parameters
    ----------
    X, norms : array or CSR matrix, ndarray
        Features and their squared norms.
    width : float or ndarray
        u, for all or for each of the objects.
    dtype : dtype
        Of the factor.
    column : bool
        Whether these are the column objects.
    """
    width = np.broadcast_to(np.asarray(width, dtype=np.float64), X.shape[:1])
    extra = np.column_stack([-width * norms, width])
    extra = extra[:, ::-1] if column else extra
    scale = np.sqrt(2) * width[:, None]
    if issparse(X):
        factor = hstack([csr_array(X.multiply(scale)), extra], format="csr")
        return csr_array(factor, dtype=dtype)
    factor = np.empty((X.shape[0], X.shape[1] + 2), dtype)
    np.multiply(X, scale, out=factor[:, :-2], casting="same_kind")
    factor[:, -2:] = extra
    return factor


def gaussian(A, B, size=np.inf):
    """Gaussian kernel of two factors.

    An exponent that is 0 within its rounding is 0: equal objects have similarity 1.
    `size` is a bound that is known of `largest_terms`.
    """
    block = safe_sparse_dot(A, B.T, dense_output=True)
    if not block.size:
        return block
    eps, limit = np.finfo(A.dtype).eps, EXPONENT_ROUNDING[A.dtype]
    if size * eps > limit:
        size = largest_terms(A, B)
    if size * eps > limit:
        correct_near_pairs(block, A, B)
    # A Python number, or a float32 block would be compared in float64.
    zero = -float(min(size * eps, limit) * (4 + np.sqrt(A.shape[1])))
    if block.max() > zero:
        np.putmask(block, block > zero, 0)
    return np.exp(block, out=block)


def largest_terms(A, B):
    """A bound of ``u_x u_y ||x||^2``, the terms of an exponent, which may cancel."""
    if not A.shape[0] or not B.shape[0]:
        return 0.0
    A, B = A[:, -2:], B[:, -2:]
    return max(-A.min() * B.max(), -A.max() * B.min())


def unit_rows(X):
    """Rows of length 1 (`X` itself, if it has such), those of zeros as they are."""
    squares = row_norms(X, squared=True)
    if (np.abs(squares - 1) <= 32 * np.finfo(X.dtype).eps).all():  # up to rounding
        return X
    # scikit-learn's `normalize` takes rows below 1e-15 for zeros.
    if not np.isfinite(squares).all() or (squares < np.finfo(X.dtype).tiny).any():
        peaks = abs(X).max(axis=1)
        peaks = peaks.toarray().ravel() if issparse(X) else peaks
        X = _scaled_rows(X, peaks)
        squares = row_norms(X, squared=True)
    return _scaled_rows(X, np.sqrt(squares))


def _scaled_rows(X, lengths):
    """Rows over their lengths, in a copy; 0 where a length is 0."""
    inverse = np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    if not issparse(X):
        return inverse[:, None] * X
    X = X.copy()
    inplace_csr_row_scale(X, inverse)
    return X


def like(X, Y):
    """`X` in the type of `Y`, and dense or sparse as `Y` is."""
    if isinstance(Y, RowBlocks):
        return like_blocks(X, Y)
    X = X if X.dtype == Y.dtype else cast(X, numpy_dtype(Y))
    if issparse(X) == issparse(Y):
        return X
    return X.toarray() if issparse(X) else csr_array(X)

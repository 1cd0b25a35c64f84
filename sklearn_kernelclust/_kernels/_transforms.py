"""Kernel matrices to better kernel matrices."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import partial
from numbers import Real

import numpy as np
from scipy.sparse import csr_array
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.utils.validation import check_is_fitted

from sklearn_kernelclust._gram._base import Gram
from sklearn_kernelclust._gram._product import ProductGram
from sklearn_kernelclust._gram._training_rows import TrainingRows
from sklearn_kernelclust._gram._wrappers import EntrywiseGram, ShiftedGram, inverse_root
from sklearn_kernelclust._kernels._base import KernelMatrixMixin
from sklearn_kernelclust._kernels._entrywise import signed_power
from sklearn_kernelclust._utils._arrays import is_foreign, namespace
from sklearn_kernelclust._utils._sklearn import (
    Interval,
    StrOptions,
    _fit_context,
    refuse_frame,
)
from sklearn_kernelclust._utils._validation import all_or_nothing

# Below this a sum of squares may have lost terms; entries times `UP` have not.
SMALL_SQUARE = 1e-280
UP = 2.0**600


class _KernelTransformer(
    KernelMatrixMixin, ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator
):
    """Kernel in, kernel out: an array for an array, a Gram for a Gram.

    A subclass has ``_learn(gram)``, which gives the fitted attributes, and
    ``_apply(gram, training)``, which gives the new Gram.
    """

    @_fit_context(prefer_skip_nested_validation=True)
    @all_or_nothing
    def fit_transform(self, X, y=None):
        """Fit, and transform the kernel of the training objects.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_samples) or Gram
            Kernel matrix.

        y : Ignored
            Not used, present for API consistency by convention.

        Returns
        -------
        K : ndarray of shape (n_samples, n_samples) or Gram
            Transformed kernel.
        """
        gram = self._fit(X)
        return self._as_given(self._apply(gram, training=True), X)

    def transform(self, X):
        """Transform the kernel of objects against the training objects.

        Parameters
        ----------
        X : array-like of shape (n_objects, n_samples) or Gram
            Similarities of the objects to the training objects.

        Returns
        -------
        K : ndarray of shape (n_objects, n_samples) or Gram
            Transformed kernel.
        """
        check_is_fitted(self)
        gram = self._check_kernel(X, reset=False)
        transformed = self._apply(gram, training=False)
        transformed.training_index = gram.training_index
        return self._as_given(transformed, X)

    def _as_given(self, gram, X):
        """An array where an array was given."""
        if not isinstance(X, Gram):
            return gram.native_array()
        refuse_frame(self)
        return gram

    def _fit(self, X):
        gram = self._check_kernel(X, reset=True)
        learnt = self._learn(gram)
        vars(self).update(learnt, _n_features_out=gram.shape[1])
        return gram


class DiagonalShift(_KernelTransformer):
    """Shift the diagonal of a kernel, to take weight from self-similarities.

    Where objects are much more similar to themselves than to any other,
    kernel k-means stays where it starts. A negative shift cures that [1]_. It
    leaves the objective of partitions into the same number of clusters alone,
    up to a constant, but makes the kernel indefinite.

    Parameters
    ----------
    sigma : float or "zero-trace", default="zero-trace"
        What is added to each self-similarity; `"zero-trace"` is minus their
        mean, 0 changes nothing.

    Attributes
    ----------
    sigma_ : float
        The shift.

    n_features_in_ : int
        Number of training objects.

    See Also
    --------
    EmpiricalKernelMap : Makes the shifted kernel positive semi-definite again.

    Notes
    -----
    `transform` takes rows, in any number and order, and shifts the entry of a
    row at the training object that it is; rows of new objects pass unchanged.
    A Gram made of features knows which of its rows are training objects. In an
    array they are recognised by four random projections of each row, within
    rounding: one product with the kernel. Of several equal ones it is the one in
    the same position, else the first. Cost: one product and one copy of the kernel.

    References
    ----------
    .. [1] D. Greene and P. Cunningham, "Practical Solutions to the Problem of
       Diagonal Dominance in Kernel Document Clustering", ICML 2006.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_kernelclust import DiagonalShift
    >>> K = np.array([[1.0, 0.2], [0.2, 1.0]])
    >>> shift = DiagonalShift().fit(K)
    >>> shift.transform(K)
    array([[0. , 0.2],
           [0.2, 0. ]])
    >>> shift.transform([[0.3, 0.4]])
    array([[0.3, 0.4]])
    """

    _parameter_constraints: dict = {
        "sigma": [
            StrOptions({"zero-trace"}),
            Interval(Real, None, None, closed="neither"),
        ],
    }

    def __init__(self, sigma="zero-trace"):
        self.sigma = sigma

    def _learn(self, gram):
        sigma, diagonal = self.sigma, gram.diagonal().astype(np.float64)
        if isinstance(sigma, str):
            sigma = -diagonal.mean()
        largest = max(abs(sigma), np.abs(diagonal + sigma).max())
        if largest > float(np.finfo(gram.dtype).max):
            raise ValueError(
                f"sigma={sigma:.3g} is too large for a kernel of {gram.dtype}: pass "
                "the kernel as float64, or choose a smaller shift."
            )
        return {"sigma_": float(sigma), "_rows": TrainingRows(gram)}

    def _apply(self, gram, training):
        if training:
            return ShiftedGram(gram, self.sigma_)
        index = self._rows.match(gram)
        known = np.flatnonzero(index >= 0)
        same = csr_array((np.ones(len(known)), (known, index[known])), shape=gram.shape)
        return ShiftedGram(gram, self.sigma_, same)


class SubpolynomialKernel(_KernelTransformer):
    """Raise each entry of a kernel to a power below one, keeping its sign.

    Flattens the kernel, so that self-similarities weigh less [1]_. The result
    need not be positive semi-definite: follow it by `EmpiricalKernelMap`.

    Parameters
    ----------
    p : float, default=0.6
        The power, above 0 and at most 1, which changes nothing.

    Attributes
    ----------
    n_features_in_ : int
        Number of training objects.

    See Also
    --------
    EmpiricalKernelMap : Makes the kernel positive semi-definite again.

    Notes
    -----
    Cost: one pass over the kernel and one copy of it.

    References
    ----------
    .. [1] D. Greene and P. Cunningham, "Practical Solutions to the Problem of
       Diagonal Dominance in Kernel Document Clustering", ICML 2006.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_kernelclust import SubpolynomialKernel
    >>> K = np.array([[1.0, -0.25], [-0.25, 1.0]])
    >>> SubpolynomialKernel(p=0.5).fit_transform(K)
    array([[ 1. , -0.5],
           [-0.5,  1. ]])
    """

    _parameter_constraints: dict = {"p": [Interval(Real, 0, 1, closed="right")]}

    def __init__(self, p=0.6):
        self.p = p

    def _learn(self, gram):
        return {}

    def _apply(self, gram, training):
        return EntrywiseGram(gram, partial(signed_power, p=self.p))


class EmpiricalKernelMap(_KernelTransformer):
    """Take the similarities of an object to all others as its features.

    The kernel becomes ``R @ R.T``, where R is the kernel with its rows scaled
    to unit length: positive semi-definite, whatever the kernel was [1]_.

    Parameters
    ----------
    normalize : bool, default=True
        Whether to scale the rows to unit length; a row of zeros stays.

    Attributes
    ----------
    map_fit_ : Gram of shape (n_samples, n_samples)
        R of the training objects; of an array, a copy of the model's own.

    n_features_in_ : int
        Number of training objects.

    See Also
    --------
    DiagonalShift : Followed by this map it is the method DSM of [1]_.
    SubpolynomialKernel : Followed by this map it is the method SPM of [1]_.

    Notes
    -----
    On an array the cost is O(n_samples^3), and three kernel matrices are held.
    On a Gram no matrix is formed: one pass for the row lengths, then two
    products with the kernel for each product with the result.

    References
    ----------
    .. [1] D. Greene and P. Cunningham, "Practical Solutions to the Problem of
       Diagonal Dominance in Kernel Document Clustering", ICML 2006.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_kernelclust import EmpiricalKernelMap
    >>> K = np.array([[0.0, 2.0], [2.0, 0.0]])
    >>> EmpiricalKernelMap().fit_transform(K)
    array([[1., 0.],
           [0., 1.]])
    """

    _parameter_constraints: dict = {"normalize": ["boolean"]}

    def __init__(self, normalize=True):
        self.normalize = normalize

    def _check_kernel(self, X, *, reset):
        # Scaled rows are a copy. Others are kept as they are, so not the user's own.
        if reset and not self.normalize and (is_foreign(X) or hasattr(X, "copy")):
            X = namespace(X).asarray(X, copy=True) if is_foreign(X) else X.copy()
        return super()._check_kernel(X, reset=reset)

    def _learn(self, gram):
        rows, lengths = self._map(gram)
        return {"map_fit_": rows, "_squared_lengths": lengths}

    def _map(self, gram):
        """The rows that are features now, and their squared lengths."""
        squared = gram.squared_row_norms()
        # Once rows are divided by their lengths, those need not fit the kernel's type.
        dtype = np.float64 if self.normalize else gram.dtype
        n_large = np.count_nonzero(squared > np.finfo(dtype).max)
        if n_large:
            raise ValueError(
                f"The squares of a kernel of {gram.dtype} overflow in {n_large} rows: "
                "scale the kernel down."
            )
        if not self.normalize:
            return gram, squared.astype(gram.dtype)
        inverse = inverse_lengths(gram, squared)
        rows = gram.scaled(inverse, np.ones(gram.shape[1]))
        return rows, (inverse > 0).astype(gram.dtype)

    def _apply(self, gram, training):
        fit = self.map_fit_, self._squared_lengths
        rows, lengths = fit if training else self._map(gram)
        return ProductGram(rows, self.map_fit_, lengths, fit[1], symmetric=training)


def inverse_lengths(gram, squared):
    """One over the lengths of rows, 0 for rows that are zero within their type.

    Squares of small entries underflow: the lengths of such rows are computed anew,
    from scaled entries.
    """
    inverse = inverse_root(squared)
    small = np.flatnonzero(squared < SMALL_SQUARE)
    if len(small) and gram.dtype == np.float64:
        factor = np.full(len(small), UP)
        with np.errstate(over="ignore"):  # of self-similarities, too
            again = gram.restrict(small).scaled(factor, np.ones(gram.shape[1]))
            inverse[small] = UP * inverse_root(again.squared_row_norms())
    # What is left are rows of a few smallest numbers, without digits to scale.
    inverse[inverse > np.finfo(gram.dtype).max] = 0
    return inverse

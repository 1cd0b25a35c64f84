"""Features to kernel matrices."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.utils.validation import check_is_fitted

from sklearn_kernelclust._gram._base import Gram
from sklearn_kernelclust._gram._training_rows import with_self_similarity
from sklearn_kernelclust._kernels._base import KernelMixin
from sklearn_kernelclust._utils._arrays import like_input
from sklearn_kernelclust._utils._sklearn import _fit_context, refuse_frame
from sklearn_kernelclust._utils._validation import all_or_nothing
from sklearn_kernelclust._utils._warnings import ZeroRowsWarning, warn_user


class FeatureKernel(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Objects in, kernel out: an array, or a Gram if `lazy`.

    A subclass has ``_fit(X)``, which remembers, and gives what ``_fitted_gram``
    makes the training Gram of; and ``_new_gram(X)``, which gives that of new
    objects against the training objects.
    """

    _parameter_constraints: dict = {"lazy": ["boolean"]}

    @_fit_context(prefer_skip_nested_validation=True)
    @all_or_nothing
    def fit(self, X, y=None):
        """Remember the training objects.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or strings
            Training objects: features, or an iterable of strings for a kernel of
            those.

        y : Ignored
            Not used, present for API consistency by convention.

        Returns
        -------
        self : object
            Fitted transformer.
        """
        self._fit(X)
        return self

    @_fit_context(prefer_skip_nested_validation=True)
    @all_or_nothing
    def fit_transform(self, X, y=None):
        """Kernel of the training objects.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or strings
            As for `fit`.

        y : Ignored
            Not used, present for API consistency by convention.

        Returns
        -------
        K : ndarray of shape (n_samples, n_samples) or Gram
            Kernel.
        """
        return self._output(self._fitted_gram(self._fit(X)), X)

    def transform(self, X):
        """Kernel of objects against the training objects.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_objects, n_features) or strings
            Objects, as for `fit`.

        Returns
        -------
        K : ndarray of shape (n_objects, n_samples) or Gram
            Kernel.
        """
        check_is_fitted(self)
        return self._output(self._new_gram(X), X)

    def _fitted_gram(self, gram):
        return gram

    def _output(self, gram, X):
        if not self.lazy and not isinstance(X, Gram):
            K = with_self_similarity(gram.native_array(), gram)
            return like_input(K, X)
        refuse_frame(self)
        return gram


class PairwiseKernel(KernelMixin, FeatureKernel):
    """Kernel of objects against the training objects.

    Parameters
    ----------
    kernel : str or callable, default="linear"
        A kernel of :func:`sklearn.metrics.pairwise.pairwise_kernels`,
        `"precomputed"` (which changes nothing), or a callable
        ``kernel(X, Y)`` that returns the whole block. A callable may be one of
        objects of any kind: strings, sets, series of different lengths, arrays of
        several dimensions. It gets two lists of them, or two arrays.

    gamma : float, "scale" or None, default="scale"
        Coefficient of the rbf, polynomial, sigmoid, laplacian and chi2
        kernels. `"scale"` is ``1 / (n_features * X.var())``, with the standard
        deviation for laplacian and the mean for chi2: no unit of measurement
        makes a difference. None is ``1 / n_features`` (1 for chi2).

    degree : int, default=3
        Degree of the polynomial kernel.

    coef0 : float, default=1
        Independent term of the polynomial and sigmoid kernels.

    kernel_params : dict or None, default=None
        Keyword arguments of a callable kernel.

    lazy : bool, default=False
        Whether to hand on a Gram, which is known by what it can do and is
        never larger than the features, instead of an array. All transforms
        and clusterers of this package take it.

    Attributes
    ----------
    X_fit_ : ndarray or sparse matrix of shape (n_samples, n_features), list or None
        Training objects, a copy of the model's own; None if a kernel was given.

    gamma_ : float or None
        Value of `gamma` used.

    n_features_in_ : int
        Number of features seen during fit.

    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of features seen during fit, if all are strings.

    See Also
    --------
    PowerMeanNormalizer : A kernel with unit self-similarities.
    LocalScalingKernel : A Gaussian kernel with a width for each object.

    Notes
    -----
    New objects that are training objects are recognised by their features: a
    `DiagonalShift` that follows a lazy kernel shifts the same entries as in `fit`.
    The cosine of a row of zeros with any object is 0, and `fit` warns of such rows.

    Examples
    --------
    >>> from sklearn_kernelclust import PairwiseKernel
    >>> kernel = PairwiseKernel("linear").fit([[1.0, 0.0], [1.0, 2.0]])
    >>> kernel.transform([[3.0, 1.0]])
    array([[3., 5.]])
    >>> PairwiseKernel("linear", lazy=True).fit_transform([[1.0], [2.0]])
    <FactoredGram of shape (2, 2), float64>

    Sets, compared by the elements that they have in common:

    >>> import numpy as np
    >>> def jaccard(A, B):
    ...     return np.array([[len(a & b) / len(a | b) for b in B] for a in A])
    >>> PairwiseKernel(jaccard).fit_transform([{1, 2}, {2, 3, 4}])
    array([[1.  , 0.25],
           [0.25, 1.  ]])
    """

    _parameter_constraints: dict = {
        **KernelMixin._parameter_constraints,
        **FeatureKernel._parameter_constraints,
    }

    def __init__(
        self,
        kernel="linear",
        *,
        gamma="scale",
        degree=3,
        coef0=1,
        kernel_params=None,
        lazy=False,
    ):
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.lazy = lazy

    def _fit(self, X):
        gram, kernel = self._training_gram(X)
        n_zero = np.count_nonzero(gram.diagonal() == 0)
        if kernel is not None and self.kernel == "cosine" and n_zero:
            warn_user(
                f"{n_zero} objects are rows of zeros: their cosine with every object "
                "is 0.",
                ZeroRowsWarning,
            )
        self._remember(kernel)
        self._n_features_out = gram.shape[1]
        return gram

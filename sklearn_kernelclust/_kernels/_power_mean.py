"""Kernels normalised by power means of the self-similarities."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import partial
from numbers import Real

import numpy as np
from sklearn.utils.validation import check_is_fitted

from sklearn_kernelclust._gram._training_rows import TrainingRows, row_self_similarity
from sklearn_kernelclust._gram._wrappers import EntrywiseGram, inverse_root
from sklearn_kernelclust._kernels._base import KernelMixin
from sklearn_kernelclust._kernels._entrywise import divide_by_power_mean
from sklearn_kernelclust._kernels._pairwise_kernel import FeatureKernel
from sklearn_kernelclust._utils._arrays import on_host
from sklearn_kernelclust._utils._sklearn import Interval, Options
from sklearn_kernelclust._utils._warnings import warn_user


class PowerMeanNormalizer(KernelMixin, FeatureKernel):
    """Divide a kernel by the power mean of the two self-similarities.

    ``K_ij / M_t(K_ii, K_jj)``, the normalised kernel of order t [1]_: 1 on the
    diagonal, and for t > 0 the smaller, the more two objects differ in length.

    Parameters
    ----------
    t : float, default=0.0
        Order of the mean, at least 0: 0 is the geometric mean and gives the
        cosine, 1 the arithmetic mean, infinity the maximum.

    kernel : str or callable, default="linear"
        The kernel to evaluate on features; `"precomputed"` takes a kernel
        matrix. A Gram is taken as it is.

    gamma : float, "scale" or None, default="scale"
        As for `PairwiseKernel`.

    degree : int, default=3
        Degree of the polynomial kernel.

    coef0 : float, default=1
        Independent term of the polynomial and sigmoid kernels.

    kernel_params : dict or None, default=None
        Keyword arguments of a callable kernel.

    lazy : bool, default=False
        Whether to hand on a Gram instead of an array.

    Attributes
    ----------
    self_similarity_ : ndarray of shape (n_samples,)
        K_ii of the training objects.

    X_fit_ : ndarray or sparse matrix of shape (n_samples, n_features) or None
        Training features, a copy of the model's own; None if a kernel was given.

    gamma_ : float or None
        Value of `gamma` used.

    n_features_in_ : int
        Number of features seen during fit.

    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of features seen during fit, if all are strings.

    See Also
    --------
    PairwiseKernel : The kernel as it is.

    Notes
    -----
    The result is positive semi-definite if the kernel is, for every t >= 0. An
    object whose self-similarity is 0 has no direction: its row becomes 0, its
    diagonal entry too, and a warning counts such objects.

    On a linear kernel and t = 0 the lazy result stays factored; for other t it
    is evaluated in tiles.

    References
    ----------
    .. [1] Julien Ah-Pine, "Normalized Kernels as Similarity Indices", PAKDD 2010.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_kernelclust import PowerMeanNormalizer
    >>> X = np.array([[1.0, 0.0], [2.0, 0.0]])
    >>> PowerMeanNormalizer(t=0).fit_transform(X)
    array([[1., 1.],
           [1., 1.]])
    >>> PowerMeanNormalizer(t=np.inf).fit_transform(X)
    array([[1. , 0.5],
           [0.5, 1. ]])
    """

    _parameter_constraints: dict = {
        **KernelMixin._parameter_constraints,
        **FeatureKernel._parameter_constraints,
        "t": [Interval(Real, 0, None, closed="left"), Options(Real, {np.inf})],
    }

    def __init__(
        self,
        t=0.0,
        *,
        kernel="linear",
        gamma="scale",
        degree=3,
        coef0=1,
        kernel_params=None,
        lazy=False,
    ):
        self.t = t
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.lazy = lazy

    def transform(self, X, self_similarity=None):
        """Normalised kernel of objects against the training objects.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_objects, n_features) or Gram
            Objects; with ``kernel="precomputed"``, their similarities to the
            training objects.

        self_similarity : array-like of shape (n_objects,), default=None
            k(y, y) of the objects. Only needed with ``kernel="precomputed"``,
            for new objects, and if the training objects differ in theirs.

        Returns
        -------
        K : ndarray of shape (n_objects, n_samples) or Gram
            Normalised kernel.
        """
        check_is_fitted(self)
        gram = self._new_gram(X)
        left = self._left(gram, self_similarity)
        check_self_similarity(left)
        warn_of_zeros(left)
        result = normalized(gram, left, on_host(self.self_similarity_), self.t)
        result.training_index = gram.training_index
        return self._output(result, X)

    def _fit(self, X):
        gram, kernel = self._training_gram(X)
        check_self_similarity(gram.diagonal())
        given = kernel is None
        self._rows = TrainingRows(gram, unless_constant=True) if given else None
        self.self_similarity_ = gram.diagonal().copy()
        self._remember(kernel)
        self._n_features_out = gram.shape[1]
        return gram

    def _fitted_gram(self, gram):
        warn_of_zeros(self.self_similarity_)
        return normalized(gram, self.self_similarity_, self.self_similarity_, self.t)

    def _left(self, gram, given):
        """Self-similarities of the row objects, from wherever they are known."""
        if given is not None:
            given = np.asarray(on_host(given), dtype=gram.dtype)
            if given.shape != gram.shape[:1]:
                raise ValueError(
                    f"self_similarity must have shape {gram.shape[:1]}, got "
                    f"{given.shape}."
                )
            return given
        known = row_self_similarity(gram, self._rows, unknown=np.nan)
        if np.isnan(known).any():
            raise ValueError(
                f"The self-similarities k(y, y) of {np.isnan(known).sum()} new "
                "objects are not in a precomputed kernel, and the training objects "
                "differ in theirs: pass self_similarity=, or give features."
            )
        return known


def normalized(gram, left, right, t):
    """Gram over the mean of order `t` of the self-similarities of its objects."""
    if t == 0:
        return gram.scaled(inverse_root(left), inverse_root(right))
    return EntrywiseGram(
        gram,
        partial(divide_by_power_mean, t=t),
        left,
        right,
        self_similarity=(left > 0).astype(gram.dtype),
        column_self_similarity=(right > 0).astype(gram.dtype),
    )


def check_self_similarity(similarity):
    """Refuse self-similarities that are negative or unknown."""
    if not np.isfinite(similarity).all():
        i = int(np.flatnonzero(~np.isfinite(similarity))[0])
        raise ValueError(f"The self-similarity of object {i} is {similarity[i]}.")
    if similarity.min() < 0:
        i = int(similarity.argmin())
        raise ValueError(
            f"The self-similarity of object {i} is negative ({similarity[i]:.3g}): "
            "a kernel with a negative diagonal cannot be normalised."
        )


def warn_of_zeros(similarity):
    """Count the objects without a direction."""
    n_zero = np.count_nonzero(similarity == 0)
    if n_zero:
        warn_user(
            f"{n_zero} objects have self-similarity 0: their rows of the normalised "
            "kernel are 0.",
        )

"""What all estimators share: kernel parameters, input checks, tags."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import wraps
from numbers import Integral, Real

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import check_array
from sklearn.utils.validation import check_is_fitted, validate_data

from sklearn_kernelclust._gram import Gram
from sklearn_kernelclust._kernels import KERNELS, like, make_gram, resolve_gamma
from sklearn_kernelclust._sklearn import (
    Interval,
    InvalidParameterError,
    StrOptions,
    _fit_context,
)
from sklearn_kernelclust._stored_grams import DenseGram, SparseGram
from sklearn_kernelclust._symmetry import check_symmetric, check_symmetric_callable
from sklearn_kernelclust._warn import warn_user

FLOATS = [np.float64, np.float32]

# Constraints of those that start more than once and keep the best.
STARTS = {
    "n_init": [Interval(Integral, 1, None, closed="left")],
    "random_state": ["random_state"],
}


def all_or_nothing(fit):
    """Leave an estimator as it was if its fit does not end.

    scikit-learn's validation writes to the estimator before the work begins;
    after an interrupt it would be a mixture of two fits, or seem to be fitted.
    """

    @wraps(fit)
    def whole(self, *args, **kwargs):
        before = dict(vars(self))
        try:
            return fit(self, *args, **kwargs)
        except BaseException:
            # The callbacks of scikit-learn are torn down by who set them up.
            before |= {k: v for k, v in vars(self).items() if "callback" in k}
            vars(self).clear()
            vars(self).update(before)
            raise

    return whole


class FitPredictMixin:
    """For clusterers that predict the clusters of new objects.

    A subclass has ``_fit(X, y)``, which remembers what it learns;
    ``_new_gram(X)``, which gives new objects as `KernelMixin` does; and
    ``_predict(gram)``, which gives the clusters of those.
    """

    _parameter_constraints: dict = {
        "n_clusters": [Interval(Integral, 1, None, closed="left")],
    }

    @_fit_context(prefer_skip_nested_validation=True)
    @all_or_nothing
    def fit(self, X, y=None):
        """Compute the clustering.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or Gram
            Objects to cluster: their features. What has a kernel also takes a
            Gram, or the kernel matrix if ``kernel="precomputed"``.

        y : Ignored
            Not used, present for API consistency by convention.

        Returns
        -------
        self : object
            Fitted estimator.
        """
        self._fit(X, y)
        return self

    def predict(self, X):
        """Cluster of each object, by what was learnt in `fit`.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or Gram
            New objects: their features. What has a kernel also takes a Gram
            of them and the training objects, or the matrix of these
            similarities if ``kernel="precomputed"``.

        Returns
        -------
        labels : ndarray of shape (n_samples,)
            Index of the cluster each object belongs to.
        """
        check_is_fitted(self)
        return self._predict(self._new_gram(X))


class KernelMatrixMixin:
    """For transformers that take a kernel matrix, or a Gram, and nothing else.

    A subclass has ``_fit(X)``, which checks it and remembers what it learns.
    """

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    @_fit_context(prefer_skip_nested_validation=True)
    @all_or_nothing
    def fit(self, X, y=None):
        """Learn from the kernel of the training objects.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_samples) or Gram
            Kernel matrix.

        y : Ignored
            Not used, present for API consistency by convention.

        Returns
        -------
        self : object
            Fitted transformer.
        """
        self._fit(X)
        return self

    def _check_kernel(self, X, *, reset):
        """The Gram of a kernel matrix: square in fit, new rows otherwise."""
        return check_kernel(self, X, reset=reset)


class KernelMixin:
    """For estimators that take features and evaluate a kernel on them.

    With ``kernel="precomputed"`` they take the kernel matrix; a Gram is taken
    as it is, whatever `kernel` says.
    """

    _parameter_constraints: dict = {
        "kernel": [StrOptions({*KERNELS, "precomputed"}), callable],
        "gamma": [
            StrOptions({"scale"}),
            Interval(Real, 0, None, closed="left"),
            None,
        ],
        "degree": [Interval(Integral, 1, None, closed="left")],
        "coef0": [Interval(Real, None, None, closed="neither")],
        "kernel_params": [dict, None],
    }

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._precomputed()
        tags.input_tags.sparse = True
        if tags.transformer_tags is not None:
            tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    def _precomputed(self):
        return isinstance(self.kernel, str) and self.kernel == "precomputed"

    def _training_gram(self, X):
        """Validated training data: its Gram and, of features, what to keep."""
        if isinstance(X, Gram) or self._precomputed():
            return check_kernel(self, X, reset=True, accept_sparse="csr"), None, None
        if self.kernel_params and not callable(self.kernel):
            raise ValueError(
                f"kernel_params={self.kernel_params!r} are for a callable kernel; "
                f"kernel={self.kernel!r} takes gamma, degree and coef0."
            )
        X = self._check_features(X, reset=True)
        gamma = resolve_gamma(self.gamma, X, self.kernel)
        gram = self._gram(X, None, gamma)
        if callable(self.kernel):
            check_symmetric_callable(gram)
        return gram, X, gamma

    def _new_gram(self, X):
        """Gram of new objects against the training objects."""
        if self.X_fit_ is None:
            return check_kernel(self, X, reset=False, accept_sparse="csr")
        if isinstance(X, Gram):
            raise TypeError(
                f"This {type(self).__name__} was fitted on features, which may have "
                "been centred, and got a Gram: pass features, or fit it on a Gram too."
            )
        X = self._check_features(X, reset=False)
        return self._gram(X, self.X_fit_, self.gamma_)

    def _check_features(self, X, *, reset):
        X = check_features(self, X, reset=reset)
        if reset and _looks_like_a_kernel(X):
            warn_user(
                f"X of shape {X.shape} is square and symmetric: it looks like a "
                f"kernel matrix, and kernel={self.kernel!r} takes its rows as "
                "features. Did you mean kernel='precomputed'?",
            )
        return X

    def _gram(self, X, Y, gamma):
        return make_gram(
            X,
            Y,
            kernel=self.kernel,
            gamma=gamma,
            degree=self.degree,
            coef0=self.coef0,
            kernel_params=self.kernel_params,
        )


class OriginFreeKernelMixin(KernelMixin):
    """For estimators that do not mind where the origin of feature space is.

    The rounding of inner products does mind: dense features of a linear
    kernel are centred first, on the median of the training objects, which no
    outlier moves.
    """

    def _gram(self, X, Y, gamma):
        training = X if Y is None else Y
        if self.kernel != "linear" or issparse(training):
            return super()._gram(X, Y, gamma)
        center = np.median(training, axis=0)
        if Y is None:
            return super()._gram(X - center, None, gamma)
        return super()._gram(like(X, Y) - center, Y - center, gamma)


def check_n_clusters(estimator, n_samples):
    """Refuse a bool, which passes for an integer, and more clusters than objects."""
    n_clusters = estimator.n_clusters
    if isinstance(n_clusters, (bool, np.bool_)):
        raise InvalidParameterError(
            f"The 'n_clusters' parameter of {type(estimator).__name__} must be an "
            f"int in the range [1, inf). Got {n_clusters!r} instead."
        )
    if n_samples < n_clusters:
        raise ValueError(f"n_samples={n_samples} should be >= n_clusters={n_clusters}.")


def refuse_what_numbers_would_hide(X):
    """Masked entries and dates, which numpy would turn into plain numbers."""
    if isinstance(X, np.ma.MaskedArray) and np.ma.is_masked(X):
        raise ValueError("X has masked values: fill or drop them.")
    # By name: numpy, pandas and polars agree on how these begin.
    for dtype in np.ravel(getattr(X, "dtypes", getattr(X, "dtype", None))):
        if str(dtype).lower().startswith(("date", "time", "duration")):
            raise TypeError(f"X holds dates or times ({dtype}), not numbers.")


def check_features(estimator, X, *, reset):
    """Validated features, dense or CSR."""
    refuse_what_numbers_would_hide(X)
    return canonical(
        validate_data(estimator, X, accept_sparse="csr", dtype=FLOATS, reset=reset)
    )


def canonical(X):
    """The same matrix, without entries that are there more than once.

    scipy sums them where it multiplies; norms and maxima take each by itself.
    """
    if not issparse(X) or X.has_canonical_format:
        return X
    X = X.copy()
    X.sum_duplicates()
    return X


def check_kernel(estimator, X, *, reset, accept_sparse=False):
    """A Gram of what the user gave as kernel matrix; checked once, not copied."""
    if isinstance(X, Gram):
        return _check_gram(estimator, X, reset=reset)
    refuse_what_numbers_would_hide(X)
    try:
        K = validate_data(
            estimator, X, accept_sparse=accept_sparse, dtype=FLOATS, reset=reset
        )
    except ValueError as error:
        place = _first_not_finite(X)
        if not place:
            raise
        raise ValueError(f"{error}{place}") from None
    return _leaf(K, training=reset)


def as_gram(K, *, training=True):
    """A Gram of a kernel from anywhere: square, or a block of new rows."""
    if not isinstance(K, Gram):
        K = check_array(K, accept_sparse="csr", dtype=FLOATS)
        return _leaf(K, training=training)
    if training:
        _check_square(K.shape)
    return K


def _leaf(K, *, training):
    """The Gram of a checked matrix, copied only where entries repeat."""
    K = canonical(K)
    leaf = SparseGram if issparse(K) else DenseGram
    if not training:
        return leaf(K)
    _check_square(K.shape)
    check_symmetric(K)
    return leaf.training(K)


def _first_not_finite(X):
    """Where the first NaN or infinity is, for the end of an error message."""
    values = X.tocoo() if issparse(X) else np.asarray(X)
    entries = values.data if issparse(X) else values
    if entries.dtype.kind != "f" or values.ndim != 2 or np.isfinite(entries).all():
        return ""
    at = np.argwhere(~np.isfinite(entries))[0]
    i, j = (values.row[at[0]], values.col[at[0]]) if issparse(X) else at
    return f"\nThe first is at K[{i}, {j}]."


def _check_gram(estimator, gram, *, reset):
    if reset:
        _check_square(gram.shape)
        estimator.n_features_in_ = gram.shape[1]
        vars(estimator).pop("feature_names_in_", None)
        return gram
    if gram.shape[1] != estimator.n_features_in_:
        raise ValueError(
            f"X has {gram.shape[1]} features, but {type(estimator).__name__} is "
            f"expecting {estimator.n_features_in_} features as input."
        )
    return gram


def _check_square(shape):
    if shape[0] != shape[1]:
        raise ValueError(f"A precomputed kernel must be square, got {shape}.")


def _looks_like_a_kernel(X):
    if X.shape[0] != X.shape[1] or X.shape[0] < 3:
        return False
    try:
        check_symmetric(X)
    except ValueError:
        return False
    return True

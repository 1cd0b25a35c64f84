"""What all estimators share: kernel parameters, input checks, tags."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from numbers import Integral, Real

import numpy as np
from scipy.sparse import issparse
from sklearn.utils.validation import check_is_fitted

from sklearn_kernelclust._gram._base import Gram
from sklearn_kernelclust._gram._checks import check_kernel, looks_like_a_kernel
from sklearn_kernelclust._gram._symmetry import check_symmetric_callable
from sklearn_kernelclust._kernels._degenerate import WITH_WIDTH, warn_if_degenerate
from sklearn_kernelclust._kernels._evaluate import KERNELS, fit_kernel
from sklearn_kernelclust._kernels._lazy_predict import (
    fitted_on_workers,
    predicted_later,
)
from sklearn_kernelclust._kernels._objects import Objects, are_features, check_objects
from sklearn_kernelclust._utils._arrays import like_input, publish
from sklearn_kernelclust._utils._block_checks import NEW_ROWS, check_blocks
from sklearn_kernelclust._utils._blocks import RowBlocks
from sklearn_kernelclust._utils._sklearn import (
    Interval,
    StrOptions,
    _fit_context,
)
from sklearn_kernelclust._utils._validation import (
    all_or_nothing,
    check_features,
    check_weight,
)
from sklearn_kernelclust._utils._warnings import LooksPrecomputedWarning, warn_user


class FitPredictMixin:
    """For clusterers that predict the clusters of new objects.

    A subclass has ``_fit(X, y)``, which remembers what it learns;
    ``_new_gram(X)``, which gives new objects as `KernelMixin` does;
    ``_predict(gram)``, which gives the clusters of those; and
    ``_squared_distances(gram)``, to the means of these clusters.
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
        publish(self, X)
        return self

    def predict(self, X):
        """Cluster of each object, by what was learnt in `fit`.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or Gram
            New objects: their features. What has a kernel also takes a Gram
            of them and the training objects, or the matrix of these
            similarities if ``kernel="precomputed"``. A dask array gives a
            lazy dask array.

        Returns
        -------
        labels : ndarray of shape (n_samples,)
            Index of the cluster each object belongs to.
        """
        check_is_fitted(self)
        if hasattr(X, "dask"):
            return predicted_later(self, X)
        return self._predict_now(X)

    def _predict_now(self, X):
        return like_input(self._predict(self._new_gram(X)), X)

    def _block_predictor(self):
        """What predicts a block of a dask array; None if no block can be alone."""
        return None if fitted_on_workers(self) else self.predict

    def score(self, X, y=None):
        """Minus the sum of squared distances of the objects to their cluster's mean.

        The cluster is the one that `predict` gives, its mean that of the training
        objects, and distances are those of `inertia_`: the score of the training
        objects is ``-inertia_``.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or Gram
            As for `predict`.

        y : Ignored
            Not used, present for API consistency by convention.

        Returns
        -------
        score : float
            Larger is better, for one kernel: scores of different kernels
            cannot be compared.
        """
        check_is_fitted(self)
        return -float(self._squared_distances(self._new_gram(X)).sum(dtype=np.float64))


class WeightedFitPredictMixin(FitPredictMixin):
    """For those among them that take weights: ``_fit(X, y, sample_weight)``."""

    @_fit_context(prefer_skip_nested_validation=True)
    @all_or_nothing
    def fit(self, X, y=None, sample_weight=None):
        """Compute the clustering.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or Gram
            Objects to cluster: their features. What has a kernel also takes a
            Gram, or the kernel matrix if ``kernel="precomputed"``.

        y : Ignored
            Not used, present for API consistency by convention.

        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the objects; all equal by default. An object of weight 2
            counts as two equal objects.

        Returns
        -------
        self : object
            Fitted estimator.
        """
        self._fit(X, y, sample_weight)
        publish(self, X)
        return self

    def score(self, X, y=None, sample_weight=None):
        """Minus the sum of squared distances of the objects to their cluster's mean.

        The cluster is the one that `predict` gives, its mean that of the training
        objects, and distances are those of `inertia_`: the score of the training
        objects, with their weights, is ``-inertia_``.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or Gram
            As for `predict`.

        y : Ignored
            Not used, present for API consistency by convention.

        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the objects; all equal by default.

        Returns
        -------
        score : float
            Larger is better, for one kernel: scores of different kernels
            cannot be compared.
        """
        check_is_fitted(self)
        squared = self._own_distances(X).astype(np.float64)
        weight = check_weight(sample_weight, len(squared))
        return -float(weight @ squared)

    def _own_distances(self, X):
        """Squared distances of objects to the means of their clusters."""
        return self._squared_distances(self._new_gram(X))


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

    def _training_gram(self, X, copy=True):
        """Gram of validated training data; of features, their fitted kernel too.

        `copy` is as for `check_features`; with None, a model that keeps the kernel
        has to keep it `with_own_features`.
        """
        if isinstance(X, Gram) or self._precomputed():
            if self._precomputed():
                self._check_kernel_params()
            gram = check_kernel(self, X, reset=True, accept_sparse="csr")
            # A lazy kernel was looked at where it was made. A sparse one is a graph.
            if not isinstance(X, Gram) and not issparse(X):
                warn_if_degenerate(gram)
            return gram, None
        kernel = self._fit_kernel(X, copy)
        gram = kernel.gram()
        if callable(self.kernel):
            check_symmetric_callable(gram)
        elif self.kernel in WITH_WIDTH:
            warn_if_degenerate(gram, kernel.gamma, self.gamma)
        return gram, kernel

    def _fit_kernel(self, X, copy=True):
        """The kernel of training features."""
        self._check_kernel_params()
        X = self._training_objects(X, copy)
        if not isinstance(X, (Objects, RowBlocks)) and looks_like_a_kernel(X):
            warn_user(
                f"X of shape {X.shape} is square and symmetric: it looks like a "
                f"kernel matrix, and kernel={self.kernel!r} takes its rows as "
                "features. Did you mean kernel='precomputed'?",
                LooksPrecomputedWarning,
            )
        return fit_kernel(
            X,
            kernel=self.kernel,
            gamma=self.gamma,
            degree=self.degree,
            coef0=self.coef0,
            kernel_params=self.kernel_params,
            center=self._moves_origin(),
        )

    def _training_objects(self, X, copy):
        """Validated training features, or objects of any kind for a callable."""
        if not callable(self.kernel) or are_features(X):
            return check_features(
                self, X, reset=True, copy=copy, on_workers=check_blocks
            )
        for name in ("n_features_in_", "feature_names_in_"):
            vars(self).pop(name, None)
        return check_objects(X)

    def _remember(self, kernel):
        """Keep a fitted kernel; None if a kernel matrix or a Gram was given."""
        self._kernel = kernel
        X = None if kernel is None else kernel.X
        self.X_fit_ = X.sequence if isinstance(X, (Objects, RowBlocks)) else X
        self.gamma_ = None if kernel is None else kernel.gamma

    def _new_gram(self, X):
        """Gram of new objects against the training objects."""
        if self._kernel is None:
            return check_kernel(self, X, reset=False, accept_sparse="csr")
        return self._kernel.against(self._check_features(X))

    def _check_features(self, X):
        """Validated features of new objects, or objects of any kind."""
        if isinstance(X, Gram):
            raise TypeError(
                f"This {type(self).__name__} was fitted on features, which may have "
                "been centred, and got a Gram: pass features, or fit it on a Gram too."
            )
        if isinstance(self._kernel.X, Objects):
            return check_objects(X)
        return check_features(self, X, **NEW_ROWS)

    def _moves_origin(self):
        """Whether the origin of feature space makes no difference."""
        return False

    def _check_kernel_params(self):
        if not self.kernel_params or callable(self.kernel):
            return
        if self._precomputed():
            warn_user(
                f"kernel_params={self.kernel_params!r} are ignored: "
                "kernel='precomputed' evaluates nothing."
            )
            return
        raise ValueError(
            f"kernel_params={self.kernel_params!r} are for a callable kernel; "
            f"kernel={self.kernel!r} takes gamma, degree and coef0."
        )


class OriginFreeKernelMixin(KernelMixin):
    """For estimators that do not mind where the origin of feature space is.

    The rounding of inner products does mind: dense features of a linear
    kernel are centred first, on the median of the training objects, which no
    outlier moves.
    """

    def _moves_origin(self):
        return True

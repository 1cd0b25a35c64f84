"""Several kernels as one."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import partial

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin, clone
from sklearn.utils import Bunch, check_array, get_tags
from sklearn.utils.validation import check_is_fitted, validate_data

from sklearn_kernelclust._gram._base import Gram
from sklearn_kernelclust._gram._checks import as_gram
from sklearn_kernelclust._gram._several import EntrywiseProductGram, SumGram
from sklearn_kernelclust._gram._wrappers import EntrywiseGram
from sklearn_kernelclust._kernels._entrywise import signed_power
from sklearn_kernelclust._utils._sklearn import (
    StrOptions,
    _BaseComposition,
    _fit_context,
    _num_samples,
    _safe_indexing,
    refuse_frame,
)
from sklearn_kernelclust._utils._validation import all_or_nothing


class KernelUnion(ClassNamePrefixFeaturesOutMixin, TransformerMixin, _BaseComposition):
    """Weighted sum or product of several kernels, each of its own columns.

    For objects that are described in several ways: text and numbers, title and
    body, strings and categories.

    Parameters
    ----------
    transformers : list of tuples
        ``(name, transformer)`` or ``(name, transformer, columns)``. A transformer
        gives a kernel, such as `PairwiseKernel`, or a pipeline that ends with one.
        It gets all of X, or its columns: a string or an integer, for which it gets
        one dimension, as vectorizers of texts want it; a list, slice or mask; or a
        callable that gives one of these for X, such as
        :func:`sklearn.compose.make_column_selector` does.

    weights : array-like of shape (n_kernels,), dict or None, default=None
        A weight for each kernel, in order or by name, not negative; 1 where a name
        is missing, and for None. A kernel with weight 0 is left out.

    normalize : bool, default=True
        Whether to divide each kernel by the mean of the self-similarities of the
        training objects, so that weights compare.

    combine : {"sum", "product"}, default="sum"
        - `"sum"`: objects are similar if they are so in one of the descriptions.
        - `"product"`: if they are so in all. A weight is a power of the kernel,
          which keeps the sign of each entry.

    Attributes
    ----------
    transformers_ : list of tuples
        Names, fitted transformers, and columns: None for all of X.

    named_transformers_ : :class:`~sklearn.utils.Bunch`
        Fitted transformers by name.

    weights_ : ndarray of shape (n_kernels,)
        Weights in the order of the kernels.

    scales_ : ndarray of shape (n_kernels,)
        What each kernel was divided by; 1 without `normalize`.

    n_features_in_ : int
        Number of columns seen during fit, if X has columns.

    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of columns seen during fit, if all are strings.

    See Also
    --------
    PairwiseKernel : One kernel of features.
    sklearn.compose.ColumnTransformer : Selects columns in the same way, and puts
        features side by side. Kernels must not be put side by side.

    Notes
    -----
    The result is an array if all kernels are arrays, and a Gram if one is lazy.
    A sum of factored kernels costs as much as their products.

    Parameters of the transformers are set by name, as ``text__gamma``, and so
    searched over; so are ``weights``.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_kernelclust import KernelUnion, PairwiseKernel
    >>> X = np.array([[1.0, 0.0, 2.0], [0.0, 1.0, 2.0]])
    >>> union = KernelUnion(
    ...     [
    ...         ("words", PairwiseKernel("cosine"), [0, 1]),
    ...         ("size", PairwiseKernel("linear"), [2]),
    ...     ],
    ...     weights={"size": 0.5},
    ... )
    >>> union.fit_transform(X)
    array([[1.5, 0.5],
           [0.5, 1.5]])
    >>> union.transform([[2.0, 0.0, 4.0]])
    array([[2., 1.]])
    """

    _parameter_constraints: dict = {
        "transformers": [list],
        "weights": ["array-like", dict, None],
        "normalize": ["boolean"],
        "combine": [StrOptions({"sum", "product"})],
    }

    def __init__(self, transformers, *, weights=None, normalize=True, combine="sum"):
        self.transformers = transformers
        self.weights = weights
        self.normalize = normalize
        self.combine = combine

    @property
    def _transformers(self):
        """Names and transformers, as the machinery of parameters wants them."""
        try:
            return [(name, transformer) for name, transformer, *_ in self.transformers]
        except (TypeError, ValueError):  # `fit` says what is wrong
            return self.transformers

    @_transformers.setter
    def _transformers(self, value):
        self.transformers = [
            (name, transformer, *columns)
            for (name, transformer), (_, _, *columns) in zip(value, self.transformers)
        ]

    def get_params(self, deep=True):
        """Parameters of this transformer, and those of its transformers by name.

        Parameters
        ----------
        deep : bool, default=True
            Whether to include those of the transformers.

        Returns
        -------
        params : dict
            Parameter names mapped to their values.
        """
        return self._get_params("_transformers", deep=deep)

    def set_params(self, **params):
        """Set parameters of this transformer or, by name, of its transformers.

        Parameters
        ----------
        **params : dict
            Parameters, those of a transformer as ``name__parameter``. The name of
            a transformer replaces it.

        Returns
        -------
        self : object
            This transformer.
        """
        self._set_params("_transformers", **params)
        return self

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.string = True
        # Kernels of one kernel matrix, of which searches take rows and columns.
        steps = self.transformers
        tags.input_tags.pairwise = bool(steps) and all(map(takes_kernel, steps))
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    @_fit_context(prefer_skip_nested_validation=False)
    @all_or_nothing
    def fit(self, X, y=None):
        """Fit the transformers.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features), \
                or sequence
            Training objects.

        y : array-like of shape (n_samples,), default=None
            Handed to the transformers.

        Returns
        -------
        self : object
            Fitted transformer.
        """
        self._fit(X, y)
        return self

    @_fit_context(prefer_skip_nested_validation=False)
    @all_or_nothing
    def fit_transform(self, X, y=None):
        """Fit the transformers and combine their kernels.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features), \
                or sequence
            Training objects.

        y : array-like of shape (n_samples,), default=None
            Handed to the transformers.

        Returns
        -------
        K : ndarray of shape (n_samples, n_samples) or Gram
            Kernel.
        """
        return self._output(self._fit(X, y), training=True)

    def transform(self, X):
        """Combined kernel of objects against the training objects.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_objects, n_features), \
                or sequence
            Objects, as for `fit`.

        Returns
        -------
        K : ndarray of shape (n_objects, n_samples) or Gram
            Kernel.
        """
        check_is_fitted(self)
        X = self._check_X(X, reset=False)
        kernels = []
        for (name, fitted, columns), weight in zip(self.transformers_, self.weights_):
            kernels.append(fitted.transform(select(X, columns)) if weight else None)
            if weight:
                check_shape(
                    name, fitted, kernels[-1], _num_samples(X), self._n_features_out
                )
        return self._output(kernels, training=False)

    def _fit(self, X, y):
        names = check_names(self)
        weights = resolve_weights(self.weights, names)
        X = self._check_X(X, reset=True)
        fitted, kernels = [], []
        for name, transformer, *columns in self.transformers:
            columns = resolve_columns(X, *columns)
            transformer = clone(transformer)
            K = transformer.fit_transform(select(X, columns), y)
            check_shape(name, transformer, K, _num_samples(X), _num_samples(X))
            kernels.append(K)
            fitted.append((name, transformer, columns))
        scales = [
            mean_self_similarity(name, K) if self.normalize and weight else 1.0
            for name, K, weight in zip(names, kernels, weights)
        ]
        self.transformers_, self.weights_, self.scales_ = fitted, weights, np.r_[scales]
        self._n_features_out = _num_samples(X)
        return kernels

    @property
    def named_transformers_(self):
        """Fitted transformers by name."""
        return Bunch(**{name: fitted for name, fitted, _ in self.transformers_})

    def _check_X(self, X, *, reset):
        with_columns = any(len(step) > 2 for step in self.transformers)
        if with_columns and not hasattr(X, "shape") and not hasattr(X, "columns"):
            X = check_array(X, dtype=None, ensure_all_finite=False)
        if isinstance(X, np.ndarray) and X.ndim == 1 and X.dtype.kind in "biuf":
            check_array(X)  # raises: numbers have columns
        if not isinstance(X, Gram):
            validate_data(self, X, skip_check_array=True, reset=reset)
        return X

    def _output(self, kernels, training):
        """The combination: an array of arrays, a Gram if one of them is a Gram."""
        used = np.flatnonzero(self.weights_)
        lazy = any(isinstance(kernels[i], Gram) for i in used)
        grams = [as_gram(kernels[i], training=training) for i in used]
        weights, scales = self.weights_[used], self.scales_[used]
        if self.combine == "sum":
            gram = SumGram(grams, list(weights / scales))
        else:
            powers = zip(grams, weights, scales)
            gram = EntrywiseProductGram([power(*factor) for factor in powers])
        if not lazy:
            return gram.native_array()
        refuse_frame(self)
        return gram


def takes_kernel(step):
    """Whether a step takes all of a kernel matrix, or of a matrix of distances."""
    if not isinstance(step, tuple) or len(step) != 2:
        return False
    transformer = step[1]
    if not hasattr(transformer, "transform"):
        return False
    return get_tags(transformer).input_tags.pairwise


def check_names(union):
    """The names of the transformers, after a look at the whole list."""
    for step in union.transformers:
        if not isinstance(step, tuple) or len(step) not in (2, 3):
            raise TypeError(
                "transformers must be tuples (name, transformer) or (name, "
                f"transformer, columns), got {step!r}."
            )
        if not hasattr(step[1], "transform"):
            raise TypeError(
                f"{step[0]!r} must be a transformer that gives a kernel, got "
                f"{step[1]!r}."
            )
    if not union.transformers:
        raise ValueError("transformers is empty: there is no kernel to take.")
    names = [name for name, *_ in union.transformers]
    union._validate_names(names)
    return names


def resolve_weights(weights, names):
    """Weights in the order of the names."""
    if isinstance(weights, dict):
        unknown = sorted(set(weights) - set(names), key=str)
        if unknown:
            raise ValueError(f"weights has {unknown[0]!r}, and the names are {names}.")
        weights = [weights.get(name, 1.0) for name in names]
    weights = np.ones(len(names)) if weights is None else np.asarray(weights, float)
    if weights.shape != (len(names),):
        raise ValueError(
            f"weights must be one number for each of {len(names)} kernels, got shape "
            f"{weights.shape}."
        )
    if not (np.isfinite(weights).all() and weights.min() >= 0 and weights.any()):
        raise ValueError(
            "weights must be finite, not negative, and not all zero, got "
            f"{weights.tolist()}."
        )
    return weights


def resolve_columns(X, columns=None):
    """Columns, asked of a callable; None for all of X."""
    return columns(X) if callable(columns) else columns


def select(X, columns):
    """The columns of a transformer."""
    return X if columns is None else _safe_indexing(X, columns, axis=1)


def check_shape(name, transformer, K, n_objects, n_samples):
    """Refuse what is no kernel of objects and the training objects."""
    if tuple(np.shape(K)) != (n_objects, n_samples):
        raise ValueError(
            f"{name!r} gave shape {np.shape(K)} for {n_objects} objects, expected a "
            f"kernel of shape {(n_objects, n_samples)}: end {transformer!r} with a "
            "kernel, such as PairwiseKernel."
        )


def mean_self_similarity(name, K):
    """What a kernel is divided by."""
    mean = float(as_gram(K).diagonal().mean(dtype=np.float64))
    if not mean > 0:
        raise ValueError(
            f"The mean self-similarity of {name!r} is {mean:.3g}, so that it cannot be "
            "normalized: use normalize=False, or another kernel."
        )
    return mean


def power(gram, weight, scale):
    """A normalized factor of a product, to a power."""
    left, right = (np.full(n, scale**-0.5, gram.dtype) for n in gram.shape)
    scaled = gram if scale == 1 else gram.scaled(left, right)
    return (
        scaled
        if weight == 1
        else EntrywiseGram(scaled, partial(signed_power, p=weight))
    )

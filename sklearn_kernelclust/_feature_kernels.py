"""Features to kernel matrices."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import partial
from numbers import Integral, Real
from warnings import warn

import numpy as np
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.neighbors import NearestNeighbors
from sklearn.utils.validation import check_is_fitted, validate_data

from sklearn_kernelclust._base import FLOATS, KernelMixin, all_or_nothing
from sklearn_kernelclust._gram import Gram
from sklearn_kernelclust._gram_wrappers import EntrywiseGram, scaled
from sklearn_kernelclust._kernels import (
    divide_by_power_mean,
    exponential,
    negative_distances,
)
from sklearn_kernelclust._sklearn import Interval, Options, _fit_context
from sklearn_kernelclust._training_rows import TrainingRows


class _FeatureKernel(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Features in, kernel out: an array, or a Gram if `lazy`.

    A subclass has ``_fit(X)``, which remembers and gives the training Gram.
    """

    @_fit_context(prefer_skip_nested_validation=True)
    @all_or_nothing
    def fit(self, X, y=None):
        """Remember the training objects.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Training objects.

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
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Training objects.

        y : Ignored
            Not used, present for API consistency by convention.

        Returns
        -------
        K : ndarray of shape (n_samples, n_samples) or Gram
            Kernel.
        """
        return self._output(self._fitted_gram(self._fit(X)), X)

    def _fitted_gram(self, gram):
        return gram

    def _output(self, gram, X):
        return gram if self.lazy or isinstance(X, Gram) else gram.toarray()


class PairwiseKernel(KernelMixin, _FeatureKernel):
    """Kernel of objects against the training objects.

    Parameters
    ----------
    kernel : str or callable, default="linear"
        A kernel of :func:`sklearn.metrics.pairwise.pairwise_kernels`,
        `"precomputed"` (which changes nothing), or a callable
        ``kernel(X, Y)`` that returns the whole block.

    gamma : float, "scale" or None, default=None
        Coefficient of the rbf, polynomial, sigmoid, laplacian and chi2
        kernels. None is ``1 / n_features`` (1 for chi2), `"scale"` is
        ``1 / (n_features * X.var())``.

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
    X_fit_ : ndarray or sparse matrix of shape (n_samples, n_features) or None
        Training objects, None if a kernel was given.

    gamma_ : float or None
        What `gamma` came to.

    n_features_in_ : int
        Number of features seen during fit.

    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of features seen during fit, if all are strings.

    See Also
    --------
    PowerMeanNormalizer : A kernel with unit self-similarities.
    LocalScalingKernel : A Gaussian kernel with a width for each object.

    Examples
    --------
    >>> from sklearn_kernelclust import PairwiseKernel
    >>> kernel = PairwiseKernel("linear").fit([[1.0, 0.0], [1.0, 2.0]])
    >>> kernel.transform([[3.0, 1.0]])
    array([[3., 5.]])
    >>> PairwiseKernel("linear", lazy=True).fit_transform([[1.0], [2.0]])
    <FactoredGram of shape (2, 2), float64>
    """

    _parameter_constraints: dict = {
        **KernelMixin._parameter_constraints,
        "lazy": ["boolean"],
    }

    def __init__(
        self,
        kernel="linear",
        *,
        gamma=None,
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

    def transform(self, X):
        """Kernel of objects against the training objects.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_objects, n_features)
            Objects.

        Returns
        -------
        K : ndarray of shape (n_objects, n_samples) or Gram
            Kernel.
        """
        check_is_fitted(self)
        return self._output(self._new_gram(X), X)

    def _fit(self, X):
        gram, X_fit, gamma = self._training_gram(X)
        self.X_fit_, self.gamma_ = X_fit, gamma
        self._n_features_out = gram.shape[1]
        return gram


class PowerMeanNormalizer(KernelMixin, _FeatureKernel):
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

    gamma : float, "scale" or None, default=None
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
        Training objects, None if a kernel was given.

    gamma_ : float or None
        What `gamma` came to.

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
    .. [1] J. Ah-Pine, "Normalized Kernels as Similarity Indices", PAKDD 2010.

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
        "t": [Interval(Real, 0, None, closed="left"), Options(Real, {np.inf})],
        "lazy": ["boolean"],
    }

    def __init__(
        self,
        t=0.0,
        *,
        kernel="linear",
        gamma=None,
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
        return self._output(normalized(gram, left, self.self_similarity_, self.t), X)

    def _fit(self, X):
        gram, X_fit, gamma = self._training_gram(X)
        rows = None
        if X_fit is None and not isinstance(X, Gram):
            rows = TrainingRows(gram, unless_constant=True)
        self.self_similarity_ = gram.diagonal()
        self.X_fit_, self.gamma_, self._rows = X_fit, gamma, rows
        self._n_features_out = gram.shape[1]
        return gram

    def _fitted_gram(self, gram):
        return normalized(gram, self.self_similarity_, self.self_similarity_, self.t)

    def _left(self, gram, given):
        """Self-similarities of the row objects, from wherever they are known."""
        if given is not None:
            given = np.asarray(given, dtype=gram.dtype)
            if given.shape != gram.shape[:1]:
                raise ValueError(
                    f"self_similarity must have shape {gram.shape[:1]}, got "
                    f"{given.shape}."
                )
            return given
        if gram._row_diagonal is not None:
            return gram.diagonal()
        known = self._rows.self_similarity(gram)
        if np.isnan(known).any():
            raise ValueError(
                f"The self-similarities k(y, y) of {np.isnan(known).sum()} new "
                "objects are not in a precomputed kernel, and the training objects "
                "differ in theirs: pass self_similarity=, or give features."
            )
        return known


class LocalScalingKernel(_FeatureKernel):
    """Gaussian kernel whose width adapts to the neighbourhood of each object.

    ``exp(-||x - y||^2 / (s_x s_y))``, where s_x is the distance of x to one of
    its nearest neighbours: the self-tuning kernel [1]_.

    Parameters
    ----------
    n_neighbors : int, default=7
        Which neighbour: the width of an object is its distance to the
        `n_neighbors`-th nearest training object other than itself.

    lazy : bool, default=False
        Whether to hand on a Gram instead of an array.

    Attributes
    ----------
    scale_ : ndarray of shape (n_samples,)
        Widths of the training objects.

    X_fit_ : ndarray or sparse matrix of shape (n_samples, n_features)
        Training objects.

    n_features_in_ : int
        Number of features seen during fit.

    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of features seen during fit, if all are strings.

    See Also
    --------
    PairwiseKernel : With ``kernel="rbf"``, one width for all.

    Notes
    -----
    An object that coincides with a training object is taken for it, and does
    not count among its own neighbours. With fewer training objects than
    `n_neighbors` the farthest is taken. Where the width is 0, because so many
    objects coincide, the kernel is 1 for those and 0 for all others.

    References
    ----------
    .. [1] L. Zelnik-Manor and P. Perona, "Self-Tuning Spectral Clustering",
       NIPS 2004.

    Examples
    --------
    >>> from sklearn_kernelclust import LocalScalingKernel
    >>> kernel = LocalScalingKernel(n_neighbors=1)
    >>> kernel.fit_transform([[0.0], [1.0], [3.0]]).round(2)
    array([[1.  , 0.37, 0.01],
           [0.37, 1.  , 0.14],
           [0.01, 0.14, 1.  ]])
    """

    _parameter_constraints: dict = {
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "lazy": ["boolean"],
    }

    def __init__(self, n_neighbors=7, *, lazy=False):
        self.n_neighbors = n_neighbors
        self.lazy = lazy

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    def transform(self, X):
        """Kernel of objects against the training objects.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_objects, n_features)
            Objects.

        Returns
        -------
        K : ndarray of shape (n_objects, n_samples) or Gram
            Kernel.
        """
        check_is_fitted(self)
        X = self._check(X, reset=False).astype(self.X_fit_.dtype, copy=False)
        scale = self._scales(self._neighbors, X, self.X_fit_)
        return self._output(local_scaling(X, self.X_fit_, scale, self.scale_), X)

    def _check(self, X, *, reset):
        return validate_data(self, X, accept_sparse="csr", dtype=FLOATS, reset=reset)

    def _fit(self, X):
        X = self._check(X, reset=True)
        neighbors = NearestNeighbors().fit(X)
        scale = self._scales(neighbors, X, X)
        self.X_fit_, self.scale_, self._neighbors = X, scale, neighbors
        self._n_features_out = X.shape[0]
        gram = local_scaling(X, X, scale, scale)
        gram.symmetric = True
        return gram

    def _scales(self, neighbors, X, X_fit):
        """Distance to the chosen neighbour; of coinciding objects one is x itself."""
        n_asked = min(self.n_neighbors + 1, X_fit.shape[0])
        distances, index = neighbors.kneighbors(X, n_neighbors=n_asked)
        itself = is_among(X, X_fit, index)
        which = np.minimum(self.n_neighbors - 1 + itself, n_asked - 1)
        scale = distances[np.arange(len(which)), which]
        return np.maximum(scale, np.finfo(X.dtype).tiny ** 0.25).astype(X.dtype)


def is_among(X, Y, index):
    """Whether one of the rows of `Y` at `index` is the row of `X` itself.

    By its features: the distance of an object to itself is not always 0.
    """
    found = np.zeros(X.shape[0], dtype=bool)
    for column in index.T:
        found |= np.asarray(abs(X - Y[column]).sum(axis=1)).ravel() == 0
    return found


def local_scaling(X, Y, scale_X, scale_Y):
    """Gram of the self-tuning Gaussian kernel."""
    return EntrywiseGram(
        negative_distances(X, Y), exponential, scale_X, scale_Y, dtype=Y.dtype
    )


def normalized(gram, left, right, t):
    """Gram over the mean of order `t` of the self-similarities of its objects."""
    for similarity in (left, right):
        check_self_similarity(similarity)
    if t == 0:
        return scaled(gram, _inverse_root(left), _inverse_root(right))
    return EntrywiseGram(
        gram,
        partial(divide_by_power_mean, t=t),
        left,
        right,
        row_diagonal=(left > 0).astype(gram.dtype),
        col_diagonal=(right > 0).astype(gram.dtype),
    )


def _inverse_root(similarity):
    root = np.sqrt(similarity)
    return np.divide(1, root, out=np.zeros_like(root), where=root > 0)


def check_self_similarity(similarity):
    """Refuse negative self-similarities, count those that are 0."""
    if similarity.min() < 0:
        i = int(similarity.argmin())
        raise ValueError(
            f"The self-similarity of object {i} is negative ({similarity[i]:.3g}): "
            "a kernel with a negative diagonal cannot be normalised."
        )
    n_zero = np.count_nonzero(similarity == 0)
    if n_zero:
        warn(
            f"{n_zero} objects have self-similarity 0: their rows of the normalised "
            "kernel are 0.",
            UserWarning,
            stacklevel=4,
        )

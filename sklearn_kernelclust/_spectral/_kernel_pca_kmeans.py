"""K-means on kernel principal components."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from numbers import Integral

import numpy as np
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    ClusterMixin,
    TransformerMixin,
)
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from sklearn_kernelclust._gram._weighted_center import (
    are_mean,
    shares,
    weighted_centered,
    weighted_products,
)
from sklearn_kernelclust._kernels._base import (
    OriginFreeKernelMixin,
    WeightedFitPredictMixin,
)
from sklearn_kernelclust._linalg._eigenpairs import leading_eigenpairs
from sklearn_kernelclust._spectral._label_assignment import (
    kmeans,
    labels_by,
    squared_distances,
    without_empty,
)
from sklearn_kernelclust._utils._arrays import like_input, on_host
from sklearn_kernelclust._utils._sklearn import Interval
from sklearn_kernelclust._utils._validation import (
    STARTS,
    check_n_clusters,
    weight_or_none,
)
from sklearn_kernelclust._utils._warnings import warn_user

# Residual relative to the largest eigenvalue: enough for what is clustered.
TOL = 1e-7

# Rounding of a product with a kernel, in units of n eps times its largest
# self-similarity: up to 3 were seen where all objects are the same (n = 3000).
NOISE = 8


class KernelPCAKMeans(
    WeightedFitPredictMixin,
    OriginFreeKernelMixin,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
    ClusterMixin,
    BaseEstimator,
):
    """K-means on the leading principal components of a kernel.

    The objects are embedded by the leading eigenvectors of the (centred)
    kernel, scaled by the roots of their eigenvalues [1]_.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters.

    kernel : str or callable, default="rbf"
        A kernel of :func:`sklearn.metrics.pairwise.pairwise_kernels`,
        `"precomputed"`, or a callable ``kernel(X, Y)`` that returns the whole
        block.

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

    n_components : int or None, default=None
        Number of components, None is ``n_clusters - 1`` (at least 1). There
        are fewer if the kernel has fewer positive eigenvalues.

    center : bool, default=True
        Whether to move the mean of the objects to the origin of feature space.

    n_init : int, default=10
        Number of starts of k-means.

    random_state : int, RandomState instance or None, default=None
        Determines the starts.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Cluster of each object.

    inertia_ : float
        Sum of squared distances of the embedded objects to the mean of their
        cluster.

    embedding_ : ndarray of shape (n_samples, `n_components_`)
        Eigenvectors, scaled by the roots of their eigenvalues.

    eigenvalues_ : ndarray of shape (`n_components_`,)
        Leading eigenvalues of the (centred) kernel, in descending order.

    n_components_ : int
        Number of components. Eigenvalues up to ``n * eps`` times the largest
        are rounding: their components are left out, with a warning.

    cluster_centers_ : ndarray of shape (n_clusters, `n_components_`)
        Means of the clusters in the embedding.

    X_fit_ : ndarray or sparse matrix of shape (n_samples, n_features) or None
        Training features, a copy of the model's own; None if a kernel was given.

    gamma_ : float or None
        Value of `gamma` used.

    n_features_in_ : int
        Number of features seen during fit (of columns of a kernel).

    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of features seen during fit, if all are strings.

    See Also
    --------
    KernelKMeans : K-means in all of feature space.
    SpectralClustering : Eigenvectors of a Laplacian of the kernel.
    PowerMeanNormalizer : The normalised kernels this was proposed with.
    sklearn.decomposition.KernelPCA : The components alone.

    Notes
    -----
    Only the positive eigenvalues of an indefinite kernel are used; a kernel
    without any is an error. If all objects are the same, there is one cluster,
    with a warning.

    Eigenvectors come from products with the kernel, which is centred
    implicitly: no second matrix of its size is made. With all components of a
    positive semi-definite kernel the objective is that of `KernelKMeans`. New
    objects are projected on the components and go to the nearest mean there.

    References
    ----------
    .. [1] Julien Ah-Pine, "Normalized Kernels as Similarity Indices", PAKDD 2010.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_kernelclust import KernelPCAKMeans
    >>> X = np.array([[0.0, 0], [0, 1], [1, 0], [5, 5], [5, 6], [6, 5]])
    >>> model = KernelPCAKMeans(2, kernel="linear", random_state=0).fit(X)
    >>> len(set(model.labels_[:3])), len(set(model.labels_[3:]))
    (1, 1)
    >>> model.embedding_.shape
    (6, 1)
    >>> model.predict([[1.0, 1.0], [4.0, 4.0]]) == model.labels_[[0, 3]]
    array([ True,  True])
    """

    _parameter_constraints: dict = {
        **WeightedFitPredictMixin._parameter_constraints,
        **OriginFreeKernelMixin._parameter_constraints,
        **STARTS,
        "n_components": [Interval(Integral, 1, None, closed="left"), None],
        "center": ["boolean"],
    }

    def __init__(
        self,
        n_clusters=8,
        *,
        kernel="rbf",
        gamma="scale",
        degree=3,
        coef0=1,
        kernel_params=None,
        n_components=None,
        center=True,
        n_init=10,
        random_state=None,
    ):
        self.n_clusters = n_clusters
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.n_components = n_components
        self.center = center
        self.n_init = n_init
        self.random_state = random_state

    def _fit(self, X, y, sample_weight=None):
        gram, kernel = self._training_gram(X)
        check_n_clusters(self, gram.shape[0])
        weight = weight_or_none(sample_weight, gram.shape[0])
        gram = gram.stored()
        rng = check_random_state(self.random_state)

        values, coef, offset = self._components(gram, weight)
        embedding = (gram @ coef - offset).astype(gram.dtype)
        rule = kmeans(embedding, self.n_clusters, self.n_init, rng, weight)
        labels, rule = without_empty(rule, embedding)
        distances = squared_distances(embedding, rule.centers, labels)

        self.labels_, self.embedding_ = labels, embedding
        self.inertia_ = float(distances.sum() if weight is None else weight @ distances)
        self.eigenvalues_, self.n_components_ = values, len(values)
        self.cluster_centers_ = rule.centers
        self._remember(kernel)
        self._coef, self._offset, self._rule = coef, offset, rule
        self._n_features_out = len(values)

    def transform(self, X):
        """Project objects on the components.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or Gram
            As for `predict`.

        Returns
        -------
        embedding : ndarray of shape (n_samples, `n_components_`)
            Coordinates of the objects.
        """
        check_is_fitted(self)
        return like_input(self._embedded(self._new_gram(X)), X)

    def _predict(self, gram):
        return labels_by(self._rule, self._embedded(gram))

    def _squared_distances(self, gram):
        embedding = self._embedded(gram)
        labels = labels_by(self._rule, embedding)
        return squared_distances(embedding, on_host(self.cluster_centers_), labels)

    def _embedded(self, gram):
        return (gram @ self._coef - self._offset).astype(self._coef.dtype)

    def _moves_origin(self):
        return self.center

    def _components(self, gram, weight):
        """Eigenvalues, and the coefficients and offset that project a kernel row."""
        wanted = self.n_components or max(self.n_clusters - 1, 1)
        moved = weighted_centered(gram, weight) if self.center else gram
        values, vectors = leading_components(gram, moved, wanted, weight)
        if not len(values):
            if gram.shape[0] > 1:
                warn_user(
                    f"All {gram.shape[0]} objects are the same to the kernel: there "
                    "is no component, and one cluster.",
                )
            zero = np.zeros((gram.shape[0], 1), gram.dtype)
            return np.zeros(1, gram.dtype), zero, np.zeros(1, gram.dtype)
        if len(values) < wanted and (self.n_components or len(vectors) > wanted):
            warn_user(
                f"The kernel of {len(vectors)} objects has {len(values)} positive "
                f"eigenvalues among its leading {wanted}: n_components_="
                f"{len(values)}.",
            )
        return values, *projection(gram, moved, values, vectors, weight)


def leading_components(gram, moved, k, weight=None):
    """Up to `k` leading eigenpairs whose eigenvalues are positive beyond rounding.

    `moved` is the Gram, or the centred Gram.

    None where all objects are the same (or zero, if not centred); a kernel with
    no positive eigenvalue is refused.
    """
    n, size = gram.shape[0], np.abs(gram.diagonal()).max()
    floor = n * np.finfo(gram.dtype).eps * size
    floor *= 1.0 if weight is None else float(weight.max())
    is_centered, operator = moved is not gram, weighted_products(moved, weight)
    is_rounding = has_no_size(operator, NOISE * floor)
    if is_rounding and (not is_centered or all_equal(gram)):
        return np.empty(0, gram.dtype), np.empty((n, 0), gram.dtype)
    values, vectors = leading_eigenpairs(operator, k, noise=NOISE * floor, tol=TOL)
    positive = values > max(floor, n * np.finfo(gram.dtype).eps * values[0])
    if is_centered:
        positive &= ~are_mean(vectors, weight)
    if not (positive.any() or is_rounding):
        raise ValueError(
            f"The kernel has no positive eigenvalue (its largest is {values[0]:.3g}"
            f"{' after centring' if is_centered else ''}): did you pass distances, or "
            "negative ones?"
        )
    return values[positive], vectors[:, positive]


def has_no_size(operator, floor):
    """Whether neither an entry of the diagonal nor a product is above rounding."""
    if np.abs(operator.diagonal()).max() > floor:
        return False
    probe = np.random.RandomState(0).standard_normal(operator.shape[0])
    probe = (probe - probe.mean()).astype(operator.dtype)
    return np.linalg.norm(operator @ probe) <= floor * np.linalg.norm(probe)


def all_equal(gram):
    """Whether no object is at a distance from the first, beyond rounding.

    Entries are compared, not sums of them, whose rounding depends on the machine.
    """
    diagonal = gram.diagonal()
    first = gram.restrict([0], np.arange(len(diagonal))).toarray()[0]
    squared = diagonal[0] + diagonal - 2 * first
    rounding = 16 * np.finfo(gram.dtype).eps * np.abs(diagonal).max()
    return bool(np.abs(squared).max() <= rounding)


def projection(gram, moved, values, vectors, weight=None):
    """C and b such that ``K_new @ C - b`` are the coordinates of new objects.

    `moved` is the Gram, or the centred Gram.
    """
    coef = vectors / np.sqrt(values)
    if weight is not None:
        coef *= np.sqrt(weight)[:, None].astype(coef.dtype)
    if moved is gram:
        return coef, np.zeros(len(values), coef.dtype)
    share = shares(weight, len(coef))
    if weight is None:
        coef = coef - coef.mean(axis=0)
    else:
        coef = coef - np.outer(share, coef.sum(axis=0)).astype(coef.dtype)
    means = gram @ share if gram.factor() is not None else moved.row_means
    return coef, (means @ coef).astype(coef.dtype)

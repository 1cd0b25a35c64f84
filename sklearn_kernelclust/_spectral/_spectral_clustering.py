"""Spectral clustering."""

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
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import normalize
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from sklearn_kernelclust._gram._base import Gram
from sklearn_kernelclust._gram._training_rows import TrainingRows, row_self_similarity
from sklearn_kernelclust._kernels._base import FitPredictMixin, KernelMixin
from sklearn_kernelclust._kernels._evaluate import KERNELS
from sklearn_kernelclust._spectral._graph import (
    Graph,
    check_weights,
    grouped,
    warn_of_leftovers,
    weight_floor,
)
from sklearn_kernelclust._spectral._label_assignment import (
    ASSIGNMENTS,
    LargestCoordinate,
    cluster_means,
    labels_by,
    squared_distances,
    without_empty,
)
from sklearn_kernelclust._spectral._laplacians import (
    Extension,
    is_flat,
    smallest_eigenvectors,
)
from sklearn_kernelclust._spectral._neighbors import NeighborGraph
from sklearn_kernelclust._utils._arrays import like_input, on_host
from sklearn_kernelclust._utils._sklearn import Interval, StrOptions
from sklearn_kernelclust._utils._validation import (
    STARTS,
    check_features,
    check_n_clusters,
)
from sklearn_kernelclust._utils._warnings import warn_user

NEIGHBORS = "nearest_neighbors"


class SpectralClustering(
    FitPredictMixin,
    KernelMixin,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
    ClusterMixin,
    BaseEstimator,
):
    """Spectral clustering that, unlike scikit-learn's, predicts new objects.

    It also offers all three Laplacians of a graph [1]_, takes sparse and lazy
    kernels without making them dense, and explains which property of a graph
    prevents a clustering. The kernel holds the weights of the edges; its diagonal
    is ignored, because an edge from an object to itself cuts nothing.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters.

    kernel : str or callable, default="rbf"
        A kernel of :func:`sklearn.metrics.pairwise.pairwise_kernels`,
        `"precomputed"`, or a callable ``kernel(X, Y)`` that returns the whole
        block. No entry but those of the diagonal may be negative.
        `"nearest_neighbors"` links each object with its nearest others.

    n_neighbors : int, default=10
        Number of links from each object, for ``kernel="nearest_neighbors"``.

    gamma : float, "scale" or None, default=None
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

    laplacian : {"random-walk", "symmetric", "unnormalized"}, \
            default="random-walk"
        Whose eigenvectors embed the objects: ``I - D^-1 A`` (Shi and Malik),
        ``I - D^-1/2 A D^-1/2`` with rows scaled to length 1 (Ng, Jordan and
        Weiss), or ``D - A``; D has the degrees, the sums of the weights A.

    assign_labels : {"kmeans", "discretize", "cluster_qr"}, default="kmeans"
        How the embedding becomes clusters: k-means; the rotation that brings
        the rows nearest to the axes [2]_; or axes from a pivoted QR
        decomposition [3]_, which has no random start.

    n_init : int, default=10
        Number of starts of `"kmeans"` and `"discretize"`.

    random_state : int, RandomState instance or None, default=None
        Determines the starts.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Cluster of each object.

    embedding_ : ndarray of shape (n_samples, n_clusters)
        Eigenvectors of the Laplacian, the constant one first. Their mean
        square is 1 (weighted by the degrees for `"random-walk"`); for
        `"symmetric"` each row has length 1.

    inertia_ : float
        Sum of squared distances, in the embedding, of the objects to the mean of
        their cluster.

    eigenvalues_ : ndarray of shape (n_clusters,)
        Smallest eigenvalues of the Laplacian, in ascending order.

    degrees_ : ndarray of shape (n_samples,)
        Sum of the weights of each object, 0 for isolated objects.

    n_connected_components_ : int
        Number of connected components of the graph, without isolated objects.

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
    KernelKMeans : Lowers the normalised cut further from these labels.
    KernelPCAKMeans : Leading eigenvectors of the kernel itself.
    sklearn.cluster.SpectralClustering : Random-walk Laplacian, no `predict`.

    Notes
    -----
    Eigenvectors come from products with the kernel, which is neither copied nor
    made dense. There are two exceptions: if there are isolated objects, the
    kernel of the other objects is copied, and a kernel evaluated from features is
    stored if it fits `working_memory`.

    Connected components are found first. If there are `n_clusters` of them, they
    are the clusters. If there are more, the ``n_clusters - 1`` largest are
    clusters, all others together are one cluster, and a warning says so. Objects
    are isolated if their weights are 0 or smaller than the rounding of their
    self-similarity: they join the largest cluster, with a warning. A graph
    without edges and negative weights are errors; every weight is checked
    (a product of factors without negative entries needs no check).

    New objects are embedded by the Nyström extension, in a form that is
    continuous in the object and exact at training objects. These are recognised
    and get their labels back. New objects that are similar to isolated training
    objects only, or to none, join the largest cluster. With `"unnormalized"`, a
    new object whose weights sum to less than the largest of `eigenvalues_` is
    treated as an outlier of the training objects.

    References
    ----------
    .. [1] U. von Luxburg, "A Tutorial on Spectral Clustering", Statistics and
       Computing 17(4), 2007.
    .. [2] S. X. Yu and J. Shi, "Multiclass Spectral Clustering", ICCV 2003.
    .. [3] A. Damle, V. Minden and L. Ying, "Simple, direct and efficient
       multi-way spectral clustering", Information and Inference 8(1), 2019.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_kernelclust import SpectralClustering
    >>> X = np.array([[0.0, 0], [0, 1], [1, 0], [5, 5], [5, 6], [6, 5]])
    >>> model = SpectralClustering(n_clusters=2, random_state=0).fit(X)
    >>> len(set(model.labels_[:3])), len(set(model.labels_[3:]))
    (1, 1)
    >>> model.predict([[1.0, 1.0], [4.0, 4.0]]) == model.labels_[[0, 3]]
    array([ True,  True])
    """

    _parameter_constraints: dict = {
        **FitPredictMixin._parameter_constraints,
        **KernelMixin._parameter_constraints,
        **STARTS,
        "kernel": [StrOptions({*KERNELS, "precomputed", NEIGHBORS}), callable],
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "laplacian": [StrOptions({"random-walk", "symmetric", "unnormalized"})],
        "assign_labels": [StrOptions(set(ASSIGNMENTS))],
    }

    def __init__(
        self,
        n_clusters=8,
        *,
        kernel="rbf",
        n_neighbors=10,
        gamma=None,
        degree=3,
        coef0=1,
        kernel_params=None,
        laplacian="random-walk",
        assign_labels="kmeans",
        n_init=10,
        random_state=None,
    ):
        self.n_clusters = n_clusters
        self.kernel = kernel
        self.n_neighbors = n_neighbors
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.laplacian = laplacian
        self.assign_labels = assign_labels
        self.n_init = n_init
        self.random_state = random_state

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = self._precomputed()
        return tags

    def _training_gram(self, X):
        if isinstance(X, Gram) or callable(self.kernel) or self.kernel != NEIGHBORS:
            return super()._training_gram(X)
        self._check_kernel_params()
        X = check_features(self, X, reset=True, copy=True)
        graph = NeighborGraph(X, self.n_neighbors)
        return graph.gram(), graph

    def _fit(self, X, y):
        gram, kernel = self._training_gram(X)
        graph = self._graph(gram)
        rng = check_random_state(self.random_state)

        kept = np.flatnonzero(~graph.isolated)
        inner = graph if len(kept) == len(graph.degree) else graph.restrict(kept)
        component = inner.components()
        group = grouped(component, self.n_clusters)
        values, U = smallest_eigenvectors(
            inner, group, self.n_clusters, self._normalized()
        )
        labels, rule = self._assign(self._scaled(U), inner, group, values, rng)
        sums = inner.degree + inner.diagonal
        extension = Extension(sums, inner.diagonal, values, self._normalized())
        rows = TrainingRows(graph.gram)

        warn_of_leftovers(graph, component, labels, self.n_clusters)
        self._largest = np.bincount(labels).argmax()
        self.labels_ = np.full(len(graph.degree), self._largest)
        self.labels_[kept] = labels
        self._vectors = np.zeros((len(graph.degree), U.shape[1]), U.dtype)
        self._vectors[kept] = U
        self._remember_embedding(self._scaled(self._vectors))
        self.eigenvalues_, self.degrees_ = values, graph.degree
        self.n_connected_components_ = component.max() + 1
        self._remember(kernel)
        self._rule, self._extension, self._rows = rule, extension, rows
        self._n_features_out = U.shape[1]

    def _remember_embedding(self, embedding):
        self.embedding_ = embedding
        self._means = cluster_means(embedding, self.labels_)
        distances = squared_distances(embedding, self._means, self.labels_)
        self.inertia_ = float(distances.sum(dtype=np.float64))

    def transform(self, X):
        """Evaluate the eigenvectors at each object by the Nyström extension.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or Gram
            As for `predict`.

        Returns
        -------
        embedding : ndarray of shape (n_samples, n_clusters)
            Rows of `embedding_` for training objects; zeros for objects
            without similarity to any training object.
        """
        check_is_fitted(self)
        return like_input(self._extend(self._new_gram(X))[0], X)

    def _predict(self, gram):
        return self._label(*self._extend(gram))

    def _squared_distances(self, gram):
        embedding, index, isolated = self._extend(gram)
        labels = self._label(embedding, index, isolated)
        return squared_distances(embedding, self._means, labels)

    def _label(self, embedding, index, isolated):
        labels = labels_by(self._rule, embedding)
        labels[isolated] = self._largest
        labels[index >= 0] = on_host(self.labels_)[index[index >= 0]]
        return labels

    def _normalized(self):
        return self.laplacian != "unnormalized"

    def _scaled(self, U):
        return normalize(U) if self.laplacian == "symmetric" else U

    def _graph(self, gram):
        """Graph of the training objects, after all checks of it."""
        n_samples = gram.shape[0]
        if n_samples < 2:
            raise ValueError(
                f"n_samples={n_samples}: a minimum of 2 is required by "
                f"{type(self).__name__}."
            )
        check_n_clusters(self, n_samples)
        gram = gram.stored()
        check_weights(gram)
        graph = Graph(gram)
        n_isolated = np.count_nonzero(graph.isolated)
        if n_isolated == n_samples:
            raise ValueError(
                f"The affinity of {n_samples} objects has no edges: no object is "
                "similar to any other, beside its own self-similarity. Is gamma too "
                "large?"
            )
        if n_samples - n_isolated < self.n_clusters:
            raise ValueError(
                f"Only {n_samples - n_isolated} of {n_samples} objects have edges, "
                f"fewer than n_clusters={self.n_clusters}."
            )
        return graph

    def _assign(self, embedding, graph, group, values, rng):
        """Labels of the embedded objects, and the rule that labels new ones."""
        if group.max() + 1 == self.n_clusters:
            mass = graph.degree if self._normalized() else None
            share = np.sqrt(np.bincount(group, weights=mass))
            # Undo the scale of the vectors: what is left is shares of affinity.
            axes = np.diag(share / share.max()).astype(embedding.dtype)
            return group, LargestCoordinate(axes)
        if is_flat(values, graph, self._normalized()):
            n_left = len(group) - len(values)
            alike = f"is equal to all {n_left} that follow" if n_left else "is the last"
            warn_user(
                f"No eigengap: eigenvalue {self.n_clusters} of the Laplacian, "
                f"{values[-1]:.6g}, {alike}. Nothing in the graph sets "
                f"{self.n_clusters} clusters apart.",
                ConvergenceWarning,
            )
        rule = ASSIGNMENTS[self.assign_labels](
            embedding, self.n_clusters, self.n_init, rng
        )
        return without_empty(rule, embedding)

    def _extend(self, gram):
        """Of each row: embedding, index as a training object or -1, isolated or not."""
        connected = (on_host(self.degrees_) > 0)[:, None].astype(self._vectors.dtype)
        product = gram @ np.hstack([self._vectors, connected])
        S, sums = product[:, :-1], product[:, -1]
        index = self._rows.match(gram)
        self_similarity = row_self_similarity(gram, self._rows, index=index)
        isolated = sums <= weight_floor(len(connected), self_similarity)
        sums[isolated] = 0
        U = self._extension(S, sums, self_similarity)
        U[index >= 0] = self._vectors[index[index >= 0]]
        return self._scaled(U.astype(self._vectors.dtype)), index, isolated

"""Predictions for clusterers that have none."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.sparse import csr_array, issparse
from sklearn.base import BaseEstimator, ClusterMixin, MetaEstimatorMixin, clone
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from sklearn_kernelclust._gram._base import Gram
from sklearn_kernelclust._gram._checks import check_kernel
from sklearn_kernelclust._gram._wrappers import EntrywiseGram
from sklearn_kernelclust._kernels._entrywise import minus_half_square
from sklearn_kernelclust._kernels._evaluate import fit_kernel
from sklearn_kernelclust._kernels._metric import check_distances
from sklearn_kernelclust._kmeans._means import nearest
from sklearn_kernelclust._model_selection._fit_params import RoutingMixin, of_objects
from sklearn_kernelclust._utils._sklearn import (
    HasMethods,
    StrOptions,
    _check_sample_weight,
    _fit_context,
    _num_samples,
    _safe_indexing,
)
from sklearn_kernelclust._utils._tolerances import DISTANCE_TIE
from sklearn_kernelclust._utils._validation import all_or_nothing, check_features

PRECOMPUTED = "precomputed"


def _classifier_has(method):
    """Whether the classifier has a method."""

    def check(self):
        getattr(self.classifier, method)
        return True

    return check


class InductiveClusterer(RoutingMixin, ClusterMixin, MetaEstimatorMixin, BaseEstimator):
    """Predict the clusters of new objects, for clusterers that cannot.

    `AgglomerativeClustering`, `HDBSCAN` and others label their training objects
    only. A classifier learns these labels and predicts those of new objects.

    Parameters
    ----------
    estimator : clusterer
        Any clusterer with `fit` and `labels_`. It is cloned.

    classifier : "nearest-mean" or classifier, default="nearest-mean"
        `"nearest-mean"` predicts the cluster with the nearest mean. If the
        clusterer takes a kernel matrix, a Gram or a matrix of distances
        (``metric="precomputed"``), this is the mean in the space that the kernel or
        the distances describe. A classifier of scikit-learn is cloned.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Labels of the clusterer; noise is -1.

    estimator_ : clusterer
        The fitted clusterer.

    classifier_ : classifier or None
        The fitted classifier; None for `"nearest-mean"`.

    clusters_ : ndarray of shape (n_clusters,)
        Labels that may be predicted: those of `labels_` without -1.

    n_features_in_ : int
        Number of features seen during fit, if the clusterer has it.

    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of features seen during fit, if the clusterer has them.

    See Also
    --------
    PredictionStrengthK : Chooses the number of clusters of what predicts.

    Notes
    -----
    Objects that the clusterer calls noise are not learnt from, and each object is
    predicted to be in a cluster. The prediction of a training object may differ
    from its label, where the shape of the clusters is not that of the classifier.
    For elongated clusters, use ``KNeighborsClassifier``.

    Examples
    --------
    >>> from sklearn.cluster import AgglomerativeClustering
    >>> from sklearn_kernelclust import InductiveClusterer
    >>> X = [[0.0], [1.0], [8.0], [9.0]]
    >>> model = InductiveClusterer(AgglomerativeClustering(2)).fit(X)
    >>> model.predict([[2.0], [7.0]]) == model.labels_[1:3]
    array([ True,  True])
    """

    _parameter_constraints: dict = {
        "estimator": [HasMethods(["fit"])],
        "classifier": [StrOptions({"nearest-mean"}), HasMethods(["fit", "predict"])],
    }

    def __init__(self, estimator, classifier="nearest-mean"):
        self.estimator = estimator
        self.classifier = classifier

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self.estimator).input_tags
        tags.input_tags.pairwise |= self._given_distances()
        return tags

    @_fit_context(prefer_skip_nested_validation=False)
    @all_or_nothing
    def fit(self, X, y=None, **params):
        """Cluster the objects, and learn to predict the labels.

        Parameters
        ----------
        X : array-like, sparse matrix, sequence or Gram
            Training objects, as the clusterer takes them.

        y : Ignored
            Not used, present for API consistency by convention.

        **params : dict
            Parameters of the clusterer's `fit`, such as ``sample_weight``, which
            the means count too; with metadata routing, those of the classifier's.

        Returns
        -------
        self : object
            Fitted estimator.
        """
        params = self._fit_params(params)
        estimator = clone(self.estimator)
        estimator.fit(untouched(estimator, X), **params["estimator"])
        labels = np.asarray(estimator.labels_)
        if len(labels) != _num_samples(X):
            raise ValueError(
                f"{type(estimator).__name__} gives {len(labels)} labels for "
                f"{_num_samples(X)} objects: it must be a clusterer of objects."
            )
        clusters = np.unique(labels[labels >= 0])
        if not len(clusters):
            raise ValueError(
                f"{type(estimator).__name__} calls all {len(labels)} objects noise: "
                "there are no clusters to predict."
            )
        for name in ("n_features_in_", "feature_names_in_"):
            vars(self).pop(name, None)
            if hasattr(estimator, name):
                setattr(self, name, getattr(estimator, name))
        self._learn(X, labels, clusters, params)
        self.estimator_, self.labels_, self.clusters_ = estimator, labels, clusters
        return self

    def predict(self, X):
        """Cluster of each object.

        Parameters
        ----------
        X : array-like, sparse matrix, sequence or Gram
            Objects: features, or similarities or distances to the training
            objects where the clusterer takes those.

        Returns
        -------
        labels : ndarray of shape (n_objects,)
            Labels of clusters, never -1.
        """
        check_is_fitted(self)
        if self._means is not None:
            return self.clusters_[self._means.nearest(self._new_gram(X))]
        if self.classifier_ is None:  # one cluster, which classifiers refuse
            return np.full(_num_samples(X), self.clusters_[0])
        return self.classifier_.predict(self._columns(X))

    @available_if(_classifier_has("predict_proba"))
    def predict_proba(self, X):
        """Probabilities of the clusters, if the classifier has them.

        Parameters
        ----------
        X : array-like, sparse matrix or sequence
            Objects, as for `predict`.

        Returns
        -------
        probabilities : ndarray of shape (n_objects, n_clusters)
            In the order of `clusters_`.
        """
        check_is_fitted(self)
        if self.classifier_ is None:
            return np.ones((_num_samples(X), 1))
        return self.classifier_.predict_proba(self._columns(X))

    def _routed(self):
        others = {"estimator": self.estimator}
        return others if self._by_means() else others | {"classifier": self.classifier}

    def _by_means(self):
        return isinstance(self.classifier, str)

    def _learn(self, X, labels, clusters, params):
        kept = np.flatnonzero(labels >= 0)
        self._means = self.classifier_ = self._kept = None
        if self._by_means():
            weight = params["estimator"].get("sample_weight")
            gram = self._training_gram(X)
            self._means = KernelMeans(gram, labels, clusters, weight)
        elif len(clusters) > 1:
            classifier = clone(self.classifier)
            if get_tags(classifier).input_tags.pairwise:
                self._kept = kept
            part = self._columns(_safe_indexing(X, kept))
            of_kept = of_objects(params["classifier"], kept, len(labels))
            self.classifier_ = classifier.fit(part, labels[kept], **of_kept)

    def _columns(self, X):
        """The columns of objects in clusters, of a kernel or of distances."""
        return X if self._kept is None else X[:, self._kept]

    def _training_gram(self, X):
        """Inner products of the training objects, up to their origin."""
        self._kernel = None
        if not self._given_pairs(X):
            X = check_features(self, X, reset=True, copy=True)
            self._kernel = fit_kernel(X, kernel="linear", center=True)
            return self._kernel.gram()
        return self._pairs(X, reset=True)

    def _new_gram(self, X):
        if self._kernel is not None:
            return self._kernel.against(check_features(self, X, reset=False))
        return self._pairs(X, reset=False)

    def _given_distances(self):
        # AgglomerativeClustering has no tag that says so.
        params = self.estimator.get_params(deep=False)
        return isinstance(params.get("metric"), str) and params["metric"] == PRECOMPUTED

    def _given_pairs(self, X):
        pairwise = get_tags(self.estimator).input_tags.pairwise
        return isinstance(X, Gram) or pairwise or self._given_distances()

    def _pairs(self, X, reset):
        """The Gram of a kernel, or of ``-D^2 / 2`` of distances."""
        if isinstance(X, Gram) or not self._given_distances():
            return check_kernel(self, X, reset=reset, accept_sparse="csr")
        return EntrywiseGram(check_distances(self, X, reset=reset), minus_half_square)


def untouched(estimator, X):
    """X for a clusterer, a copy if that may write into it.

    HDBSCAN writes into distances by default, and the means are taken of them, too.
    """
    writes = estimator.get_params(deep=False).get("copy", True) is not True
    return X.copy() if writes and (isinstance(X, np.ndarray) or issparse(X)) else X


class KernelMeans:
    """Means of clusters in the space of a Gram.

    Parameters
    ----------
    gram : Gram
        Of the training objects.
    labels : ndarray
        Their labels; those that are not in `clusters` count for no mean.
    clusters : ndarray
        Labels of the clusters.
    weight : array-like, float or None
        Weights of the objects; 1 by default, 0 for negative ones. A cluster without
        weight has the mean of its objects.
    """

    def __init__(self, gram, labels, clusters, weight=None):
        kept = np.flatnonzero(np.isin(labels, clusters))
        code = np.searchsorted(clusters, labels[kept])
        # Clusterers that take negative weights keep objects from being in a cluster.
        weight = _check_sample_weight(weight, np.empty((len(labels), 1)))[kept].clip(0)
        mass = np.bincount(code, weights=weight)[code]
        share = np.where(mass > 0, weight / np.where(mass > 0, mass, 1), 0)
        share = np.where(mass > 0, share, 1 / np.bincount(code)[code])
        shape = len(labels), len(clusters)
        self.coef = csr_array((share, (kept, code)), shape=shape)
        self.squared_norms = (self.coef.T @ (gram @ self.coef)).diagonal()

    def nearest(self, gram):
        """Index of the nearest mean of each row object; of several the first."""
        scale, tie = gram.self_similarity, DISTANCE_TIE[np.dtype(gram.dtype)]
        scale = np.zeros(gram.shape[0]) if scale is None else np.nan_to_num(scale)
        return nearest((gram @ self.coef).T, self.squared_norms, scale, tie)

"""How well a model of some objects predicts the clusters of others."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from sklearn.base import clone
from sklearn.utils import get_tags

from sklearn_kernelclust.metrics._agreement import (
    above_chance,
    agreement,
    expected_agreement,
)
from sklearn_kernelclust.metrics._partition import check_labels


def prediction_strength_score(
    labels_test, labels_predicted, *, adjust_for_chance=False
):
    """How many pairs of a cluster are predicted to be together, at worst.

    For each cluster, the share of its pairs of objects that are in one cluster
    of the prediction too; the smallest of these shares [1]_. Clusters of a
    single object have no pairs and do not count; 0 if there is no pair at all.

    Parameters
    ----------
    labels_test : array-like of shape (n_samples,)
        Clusters.

    labels_predicted : array-like of shape (n_samples,)
        What a model of other objects predicts for the same objects.

    adjust_for_chance : bool, default=False
        Whether to correct by the mean score of random partitions into as many
        clusters as `labels_test` has [2]_: 0 is chance then.

    Returns
    -------
    strength : float
        1 if no pair is torn apart, 0 if all pairs of a cluster are; less than
        0 only if corrected for chance. Not symmetric.

    References
    ----------
    .. [1] R. Tibshirani and G. Walther, "Cluster Validation by Prediction
       Strength", Journal of Computational and Graphical Statistics 14, 2005.
    .. [2] D. Greene and P. Cunningham, "Efficient Prediction-Based Validation
       for Document Clustering", ECML 2006.

    Examples
    --------
    >>> from sklearn_kernelclust.metrics import prediction_strength_score
    >>> prediction_strength_score([0, 0, 0, 1, 1], [1, 1, 2, 0, 0])
    0.333...
    >>> prediction_strength_score([0, 0, 0, 1, 1], [0, 0, 0, 0, 0])
    1.0
    """
    labels = check_labels(labels_test, labels_predicted)
    return _agreement_score("prediction-strength", *labels, adjust_for_chance)


def partition_similarity_score(
    labels_test, labels_predicted, *, adjust_for_chance=False
):
    """Share of the objects on which two partitions agree.

    Clusters of one are matched to clusters of the other so that as many
    objects as possible agree.

    Parameters
    ----------
    labels_test : array-like of shape (n_samples,)
        Clusters.

    labels_predicted : array-like of shape (n_samples,)
        What a model of other objects predicts for the same objects.

    adjust_for_chance : bool, default=False
        Whether to correct by the mean score of random partitions into as many
        clusters as `labels_test` has: 0 is chance then.

    Returns
    -------
    similarity : float
        1 for the same partition; symmetric, unless corrected for chance.

    Examples
    --------
    >>> from sklearn_kernelclust.metrics import partition_similarity_score
    >>> partition_similarity_score([0, 0, 0, 1, 1], [1, 1, 0, 0, 0])
    0.8
    """
    labels = check_labels(labels_test, labels_predicted)
    return _agreement_score("partition-similarity", *labels, adjust_for_chance)


def prediction_strength_scorer(estimator, X, y=None):
    """Score a fitted clusterer on new objects, without labels.

    Clusters the new objects by a clone of the estimator, predicts them by the
    estimator itself, and gives the prediction strength, corrected for chance.
    The objective of k-means cannot compare kernels; this can. It is for
    `scoring=` in :class:`~sklearn.model_selection.GridSearchCV` and the like.

    Parameters
    ----------
    estimator : estimator object
        Fitted clusterer with `predict`, or a `Pipeline` that ends in one, that
        takes features. It must not take a kernel matrix: from the similarities
        of new objects to the training objects they cannot be clustered.

    X : array-like, sparse matrix or sequence
        New objects.

    y : Ignored
        Not used, present for API consistency by convention.

    Returns
    -------
    strength : float
        1 at best, 0 is chance. An error, which a search takes as no score, if
        there are not two objects for each cluster. Of equal scores a search
        takes the first: list larger numbers of clusters first.

    See Also
    --------
    sklearn_kernelclust.PredictionStrengthK : Chooses the number of clusters by
        many splits, on a kernel matrix too.

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn_kernelclust import KernelKMeans
    >>> from sklearn_kernelclust.metrics import prediction_strength_scorer
    >>> X, _ = make_blobs(200, centers=3, cluster_std=0.5, random_state=4)
    >>> search = GridSearchCV(
    ...     KernelKMeans(random_state=0), {"n_clusters": [5, 4, 3, 2]},
    ...     scoring=prediction_strength_scorer, cv=2,
    ... ).fit(X)
    >>> search.best_params_
    {'n_clusters': 3}
    """
    if get_tags(estimator).input_tags.pairwise:
        raise ValueError(
            f"{type(estimator).__name__} takes a kernel matrix, and of new objects a "
            "search only has their similarities to the training objects. Search a "
            "pipeline from features, with PairwiseKernel in front, or use "
            "PredictionStrengthK."
        )
    labels = clone(estimator).fit_predict(X)
    n_clusters = len(np.unique(labels))
    if 2 * n_clusters > len(labels):
        raise ValueError(
            f"{len(labels)} new objects are not two for each of {n_clusters} clusters: "
            "the few pairs in them are so close that noise predicts them. Use larger "
            "folds."
        )
    return prediction_strength_score(
        labels, estimator.predict(X), adjust_for_chance=True
    )


def _agreement_score(criterion, labels_test, labels_predicted, adjust_for_chance):
    value = agreement(criterion, labels_test, labels_predicted)
    if not adjust_for_chance:
        return value
    n_clusters = len(np.unique(labels_test))
    chance = expected_agreement(criterion, len(labels_test), n_clusters)
    return float(above_chance(value, chance))

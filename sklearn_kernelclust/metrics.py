"""Measures of kernels and of partitions."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array, issparse
from scipy.special import xlogy
from sklearn.base import clone
from sklearn.metrics.cluster import contingency_matrix
from sklearn.utils import (
    check_array,
    check_consistent_length,
    column_or_1d,
    get_tags,
)

from sklearn_kernelclust._agreement import (
    above_chance,
    agreement,
    expected_agreement,
)
from sklearn_kernelclust._gram import Gram
from sklearn_kernelclust._stored_grams import DenseGram, SparseGram

__all__ = [
    "average_nmi",
    "conditional_entropy_score",
    "dominance_ratio",
    "kernel_inertia",
    "matched_confusion_matrix",
    "partition_similarity_score",
    "prediction_strength_score",
    "prediction_strength_scorer",
    "recall_rate",
    "variation_of_information",
]


def conditional_entropy_score(labels_true, labels_pred):
    """Entropy of the classes within clusters, relative to its largest value.

    The mean of the entropies of the clusters, weighted by their size, over the
    logarithm of the number of classes [1]_: ``H(class | cluster) / log(n_classes)``.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,)
        Classes.

    labels_pred : array-like of shape (n_samples,)
        Clusters.

    Returns
    -------
    entropy : float
        Between 0, where no cluster mixes two classes, and 1, where each holds
        all classes in equal parts; smaller is better. More clusters make it
        smaller. 0 for a single class.

    References
    ----------
    .. [1] D. Zeimpekis and E. Gallopoulos, "Principal Direction Divisive
       Partitioning with Kernels and k-Means Steering", in Survey of Text
       Mining II, Springer 2008.

    Examples
    --------
    >>> from sklearn_kernelclust.metrics import conditional_entropy_score
    >>> conditional_entropy_score([0, 0, 1, 1], [0, 0, 1, 1])
    0.0
    >>> conditional_entropy_score([0, 0, 1, 1], [0, 1, 0, 1])
    1.0
    >>> conditional_entropy_score([0, 0, 1, 1], [0, 0, 2, 0])
    0.688...
    """
    check_consistent_length(labels_true, labels_pred)
    counts = contingency_matrix(labels_true, labels_pred).astype(np.float64)
    if len(counts) < 2:
        return 0.0
    entropy = xlogy(counts, counts.sum(axis=0)) - xlogy(counts, counts)
    return float(entropy.sum() / counts.sum() / np.log(len(counts)))


def dominance_ratio(K):
    """Mean self-similarity over mean similarity of two different objects.

    Far above 1, the diagonal dominates: objects look orthogonal to each other,
    and kernel k-means stays where it starts [1]_.

    Parameters
    ----------
    K : array-like, sparse matrix or Gram of shape (n_samples, n_samples)
        Kernel of at least two objects.

    Returns
    -------
    ratio : float
        Infinite if the mean similarity of different objects is 0.

    References
    ----------
    .. [1] D. Greene and P. Cunningham, "Practical Solutions to the Problem of
       Diagonal Dominance in Kernel Document Clustering", ICML 2006.

    Examples
    --------
    >>> from sklearn_kernelclust.metrics import dominance_ratio
    >>> dominance_ratio([[1.0, 0.25], [0.25, 1.0]])
    4.0
    """
    K = _check_kernel(K)
    n = K.shape[0]
    if n < 2:
        raise ValueError("The dominance ratio needs at least 2 objects, got 1.")
    trace = float(K.diagonal().sum(dtype=np.float64))
    total = float((K @ np.ones(n)).sum(dtype=np.float64))
    rest = (total - trace) / (n - 1)
    return trace / rest if rest != 0 else np.inf


def kernel_inertia(K, labels, sample_weight=None):
    """Objective of kernel k-means: squared distances to the means, summed.

    Parameters
    ----------
    K : array-like, sparse matrix or Gram of shape (n_samples, n_samples)
        Symmetric kernel.

    labels : array-like of shape (n_samples,)
        Cluster of each object.

    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the objects; all equal by default.

    Returns
    -------
    inertia : float
        ``sum_i w_i K_ii - sum_c (sum_ij in c w_i w_j K_ij) / sum_i in c w_i``.
        Not negative for a positive semi-definite kernel.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_kernelclust.metrics import kernel_inertia
    >>> X = np.array([[0.0], [2.0], [7.0]])
    >>> kernel_inertia(X @ X.T, [0, 0, 1])
    2.0
    """
    K = _check_kernel(K)
    labels = column_or_1d(labels)
    weight = np.ones(len(labels)) if sample_weight is None else sample_weight
    weight = np.asarray(weight, dtype=np.float64)
    if not K.shape[0] == K.shape[1] == len(labels) == len(weight):
        raise ValueError(
            f"Found a kernel of shape {K.shape}, {len(labels)} labels and "
            f"{len(weight)} weights: all must agree."
        )
    if not (weight >= 0).all():
        raise ValueError("Weights must be numbers that are not negative.")
    clusters, labels = np.unique(labels, return_inverse=True)
    n, k = len(labels), len(clusters)
    Z = csr_array((weight, labels, np.arange(n + 1)), shape=(n, k))
    within = np.asarray(Z.multiply(K @ Z).sum(axis=0)).ravel()
    mass = np.bincount(labels, weights=weight, minlength=k)
    filled = mass > 0
    return float(weight @ K.diagonal() - (within[filled] / mass[filled]).sum())


def average_nmi(partitions):
    """Mean agreement of all pairs of partitions, the stability ANMI.

    The agreement of two is their mutual information over the geometric mean of
    their entropies [1]_.

    Parameters
    ----------
    partitions : array-like of shape (n_partitions, n_samples)
        Labels of the same objects, from at least two runs.

    Returns
    -------
    anmi : float
        Between 0 and 1. Two partitions of one cluster each agree fully; one
        cluster tells nothing of any other partition.

    References
    ----------
    .. [1] Alexander Strehl and Joydeep Ghosh, "Cluster Ensembles", JMLR 3, 2002.

    Examples
    --------
    >>> from sklearn_kernelclust.metrics import average_nmi
    >>> average_nmi([[0, 0, 1, 1], [1, 1, 0, 0], [0, 0, 1, 1]])
    1.0
    """
    partitions = np.asarray(partitions)
    if partitions.ndim != 2 or min(partitions.shape) == 0 or len(partitions) < 2:
        raise ValueError(
            "average_nmi needs at least two partitions of the same objects, got an "
            f"array of shape {partitions.shape}."
        )
    information, entropy = _mutual_information(partitions)
    upper = np.triu_indices(len(partitions), 1)
    product = np.sqrt(np.outer(entropy, entropy))[upper]
    trivial = (entropy[:, None] + entropy)[upper] == 0
    nmi = np.divide(
        information[upper], product, out=trivial.astype(float), where=product > 0
    )
    return float(nmi.clip(0, 1).mean())


def variation_of_information(labels_true, labels_pred):
    """Information that two partitions do not share, a distance of partitions.

    The sum of the entropies of each partition given the other [1]_.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,)
        Labels of the objects in one partition.

    labels_pred : array-like of shape (n_samples,)
        Labels of the same objects in another.

    Returns
    -------
    vi : float
        In nats; 0 for equal partitions, at most ``log(n_samples)``.

    References
    ----------
    .. [1] M. Meila, "Comparing clusterings: an information based distance",
       Journal of Multivariate Analysis 98(5), 2007.

    Examples
    --------
    >>> from sklearn_kernelclust.metrics import variation_of_information
    >>> variation_of_information([0, 0, 1, 1], [1, 1, 0, 0])
    0.0
    >>> round(variation_of_information([0, 0, 1, 1], [0, 0, 0, 0]), 4)
    0.6931
    """
    labels_true, labels_pred = _check_labels(labels_true, labels_pred)
    joint = contingency_matrix(labels_true, labels_pred, sparse=True).tocoo()
    joint.sum_duplicates()
    n_true, n_pred = (np.asarray(joint.sum(axis=a)).ravel() for a in (1, 0))
    kept = joint.data.astype(np.float64)
    terms = np.log(kept / n_true[joint.row]) + np.log(kept / n_pred[joint.col])
    return max(0.0, -float(kept @ terms) / len(labels_true))


def matched_confusion_matrix(labels_true, labels_pred):
    """Confusion matrix with each class beside the cluster that matches it.

    Clusters are matched with classes one to one, so that as many objects as
    possible are in the cluster of their class.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,)
        Classes of the objects.

    labels_pred : array-like of shape (n_samples,)
        Clusters of the objects.

    Returns
    -------
    matrix : ndarray of shape (n_classes, n_columns)
        Number of objects of each class (in sorted order) in each cluster. The
        cluster of class i is in column i, which is 0 if it has none; clusters
        without a class follow in sorted order.

    Examples
    --------
    >>> from sklearn_kernelclust.metrics import matched_confusion_matrix
    >>> matched_confusion_matrix(["a", "a", "b", "b"], [1, 1, 0, 2])
    array([[2, 0, 0],
           [0, 1, 1]])
    """
    labels_true, labels_pred = _check_labels(labels_true, labels_pred)
    counts = contingency_matrix(labels_true, labels_pred)
    rows, cols = linear_sum_assignment(counts, maximize=True)
    matched = np.zeros((len(counts), len(counts)), dtype=counts.dtype)
    matched[:, rows] = counts[:, cols]
    return np.hstack([matched, np.delete(counts, cols, axis=1)])


def recall_rate(labels_true, labels_pred):
    """Share of the objects that are in the cluster matched to their class [1]_.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,)
        Classes of the objects.

    labels_pred : array-like of shape (n_samples,)
        Clusters of the objects.

    Returns
    -------
    rate : float
        Between 0 and 1; one minus it is the error rate.

    References
    ----------
    .. [1] A. Karatzoglou and I. Feinerer, "Text Clustering with String Kernels
       in R", GfKl 2006.

    Examples
    --------
    >>> from sklearn_kernelclust.metrics import recall_rate
    >>> recall_rate(["a", "a", "b", "b"], [1, 1, 0, 2])
    0.75
    """
    matrix = matched_confusion_matrix(labels_true, labels_pred)
    return float(matrix.diagonal().sum() / matrix.sum())


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
    labels = _check_labels(labels_test, labels_predicted)
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
    labels = _check_labels(labels_test, labels_predicted)
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


def _check_labels(labels_true, labels_pred):
    labels_true, labels_pred = column_or_1d(labels_true), column_or_1d(labels_pred)
    check_consistent_length(labels_true, labels_pred)
    if len(labels_true) == 0:
        raise ValueError("Found 0 labels: at least 1 is required.")
    return labels_true, labels_pred


def _mutual_information(partitions):
    """Mutual information of all pairs, and entropies, from one sparse product."""
    n = partitions.shape[1]
    codes = [np.unique(p, return_inverse=True)[1] for p in partitions]
    starts = np.cumsum([0] + [c.max() + 1 for c in codes])
    columns = np.stack([c + s for c, s in zip(codes, starts)], axis=1)
    m = len(partitions)
    members = csr_array(
        (np.ones(columns.size), columns.ravel(), np.arange(0, n * m + 1, m)),
        shape=(n, starts[-1]),
    )
    joint = (members.T @ members).toarray() / n
    share = joint.diagonal().copy()
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(joint > 0, joint * np.log(joint / np.outer(share, share)), 0)
    sums = np.add.reduceat(terms, starts[:-1], axis=0)
    entropy = np.add.reduceat(-share * np.log(share), starts[:-1])
    return np.add.reduceat(sums, starts[:-1], axis=1), entropy.clip(min=0)


def _check_kernel(K):
    """The Gram of a kernel matrix; nothing is copied."""
    if not isinstance(K, Gram):
        K = check_array(K, accept_sparse="csr", dtype=[np.float64, np.float32])
    if K.shape[0] != K.shape[1]:
        raise ValueError(f"A kernel must be square, got {K.shape}.")
    if isinstance(K, Gram):
        return K
    return SparseGram.training(K) if issparse(K) else DenseGram.training(K)

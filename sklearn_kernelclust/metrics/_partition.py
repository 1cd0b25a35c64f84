"""Measures of partitions against classes, and against each other."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array
from scipy.special import xlogy
from sklearn.metrics.cluster import contingency_matrix
from sklearn.utils import check_consistent_length, column_or_1d


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
    labels_true, labels_pred = check_labels(labels_true, labels_pred)
    counts = contingency_matrix(labels_true, labels_pred).astype(np.float64)
    if len(counts) < 2:
        return 0.0
    entropy = xlogy(counts, counts.sum(axis=0)) - xlogy(counts, counts)
    return float(entropy.sum() / counts.sum() / np.log(len(counts)))


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
    labels_true, labels_pred = check_labels(labels_true, labels_pred)
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
    labels_true, labels_pred = check_labels(labels_true, labels_pred)
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


def check_labels(labels_true, labels_pred):
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

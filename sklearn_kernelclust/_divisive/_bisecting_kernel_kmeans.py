"""Bisecting kernel k-means."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from numbers import Integral

from sklearn.utils import check_random_state

from sklearn_kernelclust._divisive._base import KernelDivisiveClusterer
from sklearn_kernelclust._divisive._splitters import SeededSplitter
from sklearn_kernelclust._utils._sklearn import Interval, StrOptions
from sklearn_kernelclust._utils._validation import STARTS


class BisectingKernelKMeans(KernelDivisiveClusterer):
    """Divisive clustering by kernel 2-means.

    From one cluster of all objects on, the cluster of largest scatter in
    feature space is parted by kernel k-means with two clusters [1]_.

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

    init : {"k-means++", "random"}, default="k-means++"
        Where 2-means starts: from seeds far from each other in feature space,
        or from random labels.

    n_init : int, default=10
        Number of starts in each node, of which the best is kept.

    max_iter : int, default=100
        Most iterations of a run of 2-means.

    random_state : int, RandomState instance or None, default=None
        Determines the starts.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Cluster of each object; neighbours in the tree have neighbouring
        labels.

    inertia_ : float
        Sum of squared distances of the objects to the mean of their cluster in
        feature space.

    tree_ : ClusterTree
        All clusters on the way, as for `PDDP`; the directions of a cut lead
        from the mean of the node to the means of its children.

    children_ : ndarray of shape (`n_clusters_` - 1, 2)
        The two children of each inner node, from the last cut to the first:
        values below `n_clusters_` are clusters, a larger value i is the node
        ``children_[i - n_clusters_]``.

    n_clusters_ : int
        Number of clusters found.

    n_iter_ : int
        Most iterations of k-means in a cut, 1 if there were none.

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
    KPDDP : Cuts across kernel principal components, without random starts.
    KernelKMeans : All clusters at once.
    sklearn.cluster.BisectingKMeans : The same on features.

    Notes
    -----
    New objects go down the tree, in each node to the nearest of its two means.
    More clusters, with the same integer `random_state`, refine fewer.

    References
    ----------
    .. [1] D. Zeimpekis and E. Gallopoulos, "Principal Direction Divisive
       Partitioning with Kernels and k-Means Steering", in Survey of Text
       Mining II, Springer 2008.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_kernelclust import BisectingKernelKMeans
    >>> X = np.array([[0.0], [1], [10], [11], [30], [31]])
    >>> model = BisectingKernelKMeans(3, kernel="linear", random_state=0).fit(X)
    >>> len(set(model.labels_[[0, 1]])), len(set(model.labels_[[1, 2, 4]]))
    (1, 3)
    >>> model.inertia_
    1.5
    """

    _parameter_constraints: dict = {
        **KernelDivisiveClusterer._parameter_constraints,
        **STARTS,
        "init": [StrOptions({"k-means++", "random"})],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
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
        init="k-means++",
        n_init=10,
        max_iter=100,
        random_state=None,
    ):
        self.n_clusters = n_clusters
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state

    def _splitter(self):
        rng = check_random_state(self.random_state)
        return SeededSplitter(self.init, self.n_init, self.max_iter, rng)

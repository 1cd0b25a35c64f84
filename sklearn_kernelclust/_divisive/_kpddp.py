"""Principal direction divisive partitioning in the feature space of a kernel."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_kernelclust._divisive._base import (
    KernelDivisiveClusterer,
    PrincipalDirectionMixin,
)


class KPDDP(PrincipalDirectionMixin, KernelDivisiveClusterer):
    """Principal direction divisive partitioning in the space of a kernel.

    From one cluster of all objects on, the cluster of largest scatter is cut
    across its leading kernel principal components [1]_.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters.

    n_components : int, default=1
        Number l of principal components that a cluster is cut across, into up
        to 2^l clusters; parts of space without objects make none.

    split : {"sign", "2-means", "optimal-cut", "optimal-cut-2-means", \
            "projection-cut"}, default="sign"
        Where to cut, as for `PDDP`; all objectives are those of kernel
        k-means.

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

    exact : bool, default=True
        Whether to end with `n_clusters` clusters, as for `PDDP`.

    max_iter : int, default=100
        Most iterations of k-means within a cut.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Cluster of each object; neighbours in the tree have neighbouring
        labels.

    inertia_ : float
        Sum of squared distances of the objects to the mean of their cluster in
        feature space.

    tree_ : ClusterTree
        All clusters on the way, as for `PDDP`; the directions of a cut weigh
        the members of its node.

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
    PDDP : The linear kernel, on features.
    KernelKMeans : All clusters at once.

    Notes
    -----
    The result is deterministic. Besides the kernel there is one more copy of
    it in parts; a kernel that does not fit `working_memory`
    (:func:`sklearn.set_config`) is evaluated as often as the eigensolver
    needs a product, some dozens of times in each node that does not fit.
    `"optimal-cut"` costs one pass over the kernel of a node, not one for each
    cut.

    No cut goes between objects that are the same up to rounding, so that
    duplicates stay together and ``predict(X)`` of the training objects is
    `labels_`.

    References
    ----------
    .. [1] D. Zeimpekis and E. Gallopoulos, "Principal Direction Divisive
       Partitioning with Kernels and k-Means Steering", in Survey of Text
       Mining II, Springer 2008.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_kernelclust import KPDDP
    >>> angle = np.linspace(0, 6, 20)
    >>> ring = np.column_stack([np.cos(angle), np.sin(angle)])
    >>> X = np.vstack([0.1 * ring, 3 * ring])
    >>> model = KPDDP(n_clusters=2, kernel="rbf", gamma=0.1).fit(X)
    >>> model.labels_
    array([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1,
           1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1])
    >>> model.predict([[0.0, 0.2], [0.0, 3.5]])
    array([0, 1])
    """

    _parameter_constraints: dict = {
        **KernelDivisiveClusterer._parameter_constraints,
        **PrincipalDirectionMixin._parameter_constraints,
    }

    def __init__(
        self,
        n_clusters=8,
        *,
        n_components=1,
        split="sign",
        kernel="rbf",
        gamma="scale",
        degree=3,
        coef0=1,
        kernel_params=None,
        exact=True,
        max_iter=100,
    ):
        self.n_clusters = n_clusters
        self.n_components = n_components
        self.split = split
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.exact = exact
        self.max_iter = max_iter

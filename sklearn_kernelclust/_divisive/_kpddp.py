"""Principal direction divisive partitioning in the feature space of a kernel."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.sparse import issparse

from sklearn_kernelclust._divisive._base import (
    KernelDivisiveClusterer,
    PrincipalDirectionMixin,
)
from sklearn_kernelclust._divisive._splitters import KernelObjects
from sklearn_kernelclust._gram._base import same_index
from sklearn_kernelclust._kernels._evaluate import KERNELS
from sklearn_kernelclust._kernels._fitted import like

TRANSLATION_FREE = [name for name in KERNELS if KERNELS[name].translation_free]


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

    center_inputs : bool, default=False
        Whether to centre the features of each cluster before the kernel is
        evaluated on them, as [1]_ writes it; clusters are still chosen by
        their scatter in the kernel as it is. That needs features, and for
        sparse ones a kernel of differences (rbf, laplacian, linear), to which
        it makes no difference.

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
        Squared distances of the objects to the mean of their cluster in
        feature space, summed.

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
        "center_inputs": ["boolean"],
    }

    def __init__(
        self,
        n_clusters=8,
        *,
        n_components=1,
        split="sign",
        kernel="rbf",
        gamma=None,
        degree=3,
        coef0=1,
        kernel_params=None,
        center_inputs=False,
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
        self.center_inputs = center_inputs
        self.exact = exact
        self.max_iter = max_iter

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        if self.center_inputs and self.kernel not in TRANSLATION_FREE:
            tags.input_tags.sparse = False
        return tags

    def _objects(self, gram, kernel):
        plain = super()._objects(gram, kernel)
        if not self.center_inputs:
            return plain
        check_centrable(kernel and kernel.X, self.kernel)
        moved = InputCenteredKernel(kernel.X, kernel)
        return InputCenteredObjects(moved, plain, np.arange(len(plain)))

    def _new_gram(self, X):
        if not self.center_inputs:
            return super()._new_gram(X)
        return InputCenteredKernel(self._check_features(X), self._kernel)


class InputCenteredObjects(KernelObjects):
    """Members of a node, in the kernel of their centred features.

    Parameters
    ----------
    kernel : InputCenteredKernel
        Of all training objects.
    plain : KernelObjects
        The same members in the kernel as it is, which gives the scatter.
    members : ndarray
        Which of the training objects they are.
    """

    def __init__(self, kernel, plain, members):
        super().__init__(kernel.restrict(members, members), plain.scatter)
        self.kernel, self.plain, self.members = kernel, plain, members

    def part(self, index):
        """Some of the members."""
        plain, members = self.plain.part(index), self.members[index]
        return InputCenteredObjects(self.kernel, plain, members)


class InputCenteredKernel:
    """Kernel of features that move the mean of the columns to the origin first.

    So every part of it has an origin of its own. Only parts can be had.
    """

    def __init__(self, X, kernel):
        self.X, self.kernel = X, kernel
        self.shape = X.shape[0], kernel.X.shape[0]

    def restrict(self, rows, cols):
        """Gram of some objects against the members of a node."""
        same = self.X is self.kernel.X and same_index(rows, cols)
        X, Y = self.X[rows], self.kernel.X[cols]
        if not issparse(Y):
            center = Y.mean(axis=0, dtype=np.float64).astype(Y.dtype)
            X, Y = like(X, Y) - center, Y - center
        of_node = self.kernel.on(Y)
        return of_node.gram() if same else of_node.against(X)


def check_centrable(X_fit, kernel):
    """Refuse inputs that cannot be centred."""
    if X_fit is None:
        raise ValueError(
            "center_inputs=True evaluates the kernel anew in every node and needs "
            "features for it: kernel='precomputed' or a Gram has none."
        )
    if issparse(X_fit) and kernel not in TRANSLATION_FREE:
        raise ValueError(
            "center_inputs=True would make sparse features dense for "
            f"kernel={kernel!r}; pass X.toarray() if that is meant. Sparse features "
            f"are taken with the kernels {', '.join(TRANSLATION_FREE)}."
        )

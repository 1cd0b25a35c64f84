"""Principal direction divisive partitioning of features."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.sparse import csr_array, issparse
from sklearn.utils.extmath import row_norms

from sklearn_kernelclust._divisive._base import (
    DivisiveClusterer,
    PrincipalDirectionMixin,
    shares_of_means,
)
from sklearn_kernelclust._divisive._dense_objects import DenseObjects
from sklearn_kernelclust._divisive._splitters import FeatureObjects
from sklearn_kernelclust._gram._cluster_sums import indicator
from sklearn_kernelclust._gram._stored import DenseGram, SparseGram
from sklearn_kernelclust._gram._wrappers import CenteredGram
from sklearn_kernelclust._kernels._centers import mostly_stored, sample_origin
from sklearn_kernelclust._kernels._evaluate import fit_kernel
from sklearn_kernelclust._utils._arrays import on_host
from sklearn_kernelclust._utils._block_checks import NEW_ROWS, check_blocks
from sklearn_kernelclust._utils._block_rows import moved
from sklearn_kernelclust._utils._blocks import RowBlocks, is_sparse
from sklearn_kernelclust._utils._dask import is_dask
from sklearn_kernelclust._utils._threads import batches
from sklearn_kernelclust._utils._validation import (
    check_features,
    check_n_clusters,
    weight_or_none,
)

# Dense features with this many entries, of which at most this share is not
# zero, are held sparse: at 4 % a fit takes a third of the time.
LARGE = 2**20
MOSTLY_ZERO = 0.1

# Differences of features that are computed at a time.
DIFFERENCES = 2**20


class PDDP(PrincipalDirectionMixin, DivisiveClusterer):
    """Principal direction divisive partitioning.

    From one cluster of all objects on, the cluster of largest scatter is cut
    across its leading principal components [1]_, [2]_.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters.

    n_components : int, default=1
        Number l of principal components that a cluster is cut across, into up
        to 2^l clusters; parts of space without objects make none.

    split : {"sign", "2-means", "optimal-cut", "optimal-cut-2-means", \
            "projection-cut"}, default="sign"
        Where to cut. `"sign"`: at the mean. `"optimal-cut"`: across each
        component, where the objective of 2-means is smallest.
        `"projection-cut"`: the same, for the objects as projected on the
        component. `"2-means"` and `"optimal-cut-2-means"`: k-means from where
        `"sign"` and `"optimal-cut"` end; objects go to the nearest mean.

    exact : bool, default=True
        Whether to end with `n_clusters` clusters. If fewer than 2^l - 1 more
        are wanted, that cut uses fewer components. False always uses
        `n_components`, as the papers do: that gives
        ``ceil((n_clusters - 1) / (2^l - 1)) * (2^l - 1) + 1`` clusters where
        each cut fills 2^l parts.

    max_iter : int, default=100
        Most iterations of k-means within a cut.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Cluster of each object; neighbours in the tree have neighbouring
        labels.

    inertia_ : float
        Sum of squared distances of the objects to the mean of their cluster.

    tree_ : ClusterTree
        All clusters on the way: ``tree_.nodes`` with parent, children,
        scatter, cut and the objective before and after it,
        ``tree_.members(i)``, and ``tree_.linkage()`` for scipy's dendrogram.

    children_ : ndarray of shape (`n_clusters_` - 1, 2)
        The two children of each inner node, from the last cut to the first:
        values below `n_clusters_` are clusters, a larger value i is the node
        ``children_[i - n_clusters_]``.

    n_clusters_ : int
        Number of clusters found.

    n_iter_ : int
        Most iterations of k-means in a cut, 1 if there were none.

    mean_ : ndarray of shape (n_features,) or None
        What features are centred on: the mean of the training objects. Of sparse
        ones, or held so, it is their median if they are far from the origin (it has
        few entries that are not 0), else None.

    n_features_in_ : int
        Number of features seen during fit.

    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of features seen during fit, if all are strings.

    See Also
    --------
    KPDDP : The same in the feature space of a kernel.
    BisectingKernelKMeans : Cuts by 2-means from random seeds.

    Notes
    -----
    The result is deterministic. Sparse features stay sparse. A fit takes one more
    copy of the features. A large dense array about the origin with nine zeros in
    ten is taken as if it were sparse.

    No cut goes between objects that are the same up to rounding, so that
    duplicates stay together and ``predict(X)`` of the training objects is
    `labels_`. Where the two largest variances of a cluster are equal, its
    first principal component is not determined; the one found depends on
    rounding.

    References
    ----------
    .. [1] D. Boley, "Principal Direction Divisive Partitioning", Data Mining
       and Knowledge Discovery 2(4), 1998.
    .. [2] D. Zeimpekis and E. Gallopoulos, "Principal Direction Divisive
       Partitioning with Kernels and k-Means Steering", in Survey of Text
       Mining II, Springer 2008.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_kernelclust import PDDP
    >>> X = np.array([[9.0, 1], [9, 2], [9, 5], [9, 7], [0, 1], [0, 0]])
    >>> model = PDDP(n_clusters=3).fit(X)
    >>> model.labels_
    array([0, 0, 1, 1, 2, 2])
    >>> model.predict([[1.0, 1.0], [8.0, 7.0]])
    array([2, 1])
    >>> model.children_
    array([[0, 1],
           [3, 2]])
    """

    _parameter_constraints: dict = {
        **DivisiveClusterer._parameter_constraints,
        **PrincipalDirectionMixin._parameter_constraints,
    }

    def __init__(
        self,
        n_clusters=8,
        *,
        n_components=1,
        split="sign",
        exact=True,
        max_iter=100,
    ):
        self.n_clusters = n_clusters
        self.n_components = n_components
        self.split = split
        self.exact = exact
        self.max_iter = max_iter

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _start(self, X, sample_weight):
        X = on_host(check_features(self, X, reset=True, on_workers=check_blocks))
        check_n_clusters(self, X.shape[0])
        if better_sparse(X):
            X = csr_array(X)
        with np.errstate(over="ignore", invalid="ignore"):
            mean = origin_of(X)
            if mean is not None:
                X = X - mean if isinstance(X, RowBlocks) else moved(X, mean)
        # A kernel too large for float32 comes back in float64, or is refused.
        gram = fit_kernel(X, kernel="linear").gram()
        X = X.astype(gram.dtype, copy=False)
        weight = weight_or_none(sample_weight, X.shape[0])
        if weight is None and isinstance(X, np.ndarray):
            objects = DenseObjects(X, gram.diagonal())
        else:
            objects = FeatureObjects(X, weight)
        return objects, {"mean_": mean, "_dtype": X.dtype}

    def _means(self, objects, tree):
        """Means of the clusters, about `mean_`; sparse if the features are."""
        labels = tree.labels()
        Z = indicator(labels, shares_of_means(labels, objects.mass), tree.n_leaves)
        on_workers = isinstance(objects.X, RowBlocks)
        return {"_cluster_means": objects.X.sums(Z) if on_workers else Z.T @ objects.X}

    def _squared_distances(self, gram):
        labels, means = self._predict(gram), self._cluster_means
        norms = row_norms(means, squared=True)
        products = (gram @ means.T)[np.arange(len(labels)), labels]
        size = gram.squared_row_norms() + norms[labels]
        squared = size - 2 * products
        # Where little is left of the squares, differences of features keep the digits.
        lost = np.flatnonzero(squared < np.cbrt(np.finfo(self._dtype).eps) * size)
        for part in batches(len(lost), 1 + DIFFERENCES // means.shape[1]):
            rows = lost[part]
            own = means[labels[rows]]
            own = own.toarray() if issparse(own) else own
            X = gram.restrict(rows, np.arange(means.shape[1])).toarray()
            squared[rows] = row_norms(X - own, squared=True)
        return np.maximum(squared, 0)

    def _own_distances(self, X):
        if not is_dask(X):
            return super()._own_distances(X)
        blocks = check_features(self, X, **NEW_ROWS)
        return blocks.by_row(blocks.each(self._own_distances_of_block))

    def _own_distances_of_block(self, rows):
        return self._own_distances(rows.X)

    def _new_gram(self, X):
        X = on_host(check_features(self, X, reset=False)).astype(
            self._dtype, copy=False
        )
        if not issparse(X):
            return DenseGram(X if self.mean_ is None else X - on_host(self.mean_))
        if self.mean_ is None:
            return SparseGram(X)
        rest, columns = on_host(self.mean_).copy(), mostly_stored(X)
        near = np.zeros_like(rest)
        near[columns], rest[columns] = rest[columns], 0
        return CenteredGram(SparseGram(moved(X, near)), np.zeros(X.shape[0]), rest, 0.0)


def origin_of(X):
    """What features are centred on: their mean, of sparse ones `sample_origin`."""
    if is_sparse(X):
        return sample_origin(X)
    return X.mean(axis=0, dtype=np.float64).astype(X.dtype)


def mostly_zero(X):
    """Whether few entries are not zero; the first rows tell where they are too many."""
    count = 0
    for rows in batches(len(X), len(X) // 8 + 1):
        count += np.count_nonzero(X[rows])
        if count > MOSTLY_ZERO * X.size:
            return False
    return True


def better_sparse(X):
    """Whether a dense array is large, nearly empty and about the origin.

    Sparse features are not centred on their mean, which would cost digits far from it.
    """
    if is_sparse(X) or isinstance(X, RowBlocks):
        return False
    if X.size < LARGE or not mostly_zero(X):
        return False
    with np.errstate(over="ignore"):
        mean = X.mean(axis=0, dtype=np.float64)
        return len(X) * (mean @ mean) <= np.vdot(X, X) / 2

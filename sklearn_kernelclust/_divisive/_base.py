"""Base of the divisive clusterers: growing the tree, labels, prediction."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from numbers import Integral

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.exceptions import ConvergenceWarning

from sklearn_kernelclust._divisive._splitters import (
    SPLITS,
    KernelObjects,
    PrincipalSplitter,
)
from sklearn_kernelclust._divisive._tree import ClusterTree
from sklearn_kernelclust._gram._cluster_sums import indicator
from sklearn_kernelclust._gram._training_rows import TrainingRows, row_self_similarity
from sklearn_kernelclust._kernels._base import (
    OriginFreeKernelMixin,
    WeightedFitPredictMixin,
)
from sklearn_kernelclust._linalg._spectrum_checks import check_some_positive
from sklearn_kernelclust._utils._arrays import on_host
from sklearn_kernelclust._utils._sklearn import (
    CallbackSupportMixin,
    Interval,
    Progress,
    StrOptions,
)
from sklearn_kernelclust._utils._validation import check_n_clusters, weight_or_none
from sklearn_kernelclust._utils._warnings import warn_user

# Two scatters tie if they differ by less than this, relative to the larger: then
# the older node is split first.
SAME_SCATTER = 1e-10


def grow(root, n_leaves, split, *, on_split=None):
    """Split the node of largest scatter until there are enough leaves.

    Parameters
    ----------
    root : Objects
        All training objects.
    n_leaves : int
        Number of leaves wanted.
    split : callable
        ``split(objects, most_children)`` returns a cut and the child of each
        object, or None if the objects cannot be separated.
    on_split : callable or None
        Called after each split; growing stops if it returns True.

    Returns
    -------
    tree : ClusterTree
        It has fewer leaves if no node can be split any more.
    """
    tree = ClusterTree(len(root), root.scatter, dual=root.dual)
    waiting = {0: root} if len(root) > 1 else {}
    while tree.n_leaves < n_leaves and waiting:
        i = widest(tree, waiting)
        objects = waiting.pop(i)
        result = split(objects, n_leaves - tree.n_leaves + 1)
        if result is None:
            continue
        cut, side = result
        sides = [np.flatnonzero(side == s) for s in range(side.max() + 1)]
        parts = objects.parts(sides)
        children = tree.split(i, cut, side, [part.scatter for part in parts])
        waiting |= {c: part for c, part in zip(children, parts) if len(part) > 1}
        if on_split is not None and on_split():
            break
    tree.number_leaves()
    return tree


def widest(tree, waiting):
    """Index of the node with the largest scatter; ties go to the oldest node."""
    largest = max(tree.nodes[i].scatter for i in waiting)
    limit = largest - SAME_SCATTER * abs(largest)
    return min(i for i in waiting if tree.nodes[i].scatter >= limit)


class DivisiveClusterer(
    WeightedFitPredictMixin, CallbackSupportMixin, ClusterMixin, BaseEstimator
):
    """A clusterer that grows a tree from the root.

    A subclass defines ``_start(X, sample_weight)``, which checks the input and returns
    the training objects and the attributes to set; ``_splitter()``, which returns what
    splits a node; ``_means(objects, tree)``, which returns the attributes that
    describe the means of the clusters; ``_new_gram(X)``, which returns new objects
    in the form that ``ClusterTree.route`` takes; and ``_squared_distances(gram)`` of
    these to the means of their clusters.
    """

    def _fit(self, X, y, sample_weight=None):
        objects, remembered = self._start(X, sample_weight)

        progress = Progress(self, X, y, max(self.n_clusters - 1, 1))
        splitter, on_split = self._splitter(), lambda: progress.step("split")
        with objects.threads():
            tree = grow(objects, self.n_clusters, splitter, on_split=on_split)
        progress.end()

        self._warn(tree, stopped=progress.stopped)
        vars(self).update(remembered)
        vars(self).update(self._means(objects, tree))
        self.tree_, self.labels_ = tree, tree.labels()
        self.inertia_, self.n_clusters_ = tree.inertia(), tree.n_leaves
        self.children_ = tree.linkage()[:, :2].astype(int)
        self.n_iter_ = max((cut.n_iter for cut in tree.cuts()), default=1)

    def _predict(self, gram):
        return self.tree_.route(gram)

    def _warn(self, tree, *, stopped):
        if tree.n_leaves < self.n_clusters and stopped:
            warn_user(
                f"A callback stopped the fit after {len(tree.splits)} splits: there "
                f"are {tree.n_leaves} clusters instead of n_clusters="
                f"{self.n_clusters}.",
                ConvergenceWarning,
            )
        elif tree.n_leaves < self.n_clusters:
            warn_user(
                f"Number of distinct clusters ({tree.n_leaves}) found smaller than "
                f"n_clusters ({self.n_clusters}). Possibly due to duplicate points "
                "in X, or to a kernel with no positive eigenvalue about its mean.",
                ConvergenceWarning,
            )
        n_open = sum(not cut.converged for cut in tree.cuts())
        if n_open:
            warn_user(
                f"K-means did not converge in {n_open} of {len(tree.splits)} cuts: "
                "increase max_iter, unless the kernel is indefinite.",
                ConvergenceWarning,
            )


class PrincipalDirectionMixin:
    """Parameters and splitter of clusterers that cut along principal components."""

    _parameter_constraints: dict = {
        "n_components": [Interval(Integral, 1, None, closed="left")],
        "split": [StrOptions(set(SPLITS))],
        "exact": ["boolean"],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
    }

    def _splitter(self):
        return PrincipalSplitter(
            self.n_components, self.split, self.max_iter, exact=self.exact
        )


class KernelDivisiveClusterer(OriginFreeKernelMixin, DivisiveClusterer):
    """A divisive clusterer that works in the feature space of a kernel."""

    _parameter_constraints: dict = {
        **DivisiveClusterer._parameter_constraints,
        **OriginFreeKernelMixin._parameter_constraints,
    }

    def _start(self, X, sample_weight):
        gram, kernel = self._training_gram(X)
        check_n_clusters(self, gram.shape[0])
        check_some_positive(gram)
        if gram.factor() is None:
            gram = gram.stored()
        rows = None if kernel is not None else TrainingRows(gram, unless_constant=True)
        self._remember(kernel)
        weight = weight_or_none(sample_weight, gram.shape[0])
        return KernelObjects(gram, weight), {"_rows": rows}

    def _means(self, objects, tree):
        """Squared norms of the means, which follow from the scatters."""
        labels, mass = tree.labels(), objects.mass
        scatter = np.array([tree.nodes[i].scatter for i in tree.leaves()])
        trace = np.bincount(labels, weights=mass * objects.gram.diagonal())
        masses = np.bincount(labels, weights=mass)
        norms = (trace - scatter) / np.where(masses > 0, masses, 1)
        return {"_mean_norms": norms, "_shares": shares_of_means(labels, mass)}

    def _squared_distances(self, gram):
        labels = self._predict(gram)
        labels_fit = on_host(self.labels_)
        means = indicator(labels_fit, self._shares, self.n_clusters_)
        products = (gram @ means)[np.arange(len(labels)), labels]
        self_similarity = row_self_similarity(gram, self._rows)
        return self_similarity - 2 * products + self._mean_norms[labels]


def shares_of_means(labels, mass):
    """Share of each object in the mean of its cluster."""
    masses = np.bincount(labels, weights=mass)[labels]
    return mass / np.where(masses > 0, masses, 1)

"""What divisive clusterers share: growing the tree, labels, prediction."""

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
from sklearn_kernelclust._kernels._base import FitPredictMixin, OriginFreeKernelMixin
from sklearn_kernelclust._linalg._eigenpairs import check_some_positive
from sklearn_kernelclust._utils._sklearn import (
    CallbackSupportMixin,
    Interval,
    Progress,
    StrOptions,
)
from sklearn_kernelclust._utils._validation import check_n_clusters
from sklearn_kernelclust._utils._warnings import warn_user

# Scatters that differ by less than this, relative to the larger, are equal:
# the node that was made first is split first.
SAME_SCATTER = 1e-10


def grow(root, n_leaves, split, *, exact=True, on_split=None):
    """Split the node of largest scatter until there are enough leaves.

    Parameters
    ----------
    root : Objects
        All training objects; those of a node are a part of its parent's.
    n_leaves : int
        How many are wanted.
    split : callable
        ``split(objects, most_children)`` gives a cut and the side of each
        object, or None if they cannot be parted.
    exact : bool
        Whether a split may use no more children than are still wanted.
    on_split : callable or None
        Called after each split; True stops.

    Returns
    -------
    tree : ClusterTree
        With fewer leaves where no node can be split any more.
    """
    tree = ClusterTree(len(root), root.scatter, dual=root.dual)
    waiting = {0: root} if len(root) > 1 else {}
    while tree.n_leaves < n_leaves and waiting:
        i = widest(tree, waiting)
        missing = n_leaves - tree.n_leaves
        objects = waiting.pop(i)
        found = split(objects, missing + 1 if exact else 2**31)
        if found is None:
            continue
        cut, side = found
        sides = [np.flatnonzero(side == s) for s in range(side.max() + 1)]
        parts = [objects.part(index) for index in sides]
        children = tree.split(i, cut, side, [part.scatter for part in parts])
        waiting |= {c: part for c, part in zip(children, parts) if len(part) > 1}
        if on_split is not None and on_split():
            break
    tree.number_leaves()
    return tree


def widest(tree, waiting):
    """The node of largest scatter, the first made of those that are equal."""
    largest = max(tree.nodes[i].scatter for i in waiting)
    limit = largest - SAME_SCATTER * abs(largest)
    return min(i for i in waiting if tree.nodes[i].scatter >= limit)


class DivisiveClusterer(
    FitPredictMixin, CallbackSupportMixin, ClusterMixin, BaseEstimator
):
    """A clusterer that grows a tree from the root.

    A subclass has ``_start(X)``, which checks the input and gives the objects and
    what to remember; ``_splitter()``; and ``_new_gram(X)``, which gives new objects
    as the tree wants them.
    """

    exact = True

    def _fit(self, X, y):
        objects, remembered = self._start(X)

        progress = Progress(self, X, y, max(self.n_clusters - 1, 1))
        tree = grow(
            objects,
            self.n_clusters,
            self._splitter(),
            exact=self.exact,
            on_split=lambda: progress.step("split"),
        )
        progress.end()

        self._warn(tree)
        vars(self).update(remembered)
        self.tree_, self.labels_ = tree, tree.labels()
        self.inertia_, self.n_clusters_ = tree.inertia(), tree.n_leaves
        self.children_ = tree.linkage()[:, :2].astype(int)
        self.n_iter_ = max((cut.n_iter for cut in tree.cuts()), default=1)

    def _predict(self, gram):
        return self.tree_.route(gram)

    def _warn(self, tree):
        if tree.n_leaves < self.n_clusters:
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
    """For divisive clusterers that cut across principal components."""

    _parameter_constraints: dict = {
        "n_components": [Interval(Integral, 1, None, closed="left")],
        "split": [StrOptions(set(SPLITS))],
        "exact": ["boolean"],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
    }

    def _splitter(self):
        return PrincipalSplitter(self.n_components, self.split, self.max_iter)


class KernelDivisiveClusterer(OriginFreeKernelMixin, DivisiveClusterer):
    """A divisive clusterer of objects known by a kernel."""

    _parameter_constraints: dict = {
        **DivisiveClusterer._parameter_constraints,
        **OriginFreeKernelMixin._parameter_constraints,
    }

    def _start(self, X):
        gram, X_fit, gamma = self._training_gram(X)
        check_n_clusters(self, gram.shape[0])
        check_some_positive(gram)
        remembered = {"X_fit_": X_fit, "gamma_": gamma}
        return self._objects(gram, X_fit, gamma), remembered

    def _objects(self, gram, X_fit, gamma):
        """All training objects."""
        if gram.factor() is None:
            gram = gram.stored()
        return KernelObjects(gram)

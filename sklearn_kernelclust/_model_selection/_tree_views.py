"""Coarser views of a tree of clusters."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from operator import index

from sklearn.utils.validation import check_is_fitted


class TreeViewsMixin:
    """For clusterers with a `tree_`: partitions above its leaves."""

    def labels_at(self, depth):
        """Clusters of the training objects at a depth of the tree.

        Parameters
        ----------
        depth : int
            0 is one cluster, 1 the children of the root. Leaves higher up stay.

        Returns
        -------
        labels : ndarray of shape (n_samples,)
            Cluster of each object, numbered from left to right.
        """
        check_is_fitted(self)
        if index(depth) < 0:
            raise ValueError(f"depth={depth} must not be negative: the root is at 0.")
        return self.tree_.partition(self.tree_.leaves_at(depth))

    def cut(self, n_leaves):
        """A coarser view: the splits with the most evidence, from the root on.

        Parameters
        ----------
        n_leaves : int
            Most clusters. There are fewer where the next split would make too many.

        Returns
        -------
        labels : ndarray of shape (n_samples,)
            Cluster of each object, numbered from left to right.
        """
        check_is_fitted(self)
        if index(n_leaves) < 1:
            raise ValueError(f"n_leaves={n_leaves} must be at least 1.")
        return self.tree_.partition(self.tree_.highest_leaves(n_leaves))

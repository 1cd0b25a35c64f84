"""The tree of a divisive clustering: flat records, walked with a stack."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np

ALL = slice(None)


@dataclass
class Node:
    """One cluster of the hierarchy.

    Attributes
    ----------
    parent : int
        Index of the node it was cut out of, -1 for the root.
    children : tuple of int
        Indices of the nodes it was cut into, empty for a leaf.
    start, stop : int
        Its members lie here in the order that the tree keeps.
    scatter : float or None
        Squared distances of the members to their mean, summed.
    cut : object or None
        What cut it: ``cut.side(block)`` says for new objects to which child
        they go, ``cut.directions`` are the directions. None for a leaf.
    objective_before, objective_after : float or None
        Scatter of all leaves of the tree before and after the cut was made.
    label : int
        Of the cluster, if it is a leaf, else -1.
    choice : NodeChoice or None
        Scores of numbers of clusters, where these decide about the split.
    """

    parent: int
    start: int
    stop: int
    scatter: float | None
    children: tuple = ()
    cut: object = None
    objective_before: float | None = None
    objective_after: float | None = None
    label: int = -1
    choice: object = None

    @property
    def size(self):
        """Number of members."""
        return self.stop - self.start

    @property
    def height(self):
        """Scatter, or the evidence for the split where scores decide about it."""
        if self.choice is None:
            return self.scatter
        return self.choice.evidence if self.children else 0.0


class ClusterTree:
    """Nodes of a divisive clustering, the root first, in the order of the cuts.

    One permutation of the objects holds the members of all nodes: those of a
    node are a slice of it, and those of its children slices of that. Members of a leaf
    are in ascending order.

    Parameters
    ----------
    n_samples : int
        Number of training objects.
    scatter : float or None
        Of all of them.
    dual : bool
        Whether the directions of a cut weigh the members of its node; else
        they weigh features.

    Attributes
    ----------
    nodes : list of Node
        All nodes; the children of a node come after it.
    splits : list of int
        Nodes that were cut, in the order of the cuts.
    """

    def __init__(self, n_samples, scatter, *, dual):
        self.order = np.arange(n_samples)
        self.nodes = [Node(-1, 0, n_samples, scatter, label=0)]
        self.splits, self.dual = [], dual

    @property
    def n_leaves(self):
        """Number of clusters."""
        return len(self.nodes) - len(self.splits)

    def members(self, i):
        """Training objects of node `i`, in ascending order."""
        node = self.nodes[i]
        return np.sort(self.order[node.start : node.stop])

    def split(self, i, cut, side, scatters=None):
        """Cut leaf `i`; its members go to the child that `side` says.

        Parameters
        ----------
        i : int
            A leaf.
        cut : object
            What cut it.
        side : ndarray of int
            Child of each member, members in ascending order.
        scatters : sequence of float or None
            Scatter of each child, if known. No child is empty.
        """
        node = self.nodes[i]
        if scatters is not None:
            node.objective_before = self.objective()
            change = float(sum(scatters)) - node.scatter
            node.objective_after = node.objective_before + change
        members, sizes = self.order[node.start : node.stop], np.bincount(side)
        # Small integers are sorted in one pass.
        side = side.astype(np.min_scalar_type(len(sizes)))
        members[:] = members[np.argsort(side, kind="stable")]
        stops = node.start + np.cumsum(sizes)
        first = len(self.nodes)
        for child, (size, stop) in enumerate(zip(sizes, stops)):
            scatter = None if scatters is None else float(scatters[child])
            self.nodes.append(Node(i, int(stop - size), int(stop), scatter))
        node.cut, node.label = cut, -1
        node.children = tuple(range(first, len(self.nodes)))
        self.splits.append(i)
        return node.children

    def objective(self):
        """Scatter of all leaves, the objective of k-means."""
        if not self.splits:
            return self.nodes[0].scatter
        return self.nodes[self.splits[-1]].objective_after

    def cuts(self):
        """The cuts, in the order they were made."""
        return [self.nodes[i].cut for i in self.splits]

    def leaves(self, whole=()):
        """Indices of the leaves, from left to right.

        Nodes in `whole` count as leaves; what is below them is left out.
        """
        leaves, stack = [], [0]
        while stack:
            i = stack.pop()
            children = () if i in whole else self.nodes[i].children
            stack.extend(reversed(children))
            if not children:
                leaves.append(i)
        return leaves

    def depths(self):
        """Depth of each node; that of the root is 0."""
        depths = [0]
        for node in self.nodes[1:]:
            depths.append(depths[node.parent] + 1)
        return depths

    def leaves_at(self, depth):
        """The nodes at a depth, and the leaves above it, from left to right."""
        return self.leaves({i for i, d in enumerate(self.depths()) if d == depth})

    def highest_leaves(self, n_leaves):
        """At most so many nodes, cut where the tree is highest, from left to right.

        From the root on, the highest node is cut next; nodes that have too many
        children are left whole.
        """
        whole, waiting, n = set(self.splits), [0], 1
        while waiting:
            i = max(waiting, key=lambda i: (self.nodes[i].height, -i))
            waiting.remove(i)
            children = self.nodes[i].children
            if not children or n + len(children) - 1 > n_leaves:
                continue
            whole.remove(i)
            waiting += children
            n += len(children) - 1
        return self.leaves(whole)

    def partition(self, nodes):
        """Position of each training object's node in a list of nodes."""
        labels = np.empty(len(self.order), dtype=np.intp)
        for label, i in enumerate(nodes):
            labels[self.order[self.nodes[i].start : self.nodes[i].stop]] = label
        return labels

    def number_leaves(self):
        """Give the leaves their labels, from left to right."""
        for label, i in enumerate(self.leaves()):
            self.nodes[i].label = label

    def inertia(self):
        """Scatter of all leaves, summed afresh."""
        return float(sum(self.nodes[i].scatter for i in self.leaves()))

    def labels(self):
        """Cluster of each training object."""
        return self.partition(self.leaves())

    def route(self, block):
        """Cluster of each row of a block, down the tree by the cuts that made it.

        Parameters
        ----------
        block : Gram
            New objects against the training objects, or against features if
            the tree is not dual.
        """
        n = block.shape[0]
        labels = np.empty(n, dtype=np.intp)
        stack = [(0, np.arange(n))]
        while stack:
            i, rows = stack.pop()
            node = self.nodes[i]
            if node.cut is None or len(rows) == 0:
                labels[rows] = node.label
                continue
            everyone = len(rows) == n and i == 0
            columns = self.members(i) if self.dual else ALL
            side = node.cut.side(block.restrict(ALL if everyone else rows, columns))
            for s, child in enumerate(node.children):
                stack.append((child, rows[side == s]))
        return labels

    def linkage(self):
        """The hierarchy as scipy's ``dendrogram`` takes it.

        Returns
        -------
        Z : ndarray of shape (n_leaves - 1, 4)
            Row i joins the two clusters in columns 0 and 1 into cluster
            ``n_leaves + i``; those below `n_leaves` are leaves, by their
            label. Column 2 is the height of what is joined (never below that
            of a part), column 3 its number of leaves. A node with more than two
            children is joined step by step at one height.
        """
        n_leaves = self.n_leaves
        names = {i: self.nodes[i].label for i in self.leaves()}
        heights, sizes = np.zeros(2 * n_leaves - 1), np.ones(2 * n_leaves - 1)
        Z = []
        for i in reversed(self.splits):
            joined, *rest = (names[c] for c in self.nodes[i].children)
            for other in rest:
                new = n_leaves + len(Z)
                parts = [heights[joined], heights[other], self.nodes[i].height]
                heights[new], sizes[new] = max(parts), sizes[joined] + sizes[other]
                Z.append([joined, other, heights[new], sizes[new]])
                joined = new
            names[i] = joined
        return np.array(Z, dtype=np.float64).reshape(-1, 4)

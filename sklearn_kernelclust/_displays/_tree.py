"""Picture of the tree of a divisive clustering."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_kernelclust._displays._base import axes_for, last_step, require_matplotlib

# More names than this cannot be read.
MOST_NAMES = 60


class ClusterTreeDisplay:
    """The tree of a divisive clustering.

    Every node is at the height of its scatter, the squared distances of its
    objects to their mean. A node that was cut is joined to the parts; a dot is
    a cluster that was left whole.

    It is recommended to use :meth:`from_estimator`. All parameters are stored
    as attributes.

    Parameters
    ----------
    segments : ndarray of shape (n_segments, 2, 2)
        Lines from (place, height) to (place, height).

    leaves : ndarray of shape (n_clusters, 2)
        Place and height of each cluster; the places are 0, 1, ...

    leaf_names : sequence of str, default=None
        Names of the clusters.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Axes with the tree.

    figure_ : matplotlib Figure
        Figure that holds it.

    lines_ : matplotlib LineCollection
        The lines.

    leaves_ : matplotlib Line2D
        The clusters.

    See Also
    --------
    ProjectionDisplay : Where one node was cut.
    PDDP : Divisive clustering of features.
    KPDDP : Divisive clustering with a kernel.
    BisectingKernelKMeans : Divisive clustering by 2-means.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_kernelclust import PDDP, ClusterTreeDisplay
    >>> X = np.array([[9.0, 1], [9, 2], [9, 5], [9, 7], [0, 1], [0, 0]])
    >>> display = ClusterTreeDisplay.from_estimator(PDDP(n_clusters=3).fit(X))
    >>> display.leaf_names
    ['0 (2)', '1 (2)', '2 (2)']
    >>> display.leaves
    array([[0. , 0.5],
           [1. , 2. ],
           [2. , 0.5]])
    """

    def __init__(self, segments, leaves, *, leaf_names=None):
        self.segments = segments
        self.leaves = leaves
        self.leaf_names = leaf_names

    def plot(self, ax=None, *, orientation="top", **kwargs):
        """Draw the tree.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on; a new figure by default.

        orientation : {"top", "left"}, default="top"
            Where the root is. Long names have more room at the right.

        **kwargs : dict
            Passed to ``matplotlib.collections.LineCollection``.

        Returns
        -------
        display : ClusterTreeDisplay
            With the artists as attributes.
        """
        if orientation not in ("top", "left"):
            raise ValueError(
                f"orientation must be 'top' or 'left', got {orientation!r}."
            )
        ax = axes_for(self, ax)
        from matplotlib.collections import LineCollection

        upright = orientation == "top"
        turn = slice(None) if upright else slice(None, None, -1)
        self.lines_ = LineCollection(
            self.segments[..., turn], **({"color": "C0"} | kwargs)
        )
        ax.add_collection(self.lines_)
        (self.leaves_,) = ax.plot(*self.leaves[:, turn].T, ".", color="C1")
        ax.autoscale()
        self._name_axes(ax, upright)
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _name_axes(self, ax, upright):
        places, heights = (ax.xaxis, ax.yaxis) if upright else (ax.yaxis, ax.xaxis)
        places.set_label_text("cluster")
        heights.set_label_text("scatter")
        for side in ("top", "right") if upright else ("top", "left"):
            ax.spines[side].set_visible(False)
        if not upright:  # the root at the left, the first cluster on top
            ax.invert_xaxis()
            ax.invert_yaxis()
            ax.yaxis.tick_right()
            ax.yaxis.set_label_position("right")
        names = self.leaf_names
        if names is None or len(names) > MOST_NAMES:
            return
        places.set_ticks(self.leaves[:, 0], names)
        if upright and max(map(len, names)) * len(names) > 60:
            ax.tick_params(axis="x", labelrotation=90)

    @classmethod
    def from_estimator(cls, estimator, *, leaf_names=None, ax=None, **kwargs):
        """Draw the tree of a divisive clusterer.

        Parameters
        ----------
        estimator : fitted PDDP, KPDDP or BisectingKernelKMeans
            Or a Pipeline or search that ends in one.

        leaf_names : sequence of str, default=None
            Names of the clusters, in the order of their labels; by default the
            label and the number of objects.

        ax : matplotlib Axes, default=None
            Axes to draw on; a new figure by default.

        **kwargs : dict
            Passed to :meth:`plot`.

        Returns
        -------
        display : ClusterTreeDisplay
            The tree, drawn.
        """
        require_matplotlib(cls)
        tree = tree_of(estimator)
        nodes = [tree.nodes[i] for i in tree.leaves()]
        if leaf_names is None:
            leaf_names = [f"{node.label} ({node.size})" for node in nodes]
        if len(leaf_names) != len(nodes):
            raise ValueError(
                f"Got {len(leaf_names)} leaf_names for {len(nodes)} clusters."
            )
        segments, leaves = outline(tree)
        return cls(segments, leaves, leaf_names=list(leaf_names)).plot(ax=ax, **kwargs)


def tree_of(estimator):
    """The tree of a fitted divisive clusterer."""
    clusterer, _ = last_step(estimator)
    if not hasattr(clusterer, "tree_"):
        raise TypeError(
            f"{type(clusterer).__name__} has no tree: PDDP, KPDDP and "
            "BisectingKernelKMeans have one."
        )
    return clusterer.tree_


def outline(tree):
    """Lines of a tree, and the places of its leaves.

    Children come after their parents in the list of nodes, so that one walk
    from its end meets them first.
    """
    leaves = tree.leaves()
    place, height = np.empty(len(tree.nodes)), np.empty(len(tree.nodes))
    place[leaves] = np.arange(len(leaves))
    lines = []
    for i in reversed(range(len(tree.nodes))):
        children = list(tree.nodes[i].children)
        # On an indefinite kernel the scatter of a part may be the larger one.
        height[i] = max([tree.nodes[i].height, *height[children]])
        if not children:
            continue
        first, last = place[children].min(), place[children].max()
        place[i] = (first + last) / 2
        lines.append([(first, height[i]), (last, height[i])])
        lines += [[(place[c], height[i]), (place[c], height[c])] for c in children]
    segments = np.array(lines, dtype=np.float64).reshape(-1, 2, 2)
    return segments, np.column_stack([place[leaves], height[leaves]])

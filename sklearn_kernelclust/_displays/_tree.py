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
    objects to their mean; in a :class:`PredictionStrengthTree`, of the evidence for
    its split. A node that was cut is joined to the parts; a dot is a cluster that
    was left whole.

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

    branches : ndarray of shape (n_branches, 2), default=None
        Place and height of each node that was cut.

    branch_names : sequence of str, default=None
        What to write there.

    height_name : str, default="scatter"
        What the heights are.

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

    branches_ : list of matplotlib Annotation
        The names of the branches.

    See Also
    --------
    ProjectionDisplay : Where one node was cut.
    PDDP : Divisive clustering of features.
    KPDDP : Divisive clustering with a kernel.
    BisectingKernelKMeans : Divisive clustering by 2-means.
    PredictionStrengthTree : A tree that stops by itself.

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

    def __init__(
        self,
        segments,
        leaves,
        *,
        leaf_names=None,
        branches=None,
        branch_names=None,
        height_name="scatter",
    ):
        self.segments = segments
        self.leaves = leaves
        self.leaf_names = leaf_names
        self.branches = branches
        self.branch_names = branch_names
        self.height_name = height_name

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
        self._name_branches(ax, upright)
        self._name_axes(ax, upright)
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _name_branches(self, ax, upright):
        self.branches_ = []
        if self.branch_names is None or len(self.branch_names) > MOST_NAMES:
            return
        look = {"xytext": (3, -3), "textcoords": "offset points", "va": "top"}
        look |= {"fontsize": "small", "color": "0.35"}
        look["bbox"] = {"facecolor": "white", "alpha": 0.8, "linewidth": 0, "pad": 1}
        for point, name in zip(self.branches, self.branch_names):
            point = point if upright else point[::-1]
            self.branches_.append(ax.annotate(name, point, **look))

    def _name_axes(self, ax, upright):
        places, heights = (ax.xaxis, ax.yaxis) if upright else (ax.yaxis, ax.xaxis)
        places.set_label_text("cluster")
        heights.set_label_text(self.height_name)
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
    def from_estimator(
        cls, estimator, *, leaf_names=None, branch_names=None, ax=None, **kwargs
    ):
        """Draw the tree of a divisive clusterer.

        Parameters
        ----------
        estimator : fitted PDDP, KPDDP, BisectingKernelKMeans or PredictionStrengthTree
            Or a Pipeline or search that ends in one.

        leaf_names : sequence of str, default=None
            Names of the clusters, in the order of their labels; by default the
            label and the number of objects.

        branch_names : sequence of str, default=None
            What to write at the nodes that were cut, in the order of
            ``tree_.splits``; by default the score and that of the references, where
            these decide about a split.

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
        if branch_names is None:
            branch_names = scores_at(tree)
        check_as_many("leaf_names", leaf_names, len(nodes), "clusters")
        check_as_many("branch_names", branch_names, len(tree.splits), "branches")
        segments, leaves = outline(tree)
        return cls(
            segments,
            leaves,
            leaf_names=list(leaf_names),
            branches=positions(tree)[tree.splits],
            branch_names=branch_names and list(branch_names),
            height_name="scatter" if tree.nodes[0].choice is None else "evidence",
        ).plot(ax=ax, **kwargs)


def check_as_many(parameter, names, n, things):
    """Refuse names that are not one for each thing."""
    if names is not None and len(names) != n:
        raise ValueError(f"Got {len(names)} {parameter} for {n} {things}.")


def scores_at(tree):
    """Scores and references at the splits, None if other things decided."""
    choices = [tree.nodes[i].choice for i in tree.splits]
    if None in choices:
        return None
    return [f"{choice.score:.2f} ({choice.reference:.2f})" for choice in choices]


def tree_of(estimator):
    """The tree of a fitted divisive clusterer."""
    clusterer, _ = last_step(estimator)
    if not hasattr(clusterer, "tree_"):
        raise TypeError(
            f"{type(clusterer).__name__} has no tree: PDDP, KPDDP, "
            "BisectingKernelKMeans and PredictionStrengthTree have one."
        )
    return clusterer.tree_


def positions(tree):
    """Place and height of each node.

    Children come after their parents in the list of nodes, so that one walk
    from its end meets them first.
    """
    leaves = tree.leaves()
    place, height = np.empty(len(tree.nodes)), np.empty(len(tree.nodes))
    place[leaves] = np.arange(len(leaves))
    for i in reversed(range(len(tree.nodes))):
        children = list(tree.nodes[i].children)
        # On an indefinite kernel the scatter of a part may be the larger one.
        height[i] = max([tree.nodes[i].height, *height[children]])
        if children:
            place[i] = (place[children].min() + place[children].max()) / 2
    return np.column_stack([place, height])


def outline(tree):
    """Lines of a tree, and the places of its leaves."""
    points, lines = positions(tree), []
    for i in sorted(tree.splits, reverse=True):
        children, height = points[list(tree.nodes[i].children)], points[i, 1]
        ends = children[:, 0].min(), children[:, 0].max()
        lines.append([(end, height) for end in ends])
        lines += [[(place, height), (place, low)] for place, low in children]
    segments = np.array(lines, dtype=np.float64).reshape(-1, 2, 2)
    return segments, points[tree.leaves()]

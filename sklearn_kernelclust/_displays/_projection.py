"""Histogram of the projections that a node of a tree was cut by."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_kernelclust._displays._base import axes_for, last_step, require_matplotlib
from sklearn_kernelclust._displays._tree import tree_of
from sklearn_kernelclust._divisive._cuts import OrthantCut


class ProjectionDisplay:
    """Histogram of the objects of a node along the direction it was cut in.

    It is recommended to use :meth:`from_estimator`. All parameters are stored
    as attributes.

    Parameters
    ----------
    projections : ndarray of shape (n_members,)
        Place of each object of the node along the direction; the mean of the
        node is at 0.

    threshold : float
        Where the node was cut.

    sides : ndarray of int of shape (n_members,), default=None
        Part that each object went to.

    part_names : sequence of str, default=None
        Names of the parts.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Axes with the histogram.

    figure_ : matplotlib Figure
        Figure that holds it.

    bars_ : list of matplotlib BarContainer
        The bars of each part.

    cut_ : matplotlib Line2D
        Line at the threshold.

    See Also
    --------
    ClusterTreeDisplay : The whole tree.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_kernelclust import PDDP, ProjectionDisplay
    >>> X = np.array([[0.0], [1], [2], [9]])
    >>> model = PDDP(n_clusters=2, split="projection-cut").fit(X)
    >>> display = ProjectionDisplay.from_estimator(model, X)
    >>> display.projections
    array([-3., -2., -1.,  6.])
    >>> round(display.threshold, 6)
    2.5
    """

    def __init__(self, projections, threshold, *, sides=None, part_names=None):
        self.projections = projections
        self.threshold = threshold
        self.sides = sides
        self.part_names = part_names

    def plot(self, ax=None, *, bins=50, **kwargs):
        """Draw the histogram and the cut.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on; a new figure by default.

        bins : int or sequence, default=50
            As for ``matplotlib.axes.Axes.hist``.

        **kwargs : dict
            Passed to ``matplotlib.axes.Axes.hist``.

        Returns
        -------
        display : ProjectionDisplay
            With the artists as attributes.
        """
        ax = axes_for(self, ax)
        sides = (
            np.zeros(len(self.projections), int) if self.sides is None else self.sides
        )
        parts = [self.projections[sides == s] for s in range(sides.max() + 1)]
        names = self.part_names
        style = {"stacked": True, "label": names} | kwargs
        _, _, bars = ax.hist(parts, bins=bins, **style)
        # Of a single part, matplotlib gives the bars without a list.
        self.bars_ = [bars] if len(parts) == 1 else list(bars)
        self.cut_ = ax.axvline(self.threshold, color="black", linestyle="--")
        ax.set(xlabel="projection", ylabel="objects")
        if names is not None:
            ax.legend()
        self.ax_, self.figure_ = ax, ax.figure
        return self

    @classmethod
    def from_estimator(cls, estimator, X, *, node=0, component=0, ax=None, **kwargs):
        """Draw how a node of a divisive clusterer was cut.

        Parameters
        ----------
        estimator : fitted PDDP, KPDDP or BisectingKernelKMeans
            Or a Pipeline or search that ends in one.

        X : {array-like, sparse matrix} of shape (n_samples, n_features) or Gram
            What `estimator` was fitted on.

        node : int, default=0
            Index in ``tree_.nodes``; 0 is the root.

        component : int, default=0
            Which of the principal components that the node was cut across. A
            cut by two means is drawn along the line through them.

        ax : matplotlib Axes, default=None
            Axes to draw on; a new figure by default.

        **kwargs : dict
            Passed to :meth:`plot`.

        Returns
        -------
        display : ProjectionDisplay
            The histogram, drawn.
        """
        require_matplotlib(cls)
        tree = tree_of(estimator)
        cut = cut_of(tree, node)
        clusterer, X = last_step(estimator, X)
        block = clusterer._new_gram(X)
        if block.shape[0] != len(tree.order):
            raise ValueError(
                f"X has {block.shape[0]} objects, and {type(clusterer).__name__} was "
                f"fitted on {len(tree.order)}: pass what it was fitted on."
            )
        members = tree.members(node)
        values = cut.values(
            block.restrict(members, members if tree.dual else slice(None))
        )
        sides = cut.side_of(values)
        projections, threshold = along(cut, values, sides, component)
        parts = tree.nodes[node].children
        names = [f"node {c} ({tree.nodes[c].size} objects)" for c in parts]
        display = cls(projections, threshold, sides=sides, part_names=names)
        return display.plot(ax=ax, **kwargs)


def cut_of(tree, node):
    """The cut of a node, an error if it was not cut."""
    if not 0 <= node < len(tree.nodes):
        raise ValueError(f"There is no node {node}: the tree has {len(tree.nodes)}.")
    if tree.nodes[node].cut is None:
        raise ValueError(
            f"Node {node} is a leaf and was not cut; these were: "
            f"{', '.join(map(str, tree.splits)) or 'none'}."
        )
    return tree.nodes[node].cut


def along(cut, values, sides, component):
    """Places of the members along one direction of a cut, and the threshold."""
    n_directions = values.shape[1] if isinstance(cut, OrthantCut) else 1
    if not 0 <= component < n_directions:
        raise ValueError(
            f"component must be from 0 to {n_directions - 1} for this node, got "
            f"{component}."
        )
    if isinstance(cut, OrthantCut):
        return values[:, component], float(cut.thresholds[component])
    if values.shape[1] != 2:
        raise ValueError(
            f"The node was cut by {values.shape[1]} means, and only two have a line "
            "through them: use n_components=1, or a split without 2-means."
        )
    projections = values[:, 1] - values[:, 0]
    threshold = (cut.norms[1] - cut.norms[0]) / 2
    # Where k-means has converged, this is the squared distance of the means.
    squared = projections[sides == 1].mean() - projections[sides == 0].mean()
    length = np.sqrt(squared) if squared > 0 else 1.0
    return projections / length, float(threshold / length)

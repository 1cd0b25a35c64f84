"""Picture of a kernel matrix, ordered by cluster."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.sparse import csc_array
from sklearn import get_config
from sklearn.utils import check_consistent_length, column_or_1d

from sklearn_kernelclust._displays._base import (
    axes_for,
    kernel_of,
    last_step,
    require_matplotlib,
)
from sklearn_kernelclust._gram._checks import as_gram
from sklearn_kernelclust._utils._threads import batches

# Share of the entries that may lie outside of the colours, at each end: a few
# pairs of almost equal objects would take all of them.
OUTSIDE = 0.01


class GramDisplay:
    """A kernel matrix as a picture, its objects ordered by cluster.

    Of many objects it shows means over blocks, so that the picture has no more
    than `max_size` rows and the matrix is not formed for it.

    It is recommended to use :meth:`from_kernel` or :meth:`from_estimator`. All
    parameters are stored as attributes.

    Parameters
    ----------
    image : ndarray of shape (size, size)
        Similarities, or their means over blocks; NaN where there is none.

    n_samples : int
        Number of objects.

    bounds : ndarray of shape (n_clusters + 1,), default=None
        Where the clusters begin, the first at 0 and the last ending at
        `n_samples`.

    cluster_names : sequence of str, default=None
        Names of the clusters, in that order.

    limits : tuple of two floats, default=None
        Similarities with the first and the last colour; those of all entries
        by default.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Axes with the picture.

    figure_ : matplotlib Figure
        Figure that holds it.

    im_ : matplotlib AxesImage
        The picture.

    lines_ : list of matplotlib Line2D
        Bounds of the clusters.

    colorbar_ : matplotlib Colorbar or None
        Colour bar.

    See Also
    --------
    SpectrumDisplay : Eigenvalues of a kernel.
    metrics.dominance_ratio : How much the diagonal dominates.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_kernelclust import GramDisplay
    >>> K = np.array([[1.0, 0.1, 0.8], [0.1, 1.0, 0.2], [0.8, 0.2, 1.0]])
    >>> display = GramDisplay.from_kernel(K, labels=[0, 1, 0], diagonal=True)
    >>> display.image
    array([[1. , 0.8, 0.1],
           [0.8, 1. , 0.2],
           [0.1, 0.2, 1. ]])
    >>> display.bounds
    array([0, 2, 3])
    """

    def __init__(
        self, image, *, n_samples, bounds=None, cluster_names=None, limits=None
    ):
        self.image = image
        self.n_samples = n_samples
        self.bounds = bounds
        self.cluster_names = cluster_names
        self.limits = limits

    def plot(self, ax=None, *, colorbar=True, **kwargs):
        """Draw the picture.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on; a new figure by default.

        colorbar : bool, default=True
            Whether to add a colour bar.

        **kwargs : dict
            Passed to ``matplotlib.axes.Axes.imshow``, such as `cmap`, `vmin`,
            `vmax` or `norm`.

        Returns
        -------
        display : GramDisplay
            With the artists as attributes.
        """
        ax = axes_for(self, ax)
        style = {"interpolation": "nearest"}
        if self.limits is not None and "norm" not in kwargs:
            style |= dict(zip(("vmin", "vmax"), self.limits))
        n = self.n_samples
        self.im_ = ax.imshow(self.image, extent=(0, n, n, 0), **(style | kwargs))
        self.lines_ = []
        ax.set(xlabel="object", ylabel="object")
        if self.bounds is not None:
            self._mark_clusters(ax)
        self.colorbar_ = None
        if colorbar:  # about as high as the square picture
            self.colorbar_ = ax.figure.colorbar(
                self.im_, ax=ax, fraction=0.046, pad=0.03
            )
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _mark_clusters(self, ax):
        for place in self.bounds[1:-1]:
            for draw in (ax.axhline, ax.axvline):
                self.lines_.append(draw(place, color="white", linewidth=0.5))
        middles = (self.bounds[:-1] + self.bounds[1:]) / 2
        # Names of clusters that are narrower than a line of text would overlap.
        shown = np.diff(self.bounds) >= self.n_samples / 25
        names = np.asarray(self.cluster_names, dtype=object)[shown]
        ax.set_yticks(middles[shown], names)
        ax.set_ylabel("cluster")

    @classmethod
    def from_kernel(
        cls, K, labels=None, *, max_size=500, diagonal=False, ax=None, **kwargs
    ):
        """Draw a kernel matrix.

        Parameters
        ----------
        K : array-like, sparse matrix or Gram of shape (n_samples, n_samples)
            Kernel.

        labels : array-like of shape (n_samples,), default=None
            Clusters or classes to order the objects by; within each they keep
            their order. By default all do.

        max_size : int, default=500
            Most rows of the picture. More objects are averaged over as many
            blocks of equal size.

        diagonal : bool, default=False
            Whether to show self-similarities. If so, the colours span all
            entries; else only the similarities of different objects, without
            the 1 % at each end.

        ax : matplotlib Axes, default=None
            Axes to draw on; a new figure by default.

        **kwargs : dict
            Passed to :meth:`plot`.

        Returns
        -------
        display : GramDisplay
            The picture, drawn.
        """
        require_matplotlib(cls)
        gram = as_gram(K)
        if max_size < 1:
            raise ValueError(f"max_size must be at least 1, got {max_size}.")
        order, bounds, names = np.arange(gram.shape[0]), None, None
        if labels is not None:
            labels = column_or_1d(labels)
            check_consistent_length(order, labels)
            order, bounds, names = by_cluster(labels)
        image = block_means(gram, order, max_size, diagonal=diagonal)
        display = cls(
            image,
            n_samples=len(order),
            bounds=bounds,
            cluster_names=names,
            limits=None if diagonal else color_limits(image),
        )
        return display.plot(ax=ax, **kwargs)

    @classmethod
    def from_estimator(
        cls, estimator, X, *, max_size=500, diagonal=False, ax=None, **kwargs
    ):
        """Draw the kernel of a fitted clusterer, ordered by its clusters.

        Parameters
        ----------
        estimator : fitted clusterer, or Pipeline or search that ends in one
            Of a pipeline, the kernel is what its last step was given.

        X : {array-like, sparse matrix} of shape (n_samples, n_features) or Gram
            What `estimator` was fitted on.

        max_size : int, default=500
            Most rows of the picture.

        diagonal : bool, default=False
            Whether to show self-similarities.

        ax : matplotlib Axes, default=None
            Axes to draw on; a new figure by default.

        **kwargs : dict
            Passed to :meth:`plot`.

        Returns
        -------
        display : GramDisplay
            The picture, drawn.
        """
        require_matplotlib(cls)
        clusterer, X = last_step(estimator, X)
        return cls.from_kernel(
            kernel_of(clusterer, X),
            clusterer.labels_,
            max_size=max_size,
            diagonal=diagonal,
            ax=ax,
            **kwargs,
        )


def by_cluster(labels):
    """Order of the objects, bounds of the clusters and their names."""
    clusters, index = np.unique(labels, return_inverse=True)
    bounds = np.concatenate([[0], np.cumsum(np.bincount(index))])
    return np.argsort(index, kind="stable"), bounds, [str(c) for c in clusters]


def block_means(gram, order, max_size, *, diagonal):
    """Mean similarity of all pairs of blocks of objects that follow in `order`.

    Nothing larger than `working_memory` is formed. Without the diagonal only
    pairs of different objects count; a block of one object with itself is NaN.
    """
    n = len(order)
    size = min(n, max_size)
    block = np.empty(n, dtype=np.intp)
    block[order] = np.arange(n) * size // n
    Z = csc_array((np.ones(n), (np.arange(n), block)), shape=(n, size))
    width = max(int(get_config()["working_memory"] * 2**20 // (8 * n)), 1)
    sums = np.hstack([Z.T @ (gram @ Z[:, b]) for b in batches(size, width)])
    counts = np.bincount(block, minlength=size).astype(np.float64)
    pairs = np.outer(counts, counts)
    if not diagonal:
        places = np.diag_indices(size)
        alone = counts == 1
        sums[places] -= Z.T @ gram.diagonal().astype(np.float64)
        sums[places] = np.where(alone, np.nan, sums[places])
        pairs[places] = np.where(alone, 1, counts * (counts - 1))
    return sums / pairs


def color_limits(image):
    """Range of the entries without a few at each end; None if there are none."""
    entries = image[np.isfinite(image)]
    if len(entries) == 0:
        return None
    return tuple(float(q) for q in np.quantile(entries, [OUTSIDE, 1 - OUTSIDE]))

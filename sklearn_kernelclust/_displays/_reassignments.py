"""How many objects move in each iteration, as curves."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_kernelclust._displays._base import axes_for, last_step, require_matplotlib


class ReassignmentDisplay:
    """Number of objects that change their cluster in each iteration.

    A curve that falls to 0 at once tells of a run that stayed where it began,
    as on a kernel whose diagonal dominates.

    It is recommended to use :meth:`from_estimator` or :meth:`from_estimators`.
    All parameters are stored as attributes.

    Parameters
    ----------
    reassignments : dict of str to ndarray of shape (n_iter,)
        For each curve, how many objects moved in each iteration.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Axes with the curves.

    figure_ : matplotlib Figure
        Figure that holds them.

    lines_ : list of matplotlib Line2D
        The curves.

    See Also
    --------
    KernelKMeans : Has the counts as `n_reassignments_`.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_kernelclust import KernelKMeans, ReassignmentDisplay
    >>> X = np.array([[0.0], [1.0], [10.0], [11.0]])
    >>> model = KernelKMeans(2, kernel="linear", init=[0, 0, 0, 1]).fit(X)
    >>> ReassignmentDisplay.from_estimator(model).reassignments
    {'KernelKMeans': array([1., 0.])}
    """

    def __init__(self, reassignments):
        self.reassignments = reassignments

    def plot(self, ax=None, *, n_iter=None, **kwargs):
        """Draw the curves.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on; a new figure by default.

        n_iter : int, default=None
            How many iterations to draw, all by default.

        **kwargs : dict
            Passed to ``matplotlib.axes.Axes.plot`` for every curve.

        Returns
        -------
        display : ReassignmentDisplay
            With the artists as attributes.
        """
        ax = axes_for(self, ax)
        self.lines_ = []
        for name, counts in self.reassignments.items():
            shown = counts[:n_iter]
            style = {"label": name, "marker": "."} | kwargs
            self.lines_ += ax.plot(np.arange(1, len(shown) + 1), shown, **style)
        ax.set(xlabel="iteration", ylabel="objects that moved")
        ax.locator_params(axis="x", integer=True)
        ax.legend()
        self.ax_, self.figure_ = ax, ax.figure
        return self

    @classmethod
    def from_estimator(cls, estimator, *, name=None, ax=None, **kwargs):
        """Draw the curve of one estimator.

        Parameters
        ----------
        estimator : fitted estimator, or Pipeline or search that ends in one
            With `n_reassignments_`, as `KernelKMeans` has.

        name : str, default=None
            Name for the legend, that of the class by default.

        ax : matplotlib Axes, default=None
            Axes to draw on; a new figure by default.

        **kwargs : dict
            Passed to :meth:`plot`.

        Returns
        -------
        display : ReassignmentDisplay
            The curve, drawn.
        """
        require_matplotlib(cls)
        name = type(last_step(estimator)[0]).__name__ if name is None else name
        return cls.from_estimators({name: estimator}, ax=ax, **kwargs)

    @classmethod
    def from_estimators(cls, estimators, *, ax=None, **kwargs):
        """Draw a curve for each of several estimators, or groups of them.

        Parameters
        ----------
        estimators : dict of str to fitted estimator or list of fitted estimators
            Of a list, such as runs from different seeds, the mean is drawn; a
            run that has ended moves no more objects.

        ax : matplotlib Axes, default=None
            Axes to draw on; a new figure by default.

        **kwargs : dict
            Passed to :meth:`plot`.

        Returns
        -------
        display : ReassignmentDisplay
            The curves, drawn.
        """
        require_matplotlib(cls)
        curves = {
            name: mean_counts(runs if isinstance(runs, (list, tuple)) else [runs])
            for name, runs in estimators.items()
        }
        return cls(curves).plot(ax=ax, **kwargs)


def mean_counts(estimators):
    """Mean number of reassignments in each iteration, until the last run ends."""
    runs = [counts_of(estimator) for estimator in estimators]
    if not runs:
        raise ValueError("A curve needs at least one fitted estimator, got none.")
    padded = np.zeros((len(runs), max(len(run) for run in runs)))
    for row, run in zip(padded, runs):
        row[: len(run)] = run
    return padded.mean(axis=0)


def counts_of(estimator):
    """Number of objects that moved in each iteration of a fitted estimator."""
    clusterer, _ = last_step(estimator)
    if not hasattr(clusterer, "n_reassignments_"):
        raise TypeError(
            f"{type(clusterer).__name__} does not count reassignments: it has no "
            "n_reassignments_. KernelKMeans has."
        )
    return clusterer.n_reassignments_

"""Scores against the number of clusters, as a curve."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_kernelclust._displays._base import axes_for, require_matplotlib, steps_into


class PredictionStrengthDisplay:
    """Mean score against the number of clusters, with its standard deviation.

    It is recommended to use :meth:`from_estimator`. All parameters are stored
    as attributes.

    Parameters
    ----------
    n_clusters : ndarray of shape (n_candidates,)
        Numbers of clusters.

    mean_scores : ndarray of shape (n_candidates,)
        Mean over the splits; NaN where there is none.

    std_scores : ndarray of shape (n_candidates,), default=None
        Standard deviation over the splits.

    best_k : int, default=None
        The number that was chosen.

    threshold : float, default=None
        What a score had to reach, if that mattered to the choice.

    score_name : str, default="score"
        What is on the vertical axis.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Axes with the curve.

    figure_ : matplotlib Figure
        Figure that holds it.

    errorbar_ : matplotlib ErrorbarContainer
        The curve.

    best_ : matplotlib Line2D or None
        Line at the number that was chosen.

    threshold_ : matplotlib Line2D or None
        Line at the threshold.

    See Also
    --------
    PredictionStrengthK : Chooses the number of clusters.

    Examples
    --------
    >>> from sklearn_kernelclust import PredictionStrengthDisplay
    >>> display = PredictionStrengthDisplay(
    ...     [2, 3, 4], [0.4, 0.9, 0.5], [0.1, 0.05, 0.1], best_k=3
    ... ).plot()
    >>> display.best_.get_label()
    'k = 3'
    """

    def __init__(
        self,
        n_clusters,
        mean_scores,
        std_scores=None,
        *,
        best_k=None,
        threshold=None,
        score_name="score",
    ):
        self.n_clusters = n_clusters
        self.mean_scores = mean_scores
        self.std_scores = std_scores
        self.best_k = best_k
        self.threshold = threshold
        self.score_name = score_name

    def plot(self, ax=None, **kwargs):
        """Draw the curve.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on; a new figure by default.

        **kwargs : dict
            Passed to ``matplotlib.axes.Axes.errorbar``.

        Returns
        -------
        display : PredictionStrengthDisplay
            With the artists as attributes.
        """
        ax = axes_for(self, ax)
        style = {"marker": "o", "markersize": 4, "capsize": 3, "zorder": 2} | kwargs
        self.errorbar_ = ax.errorbar(
            self.n_clusters, self.mean_scores, self.std_scores, **style
        )
        self.best_ = self.threshold_ = None
        if self.best_k is not None:
            self.best_ = ax.axvline(
                self.best_k, color="C1", zorder=1, label=f"k = {self.best_k}"
            )
        if self.threshold is not None:
            self.threshold_ = ax.axhline(
                self.threshold,
                color="grey",
                linestyle="--",
                label=f"threshold {self.threshold:g}",
            )
        if self.best_ or self.threshold_:
            ax.legend()
        ax.set(xlabel="number of clusters", ylabel=self.score_name)
        ax.locator_params(axis="x", integer=True)
        self.ax_, self.figure_ = ax, ax.figure
        return self

    @classmethod
    def from_estimator(cls, estimator, *, ax=None, **kwargs):
        """Draw the scores by which the number of clusters was chosen.

        Parameters
        ----------
        estimator : fitted PredictionStrengthK
            Or a pipeline or a search that holds one. With
            ``select="threshold"`` the scores that are compared with the
            threshold are shown, and the threshold; else `scores_`.

        ax : matplotlib Axes, default=None
            Axes to draw on; a new figure by default.

        **kwargs : dict
            Passed to :meth:`plot`.

        Returns
        -------
        display : PredictionStrengthDisplay
            The curve, drawn.
        """
        require_matplotlib(cls)
        estimator = who_chose(estimator)
        table = estimator.cv_results_
        # A threshold is one for scores that are not corrected for chance.
        bound = estimator.select == "threshold"
        kind = "raw" if bound else "test"
        display = cls(
            np.array([k for params in table["params"] for k in params.values()]),
            table[f"mean_{kind}_score"],
            table[f"std_{kind}_score"],
            best_k=estimator.best_k_,
            threshold=estimator.threshold if bound else None,
            score_name=score_name(estimator, kind),
        )
        return display.plot(ax=ax, **kwargs)


def who_chose(estimator):
    """The estimator, or the step inside it, that chose the number of clusters."""
    for step, _ in steps_into(estimator):
        if hasattr(step, "best_k_"):
            return step
    raise TypeError(
        f"{type(estimator).__name__} did not choose a number of clusters: it has no "
        "best_k_. PredictionStrengthK has."
    )


def score_name(estimator, kind):
    """Name of the scores: the criterion, and whether it is corrected for chance."""
    name = estimator.criterion
    name = getattr(name, "__name__", "score") if callable(name) else name
    above = kind == "test" and estimator.adjust_for_chance
    return name.replace("-", " ") + (" above chance" if above else "")

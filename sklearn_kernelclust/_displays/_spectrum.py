"""Eigenvalues of a kernel matrix as a curve."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import scipy.linalg

from sklearn_kernelclust._displays._base import (
    axes_for,
    kernel_of,
    last_step,
    require_matplotlib,
)
from sklearn_kernelclust._gram._checks import as_gram
from sklearn_kernelclust._linalg._eigenpairs import leading_eigenpairs


class SpectrumDisplay:
    """Eigenvalues of a kernel matrix, from the largest to the smallest.

    A dominating diagonal shows as a long tail of eigenvalues that are not
    small; a kernel that is not positive semi-definite has some below 0.

    It is recommended to use :meth:`from_kernel` or :meth:`from_estimator`. All
    parameters are stored as attributes.

    Parameters
    ----------
    eigenvalues : ndarray of shape (n_eigenvalues,)
        In descending order.

    n_samples : int
        Number of objects.

    name : str, default=None
        Name of the kernel, for the legend.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Axes with the curve.

    figure_ : matplotlib Figure
        Figure that holds it.

    line_ : matplotlib Line2D
        The curve.

    zero_ : matplotlib Line2D or None
        Line at 0, if some of the eigenvalues drawn are negative.

    See Also
    --------
    GramDisplay : The kernel itself.
    DiagonalShift : Moves all eigenvalues by the same amount.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_kernelclust import DiagonalShift, SpectrumDisplay
    >>> K = np.array([[1.0, 0.5], [0.5, 1.0]])
    >>> display = SpectrumDisplay.from_kernel(K, name="as it is")
    >>> display.eigenvalues
    array([1.5, 0.5])
    >>> shifted = DiagonalShift().fit_transform(K)
    >>> SpectrumDisplay.from_kernel(shifted, name="shifted", ax=display.ax_).eigenvalues
    array([ 0.5, -0.5])
    """

    def __init__(self, eigenvalues, *, n_samples, name=None):
        self.eigenvalues = eigenvalues
        self.n_samples = n_samples
        self.name = name

    def plot(self, ax=None, *, first=1, last=None, name=None, **kwargs):
        """Draw the curve.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on; a new figure by default.

        first, last : int, default=1 and None
            Ranks of the first and of the last eigenvalue that is drawn; without
            the first few, the others are easier to see.

        name : str, default=None
            Name for the legend, in the place of the attribute.

        **kwargs : dict
            Passed to ``matplotlib.axes.Axes.plot``.

        Returns
        -------
        display : SpectrumDisplay
            With the artists as attributes.
        """
        last = len(self.eigenvalues) if last is None else last
        if not 1 <= first <= last <= len(self.eigenvalues):
            raise ValueError(
                f"Ranks from {first} to {last} are not among the "
                f"{len(self.eigenvalues)} eigenvalues."
            )
        ax = axes_for(self, ax)
        name = self.name if name is None else name
        shown = self.eigenvalues[first - 1 : last]
        style = {"label": name, "marker": "." if len(shown) < 50 else ""} | kwargs
        (self.line_,) = ax.plot(np.arange(first, last + 1), shown, **style)
        self.zero_ = None
        if shown[-1] < -1e-8 * abs(self.eigenvalues[0]):  # more than rounding
            self.zero_ = ax.axhline(0, color="grey", linewidth=0.8)
        ax.set(xlabel="rank", ylabel="eigenvalue")
        if style["label"] is not None:
            ax.legend()
        self.ax_, self.figure_ = ax, ax.figure
        return self

    @classmethod
    def from_kernel(cls, K, *, n_eigenvalues=None, name=None, ax=None, **kwargs):
        """Compute the eigenvalues of a kernel and draw them.

        Parameters
        ----------
        K : array-like, sparse matrix or Gram of shape (n_samples, n_samples)
            Kernel.

        n_eigenvalues : int, default=None
            How many of the largest to compute. All, the default, form the
            matrix and take O(n_samples^3) operations; a few are found from
            products with it.

        name : str, default=None
            Name of the kernel, for the legend.

        ax : matplotlib Axes, default=None
            Axes to draw on; a new figure by default.

        **kwargs : dict
            Passed to :meth:`plot`.

        Returns
        -------
        display : SpectrumDisplay
            The curve, drawn.
        """
        require_matplotlib(cls)
        gram = as_gram(K)
        values = spectrum(gram, n_eigenvalues)
        display = cls(values, n_samples=gram.shape[0], name=name)
        return display.plot(ax=ax, **kwargs)

    @classmethod
    def from_estimator(
        cls, estimator, X, *, n_eigenvalues=None, name=None, ax=None, **kwargs
    ):
        """Draw the eigenvalues of the kernel of a fitted clusterer.

        Parameters
        ----------
        estimator : fitted clusterer, or Pipeline or search that ends in one
            Of a pipeline, the kernel is what its last step was given.

        X : {array-like, sparse matrix} of shape (n_samples, n_features) or Gram
            What `estimator` was fitted on.

        n_eigenvalues : int, default=None
            How many of the largest to compute, all by default.

        name : str, default=None
            Name of the kernel, for the legend.

        ax : matplotlib Axes, default=None
            Axes to draw on; a new figure by default.

        **kwargs : dict
            Passed to :meth:`plot`.

        Returns
        -------
        display : SpectrumDisplay
            The curve, drawn.
        """
        require_matplotlib(cls)
        kernel = kernel_of(*last_step(estimator, X))
        return cls.from_kernel(
            kernel, n_eigenvalues=n_eigenvalues, name=name, ax=ax, **kwargs
        )


def spectrum(gram, n_eigenvalues=None):
    """Eigenvalues in descending order: all of them, or the largest."""
    if n_eigenvalues is None:
        return scipy.linalg.eigvalsh(gram.toarray())[::-1]
    if not 1 <= n_eigenvalues <= gram.shape[0]:
        raise ValueError(
            f"n_eigenvalues must be from 1 to {gram.shape[0]}, the number of objects, "
            f"got {n_eigenvalues}."
        )
    return leading_eigenpairs(gram, n_eigenvalues)[0]

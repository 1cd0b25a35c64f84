"""What displays share: matplotlib on demand, and the input of a fitted model."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn.pipeline import Pipeline
from sklearn.utils import check_array
from sklearn.utils.validation import check_is_fitted

from sklearn_kernelclust._gram._base import Gram
from sklearn_kernelclust._kernels._base import KernelMixin
from sklearn_kernelclust._kernels._evaluate import fit_kernel
from sklearn_kernelclust._utils._validation import FLOATS, canonical


def require_matplotlib(display):
    """Fail before anything is computed if nothing can be drawn.

    `display` is the class or the object that wants to draw.
    """
    name = display.__name__ if isinstance(display, type) else type(display).__name__
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise ImportError(
            f"{name} draws with matplotlib, which is not installed: "
            "python -m pip install matplotlib"
        ) from error


def axes_for(display, ax):
    """The axes given, or those of a new figure."""
    require_matplotlib(display)
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots(layout="constrained")[1]


def steps_into(estimator, X=None):
    """A fitted estimator, then the steps inside it, each with its input.

    The way leads into pipelines and searches, to the clusterer. Without `X`
    there is no input to find.
    """
    while True:
        check_is_fitted(estimator)
        yield estimator, X
        if hasattr(estimator, "best_estimator_"):
            estimator = estimator.best_estimator_
        elif isinstance(estimator, Pipeline):
            if X is not None and len(estimator) > 1:
                X = estimator[:-1].transform(X)
            estimator = estimator[-1]
        else:
            return


def last_step(estimator, X=None):
    """The clusterer inside pipelines and searches, fitted, and its input."""
    *_, last = steps_into(estimator, X)
    return last


def kernel_of(clusterer, X):
    """The kernel matrix, or the Gram, that a clusterer has been fitted on.

    `clusterer` and `X` come from `last_step`.
    """
    if isinstance(X, Gram):
        return X
    if isinstance(clusterer, KernelMixin):
        if clusterer.X_fit_ is None:
            return X
        # Without the origin that an estimator may choose for its rounding.
        X = clusterer._check_features(X)
        return clusterer._kernel.on(X, center=False).gram()
    if hasattr(clusterer, "tree_") or hasattr(clusterer, "cluster_centers_"):
        X = canonical(check_array(X, accept_sparse="csr", dtype=FLOATS))
        return fit_kernel(X, kernel="linear").gram()
    raise TypeError(
        f"The kernel of a {type(clusterer).__name__} is not known here: evaluate it, "
        "and use from_kernel(K, labels)."
    )

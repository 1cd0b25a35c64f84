"""Checks of input, and fits that leave an estimator as it was if they fail."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import wraps
from itertools import product
from numbers import Integral

import numpy as np
from scipy.sparse import issparse
from sklearn.utils.validation import validate_data

from sklearn_kernelclust._utils._arrays import arrays_of, is_foreign, on_host
from sklearn_kernelclust._utils._sklearn import (
    Interval,
    InvalidParameterError,
    _check_sample_weight,
    check_same_namespace,
)

FLOATS = [np.float64, np.float32]

HOW_TO_DISPATCH = (
    "To work with {} arrays on their device, set SCIPY_ARRAY_API=1 in the environment "
    "before Python starts, and sklearn.set_config(array_api_dispatch=True)."
)


# Constraints of those that start more than once and keep the best.
STARTS = {
    "n_init": [Interval(Integral, 1, None, closed="left")],
    "random_state": ["random_state"],
}


def all_or_nothing(fit):
    """Leave an estimator as it was if its fit does not end.

    scikit-learn's validation writes to the estimator before the work begins;
    after an interrupt it would be a mixture of two fits, or seem to be fitted.
    """

    @wraps(fit)
    def whole(self, *args, **kwargs):
        before = dict(vars(self))
        try:
            return fit(self, *args, **kwargs)
        except BaseException:
            # The callbacks of scikit-learn are torn down by who set them up.
            before |= {k: v for k, v in vars(self).items() if "callback" in k}
            vars(self).clear()
            vars(self).update(before)
            raise

    return whole


def best_has(method):
    """Whether the chosen model, or the one to be fitted, has a method."""

    def check(self):
        if not self.refit:
            raise AttributeError(
                f"{method} needs the model of the best k, and refit=False keeps none."
            )
        getattr(getattr(self, "best_estimator_", self.estimator), method)
        return True

    return check


def check_n_clusters(estimator, n_samples):
    """Refuse a bool, which passes for an integer, and more clusters than objects."""
    n_clusters = estimator.n_clusters
    if isinstance(n_clusters, (bool, np.bool_)):
        raise InvalidParameterError(
            f"The 'n_clusters' parameter of {type(estimator).__name__} must be an "
            f"int in the range [1, inf). Got {n_clusters!r} instead."
        )
    if n_samples < n_clusters:
        raise ValueError(f"n_samples={n_samples} should be >= n_clusters={n_clusters}.")


def refuse_what_numbers_would_hide(X):
    """Refuse masked entries, dates and records, which numpy would turn into numbers.

    And a frame without columns, of which nobody could say what is wrong.
    """
    if isinstance(X, np.ma.MaskedArray) and np.ma.is_masked(X):
        raise ValueError("X has masked values: fill or drop them.")
    # By name: numpy, pandas and polars agree on how these begin.
    for dtype in np.ravel(getattr(X, "dtypes", getattr(X, "dtype", None))):
        if str(dtype).lower().startswith(("date", "time", "duration")):
            raise TypeError(f"X holds dates or times ({dtype}), not numbers.")
        if getattr(dtype, "names", None):
            raise TypeError(
                f"X is a structured array with the fields {dtype.names}: pass numbers "
                "in columns, such as numpy.lib.recfunctions.structured_to_unstructured "
                "makes."
            )
    # Of a frame, scikit-learn asks for the types of its columns first.
    if getattr(X, "shape", ())[1:] == (0,):
        raise ValueError(
            f"Found array with 0 feature(s) (shape={X.shape}) while a minimum of 1 is "
            "required."
        )


def refuse_dask(taker, X, cure="a sample of its rows"):
    """Refuse a dask array, which scikit-learn would take into memory in silence."""
    if hasattr(X, "dask"):
        raise TypeError(
            f"{taker} takes data in memory, and got a dask array of shape {X.shape}: "
            f"pass X.compute() if it fits, or {cure}. KernelKMeans, PDDP, KPDDP, "
            "BisectingKernelKMeans, KernelPCAKMeans and PairwiseKernel(lazy=True) take "
            "dask arrays of features."
        )


def check_features(estimator, X, *, reset, copy=False, on_workers=None):
    """Validated features, dense or CSR; with `copy`, no memory of the user's.

    With ``copy=None`` they may be that of a numpy array or a sparse matrix, which
    `shares_memory` tells.
    On a device, dense arrays of that device. A dask array is for ``on_workers(
    estimator, X, reset=...)``, if there is such a check.
    """
    if on_workers is not None and hasattr(X, "dask"):
        return on_workers(estimator, X, reset=reset)
    if hasattr(X, "self_similarity"):  # numpy would take its rows for features
        raise TypeError(
            f"{type(estimator).__name__} takes features, and got a lazy kernel of "
            f"shape {X.shape}. If its rows are to be features, pass np.asarray(X)."
        )
    refuse_dask(type(estimator).__name__, X)
    refuse_what_numbers_would_hide(X)
    fitted = None if reset else getattr(estimator, "X_fit_", None)
    if fitted is not None and not (_is_of_host(X) and _is_of_host(fitted)):
        check_same_namespace(X, estimator, attribute="X_fit_", method="predict")
    copy = copy or (copy is None and not _is_of_host(X))
    options = {"accept_sparse": "csr", "reset": reset, "copy": copy}
    return canonical(validated(validate_data, estimator, X, **options))


def _is_of_host(X):
    return isinstance(X, np.ndarray) or issparse(X)


def shares_memory(X, given):
    """Whether validated features may be memory of the array or matrix given."""
    buffers = [_buffers(features) for features in (X, given)]
    return any(np.may_share_memory(ours, theirs) for ours, theirs in product(*buffers))


def _buffers(X):
    if isinstance(X, np.ndarray):
        return [X]
    if issparse(X) and X.format == "csr":
        return [X.data, X.indices, X.indptr]
    return []


def validated(check, *args, **options):
    """What scikit-learn's checks make of the last argument, X: an array of floats.

    It is of the namespace of X if ``array_api_dispatch`` is on. Else other arrays than
    numpy's become such, and where they cannot, the error says what to switch on.
    """
    X = args[-1]
    arrays = None if _is_of_host(X) else arrays_of(X)
    if arrays is not None:
        floats = list(dict.fromkeys(map(arrays.dtype, FLOATS)))
        return arrays.detached(check(*args, dtype=floats, **options))
    try:
        return check(*args, dtype=FLOATS, **options)
    except (TypeError, ValueError, RuntimeError) as error:
        if is_foreign(X):
            error.add_note(HOW_TO_DISPATCH.format(type(X).__module__.split(".")[0]))
        raise


def canonical(X):
    """The same matrix without duplicate entries.

    scipy sums them where it multiplies; norms and maxima take each by itself.
    """
    if not issparse(X) or X.has_canonical_format:
        return X
    X = X.copy()
    X.sum_duplicates()
    return X


def check_weight(sample_weight, n_samples):
    """Weights of the objects: not negative, and not all zero."""
    weight = _check_sample_weight(
        on_host(sample_weight),
        np.empty((n_samples, 1)),
        dtype=np.float64,
        ensure_non_negative=True,
    )
    if not weight.any():
        raise ValueError("Sample weights must contain at least one non-zero number.")
    return weight


def weight_or_none(sample_weight, n_samples):
    """Weights of the objects, None where all are 1."""
    if sample_weight is None:
        return None
    weight = check_weight(sample_weight, n_samples)
    return None if (weight == 1).all() else weight

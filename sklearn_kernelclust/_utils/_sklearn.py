"""Private and recent names of scikit-learn: no other module imports them."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn import get_config
from sklearn.base import _fit_context
from sklearn.utils import _safe_indexing
from sklearn.utils._array_api import get_namespace
from sklearn.utils._param_validation import (
    HasMethods,
    Interval,
    InvalidParameterError,
    Options,
    StrOptions,
    validate_params,
)
from sklearn.utils._set_output import _get_output_config
from sklearn.utils.metaestimators import _BaseComposition
from sklearn.utils.validation import _check_sample_weight, _num_samples

try:
    from sklearn.callback import CallbackSupportMixin
except ImportError:  # scikit-learn < 1.9

    class CallbackSupportMixin:
        """Stand-in for the class of scikit-learn 1.9."""


try:
    from sklearn.utils._array_api import check_same_namespace
except ImportError:  # scikit-learn < 1.8

    def check_same_namespace(X, estimator, *, attribute, method):
        """Stand-in for the check of scikit-learn 1.8."""


__all__ = [
    "CallbackSupportMixin",
    "HasMethods",
    "Interval",
    "InvalidParameterError",
    "Options",
    "Progress",
    "StrOptions",
    "_BaseComposition",
    "_check_sample_weight",
    "_fit_context",
    "_num_samples",
    "_safe_indexing",
    "array_namespace",
    "check_params",
    "check_same_namespace",
    "dispatched_namespace",
    "refuse_frame",
    "validate_params",
]


def array_namespace(array):
    """The namespace of an array of the array API, by scikit-learn's copy of compat."""
    try:
        from sklearn.externals import array_api_compat
    except ImportError:  # scikit-learn < 1.8
        import array_api_compat
    return array_api_compat.array_namespace(array)


def dispatched_namespace(X):
    """The namespace that scikit-learn works in for X; None if that is numpy."""
    if not get_config()["array_api_dispatch"]:
        return None
    xp, is_array_api = get_namespace(X)
    name = xp.__name__.split(".")[-1]
    return xp if is_array_api and name != "numpy" else None


def check_params(estimator):
    """Check the parameters of an estimator as its `fit` does."""
    estimator._validate_params()


def refuse_frame(transformer):
    """Raise if `set_output` asks a lazy kernel to become a data frame."""
    wanted = _get_output_config("transform", transformer)["dense"]
    if wanted != "default":
        raise ValueError(
            f"{type(transformer).__name__} hands on a lazy kernel, which cannot be "
            f"{wanted} output. Use lazy=False, or set_output(transform='default')."
        )


class Progress:
    """Reports the progress of a fit to the estimator's callbacks.

    Does nothing on versions of scikit-learn without callbacks.

    Attributes
    ----------
    stopped : bool
        Whether a callback has asked to stop.
    """

    def __init__(self, estimator, X, y, max_subtasks):
        self._task, self.stopped = None, False
        self._data = {"estimator": estimator, "X": X, "y": y}
        if hasattr(estimator, "_init_callback_context"):
            context = estimator._init_callback_context(max_subtasks=max_subtasks)
            self._task = context.call_on_fit_task_begin(**self._data)

    def step(self, name="iteration"):
        """Report that one subtask is done; True if a callback asks to stop."""
        if self._task is None:
            return False
        task = self._task.subcontext(task_name=name)
        task = task.call_on_fit_task_begin(**self._data)
        self.stopped |= bool(task.call_on_fit_task_end(**self._data))
        return self.stopped

    def end(self):
        """Report that the fit is done."""
        if self._task is not None:
            self._task.call_on_fit_task_end(**self._data)

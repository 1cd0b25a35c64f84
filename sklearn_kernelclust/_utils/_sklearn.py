"""Private and recent names of scikit-learn: no other module imports them."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn.base import _fit_context
from sklearn.utils import _safe_indexing
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
    "check_params",
    "refuse_frame",
    "validate_params",
]


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

"""Warnings that point at the user's line."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from inspect import currentframe
from warnings import warn

# Packages whose lines are skipped on the way to the user's line.
PACKAGES = {"joblib", "sklearn", "sklearn_kernelclust"}


class LooksPrecomputedWarning(UserWarning):
    """Features look like a kernel matrix: ``kernel="precomputed"`` may be missing."""


class ZeroRowsWarning(UserWarning):
    """Some objects have no features: nothing is similar to them."""


def warn_user(message, category=UserWarning):
    """Issue a warning that points at the user's own line.

    `fit` is wrapped by decorators, and may be called by `fit_predict`, by a
    pipeline or by a search: a number for `stacklevel` would be wrong for most.
    """
    frame, level = currentframe(), 1
    while frame.f_back is not None and _package(frame) in PACKAGES:
        frame, level = frame.f_back, level + 1
    warn(message, category, stacklevel=level)


def _package(frame):
    return frame.f_globals.get("__name__", "").partition(".")[0]

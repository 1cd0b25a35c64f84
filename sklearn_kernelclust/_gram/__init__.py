"""Kernel matrices known by their verbs: the Gram, its leaves and its wrappers."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

# A Gram needs its array leaf and its scaled wrapper for defaults of its verbs.
from sklearn_kernelclust._gram import _stored, _wrappers  # noqa: F401

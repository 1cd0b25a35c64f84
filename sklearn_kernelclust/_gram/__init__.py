"""Kernel matrices known by their verbs: the Gram, its leaves and its wrappers."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

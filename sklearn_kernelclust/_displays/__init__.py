"""Plots."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

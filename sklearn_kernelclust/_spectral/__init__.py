"""Spectral clustering, and k-means on kernel principal components."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

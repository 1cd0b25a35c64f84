"""The number of clusters, and prototypes."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

"""Tools for every module: private scikit-learn names, warnings, memory, threads."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

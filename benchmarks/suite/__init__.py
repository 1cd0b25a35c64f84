"""Benchmarks for asv: time, peak memory and quality of the same work."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

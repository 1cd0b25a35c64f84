"""Rows of ``bench_floor.py``: slow paths made fast, each against its best peer."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

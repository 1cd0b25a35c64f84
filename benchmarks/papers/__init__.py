"""The tables and figures of the five papers, redone on real data.

Each table or figure is a module of its own with a ``TITLE`` and a function
``run(folder, quick)`` that returns a :class:`benchmarks.papers.report.Result`;
``__main__`` lists them. Published numbers are in ``published.csv`` and nowhere
else.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

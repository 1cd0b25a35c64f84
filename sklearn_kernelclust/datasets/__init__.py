"""Data to try things on, with nothing to download."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_kernelclust.datasets._docstrings import load_docstrings

__all__ = ["load_docstrings"]

"""The program: from a folder of documents to clusters, and a page to see them."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_kernelclust._cli._main import main

__all__ = ["main"]

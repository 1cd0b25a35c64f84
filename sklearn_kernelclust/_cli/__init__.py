"""The command line: cluster a folder of documents and write a report."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_kernelclust._cli._main import main

__all__ = ["main"]

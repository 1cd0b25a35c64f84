"""A machine whose solvers and products differ from this one, within their rights.

LAPACK's subsets come short where eigenvalues repeat, or fail, the blocks of Lanczos are
so narrow that copies are missed at first, and products with a Gram are rounded
otherwise.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import scipy.linalg

from sklearn_kernelclust._gram._base import Gram
from sklearn_kernelclust._linalg import _block_lanczos

# Relative changes by up to one unit in the last place, the same in every run.
NOISE = np.random.RandomState(0).uniform(-1, 1, 997)


def work_on_another_machine(monkeypatch):
    """Replace what differs, for one test."""
    monkeypatch.setattr(scipy.linalg, "eigh", short_of_copies(scipy.linalg.eigh))
    monkeypatch.setattr(_block_lanczos, "LARGEST_BLOCK", 2)
    monkeypatch.setattr(Gram, "__matmul__", rounded_otherwise(Gram.__matmul__))


def short_of_copies(eigh):
    """A solver whose subsets leave out repeated eigenvalues, or fail if all are."""

    def solve(matrix, *args, **options):
        values, vectors = eigh(matrix, *args, **options)
        if options.get("subset_by_index") is None or not len(values):
            return values, vectors
        tie = 1e-9 * np.abs(values).max(initial=0)
        apart = np.diff(values) > tie
        single = np.r_[True, apart] & np.r_[apart, True]
        if not single.any():
            raise np.linalg.LinAlgError("Internal Error.")
        return values[single], vectors[:, single]

    return solve


def rounded_otherwise(product):
    """A product whose entries are off by up to one unit in the last place."""

    def multiply(gram, Z):
        result = product(gram, Z)
        if not isinstance(result, np.ndarray) or result.dtype.kind != "f":
            return result
        noise = np.resize(NOISE, result.shape) * np.finfo(result.dtype).eps
        return (result * (1 + noise)).astype(result.dtype)

    return multiply

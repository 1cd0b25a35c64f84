"""Read features and kernel matrices from ``.npy`` and ``.npz`` files."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import os
import zipfile

import numpy as np
from scipy import sparse

from sklearn_kernelclust._cli._files import Skipped, open_regular
from sklearn_kernelclust._utils._memory import require_memory


def read_array(path):
    """Read a matrix of numbers, dense or sparse. Pickled objects are never loaded."""
    load = _load_npz if path.lower().endswith(".npz") else _load_npy
    try:
        with open_regular(path) as file:
            matrix = load(file)
    except MemoryError:
        raise
    except (ValueError, EOFError, KeyError, zipfile.BadZipFile) as error:
        raise Skipped(f"not an array of numbers: {error}") from None
    if matrix.ndim != 2 or matrix.dtype.kind not in "biuf":
        raise Skipped(
            f"expected a matrix of numbers, got shape {matrix.shape}, {matrix.dtype}"
        )
    return matrix


def _load_npy(file):
    _require(os.fstat(file.fileno()).st_size)
    return np.lib.format.read_array(file, allow_pickle=False)


def _load_npz(file):
    with zipfile.ZipFile(file) as archive:
        _require(sum(entry.file_size for entry in archive.infolist()))
    file.seek(0)
    with np.load(file, allow_pickle=False) as arrays:
        names = arrays.files
        if "format" in names:
            file.seek(0)
            return sparse.csr_array(sparse.load_npz(file))
        if len(names) != 1:
            raise Skipped(f"expected one array, got {len(names)}: {', '.join(names)}")
        return arrays[names[0]]


def _require(n_bytes):
    require_memory((n_bytes,), np.uint8, "Use fewer objects, or float32.")

"""Features and kernel matrices from ``.npy`` and ``.npz``; never a pickle."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import os
import zipfile

import numpy as np
from numpy.lib.format import MAGIC_PREFIX
from scipy import sparse

from sklearn_kernelclust._cli._files import Skipped, _reason, open_regular
from sklearn_kernelclust._utils._memory import require_memory

CURE = "Use fewer objects, or float32."


def read_array(path):
    """A matrix of numbers, dense or sparse; anything else is skipped."""
    try:
        with open_regular(path, follow=True) as file:
            load = _load_npz if path.lower().endswith(".npz") else _load_npy
            matrix = load(file)
    except OSError as error:
        raise Skipped(_reason(error)) from None
    except (ValueError, EOFError, KeyError, zipfile.BadZipFile) as error:
        if isinstance(error, MemoryError):
            raise
        raise Skipped(_why(error)) from None
    if matrix.ndim != 2 or matrix.dtype.kind not in "biuf":
        raise Skipped(
            f"expected a matrix of numbers, got shape {matrix.shape}, {matrix.dtype}"
        )
    return matrix


def _load_npy(file):
    # Of anything else numpy says that it is a pickle.
    if file.read(len(MAGIC_PREFIX)) != MAGIC_PREFIX:
        raise Skipped("not an .npy file")
    size = os.fstat(file.fileno()).st_size
    require_memory((size,), np.uint8, CURE)
    file.seek(0)
    return np.load(file, allow_pickle=False)


def _load_npz(file):
    with zipfile.ZipFile(file) as archive:
        # What it unfolds to is in its table of contents.
        size = sum(entry.file_size for entry in archive.infolist())
    require_memory((size,), np.uint8, CURE)
    file.seek(0)
    with np.load(file, allow_pickle=False) as arrays:
        names = arrays.files
        if "format" in names:
            file.seek(0)
            return sparse.csr_array(sparse.load_npz(file))
        if len(names) != 1:
            raise Skipped(f"expected one array, got {len(names)}: {', '.join(names)}")
        return arrays[names[0]]


def _why(error):
    text = str(error)
    if "allow_pickle" in text or "pickled" in text:
        return "holds Python objects, which are never loaded"
    return f"not an array: {text.splitlines()[0] if text else 'damaged'}"

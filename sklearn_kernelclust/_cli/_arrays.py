"""Read features and kernel matrices from ``.npy`` and ``.npz`` files."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import os
from zipfile import BadZipFile, ZipFile, is_zipfile

import numpy as np
from scipy import sparse

from sklearn_kernelclust._cli._files import Skipped, open_file
from sklearn_kernelclust._utils._memory import require_memory

CURE = "Save a sample of the rows, or sparse or float32 features."


def read_array(path):
    """Read a matrix of numbers, dense or sparse. Pickled objects are never loaded."""
    try:
        with open_file(path) as file:
            require_memory((unpacked_size(file),), np.uint8, CURE)
            content = np.load(file, allow_pickle=False)
            if isinstance(content, np.ndarray):
                arrays = [content]
            elif "format" in content:
                arrays = [sparse.csr_array(sparse.load_npz(path))]
            else:
                arrays = list(content.values())
    except MemoryError:
        raise
    except (ValueError, KeyError, BadZipFile):
        raise Skipped("damaged, or not an array of numbers") from None
    if [array.ndim for array in arrays] != [2] or arrays[0].dtype.kind not in "biuf":
        shapes = ", ".join(f"{array.dtype} of {array.shape}" for array in arrays)
        raise Skipped(f"expected one matrix of numbers, got {shapes or 'nothing'}")
    return arrays[0]


def unpacked_size(file):
    """Bytes that an open file unfolds to; an archive has them in its contents."""
    if not is_zipfile(file):
        file.seek(0)
        return os.fstat(file.fileno()).st_size
    file.seek(0)
    size = sum(entry.file_size for entry in ZipFile(file).infolist())
    file.seek(0)
    return size

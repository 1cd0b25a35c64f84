"""Read features and kernel matrices from ``.npy`` and ``.npz`` files."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from zipfile import BadZipFile

import numpy as np
from scipy import sparse

from sklearn_kernelclust._cli._files import Skipped, open_file


def read_array(path):
    """Read a matrix of numbers, dense or sparse. Pickled objects are never loaded."""
    try:
        with open_file(path) as file:
            content = np.load(file, allow_pickle=False)
            if isinstance(content, np.ndarray):
                arrays = [content]
            elif "format" in content:
                arrays = [sparse.csr_array(sparse.load_npz(path))]
            else:
                arrays = list(content.values())
    except (ValueError, KeyError, BadZipFile):
        raise Skipped("damaged, or not an array of numbers") from None
    if [array.ndim for array in arrays] != [2] or arrays[0].dtype.kind not in "biuf":
        shapes = ", ".join(f"{array.dtype} of {array.shape}" for array in arrays)
        raise Skipped(f"expected one matrix of numbers, got {shapes or 'nothing'}")
    return arrays[0]

"""What is rounding in a spectrum, and the refusal of kernels without similarity."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_kernelclust._linalg._eigenpairs import leading_eigenpairs


def spectrum_floor(n, dtype, size):
    """What an eigenvalue must exceed to be more than the rounding of the matrix.

    `size` is the largest self-similarity that went into it.
    """
    return 8 * np.sqrt(n) * np.finfo(dtype).eps * float(size)


def trace_tells(diagonal, dtype):
    """Whether the diagonal alone says that a positive eigenvalue is not missing."""
    floor = spectrum_floor(len(diagonal), dtype, np.abs(diagonal).max())
    # Without a trace the kernel is zero, or has a positive eigenvalue.
    return floor == 0 or diagonal.max() > floor


def check_some_positive(gram):
    """Refuse a kernel without a positive eigenvalue: nothing in it is similar."""
    n, diagonal = gram.shape[0], gram.diagonal()
    if trace_tells(diagonal, gram.dtype):
        return
    ones, floor = np.ones(n), spectrum_floor(n, gram.dtype, np.abs(diagonal).max())
    if ones @ (gram @ ones) > n * floor:
        return
    largest = leading_eigenpairs(gram)[0][0]
    if largest <= floor:
        raise ValueError(
            "The kernel has no positive eigenvalue (its largest is "
            f"{largest:.3g}): did you pass distances, or negative ones?"
        )

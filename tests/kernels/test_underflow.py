"""Linear kernels that are zero, though their features are not."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest

from sklearn_kernelclust._kernels._underflow import check_linear_kernel


def test_small_features_are_refused_with_their_size():
    with pytest.raises(ValueError, match=r"largest entry of X is 1e-200\. Rescale X"):
        check_linear_kernel(np.zeros(3), lambda: 1e-200)


def test_zeros_are_taken():
    check_linear_kernel(np.zeros(3), lambda: 0.0)


def test_nobody_looks_at_the_features_without_need():
    check_linear_kernel(np.array([0.0, 1.0]), lambda: pytest.fail("not needed"))

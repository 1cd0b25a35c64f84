"""Grams of features in one call."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_kernelclust._kernels._evaluate import fit_kernel


def make_gram(X, Y=None, **params):
    """Gram of the rows of `X`, or of these against the training features `Y`."""
    params = {"gamma": 1.0, **params}
    if Y is None:
        return fit_kernel(X, **params).gram()
    return fit_kernel(Y, **params).against(X)

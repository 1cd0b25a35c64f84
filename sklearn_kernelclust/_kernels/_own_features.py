"""Training features of a model's own, copied after the work, not before."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from copy import copy

from sklearn_kernelclust._kernels._row_index import index_of
from sklearn_kernelclust._utils._validation import shares_memory


def with_own_features(kernel, given):
    """A fitted kernel, with a copy of features that are memory of what was given.

    During a fit this copy would add to the peak of memory.
    """
    if kernel is None or not shares_memory(kernel.X, given):
        return kernel
    own, X = copy(kernel), kernel.X.copy()
    own.X, own._index = X, index_of(X)
    if kernel._form.columns is kernel.X:
        own._form = copy(kernel._form)
        own._form.columns = X
    return own

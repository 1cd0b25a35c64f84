"""Kernels of weighted sums of objects, such as the means of neighborhoods.

A matrix W has the weights of a sum in each of its rows.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.sparse import csr_array

from sklearn_kernelclust._utils._threads import batches

# Sums whose objects are looked up at a time.
SUMS = 32


def kernel_of_sums(gram, W):
    """``W @ gram @ W.T`` as a symmetric array."""
    K = W @ (gram @ W.T)
    return ((K + K.T) / 2).astype(gram.dtype, copy=False)


def forms_by_parts(gram, W):
    """Quadratic forms from the few objects that a batch of sums needs."""
    W, forms = csr_array(W), np.empty(W.shape[0], dtype=gram.dtype)
    for rows in batches(W.shape[0], SUMS):
        used = np.unique(W[rows].indices)
        K = gram.restrict(used, used).toarray()
        forms[rows] = forms_in_array(K, W[rows][:, used])
    return forms


def forms_in_array(K, W):
    """Quadratic forms from the few entries that they need: pairs within a row."""
    forms, length = np.zeros(W.shape[0]), np.diff(W.indptr)
    for size in np.unique(length[length > 0]):
        rows = np.flatnonzero(length == size)
        at = W.indptr[rows][:, None] + np.arange(size)
        i, w = W.indices[at], W.data[at]
        pairs = K[i[:, :, None], i[:, None, :]]
        forms[rows] = np.einsum("ri,rij,rj->r", w, pairs, w)
    return forms.astype(K.dtype)

"""Kernels of weighted sums of objects, such as the means of neighbourhoods.

A matrix W has the weights of a sum in each of its rows.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import singledispatch

import numpy as np
from scipy.sparse import csr_array
from sklearn.utils.extmath import row_norms

from sklearn_kernelclust._gram._factored import FactoredGram
from sklearn_kernelclust._gram._stored import DenseGram
from sklearn_kernelclust._utils._threads import batches

# Sums whose objects are looked up at a time.
SUMS = 32


@singledispatch
def combined(gram, W):
    """Gram of weighted sums of the objects of a square Gram: ``W @ K @ W.T``."""
    K = W @ (gram @ W.T)
    return DenseGram.training(((K + K.T) / 2).astype(gram.dtype, copy=False))


@combined.register
def _(gram: FactoredGram, W):
    if gram.A is not gram.B:
        return combined.dispatch(object)(gram, W)
    A = (W @ gram.A).astype(gram.dtype, copy=False)
    return FactoredGram(A, A, symmetric=True)


@singledispatch
def quadratic_forms(gram, W):
    """Self-similarities of such sums, ``w @ K @ w`` for each row of a sparse W."""
    W, forms = csr_array(W), np.empty(W.shape[0], dtype=gram.dtype)
    for rows in batches(W.shape[0], SUMS):
        # Few objects are in them, and no other is looked at.
        used = np.unique(W[rows].indices)
        K = gram.restrict(used, used).toarray()
        forms[rows] = forms_in_array(K, W[rows][:, used])
    return forms


@quadratic_forms.register
def _(gram: DenseGram, W):
    return forms_in_array(gram.K, csr_array(W))


@quadratic_forms.register
def _(gram: FactoredGram, W):
    if gram.A is not gram.B:
        return quadratic_forms.dispatch(object)(gram, W)
    return row_norms(W @ gram.A, squared=True).astype(gram.dtype, copy=False)


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

"""Centres of features: about them, inner products and distances keep their digits."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.sparse import csr_array, issparse
from sklearn.utils.extmath import row_norms

# Rows whose median the features are moved by.
CENTER_ROWS = 512

# Sparse features are moved where that makes their squares so many times smaller.
FAR = 10.0


def some_rows(X, n_rows=CENTER_ROWS):
    """Some rows of X, evenly spread, of which the median is taken."""
    rows = np.linspace(0, X.shape[0] - 1, min(n_rows, X.shape[0]))
    return X[rows.astype(np.intp)]


def origin_for(rows):
    """The median of some rows, to be moved to the origin; None if nothing gains.

    No outlier moves it. Of a sparse column that has more zeros than other entries it
    is 0, so that `moved` at most doubles the entries of sparse features. These stay
    where they are unless they are far from the origin.
    """
    if not issparse(rows):
        return medians(rows)
    stored = np.bincount(rows.indices, minlength=rows.shape[1])
    columns = np.flatnonzero(2 * stored >= rows.shape[0])
    center = np.zeros(rows.shape[1], rows.dtype)
    center[columns] = medians(rows[:, columns].toarray())
    near = row_norms(moved(rows, center), squared=True).sum()
    return center if row_norms(rows, squared=True).sum() > FAR * near else None


def moved(X, center):
    """Features about a centre."""
    if not issparse(X):
        return (X - center).astype(X.dtype, copy=False)
    n, columns = X.shape[0], np.flatnonzero(center)
    ends = np.arange(n + 1) * len(columns)
    values = np.tile(center[columns], n).astype(X.dtype, copy=False)
    return csr_array(X - csr_array((values, np.tile(columns, n), ends), shape=X.shape))


def center_of(X):
    """The median of dense features, None for sparse ones, which stay sparse."""
    return None if issparse(X) else medians(X).astype(np.float64)


def medians(X):
    """Median of each column of finite numbers.

    ``np.median`` also looks for the largest, in case it is NaN, and takes four times
    as long.
    """
    columns, half = X.T.copy(order="C"), len(X) // 2
    columns.partition(half, axis=1)
    if len(X) % 2:
        return columns[:, half]
    return (columns[:, half] + columns[:, :half].max(axis=1)) / 2

"""Centres of features: about them, inner products and distances keep their digits."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.sparse import issparse
from sklearn.utils.extmath import row_norms

from sklearn_kernelclust._utils._block_rows import moved
from sklearn_kernelclust._utils._blocks import RowBlocks

# Rows whose median the features are moved by.
CENTER_ROWS = 512

# Sparse features are moved where that makes the squares of rows so many times smaller
# (two digits; the commonest words of raw counts are worth one), of so large a part.
FAR, MANY = 100.0, 0.1


def some_rows(X):
    """Some rows of X, evenly spread, of which the median is taken."""
    rows = np.linspace(0, X.shape[0] - 1, min(CENTER_ROWS, X.shape[0]))
    return X[rows.astype(np.intp)]


def origin_for(rows):
    """The median of some rows, to be moved to the origin; None if nothing gains.

    No outlier moves it. Of a sparse column that has more zeros than other entries it
    is 0, so that `moved` at most doubles the entries of sparse features. These stay
    where they are unless they are far from the origin.
    """
    if not rows.shape[0]:
        return None
    if not issparse(rows):
        return medians(rows)
    center, columns = np.zeros(rows.shape[1], rows.dtype), mostly_stored(rows)
    center[columns] = medians(rows[:, columns].toarray())
    if not center.any():
        return None
    return center if gains(rows, center) else None


def gains(X, center):
    """Whether squares become much smaller about a centre, of many rows.

    Rows are counted, so that neither an outlier nor a missing entry hides what the
    others gain.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        far, near = (row_norms(Y, squared=True) for Y in (X, moved(X, center)))
    return np.mean(far / FAR > near) - np.mean(near / FAR > far) > MANY


def mostly_stored(X):
    """Columns of a CSR matrix that have at least half of their entries."""
    return np.flatnonzero(
        2 * np.bincount(X.indices, minlength=X.shape[1]) >= X.shape[0]
    )


def sample_origin(X):
    """`origin_for` some rows of X."""
    rows = some_rows(X)
    return origin_for(rows.fetched() if isinstance(X, RowBlocks) else rows)


def center_of(X):
    """`origin_for` all rows, in float64; for some, where they are sparse."""
    center = sample_origin(X) if issparse(X) else origin_for(X)
    return None if center is None else center.astype(np.float64)


def medians(X):
    """Median of each column of finite numbers.

    ``np.median`` also looks for the largest, in case it is NaN, and takes four times
    as long.
    """
    columns, half = X.T.copy(order="C"), len(X) // 2
    columns.partition(half, axis=1)
    if len(X) % 2:
        return columns[:, half]
    # Halves, whose sum does not overflow.
    return columns[:, half] / 2 + columns[:, :half].max(axis=1) / 2

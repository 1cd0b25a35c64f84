"""From the dask array of a user to blocks of rows that have been looked at."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import check_array
from sklearn.utils.validation import validate_data

from sklearn_kernelclust._utils._blocks import RowBlocks
from sklearn_kernelclust._utils._dask import compute, later
from sklearn_kernelclust._utils._validation import (
    FLOATS,
    canonical,
    refuse_what_numbers_would_hide,
)


@dataclass(frozen=True)
class Facts:
    """What is known of a block after a look at it."""

    shape: tuple
    dtype: np.dtype
    sparse: bool
    canonical: bool
    n_entries: int


def check_blocks(estimator, X, *, reset):
    """Blocks of rows of a dask array, after one pass over them."""
    refuse_what_numbers_would_hide(X)
    if X.ndim != 2:
        raise ValueError(f"Expected 2D array, got {X.ndim}D array instead (dask).")
    validate_data(estimator, X, reset=reset, skip_check_array=True)
    blocks = row_blocks(X)
    facts = compute([later(look, block) for block in blocks])
    n_features, heights = X.shape[1], [fact.shape[0] for fact in facts]
    for fact in facts:
        if fact.shape[1] != n_features:
            raise ValueError(
                f"A block of X has {fact.shape[1]} columns, and X.shape[1] is "
                f"{n_features}: the function that reads blocks and the shape that dask "
                "was told do not agree."
            )
    if not sum(heights):
        raise ValueError(
            f"Found array with 0 sample(s) (shape={X.shape}) while a minimum of 1 is "
            "required."
        )
    sparse = all(fact.sparse for fact in facts if fact.shape[0])
    if not sparse and any(fact.sparse for fact in facts if fact.shape[0]):
        raise TypeError(
            "Some blocks of X are sparse and some are not: use X.map_blocks to make "
            "all the same."
        )
    return blocks_of(X, blocks, facts, heights, sparse)


def row_blocks(X):
    """The blocks as tasks; columns in several blocks are put side by side."""
    X = X if X.numblocks[1] == 1 else X.rechunk({1: -1})
    return list(X.to_delayed()[:, 0])


def blocks_of(X, blocks, facts, heights, sparse):
    """The checked blocks in one type."""
    kept = [b for b, height in enumerate(heights) if height]
    facts = [facts[b] for b in kept]
    dtype = np.result_type(*(fact.dtype for fact in facts))
    rows = RowBlocks(
        X,
        [blocks[b] for b in kept],
        [heights[b] for b in kept],
        X.shape[1],
        np.float64 if dtype != np.float32 else dtype,
        n_entries=sum(fact.n_entries for fact in facts),
        sparse=sparse,
    )
    if X.dtype != rows.dtype or any(fact.dtype != rows.dtype for fact in facts):
        rows = rows.then(Typed(rows.dtype))
    if not all(fact.canonical for fact in facts):
        rows = rows.then(canonical)
    return rows


class Typed:
    """A block in a floating type, whatever numbers the user has in it."""

    def __init__(self, dtype):
        self.dtype = dtype

    def __call__(self, X):
        return X.astype(self.dtype, copy=False)


def look(block):
    """Refuse what is no number in a block, and say what it is."""
    how = {"accept_sparse": "csr", "ensure_min_samples": 0, "input_name": "X"}
    X = check_array(block, dtype=FLOATS, **how)
    sparse = issparse(X)
    is_canonical = not sparse or bool(X.has_canonical_format)
    n_entries = X.nnz if sparse else X.size
    return Facts(X.shape, X.dtype, sparse, is_canonical, n_entries)


# How `check_features` is called with new objects where dask arrays are taken.
NEW_ROWS = {"reset": False, "on_workers": check_blocks}

"""Kernels for CUDA in Triton's language, where torch comes with it.

They read a stored kernel matrix as fast as the memory allows, three to five times as
fast as what torch has for the same, and do in one call what takes torch ten.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import lru_cache

import torch
import triton
import triton.language as tl

# Rows and columns that one program adds up at a time, and those of a tile.
ROWS, COLUMNS = 8, 512
TILE = 64

# Objects whose clusters one program finds, and columns that it moves.
OBJECTS = 128


@lru_cache
def usable(device):
    """Whether kernels can be compiled and run on a device."""
    K = torch.ones((2, 2), device=device)
    i = torch.arange(2, device=device)
    try:
        added_rows(K, i, i, K.clone())
        return float(largest_asymmetry(K)) == 0
    except Exception:  # no compiler, an old driver: nobody asked for these kernels
        return False


def added_rows(K, rows, groups, out, weight=None):
    """Add rows of `K` to the rows of `out` that are their groups, in its type.

    Parameters
    ----------
    K : tensor of shape (n_rows, n_columns)
        Rows that lie together.
    rows, groups : tensor of int64 of shape (n_summands,)
        Row and group of each summand.
    out : tensor of shape (n_groups, n_columns)
        Changed in place.
    weight : tensor of shape (n_summands,) or None
        Factors; 1 by default.
    """
    groups, order = torch.sort(groups, stable=True)
    ends = torch.arange(out.shape[0] + 1, device=groups.device)
    first = torch.searchsorted(groups, ends)
    weighted = weight is not None
    weight = weight[order] if weighted else order
    n_columns = K.shape[1]
    grid = (triton.cdiv(n_columns, COLUMNS), out.shape[0])
    strides = K.stride(0), out.stride(0)
    sizes = n_columns, *strides, weighted, ROWS, COLUMNS
    with torch.cuda.device_of(K):
        _add_rows[grid](K, rows[order], weight, first, out, *sizes)


@triton.jit
def _add_rows(
    K,
    rows,
    weight,
    first,
    out,
    n_columns,
    stride,
    out_stride,
    weighted: tl.constexpr,
    ROWS: tl.constexpr,
    COLUMNS: tl.constexpr,
):
    group = tl.program_id(1).to(tl.int64)
    start = tl.load(first + group)
    stop = tl.load(first + group + 1)
    if start < stop:
        columns = tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS)
        inside = columns < n_columns
        place = out + group * out_stride + columns
        total = tl.load(place, mask=inside, other=0.0)
        for i in range(start, stop, ROWS):
            some = i + tl.arange(0, ROWS)
            row = tl.load(rows + some, mask=some < stop, other=0)
            mask = (some < stop)[:, None] & inside[None, :]
            at = K + row[:, None] * stride + columns[None, :]
            block = tl.load(at, mask=mask, other=0.0).to(total.dtype)
            if weighted:
                w = tl.load(weight + some, mask=some < stop, other=0.0)
                block = block * w.to(total.dtype)[:, None]
            total += tl.sum(block, axis=0)
        tl.store(place, total, mask=inside)


def move_rows(K, rows, old, new, weight, out):
    """Take few rows of `K` from the old and add them to the new rows of `out`.

    Parameters
    ----------
    K : tensor of shape (n_rows, n_columns)
        Rows that lie together.
    rows : tensor of int64 of shape (n_moved,)
        Which rows.
    old, new, weight : tensor of shape (n_rows,)
        Where they come from and go to, and their factors.
    out : tensor of shape (n_groups, n_columns)
        Changed in place.
    """
    sizes = len(rows), K.shape[1], K.stride(0), out.stride(0), OBJECTS
    with torch.cuda.device_of(K):
        grid = (triton.cdiv(K.shape[1], OBJECTS),)
        _move_rows[grid](K, rows, old, new, weight, out, *sizes)


@triton.jit
def _move_rows(
    K,
    rows,
    old,
    new,
    weight,
    out,
    n_moved,
    n_columns,
    stride,
    out_stride,
    COLUMNS: tl.constexpr,
):
    columns = tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS)
    inside = columns < n_columns
    for i in range(n_moved):
        row = tl.load(rows + i)
        values = tl.load(K + row * stride + columns, mask=inside, other=0.0)
        w = tl.load(weight + row)
        values = values.to(w.dtype) * w
        source = out + tl.load(old + row).to(tl.int64) * out_stride + columns
        tl.store(source, tl.load(source, mask=inside) - values, mask=inside)
        target = out + tl.load(new + row).to(tl.int64) * out_stride + columns
        tl.store(target, tl.load(target, mask=inside) + values, mask=inside)


def nearest(S, labels, diagonal, factor, norms, tie):
    """The cluster of each object by the rule "mean" of ``_gram._assignment``.

    Parameters
    ----------
    S : tensor of shape (n_clusters, n_objects)
        Sums over clusters.
    labels, diagonal : tensor of shape (n_objects,)
        Present clusters, and k(x, x).
    factor, norms : tensor of shape (n_clusters,)
        Squared distances to the means are ``S * factor + norms``, less k(x, x).
    tie : float
        Relative difference of distances that counts as none.
    """
    (k, n), new = S.shape, torch.empty_like(labels)
    with torch.cuda.device_of(S):
        grid, sizes = (triton.cdiv(n, OBJECTS),), (n, k, S.stride(0), tie, OBJECTS)
        _nearest[grid](S, labels, diagonal, factor, norms, new, *sizes)
    return new


@triton.jit
def _nearest(
    S,
    labels,
    diagonal,
    factor,
    norms,
    new,
    n,
    k,
    stride,
    tie,
    OBJECTS: tl.constexpr,
):
    objects = tl.program_id(0) * OBJECTS + tl.arange(0, OBJECTS)
    inside = objects < n
    present = tl.load(labels + objects, mask=inside, other=0).to(tl.int32)
    size = tl.abs(tl.load(diagonal + objects, mask=inside, other=0.0))
    smallest = tl.full([OBJECTS], float("inf"), size.dtype)
    own, first = smallest, tl.zeros([OBJECTS], tl.int32)
    place = S + objects
    for c in range(k):
        cost = tl.load(place, mask=inside, other=0.0) * tl.load(factor + c)
        cost += tl.load(norms + c)
        own = tl.where(present == c, cost, own)
        first = tl.where(cost < smallest, c, first)
        smallest = tl.minimum(smallest, cost)
        place += stride
    limit = smallest + tie * (size + tl.abs(smallest))
    place = S + objects
    for c in range(k):
        cost = tl.load(place, mask=inside, other=0.0) * tl.load(factor + c)
        cost += tl.load(norms + c)
        first = tl.where((cost <= limit) & (c < first), c, first)
        place += stride
    best = tl.where(own > limit, first, present)
    tl.store(new + objects, best.to(new.dtype.element_ty), mask=inside)


def largest_asymmetry(K):
    """Largest difference of a square array to its transpose, on the device."""
    n_tiles = triton.cdiv(K.shape[0], TILE)
    worst = torch.zeros((n_tiles, n_tiles), dtype=K.dtype, device=K.device)
    sizes = K.shape[0], *K.stride(), n_tiles, TILE
    with torch.cuda.device_of(K):
        _compare[(n_tiles, n_tiles)](K, worst, *sizes)
    return worst.max()


@triton.jit
def _compare(K, worst, n, stride, step, n_tiles, TILE: tl.constexpr):
    i = tl.program_id(0).to(tl.int64)
    j = tl.program_id(1).to(tl.int64)
    if j <= i:
        rows = i * TILE + tl.arange(0, TILE)
        cols = j * TILE + tl.arange(0, TILE)
        mask = (rows < n)[:, None] & (cols < n)[None, :]
        A = tl.load(K + rows[:, None] * stride + cols[None, :] * step, mask, 0.0)
        mask = (cols < n)[:, None] & (rows < n)[None, :]
        B = tl.load(K + cols[:, None] * stride + rows[None, :] * step, mask, 0.0)
        tl.store(worst + i * n_tiles + j, tl.max(tl.abs(A - tl.trans(B))))

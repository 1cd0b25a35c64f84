"""Data without clusters that otherwise look like given data.

What a model reaches on them is the bar for what it reaches on the data. Each function
here takes the data and returns a function of a `RandomState` that draws a reference.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.sparse import coo_array, csr_array, issparse
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.utils import check_array

from sklearn_kernelclust._gram._base import Gram

# Eigenvalues of a kernel below this share of the largest are rounding.
ROUNDING = 1e-10

# Diagonals that differ less, relative to the largest entry, are constant.
CONSTANT = 1e-6


def reference_sampler(X, first_step, *, is_kernel):
    """The sampler for features, counts or a kernel.

    Parameters
    ----------
    X : ndarray, sparse matrix or Gram
        Features, or a square kernel.
    first_step : estimator object
        Where `X` goes; a `TfidfTransformer` takes counts.
    is_kernel : bool
        Whether `X` is a kernel.
    """
    if is_kernel:
        return kernel_boxes(X)
    counts = issparse(X) or isinstance(first_step, TfidfTransformer)
    if counts and is_counts(X):
        return documents_of_one_topic(X)
    return permuted_columns(X) if issparse(X) else boxes(X)


def is_counts(X):
    """Whether all numbers are whole and none is negative."""
    values = X.data if issparse(X) else np.asarray(X)
    return bool((values >= 0).all() and (values == np.floor(values)).all())


def documents_of_one_topic(counts):
    """Documents of the same lengths, with terms of the one distribution they share."""
    counts = csr_array(counts)
    lengths = np.asarray(counts.sum(axis=1)).ravel().astype(np.intp)
    ends = np.cumsum(np.asarray(counts.sum(axis=0), dtype=np.float64).ravel())
    rows = np.repeat(np.arange(len(lengths)), lengths)

    def draw(rng):
        places = rng.random_sample(len(rows)) * ends[-1]
        terms = np.searchsorted(ends, places, side="right").clip(max=len(ends) - 1)
        return from_entries(np.ones(len(rows)), rows, terms, counts.shape)

    return draw


def permuted_columns(X):
    """Sparse features, each permuted on its own."""
    X = X.tocsc()
    n_samples, n_features = X.shape
    sizes = np.diff(X.indptr)
    columns = np.repeat(np.arange(n_features), sizes)

    def draw(rng):
        rows = [rng.permutation(n_samples)[:size] for size in sizes if size]
        rows = np.concatenate(rows) if rows else np.empty(0, np.intp)
        return from_entries(X.data, rows, columns, X.shape)

    return draw


def from_entries(values, rows, columns, shape):
    """A CSR matrix with 32-bit indices where they fit, as many clusterers want.

    Entries that occur more than once are added up.
    """
    index = np.int32 if max(*shape, len(values)) < 2**31 else np.int64
    places = rows.astype(index), columns.astype(index)
    return csr_array(coo_array((values, places), shape=shape))


def boxes(X):
    """Features uniform in a box along the principal axes, with their variances.

    No distribution with one mode is easier to cut in two than the uniform one [1]_.

    .. [1] R. Tibshirani, G. Walther and T. Hastie, "Estimating the number of
       clusters in a data set via the gap statistic", Journal of the Royal
       Statistical Society B 63, 2001.
    """
    X = np.asarray(X)
    dtype = X.dtype if X.dtype.kind == "f" else np.float64
    X = check_array(X, dtype=np.float64, input_name="X")
    mean = X.mean(axis=0)
    _, sizes, axes = np.linalg.svd(X - mean, full_matrices=False)
    axes = sizes[:, None] * axes

    def draw(rng):
        places = rng.uniform(-1, 1, size=(len(X), len(sizes)))
        places -= places.mean(axis=0)
        lengths = np.sqrt(np.square(places).sum(axis=0))
        places /= np.where(lengths > 0, lengths, 1)
        return (places @ axes + mean).astype(dtype)

    return draw


def kernel_boxes(K):
    """Kernels of objects uniform along the principal axes of feature space.

    Negative eigenvalues keep their sign, and a constant diagonal stays.
    """
    K = K.toarray() if isinstance(K, Gram) or issparse(K) else np.asarray(K)
    diagonal, dtype = K.diagonal().astype(np.float64), K.dtype
    values, vectors = np.linalg.eigh(K.astype(np.float64))
    samplers = []
    for sign in (1, -1):
        kept = np.flatnonzero(sign * values > ROUNDING * np.abs(values).max())
        if len(kept):
            places = vectors[:, kept] * np.sqrt(np.abs(values[kept]))
            samplers.append((sign, boxes(places)))
    constant = np.ptp(diagonal) <= CONSTANT * np.abs(K).max()

    def draw(rng):
        drawn = np.zeros(K.shape)
        for sign, sampler in samplers:
            places = sampler(rng)
            drawn += sign * (places @ places.T)
        lengths = drawn.diagonal()
        if constant and (lengths > 0).all() and diagonal[0] > 0:
            scale = np.sqrt(diagonal[0] / lengths)
            drawn *= scale[:, None] * scale
        return drawn.astype(dtype)

    return draw

"""Whether a kernel is symmetric, at the price of a look."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from threading import Lock

import numpy as np
from scipy.sparse import issparse

from sklearn_kernelclust._gram._tiles import n_pieces
from sklearn_kernelclust._utils._threads import batches, run_in_threads
from sklearn_kernelclust._utils._tolerances import ASYMMETRY, FLOAT64

# Objects on which a kernel function is tried.
SAMPLE = 16

# Rows that two products read once: they stay in the cache.
ROWS = 16


def check_symmetric(K, products=None, what="A precomputed kernel"):
    """Refuse an asymmetry that is more than rounding, and say where it is.

    A random vector without small entries shows any single asymmetric entry in
    two products; only if it shows one are all entries looked at. They may be
    given, if they are known.
    """
    if not issparse(K) and _seems_symmetric(K, products or probe_products(K)):
        return
    worst, i, j, largest = _largest_asymmetry(K)
    if worst > ASYMMETRY[K.dtype] * largest:
        raise asymmetry_error(worst, i, j, largest, what)


def asymmetry_error(worst, i, j, largest, what="A precomputed kernel"):
    """The error of a kernel that is not symmetric."""
    return ValueError(
        f"{what} must be symmetric: K[{i}, {j}] and K[{j}, {i}] "
        f"differ by {worst:.3g}, the largest entry is {largest:.3g}. If that is "
        "meant, pass (K + K.T) / 2."
    )


def check_symmetric_callable(gram, what="kernel"):
    """Refuse a function that is not symmetric on a few of the objects.

    It is a kernel or a metric, and may compute in float32 whatever it is given.
    """
    found = _asymmetric_pair(gram, np.abs(gram.diagonal()).max())
    if found is not None:
        i, j, there, back = found
        raise ValueError(
            f"A {what} must be symmetric: the callable gives {there:.3g} for "
            f"objects {i} and {j}, and {back:.3g} for {j} and {i}. "
            f"If that is meant, pass (K + K.T) / 2 with {what}='precomputed'."
        )


def check_symmetric_gram(gram):
    """Refuse a square Gram of other row than column objects, by a few of them."""
    found = None if gram.symmetric else _asymmetric_pair(gram)
    if found is not None:
        i, j, there, back = found
        raise ValueError(
            f"A kernel must be symmetric: gram[{i}, {j}] is {there:.3g} and "
            f"gram[{j}, {i}] is {back:.3g}. Is it one of new objects against the "
            "training objects, as transform gives?"
        )


def _asymmetric_pair(gram, largest=0.0):
    """The worst pair of a few objects and its two entries, None if it is rounding."""
    sample = np.unique(np.linspace(0, gram.shape[0] - 1, SAMPLE).astype(int))
    a, b = sample[::2], sample[1::2]
    if len(b) == 0:
        return None
    there, back = gram.restrict(a, b).toarray(), gram.restrict(b, a).toarray().T
    difference = np.abs(there - back)
    i, j = np.unravel_index(difference.argmax(), difference.shape)
    largest = max(np.abs(there).max(), np.abs(back).max(), largest)
    if difference[i, j] <= ASYMMETRY[np.dtype(np.float32)] * largest:
        return None
    return a[i], b[j], there[i, j], back[i, j]


def probe_products(K):
    """``U @ p`` and ``L.T @ p`` of a random p, in float64, in one pass over K.

    U and L are the two triangles of K, of which both have the diagonal: they are each
    other's transposes if K is symmetric. The products are finite only if all entries
    of K are; large entries may overflow.
    """
    rng, n = np.random.RandomState(0), K.shape[0]
    probe = rng.choice([-1.0, 1.0], n) * rng.uniform(1, 2, n)
    # Rows that lie together in memory, so that each is read once.
    turned = K.flags.f_contiguous and not K.flags.c_contiguous
    rows = K.T if turned else K
    left, right = np.empty(n), np.zeros(n)
    lock = Lock()

    def work(piece):
        total, copies = np.zeros(n), np.empty((ROWS, n), np.float64)
        for i in range(piece.start, piece.stop, ROWS):
            stop = min(i + ROWS, piece.stop)
            batch, block = slice(i, stop), rows[i:stop]
            if block.dtype != FLOAT64:
                np.copyto(copies[: len(block)], block)
                block = copies[: len(block)]
            left[batch] = block[:, i:] @ probe[i:]
            total[:stop] += probe[batch] @ block[:, :stop]
        with lock:
            right[:] += total

    with np.errstate(over="ignore", invalid="ignore"):
        run_in_threads(work, batches(n, -(-n // n_pieces(K.size))))
    return (right, left) if turned else (left, right)


def _seems_symmetric(K, products):
    """By two products, over their largest entry: what overflows is not finite."""
    left, right = products
    with np.errstate(over="ignore", invalid="ignore"):
        peak = np.abs(left).max() or 1
        size = np.linalg.norm(left / peak) / (2 * K.shape[0])
        return np.abs((left - right) / peak).max() <= ASYMMETRY[K.dtype] / 2 * size


def _largest_asymmetry(K):
    """Largest difference to the transpose, its place, and the largest entry."""
    if issparse(K):
        difference = abs(K - K.T).tocoo()
        if difference.nnz == 0:
            return 0.0, 0, 0, 0.0
        at = difference.data.argmax()
        place = difference.row[at], difference.col[at]
        return difference.data[at], *place, abs(K).max()
    worst, place, largest = -1.0, (0, 0), 0.0
    for i in range(0, len(K), 256):
        with np.errstate(over="ignore"):
            difference = np.abs(K[i : i + 256] - K[:, i : i + 256].T)
        at = np.unravel_index(difference.argmax(), difference.shape)
        largest = max(largest, np.abs(K[i : i + 256]).max())
        if difference[at] > worst:
            worst, place = difference[at], (i + at[0], at[1])
    return worst, *place, largest

"""Threads over blocks of a matrix, in the place of threads inside BLAS."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from concurrent.futures import ThreadPoolExecutor
from functools import cache

from threadpoolctl import ThreadpoolController


@cache
def _controller():
    # Looking for the loaded libraries takes milliseconds, asking them does not.
    return ThreadpoolController()


def n_threads():
    """As many as BLAS would take now.

    So whoever limits BLAS (``threadpool_limits``, a joblib worker, an
    environment variable) limits these threads too.
    """
    blas = (
        lib.num_threads
        for lib in _controller().lib_controllers
        if lib.user_api == "blas"
    )
    return max(blas, default=1)


def blas_threads(n):
    """A context in which BLAS takes `n` threads."""
    return _controller().limit(limits=n, user_api="blas")


def run_in_threads(work, pieces):
    """Call ``work(piece)`` for each piece; an exception reaches the caller.

    The threads live for this call only, which costs a tenth of a millisecond
    and leaves nothing behind for a fork to trip over (joblib's threads cost
    ten milliseconds a call, more than many of our products).
    """
    pieces = list(pieces)
    if len(pieces) < 2:
        for piece in pieces:
            work(piece)
        return
    workers = min(n_threads(), len(pieces))
    with blas_threads(1):
        if workers == 1:
            for piece in pieces:
                work(piece)
            return
        with ThreadPoolExecutor(workers) as pool:
            for _ in pool.map(work, pieces):
                pass

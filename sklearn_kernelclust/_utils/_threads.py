"""Threads over blocks of a matrix, instead of threads inside BLAS."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from functools import cache, partial
from threading import RLock

import numpy as np
from sklearn import get_config, set_config
from threadpoolctl import ThreadpoolController, threadpool_limits

_in_charge = RLock()


@cache
def _blas():
    # Looking for the loaded libraries takes milliseconds, asking them does not.
    return ThreadpoolController().select(user_api="blas").lib_controllers


@cache
def openmp():
    """Control of the loaded libraries of OpenMP."""
    return ThreadpoolController().select(user_api="openmp")


# A context in which what the current thread calls uses one thread of OpenMP: threads
# that wait for each other at every step of a small problem cost ten times as much.
one_openmp_thread = partial(threadpool_limits, limits=1, user_api="openmp")


def n_threads():
    """As many as BLAS would take now.

    So whoever limits BLAS (``threadpool_limits``, a joblib worker, an
    environment variable) limits these threads too.
    """
    return max((lib.num_threads for lib in _blas()), default=1)


@contextmanager
def blas_threads(n):
    """Let BLAS use `n` threads; yields False if another thread controls BLAS.

    The number belongs to the process. Were two threads to change it at a time,
    one would restore what the other had set.
    """
    if not _in_charge.acquire(blocking=False):
        yield False
        return
    before = [(lib, lib.num_threads) for lib in _blas()]
    try:
        for lib, _ in before:
            lib.set_num_threads(n)
        yield True
    finally:
        for lib, n_before in before:
            lib.set_num_threads(n_before)
        _in_charge.release()


def run_in_threads(work, pieces):
    """Call ``work(piece)`` for each piece; an exception reaches the caller.

    As in its own thread, NumPy ignores the errors that the caller ignores, and
    scikit-learn's settings are the caller's.

    The threads live for this call only, which costs a tenth of a millisecond
    and leaves nothing behind for a fork to trip over (joblib's threads cost
    ten milliseconds a call, more than many of our products). A call that comes
    while another thread's call is running works in the caller's thread.
    """
    pieces = list(pieces)
    workers = min(n_threads(), len(pieces))
    with blas_threads(1) if workers > 1 else nullcontext(False) as in_charge:
        if in_charge:
            own = np.geterr(), get_config()
            with ThreadPoolExecutor(workers, "", _with_settings, own) as pool:
                for _ in pool.map(work, pieces):
                    pass
        else:
            for piece in pieces:
                work(piece)


def _with_settings(errors, config):
    """Set in a new thread what each thread has for itself."""
    np.seterr(**errors)
    set_config(**config)


def batches(n, size):
    """Slices of at most `size` that cover ``range(n)``, none for an empty one."""
    return [slice(i, min(i + size, n)) for i in range(0, n, size)]

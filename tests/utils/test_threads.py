"""Threads over blocks."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import multiprocessing
import time
from threading import Thread, get_ident

import numpy as np
import pytest
from sklearn import config_context, get_config
from threadpoolctl import ThreadpoolController, threadpool_limits

from sklearn_kernelclust._utils._threads import (
    n_threads,
    one_openmp_thread,
    run_in_threads,
)


def test_all_pieces_are_done():
    done = []
    run_in_threads(done.append, range(20))
    assert sorted(done) == list(range(20))
    run_in_threads(done.append, [])
    assert len(done) == 20


def test_an_exception_reaches_the_caller():
    def work(piece):
        if piece == 3:
            raise ZeroDivisionError("three")

    with pytest.raises(ZeroDivisionError, match="three"):
        run_in_threads(work, range(5))


def test_settings_of_the_caller_hold_in_every_thread():
    seen = {}

    def work(piece):
        time.sleep(1e-3)
        seen[get_ident()] = np.geterr()["over"], get_config()["working_memory"]

    settings = np.errstate(over="ignore"), config_context(working_memory=17)
    with threadpool_limits(2, user_api="blas"), settings[0], settings[1]:
        several = n_threads() == 2
        run_in_threads(work, range(8))
    assert set(seen.values()) == {("ignore", 17)}
    assert not several or get_ident() not in seen


def test_limits_of_blas_are_limits_here():
    with threadpool_limits(1, user_api="blas"):
        assert n_threads() == 1


def test_blas_is_restored_after_concurrent_use():
    before = n_threads()

    def use():
        for _ in range(100):
            run_in_threads(lambda piece: time.sleep(1e-4), range(4))

    threads = [Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert n_threads() == before


def _in_child(queue):
    done = []
    run_in_threads(done.append, range(4))
    queue.put(len(done))


@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
def test_a_fork_after_use_does_not_hang():
    if "fork" not in multiprocessing.get_all_start_methods():
        pytest.skip("no fork on this system")
    run_in_threads(lambda piece: None, range(4))
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_in_child, args=(queue,))
    child.start()
    assert queue.get(timeout=60) == 4
    child.join(timeout=60)


def test_one_thread_of_openmp():
    """And as many as before afterwards."""
    controller = ThreadpoolController().select(user_api="openmp")
    before = [lib.num_threads for lib in controller.lib_controllers]
    with one_openmp_thread():
        during = [lib.num_threads for lib in controller.lib_controllers]
    assert set(during) <= {1}
    assert [lib.num_threads for lib in controller.lib_controllers] == before

"""A property that is computed once, and by a fork too."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from threading import Event, Thread

from sklearn_kernelclust._utils._cached_property import cached_property


class Counter:
    def __init__(self, wait=None):
        self.n_calls, self.wait = 0, wait or Event()

    @cached_property
    def value(self):
        """What it is."""
        self.n_calls += 1
        return self.n_calls


class Slow(Counter):
    @cached_property
    def value(self):
        self.n_calls += 1
        assert self.wait.wait(60)
        return self.n_calls


def test_computed_once():
    counter = Counter()
    assert [counter.value, counter.value, counter.n_calls] == [1, 1, 1]
    del counter.value
    assert counter.value == 2
    assert Counter().value == 1
    assert Counter.value.__doc__ == "What it is."


def test_nobody_waits_for_another_thread():
    """As a fork would forever."""
    first, done = Slow(), Event()
    done.set()
    thread = Thread(target=lambda: first.value)
    thread.start()
    try:
        assert Slow(done).value == 1
    finally:
        first.wait.set()
        thread.join()

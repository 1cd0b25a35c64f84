"""A property that is computed once."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause


class cached_property:
    """As ``functools.cached_property`` of Python 3.12, which has no lock.

    Before, threads waited for each other, and a process that was forked while one of
    them held the lock waited forever. Two threads may now compute the same value twice.
    """

    def __init__(self, function):
        self.function, self.__doc__ = function, function.__doc__

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        value = instance.__dict__[self.name] = self.function(instance)
        return value

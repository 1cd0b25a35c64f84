"""Objects of any kind: strings, lists, graphs, series of different lengths, images."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle
from collections.abc import Mapping, Set
from numbers import Number

import numpy as np
from scipy.sparse import issparse


def are_features(X):
    """Whether `X` is a matrix of numbers, or was meant as one.

    Strings, lists of different lengths and arrays of three or more dimensions are
    not. Frames, and arrays of two dimensions, are.
    """
    if issparse(X) or hasattr(X, "columns") or not hasattr(X, "__len__"):
        return True
    if isinstance(X, (list, tuple)) and not all(map(is_row, X)):
        return False
    if not isinstance(X, np.ndarray):
        if getattr(X, "ndim", None) == 2:  # a device may not give it to numpy
            return True
        try:
            X = np.asarray(X)
        except ValueError:  # lists of different lengths
            return False
    if X.ndim == 1:
        return X.dtype.kind in "biufc" or not len(X)
    return X.ndim < 3 and X.dtype.kind not in "OUS"


def is_row(x):
    """Whether an object may be a row of numbers, or one number of them.

    A graph may have a length, too, and elements that are numbers.
    """
    return isinstance(x, (Number, list, tuple)) or hasattr(x, "__array__")


class Objects:
    """A sequence of objects, cut as the rows of a matrix are.

    Parameters
    ----------
    sequence : list or ndarray
        The objects; an array has one in each place of its first dimension.
    """

    dtype = np.dtype(np.float64)  # of kernels and distances of these objects

    def __init__(self, sequence):
        self.sequence, self.shape = sequence, (len(sequence),)

    def __getitem__(self, index):
        if isinstance(self.sequence, np.ndarray) or isinstance(index, slice):
            return Objects(self.sequence[index])
        picked = np.arange(len(self.sequence))[index]
        return Objects([self.sequence[i] for i in picked])

    def astype(self, dtype, copy=True):
        """The objects themselves, which have no type."""
        return self


def check_objects(X):
    """The sequence that a user gave, in a list or an array of our own."""
    if isinstance(X, (str, bytes, Set, Mapping)) or not hasattr(X, "__len__"):
        raise TypeError(
            "Objects for a callable must be a sequence, such as a list, got "
            f"{type(X).__name__}."
        )
    if not len(X):
        raise ValueError("Found 0 objects, while a minimum of 1 is required.")
    return Objects(X.copy() if isinstance(X, np.ndarray) else list(X))


class ObjectIndex:
    """Finds training objects among others: those that pickle to the same bytes."""

    def __init__(self, objects):
        self.objects, self._positions = objects, None

    def find(self, objects):
        """Index of the training object that each object is, -1 if it is none.

        Of several it is the one in the same position, else the first.
        """
        if self._positions is None:
            self._positions = {}
            for i, x in enumerate(self.objects.sequence):
                self._positions.setdefault(_key(x), []).append(i)
        index = np.full(objects.shape[0], -1, dtype=np.intp)
        for i, x in enumerate(objects.sequence):
            positions = self._positions.get(_key(x), [-1])
            index[i] = i if i in positions else positions[0]
        return index


def _key(x):
    """What is equal for equal objects of one kind, or at least for the same one."""
    if isinstance(x, str):
        return str(x)
    try:
        return pickle.dumps(x)
    except Exception:  # functions, open files: nobody else has the same
        return id(x)

"""Tasks for dask's workers, which is imported only if the user brought a dask array.

Tasks depend on nothing but their arguments: one that is lost with its worker is
computed again.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import sys
from itertools import chain

from sklearn_kernelclust._utils._threads import batches

# Partial sums that are added up in one task.
FAN_IN = 8


def is_dask(X):
    """Whether X is a dask array; without dask, nothing is."""
    array = sys.modules.get("dask.array")
    return array is not None and isinstance(X, array.Array)


def later(function, *args):
    """A task: `args` may be results of other tasks."""
    from dask import delayed

    return delayed(function, pure=False, traverse=False)(*args)


def constant(value):
    """A value that many tasks share: it travels once to each worker."""
    from dask import delayed

    return delayed(value, pure=False, traverse=False)


def compute(tasks, size=0):
    """Results of tasks, by the scheduler that is current.

    `size` is the number of bytes of constants in them: dask warns of large graphs, and
    means those whose data should be on the workers.
    """
    import dask

    name = "distributed.admin.large-graph-warning-threshold"
    usual = dask.config.get(name, None)
    if usual is None:  # distributed is not in use
        return list(dask.compute(*tasks))
    with dask.config.set({name: int(dask.utils.parse_bytes(usual) + 2 * size)}):
        return list(dask.compute(*tasks))


def tree_sum(tasks):
    """A task that adds up the results of tasks, a few at a time and in this order."""
    while len(tasks) > 1:
        groups = [tasks[part] for part in batches(len(tasks), FAN_IN)]
        tasks = [later(added, *group) for group in groups]
    return tasks[0]


def added(first, *others):
    """Sum of arrays, or of pairs of a list and an array.

    The first may be shared, and is not written to.
    """
    if isinstance(first, tuple):
        lists, arrays = zip(first, *others)
        return list(chain(*lists)), added(*arrays)
    if not others:
        return first
    total = first + others[0]
    for array in others[1:]:
        total += array
    return total

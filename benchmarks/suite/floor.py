"""The rows of ``bench_floor.py``, without peers: times and memory by commit."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from importlib import import_module

from bench_floor import ROWS

# Rows of one case that takes long, or more memory than a small machine has.
LONG = ("strength", "graph", "dsm", "memory-text", "memory-strings")


def first_case(row):
    """The first case of a row; the others differ in size."""
    module, function = ROWS[row]
    return next(getattr(import_module(f"floor.{module}"), function)())


class FloorSuite:
    """Time of the first case of each row."""

    param_names = ["row"]
    params = ([row for row in ROWS if row not in LONG],)

    def setup(self, row):
        self.case = first_case(row)
        self.case.ours()

    def time_ours(self, row):
        self.case.ours()


class LongFloorSuite:
    """Time of the first case of rows that take long, once."""

    param_names = ["row"]
    params = (["strength", "graph", "dsm"],)
    timeout, number, repeat, warmup_time = 600, 1, 1, 0

    def setup(self, row):
        self.case = first_case(row)

    def time_ours(self, row):
        self.case.ours()


class MemoryFloorSuite:
    """What a fit takes beyond its data, in the unit of its row."""

    param_names = ["row"]
    params = (["memory-text", "memory-strings"],)
    timeout = 600

    def track_memory(self, row):
        case = first_case(row)
        return case.per * case.ours()

    track_memory.unit = "times what is needed"

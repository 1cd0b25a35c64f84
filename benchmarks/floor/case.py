"""A case of a row: what is timed, its peers, what it has to reach."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter, process_time

import numpy as np

LEAST_SECONDS = 0.1
LONG_SECONDS = 5.0


@dataclass
class Case:
    """Work of this package beside the same work of its peers.

    Attributes
    ----------
    what : str
        The case in a few words.
    ours : callable
        Work without arguments.
    peers : dict
        The same of others, by name; the fastest counts.
    at_least : float or None
        How many times the speed of the fastest peer is asked for.
    at_most : float or None
        How much may be taken, in `unit`.
    per : float
        The number of `unit` in a second (or byte): 1 / 1e-9 / n^2 for nanoseconds an
        entry.
    unit : str
    repeats : int
        How often each is timed, in turn, so that a busy spell hits all.
    memory : bool
        Whether `ours` gives the bytes it took, and time does not matter.
    bound : str
        What keeps it from its target, where that is known.
    note : callable or None
        ``note(results)`` says how the results, by name, agree.
    """

    what: str
    ours: Callable
    peers: dict = field(default_factory=dict)
    at_least: float | None = None
    at_most: float | None = None
    per: float = 1.0
    unit: str = "s"
    repeats: int = 3
    memory: bool = False
    bound: str = ""
    note: Callable | None = None


@dataclass
class Timed:
    """Seconds of a peer that measures itself in another program."""

    cpu: float
    wall: float
    result: object = None


def measured(case):
    """A record of the case: CPU and wall time of each contestant, medians."""
    if case.memory:
        spent = case.ours()
        times, results = {"ours": [(spent, spent)]}, {}
    else:
        times, results = in_turn({"ours": case.ours} | case.peers, case.repeats)
    medians = {
        name: (case.per * np.median(spent, axis=0)).tolist()
        for name, spent in times.items()
    }
    targets = {"at_least": case.at_least, "at_most": case.at_most, "unit": case.unit}
    note = case.note(results) if case.note and case.peers else ""
    about = {"what": case.what, "bound": case.bound, "note": note}
    return about | targets | {"times": medians, "memory": case.memory}


def in_turn(fits, repeats):
    """Pairs of CPU and wall seconds of each, and the last results."""
    times, results, counts = {name: [] for name in fits}, {}, {}
    for name, fit in fits.items():
        spent, results[name] = once(fit, 1)
        counts[name] = max(int(np.ceil(LEAST_SECONDS / max(spent[1], 1e-7))), 1)
        if spent[1] > LONG_SECONDS:  # no warming up: this one counts
            times[name].append(spent)
    for _ in range(repeats):
        for name, fit in fits.items():
            if sum(wall for _, wall in times[name]) < LONG_SECONDS:
                spent, results[name] = once(fit, counts[name])
                times[name].append(spent)
    return times, results


def once(fit, count):
    """CPU and wall seconds of one call, averaged over `count` of them."""
    cpu, wall = process_time(), perf_counter()
    for _ in range(count):
        result = fit()
    spent = (process_time() - cpu) / count, (perf_counter() - wall) / count
    if isinstance(result, Timed):
        return (result.cpu, result.wall), result.result
    return spent, result

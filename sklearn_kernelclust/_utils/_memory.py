"""How much memory is left, asked before a large matrix is allocated."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from pathlib import Path

import numpy as np

# Smaller allocations are not checked.
SMALL = 64 * 2**20

# Share of the free memory that may be taken; other programs need some too.
SHARE = 0.9


class GramTooLargeError(MemoryError, ValueError):
    """A kernel matrix was refused before it was allocated."""


def available_memory():
    """Bytes that can still be allocated, or None where that is unknown.

    The smallest of what the system has free, what the control group still
    grants and what the address space limit leaves: numpy's own ``MemoryError``
    comes only after the first two are passed.
    """
    left = [_free_memory(), *_control_group_memory(), _address_space()]
    known = [b for b in left if b is not None]
    return max(min(known), 0) if known else None


def require_memory(shape, dtype, cure):
    """Raise before a dense array of `shape` is allocated that does not fit."""
    needed = int(np.prod(shape, dtype=object)) * np.dtype(dtype).itemsize
    if needed <= SMALL:
        return
    available = available_memory()
    if available is not None and needed > SHARE * available:
        raise GramTooLargeError(
            f"A dense kernel matrix of shape {tuple(shape)} and type "
            f"{np.dtype(dtype).name} needs {_gib(needed)}, and "
            f"{_gib(available)} are available. {cure}"
        )


def _gib(n_bytes):
    return f"{n_bytes / 2**30:.2f} GiB"


def _read_number(path, field=0):
    """The integer in a one-line file of the system, None if there is none."""
    try:
        return int(Path(path).read_text().split()[field])
    except (OSError, ValueError, IndexError):
        return None


def _free_memory():
    """Memory that the system can give out without swapping."""
    try:
        text = Path("/proc/meminfo").read_text()
    except OSError:
        return None
    for line in text.splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return None


def _control_group_memory():
    """Memory left to this control group, in both versions of the interface."""
    base = "/sys/fs/cgroup"
    for limit, usage in (
        (f"{base}/memory.max", f"{base}/memory.current"),
        (
            f"{base}/memory/memory.limit_in_bytes",
            f"{base}/memory/memory.usage_in_bytes",
        ),
    ):
        most, used = _read_number(limit), _read_number(usage)
        if most is not None and used is not None:
            yield most - used


def _address_space():
    """Memory that ``ulimit -v`` leaves."""
    try:
        import resource
    except ImportError:  # not a POSIX system
        return None
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    if soft == resource.RLIM_INFINITY:
        return None
    pages = _read_number("/proc/self/statm") or 0
    return soft - pages * resource.getpagesize()

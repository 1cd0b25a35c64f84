"""What benchmarks share: clocks, peak memory, the table, the command line."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import json
import os
import platform
import resource
import shutil
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import PackageNotFoundError, version
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter

import numpy as np

GIB = 2**30


def clock(work, *args):
    begin = perf_counter()
    result = work(*args)
    return perf_counter() - begin, result


def median_time(work, *args):
    """Median of three, of one only where that takes seconds."""
    seconds, result = clock(work, *args)
    if seconds > 2:
        return seconds, result
    return float(np.median([seconds] + [clock(work, *args)[0] for _ in "ab"])), result


def in_fresh_process(work, *args):
    """Result of a process that nothing else ran in.

    A child's peak memory begins at what its parent held: the parent must hold
    no data, so every part runs in such a process.
    """
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(work, *args).result()


def peak_memory():
    """Largest resident size of this process so far, in bytes."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def installed(name):
    try:
        return bool(version(name))
    except PackageNotFoundError:
        return False


def installed_in_r(name):
    if shutil.which("Rscript") is None:
        return False
    code = f"quit(status = !requireNamespace('{name}', quietly = TRUE))"
    return subprocess.run(["Rscript", "-e", code], check=False).returncode == 0


def skipped(*names):
    """A line for each package that is not installed."""
    return [f"{n} is not installed: skipped" for n in names if not installed(n)]


def verdict(enough, no_worse=True):
    if not enough:
        return "SHORT OF TARGET"
    return "PASS" if no_worse else "WORSE RESULT"


# Field of a row, its title in the table, its format.
COLUMNS = [
    ("what", "", "{}"),
    ("k", "k", "{}"),
    ("seconds", "seconds", "{:.3f}"),
    ("cpu", "CPU seconds", "{:.1f}"),
    ("splits", "splits run", "{}"),
    ("best", "best k", "{}"),
    ("nmi", "NMI", "{:.3f}"),
    ("iterations", "iterations", "{:.0f}"),
    ("ms_per_iteration", "ms/iteration", "{:.1f}"),
    ("inertia", "best objective", "{:.3f}"),
    ("mean_inertia", "mean objective", "{:.3f}"),
    ("gib", "peak GiB", "{:.2f}"),
    ("ratio", "ratio", "{:.1f}"),
    ("needed", "needed", "{}"),
    ("verdict", "", "{}"),
]


def show(rows):
    """A table, and the notes of its rows below it."""
    used = [c for c in COLUMNS if any(c[0] in row for row in rows)]
    lines = [[title for _, title, _ in used]]
    for row in rows:
        lines.append([f.format(row[key]) if key in row else "" for key, _, f in used])
    widths = [max(map(len, column)) for column in zip(*lines)]
    for line in lines:
        first, *rest = (f"{c:>{w}}" for c, w in zip(line, widths))
        print("  ".join([first.lstrip().ljust(widths[0]), *rest]).rstrip())
    for row in rows:
        if "note" in row:
            print(f"* {row['what']}, k = {row['k']}: {row['note']}")


def main(about, parts, notes=()):
    """Run the parts that are asked for, and show their rows.

    A part is a function that takes whether to be quick and gives rows, and a
    title. The notes come first.
    """
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("--part", action="append", choices=parts, help="default: all")
    parser.add_argument("--quick", action="store_true", help="small data, no verdicts")
    parser.add_argument("--json", metavar="FILE", type=Path, help="also write the rows")
    args = parser.parse_args()
    versions = {p: version(p) for p in ("numpy", "scipy", "scikit-learn")}
    print(f"{os.cpu_count()} cores, {platform.machine()}, {versions}", *notes, sep="\n")
    rows = []
    for part in args.part or parts:
        work, title = parts[part]
        print(f"\n({part}) {title}", flush=True)
        found = work(args.quick)
        show(found)
        rows += [{"part": part} | row for row in found]
    if args.json:
        args.json.write_text(json.dumps({"versions": versions, "rows": rows}, indent=1))

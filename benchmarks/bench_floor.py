"""The paths that were slow, each against its best peer and its target.

``python benchmarks/bench_floor.py`` prints all rows; ``--row pddp`` one of them, and
``--json FILE`` also writes the numbers. Each row runs in a process of its own, once
with one thread, where CPU time counts, and once with two, where wall time does. All
that is compared runs in turn in the same process. Peers that are missing are named.

The ratio is how many times this package is faster than the fastest peer. A target is a
ratio, or a limit in seconds or another unit.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import json
import os
import platform
import subprocess
import sys
import warnings
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).parent

# Module and function of each row; modules are imported where they run.
ROWS = {
    "precomputed": ("kernel_kmeans", "precomputed"),
    "checks": ("kernel_kmeans", "checks"),
    "predict": ("kernel_kmeans", "predict"),
    "hartigan": ("kernel_kmeans", "hartigan"),
    "rbf": ("kernel_kmeans", "rbf"),
    "small-text": ("kernel_kmeans", "small_text"),
    "dsm": ("kernel_kmeans", "dsm"),
    "strength": ("model_selection", "strength"),
    "strength-kmeans": ("model_selection", "strength_of_kmeans"),
    "pddp": ("divisive", "pddp"),
    "bisecting": ("divisive", "bisecting"),
    "graph": ("spectral", "graph"),
    "spectral": ("spectral", "dense"),
    "kernel-pca": ("spectral", "kernel_pca"),
    "subsequence": ("strings", "subsequence"),
    "memory-text": ("memory", "text"),
    "memory-strings": ("memory", "strings"),
}
PEERS = ("HiPart", "pyamg")
PEERS_IN_R = ("fpc", "kernlab")
THREADS = (1, 2)
VARIABLES = ("OMP", "OPENBLAS", "MKL", "BLIS", "NUMEXPR", "NUMBA")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--row", action="append", choices=ROWS, help="default: all")
    parser.add_argument(
        "--threads", type=int, choices=THREADS, help="default: one, then two"
    )
    parser.add_argument("--json", metavar="FILE", type=Path, help="also write numbers")
    parser.add_argument("--child", choices=ROWS, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.child:
        return measure(args.child)
    versions = {p: version(p) for p in ("numpy", "scipy", "scikit-learn")}
    print(f"{os.cpu_count()} cores, {platform.machine()}, {versions}")
    print(*missing_peers(), sep="\n")
    records = []
    for row in args.row or ROWS:
        records += record_of(row, [args.threads] if args.threads else THREADS)
        print(f"{row} is measured", file=sys.stderr)
    show(records)
    if args.json:
        text = json.dumps({"versions": versions, "rows": records}, indent=1)
        args.json.write_text(text)


def missing_peers():
    from measuring import installed, installed_in_r

    missing = [p for p in PEERS if not installed(p)]
    missing += [f"R's {p}" for p in PEERS_IN_R if not installed_in_r(p)]
    return [f"{peer} is not installed: its rows have no ratio" for peer in missing]


# In the process of a row


def measure(row):
    """Print the records of a row, one in a line."""
    sys.path.append(str(HERE))
    from floor.case import measured

    warnings.simplefilter("ignore")
    module, function = ROWS[row]
    for case in getattr(import_module(f"floor.{module}"), function)():
        print(json.dumps({"row": row} | measured(case)), flush=True)


# In the process that asks for rows


def record_of(row, threads):
    """Records of the cases of a row, with the times of each number of threads."""
    with_threads = [records_with(row, n) for n in threads]
    cases = zip(*with_threads)
    return [
        case[0]
        | {"by_threads": dict(zip(threads, (record["times"] for record in case)))}
        | {"verdict": verdict({n: reached(r, n - 1) for n, r in zip(threads, case)})}
        for case in cases
    ]


def records_with(row, n_threads):
    threads = {f"{name}_NUM_THREADS": str(n_threads) for name in VARIABLES}
    done = subprocess.run(
        [sys.executable, str(HERE / "bench_floor.py"), "--child", row],
        env=os.environ | threads,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode:
        print(f"{row} with {n_threads} threads failed", file=sys.stderr)
    return [json.loads(line) for line in done.stdout.splitlines() if line[:1] == "{"]


def reached(record, clock):
    """Whether the target is, by one of the two clocks; None without a peer."""
    times = {name: spent[clock] for name, spent in record["times"].items()}
    ours = times.pop("ours")
    if record["at_most"] is not None:
        return ours <= record["at_most"]
    return min(times.values()) >= record["at_least"] * ours if times else None


def verdict(reached_with):
    """Of whether the target is reached with each number of threads."""
    if None in reached_with.values():
        return "no peer"
    if len(set(reached_with.values())) == 1:
        return "reached" if all(reached_with.values()) else "SHORT"
    return "one thread only" if reached_with[1] else "two threads only"


TITLES = ["row", "case", *2 * ["now", "peer", "ratio"], "target", "", "peer is"]


def show(records):
    """The table, and notes below it."""
    print("\nCPU time with one thread, then wall time with two:\n")
    print(table(records))
    for record in records:
        short = record["verdict"] not in ("reached", "no peer")
        notes = [record["note"], record["bound"] if short else ""]
        for note in filter(None, notes):
            print(f"* {record['row']}, {record['what']}: {note}")


def table(records):
    """All records in the markup of ``README.rst``."""
    lines = [TITLES, *(cells(record) for record in records)]
    widths = [max(*map(len, column), 1) for column in zip(*lines)]
    rule = "  ".join("=" * width for width in widths)
    rows = ["  ".join(c.ljust(w) for c, w in zip(line, widths)) for line in lines]
    rows = [row.rstrip() for row in rows]
    return "\n".join([rule, rows[0], rule, *rows[1:], rule]) + "\n"


def cells(record):
    target = f"{record['at_least'] or 0:g} x"
    if record["at_most"] is not None:
        target = f"{record['at_most']:g} {record['unit']}"
    timed, fastest = [], ""
    for n_threads in THREADS:
        times, clock = record["by_threads"].get(n_threads), n_threads - 1
        if times is None:
            timed += ["", "", ""]
            continue
        seconds = {name: spent[clock] for name, spent in times.items()}
        ours = seconds.pop("ours")
        timed.append(f"{ours:.3g} {record['unit']}")
        fastest = min(seconds, key=seconds.get, default="")
        peer = seconds.get(fastest)
        timed += [f"{peer:.3g}", f"{peer / ours:.2f}"] if fastest else ["", ""]
    return [record["row"], record["what"], *timed, target, record["verdict"], fastest]


if __name__ == "__main__":
    main()

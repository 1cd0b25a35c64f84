"""Redo tables and figures of the papers on real data.

    python -m benchmarks.papers --data DIR [--quick] [--table dd2 ...]

writes a CSV and a Markdown table for each, the picture of each figure, and the
page ``summary.md``.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import importlib.util
import sys
import time
import warnings
from pathlib import Path

from sklearn.exceptions import ConvergenceWarning

from benchmarks.papers.report import write, write_summary

RESULTS = Path(__file__).parent / "results"

# In the order in which they run: those that share work follow each other.
TABLES = [
    "dd1",
    "dd2",
    "dd3",
    "ddf1",
    "ddf2",
    "ddf3",
    "ddx",
    "pv1",
    "pv3",
    "pvf2",
    "pvx",
    "kp4",
    "kpf2",
    "kpf3",
    "kpf4",
    "kpf5",
    "sk1",
    "skf1",
    "nkf1",
    "nkf2",
]


def known_tables():
    """Names of the tables that have a module."""
    module = "benchmarks.papers.{}".format
    return [name for name in TABLES if importlib.util.find_spec(module(name))]


def run_table(name, folder, quick, out):
    """Run one table, write it; whether that went well."""
    module = importlib.import_module(f"benchmarks.papers.{name}")
    print(f"{name}: {module.TITLE}", flush=True)
    start = time.perf_counter()
    try:
        result = module.run(folder, quick)
    except FileNotFoundError as error:
        print(f"{name} was not run: {error}", file=sys.stderr)
        return False
    write(out, name, module.TITLE, result, quick, time.perf_counter() - start)
    print(f"{name}: {time.perf_counter() - start:.0f} s", flush=True)
    return True


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.papers", description=__doc__.splitlines()[0]
    )
    parser.add_argument(
        "--data", type=Path, required=True, metavar="DIR", help="folder of data sets"
    )
    parser.add_argument(
        "--quick", action="store_true", help="fewer trials; ends within ten minutes"
    )
    parser.add_argument(
        "--table",
        nargs="+",
        choices=known_tables(),
        help="only these (default: all of them)",
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help="where results go (default: results/ beside this file, and "
        "results/quick/ with --quick)",
    )
    return parser.parse_args(arguments)


def main(arguments=None):
    options = parse(arguments)
    if not options.data.is_dir():
        raise SystemExit(f"--data {options.data}: there is no such folder.")
    out = options.out or (RESULTS / "quick" if options.quick else RESULTS)
    out.mkdir(parents=True, exist_ok=True)
    names = options.table or known_tables()
    with warnings.catch_warnings():
        # Split-and-merge warns when it collapses: the tables count that.
        warnings.simplefilter("ignore", ConvergenceWarning)
        done = [run_table(name, options.data, options.quick, out) for name in names]
    write_summary(out, known_tables())
    return 0 if all(done) else 1


if __name__ == "__main__":
    sys.exit(main())

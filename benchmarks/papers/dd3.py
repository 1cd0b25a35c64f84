"""DD Table 3: agreement of the trials with each other."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from benchmarks.papers.data import DD_SETS
from benchmarks.papers.dd import (
    METHODS,
    OWN,
    SETS,
    all_trials,
    cell_of,
    counted_cells,
    n_trials,
    nearness,
)
from benchmarks.papers.published import published
from benchmarks.papers.report import Result, agreement, beside

TITLE = "DD Table 3: stability (ANMI) of the reduction methods"


def run(folder, quick):
    count = n_trials(quick)
    return page(anmi_records(folder, count), count)


def anmi_records(folder, count, sets=SETS):
    runs, paper = all_trials(folder, sets, count), published("dd3")
    return [
        {
            "data": name,
            "method": method,
            "published": paper[cell_of(name, method)],
            "ours": runs[name, method].anmi,
        }
        for name in sets
        for method in METHODS
    ]


def page(records, count):
    parts = [
        f"All pairs of {count} trials, those of Table 2.",
        beside(records, "data", "method"),
        *nearness(records),
    ]
    found = list(findings(records))
    near = agreement(counted_cells(records))
    return Result(records, parts, found, agreement=near)


def findings(records):
    """What the paper says of its Table 3."""
    ours = {(r["data"], r["method"]): r["ours"] for r in records}
    less = {
        f"{method} on {name}": ours[name, method] - ours[name, "original"]
        for name in DD_SETS
        for method in METHODS[1:]
        if ours[name, method] < ours[name, "original"] - 0.005
    }
    seen = ", ".join(f"{key} {gap:+.3f}" for key, gap in less.items()) or "everywhere"
    own = [key for key in less if key.split(" on ")[1] in OWN]
    yield "Every reduction is at least as stable as the original", not less, seen
    text = "The same, on the sets whose documents are the paper's"
    yield text, not own, ", ".join(own) or "everywhere"
    mapped = [d for d in DD_SETS if ours[d, "DSM"] < ours[d, "DS"] - 0.005]
    text = "The map makes the shifted kernel more stable (DSM above DS)"
    yield text, len(mapped) <= 2, f"not on {', '.join(mapped)}" if mapped else "all"

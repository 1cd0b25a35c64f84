"""DD Figure 3: documents that change their cluster in each iteration."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from matplotlib.figure import Figure

from benchmarks.papers.data import load
from benchmarks.papers.dd import all_trials, n_trials
from benchmarks.papers.report import Result, Table

TITLE = "DD Figure 3: reassignments in each iteration on cstr"
METHODS = ("original", "DS", "DSM", "AA", "p=0.6")
SHOWN = 10


def run(folder, quick):
    count = n_trials(quick)
    runs = all_trials(folder, ("cstr",), count, METHODS)
    means = {m: mean_moves(runs["cstr", m].n_reassignments) for m in METHODS}
    records = [
        {"iteration": i + 1, **{m: float(means[m][i]) for m in METHODS}}
        for i in range(SHOWN)
    ]
    rows = [[r["iteration"], *[r[m] for m in METHODS]] for r in records]
    fewer = {
        m: [i + 1 for i in range(1, SHOWN) if means["original"][i] >= means[m][i]]
        for m in METHODS[1:]
    }
    early = {m: [i for i in its if i <= 4] for m, its in fewer.items()}
    total = {m: float(means[m].sum()) for m in METHODS}
    findings = [
        (
            "From the second iteration on the original kernel reassigns fewer "
            f"documents than any reduction, in each of {SHOWN} iterations",
            not any(fewer.values()),
            told(fewer),
        ),
        ("The same, in iterations 2 to 4", not any(early.values()), told(early)),
        (
            f"In {SHOWN} iterations together it reassigns the fewest",
            min(total, key=total.get) == "original",
            ", ".join(f"{m} {t:.0f}" for m, t in total.items()),
        ),
        (
            "DS and AA reassign alike (within 10 % in all)",
            abs(total["DS"] - total["AA"]) <= 0.1 * total["DS"],
            f"DS {total['DS']:.0f}, AA {total['AA']:.0f}",
        ),
    ]
    n = load(folder, "cstr").counts.shape[0]
    parts = [
        f"{n} documents, mean of {count} trials; a run that has ended moves nothing.",
        Table(["iteration", *METHODS], rows, digits=1),
    ]
    return Result(records, parts, findings, figure=picture(means))


def mean_moves(n_reassignments):
    """Mean over trials, iteration by iteration."""
    moves = np.zeros((len(n_reassignments), SHOWN))
    for row, counts in zip(moves, n_reassignments):
        row[: len(counts)] = counts[:SHOWN]
    return moves.mean(axis=0)


def told(exceptions):
    seen = [f"{m}: {', '.join(map(str, its))}" for m, its in exceptions.items() if its]
    return "not against " + "; ".join(seen) if seen else "against all"


def picture(means):
    figure = Figure(figsize=(5, 3.5))
    axes = figure.subplots()
    for name, values in means.items():
        axes.plot(np.arange(1, SHOWN + 1), values, marker="o", label=name)
    axes.set(xlabel="iteration", ylabel="documents reassigned")
    axes.legend()
    return figure

"""DD Table 2: agreement with the classes, by method and collection."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from benchmarks.papers.data import DD_SETS, load
from benchmarks.papers.dd import METHODS, OWN, all_trials, n_trials
from benchmarks.papers.published import published
from benchmarks.papers.report import Result, agreement, beside

TITLE = "DD Table 2: accuracy (NMI) of the reduction methods"


def run(folder, quick):
    count = n_trials(quick)
    records = nmi_records(folder, count)
    parts = [
        f"Mean of {count} trials from random labels.",
        beside(records, "data", "method"),
        f"All sets: {agreement(records)}.",
        f"Sets whose documents are the paper's ({', '.join(OWN)}): "
        f"{agreement([r for r in records if r['data'] in OWN])}.",
    ]
    return Result(
        records,
        parts,
        list(findings(records)),
        DEVIATIONS,
        agreement=agreement(records),
    )


def nmi_records(folder, count):
    runs, paper = all_trials(folder, tuple(DD_SETS), count), published("dd2")
    records = []
    for name in DD_SETS:
        y = load(folder, name).labels
        for method in METHODS:
            own = runs[name, method]
            nmi = own.nmi(y)
            records.append(
                {
                    "data": name,
                    "method": method,
                    "published": paper[name, method],
                    "ours": float(nmi.mean()),
                    "std": float(nmi.std()),
                    "standard error": float(nmi.std() / np.sqrt(count)),
                    "iterations": own.mean_iterations,
                    "converged": float(own.converged.mean()),
                }
            )
    return records


def findings(records):
    """What the paper says of its Table 2."""
    ours = {(r["data"], r["method"]): r["ours"] for r in records}
    paper = {(r["data"], r["method"]): r["published"] for r in records}
    yield close_on_bbc(ours, paper)
    for method in ("DS", "AA"):
        worse = [d for d in DD_SETS if ours[d, method] < ours[d, "original"] - 0.005]
        seen = "worse on " + ", ".join(worse) if worse else "on all sets"
        text = f"{method} is at least as accurate as the original on all but one set"
        yield text, len(worse) <= 1, seen
    gaps = {d: abs(ours[d, "AA"] - ours[d, "DS"]) for d in DD_SETS}
    most = max(gaps, key=gaps.get)
    text = "AA and DS are close to each other (within 0.03)"
    yield text, gaps[most] <= 0.03, f"largest gap {gaps[most]:.3f}, on {most}"
    means = {m: np.mean([ours[d, m] for d in DD_SETS]) for m in METHODS[4:]}
    best = max(means, key=means.get)
    yield "p = 0.6 is the best degree on average", best == "p=0.6", f"{best} is"


def close_on_bbc(ours, paper):
    methods = ("original", "DS", "DSM", "AA", "p=0.6")
    gaps = {m: ours["bbc", m] - paper["bbc", m] for m in methods}
    seen = ", ".join(f"{m} {g:+.3f}" for m, g in gaps.items())
    text = "bbc: original, DS, DSM, AA and p = 0.6 within 0.03 of the paper"
    return text, max(map(abs, gaps.values())) <= 0.03, seen


DEVIATIONS = []

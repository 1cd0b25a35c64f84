"""DD Table 2: agreement with the classes, by method and collection."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from benchmarks.papers.data import DD_SETS, load
from benchmarks.papers.dd import (
    METHODS,
    SETS,
    SPLIT_MERGE,
    all_trials,
    cell_of,
    counted_cells,
    n_trials,
    nearness,
)
from benchmarks.papers.published import published
from benchmarks.papers.report import Result, agreement, beside

TITLE = "DD Table 2: accuracy (NMI) of the reduction methods"


def run(folder, quick):
    count = n_trials(quick)
    records = nmi_records(folder, count)
    return page(records, count)


def page(records, count):
    parts = [
        f"Mean of {count} trials from random labels.",
        beside(records, "data", "method"),
        READINGS,
        *nearness(records),
    ]
    return Result(
        records,
        parts,
        list(findings(records)),
        list(deviations(records)),
        agreement=agreement(counted_cells(records)),
    )


def nmi_records(folder, count, sets=SETS):
    runs, paper = all_trials(folder, sets, count), published("dd2")
    records = []
    for name in sets:
        y = load(folder, name).labels
        for method in METHODS:
            own = runs[name, method]
            nmi = own.nmi(y)
            records.append(
                {
                    "data": name,
                    "method": method,
                    "published": paper[cell_of(name, method)],
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
    for method in ("DS", *SPLIT_MERGE):
        worse = [d for d in DD_SETS if ours[d, method] < ours[d, "original"] - 0.005]
        seen = "worse on " + ", ".join(worse) if worse else "on all sets"
        text = f"{method} is at least as accurate as the original on all but one set"
        yield text, len(worse) <= 1, seen
    for method in SPLIT_MERGE:
        gaps = {d: abs(ours[d, method] - ours[d, "DS"]) for d in DD_SETS}
        most = max(gaps, key=gaps.get)
        text = f"{method} and DS are close to each other (within 0.03)"
        yield text, gaps[most] <= 0.03, f"largest gap {gaps[most]:.3f}, on {most}"
    degrees = [m for m in METHODS if m.startswith("p=")]
    means = {m: np.mean([ours[d, m] for d in DD_SETS]) for m in degrees}
    best = max(means, key=means.get)
    yield "p = 0.6 is the best degree on average", best == "p=0.6", f"{best} is"


def close_on_bbc(ours, paper):
    methods = ("original", "DS", "DSM", "AA", "p=0.6")
    gaps = {m: ours["bbc", m] - paper["bbc", m] for m in methods}
    seen = ", ".join(f"{m} {g:+.3f}" for m, g in gaps.items())
    text = "bbc: original, DS, DSM, AA and p = 0.6 within 0.03 of the paper"
    return text, max(map(abs, gaps.values())) <= 0.03, seen


READINGS = """AA: split-and-merge by Eq. 12 on the kernel as it is. AA, shifted: the
same without any self-similarity, so not in the norms of the means either; the
counts below take the former. ng3b: another triple of newsgroups, see dd1.
"""


def deviations(records):
    """Sets that are off, with what is known of why."""
    error = max(r["standard error"] for r in records)
    yield (
        f"Standard errors of our means are up to {error:.3f}; those of the paper are "
        "not given."
    )
    for name in DD_SETS:
        off = [
            r["ours"] - r["published"]
            for r in records
            if r["data"] == name and r["method"] != "AA, shifted"
        ]
        far = [gap for gap in off if abs(gap) > 0.05]
        if far:
            yield (
                f"{name}: {len(far)} of {len(off)} numbers are off by more than 0.05, "
                f"by {np.mean(off):+.2f} on average. {WHY.get(name, '')}"
            )
    yield TRIED


WHY = {
    "bbcsport": "Documents and counts are the paper's.",
    "classic3": "The texts at hand are title and abstract; the vocabulary is smaller "
    "than the paper's, which must have had more of the records (authors, sources). The "
    "trials of the best objective do not come to the paper's number either.",
    "classic": "As classic3: the records of CACM have fields with dates and keywords "
    "that set them apart; many of those at hand are a title only.",
    "cstr": "Not the paper's version.",
    "ng3": "The three groups have the paper's number of documents and nearly that of "
    "terms, but the dominance ratio is above the paper's. Other triples have as many "
    "documents; ng3b, one of them, comes near to the paper's accuracy.",
    "reviews": "Documents are the paper's; the counts are of another copy, with a few "
    "terms more.",
}
TRIED = (
    "Weightings of the terms, ways to start, parts of the messages, other triples of "
    "newsgroups and other copies of the collections were tried: ddx has the numbers. "
    "One weighting was taken for all sets; none is the best for all. The last "
    "partition of a run instead of the best one seen makes no difference."
)

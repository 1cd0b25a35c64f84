"""SK Figure 1: variation of information by length of the substrings."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from matplotlib.figure import Figure

from benchmarks.papers.published import published
from benchmarks.papers.report import Result, Table
from benchmarks.papers.sk import (
    METHODS,
    N_RUNS,
    TOPICS,
    all_runs,
    documents,
    lengths_of,
    measures,
)

TITLE = "SK Figure 1: VI by length of boundrange"


def run(folder, quick):
    docs, y = documents(folder)
    lengths = lengths_of(quick)
    runs = all_runs(folder, lengths)
    records = []
    for length in lengths:
        for method in METHODS:
            own = runs.get((method, length), runs.get((method, None)))
            vi = [measures(y, labels)[0] for _, labels in own]
            records.append(
                {
                    "length": length,
                    "method": method,
                    "VI": float(np.mean(vi)),
                    "least": float(np.min(vi)),
                    "most": float(np.max(vi)),
                }
            )
    sizes = ", ".join(f"{t} {y.count(t)}" for t in TOPICS)
    paper = published("skf1")["data", "documents"]
    parts = [
        f"R52, stemmed: {len(docs)} documents ({sizes}), "
        f"{sum(map(len, docs))} characters. The paper: {paper:.0f} documents. "
        f"Mean of {N_RUNS} runs, and their range.",
        table(records, lengths),
    ]
    return Result(records, parts, list(findings(records)), [], picture(records))


def table(records, lengths):
    at = {(r["length"], r["method"]): r for r in records}
    rows = []
    for length in lengths:
        cells = []
        for method in METHODS:
            r = at[length, method]
            cells.append(f"{r['VI']:.3f} ({r['least']:.3f} to {r['most']:.3f})")
        rows.append([length, *cells])
    return Table(["length", *METHODS], rows)


def findings(records):
    """What the paper says of its figure."""
    vi = {
        m: {r["length"]: r["VI"] for r in records if r["method"] == m} for m in METHODS
    }
    best = {m: min(own, key=own.get) for m, own in vi.items()}
    kernel, spectral, plain = METHODS
    yield (
        "The minimum of kernel k-means is at a lower length than that of spectral "
        "clustering",
        best[kernel] < best[spectral],
        f"{best[kernel]} and {best[spectral]}",
    )
    least = {m: vi[m][best[m]] for m in METHODS}
    seen = ", ".join(f"{m} {v:.3f}" for m, v in least.items())
    text = "K-means on TF-IDF is better than spectral clustering"
    yield text, least[plain] < least[spectral], seen
    text = "Kernel k-means at its minimum is at par with k-means (within 0.1)"
    yield text, abs(least[kernel] - least[plain]) <= 0.1, seen


def picture(records):
    figure = Figure(figsize=(5.5, 3.6))
    axes = figure.subplots()
    for method in METHODS:
        own = [r for r in records if r["method"] == method]
        x = [r["length"] for r in own]
        (line,) = axes.plot(x, [r["VI"] for r in own], marker="o", label=method)
        low, high = [r["least"] for r in own], [r["most"] for r in own]
        axes.fill_between(x, low, high, alpha=0.15, color=line.get_color())
    axes.set(xlabel="length of substrings", ylabel="VI in bits")
    axes.legend(fontsize="small")
    return figure

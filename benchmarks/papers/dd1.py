"""DD Table 1: the collections and their dominance ratios."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from benchmarks.papers.data import DD_SETS, DD_WEIGHTING, WEIGHTINGS, load, weighted
from benchmarks.papers.published import published
from benchmarks.papers.report import Result, Table
from sklearn_kernelclust import PairwiseKernel
from sklearn_kernelclust.metrics import dominance_ratio

TITLE = "DD Table 1: data sets and dominance ratios"


def run(folder, quick):
    paper = published("dd1")
    records, sizes, ratios = [], [], []
    for name in DD_SETS:
        data = load(folder, name)
        n, terms = data.counts.shape
        own = {how: ratio(data.counts, how) for how in WEIGHTINGS}
        at = {what: paper[name, what] for what in ("documents", "terms", "k", "ratio")}
        records += [
            line(name, "documents", at, n),
            line(name, "terms", at, terms),
            line(name, "k", at, data.n_classes),
        ]
        for how, value in own.items():
            records.append({**line(name, "ratio", at, value), "weighting": how})
        closest = min(own, key=lambda how: abs(own[how] - at["ratio"]))
        cells = [f"{at[w]:.0f}/{o}" for w, o in zip(at, (n, terms, data.n_classes))]
        sizes.append([name, data.source, *cells])
        ratios.append([name, at["ratio"], *own.values(), closest])
    parts = [
        Table(["data", "source", "documents", "terms", "k"], sizes, "Published/ours"),
        Table(
            ["data", "published", *WEIGHTINGS, "closest"],
            ratios,
            "Dominance ratio by weighting of the terms",
            digits=2,
        ),
        f"All other tables of DD use {DD_WEIGHTING}, for all sets.",
    ]
    return Result(records, parts, [], DEVIATIONS)


def ratio(counts, weighting):
    X = weighted(counts, weighting)
    return dominance_ratio(PairwiseKernel(lazy=True).fit_transform(X))


def line(name, what, paper, ours):
    return {
        "data": name,
        "what": what,
        "weighting": "",
        "published": paper[what],
        "ours": float(ours),
    }


DEVIATIONS = []

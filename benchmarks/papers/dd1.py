"""DD Table 1: the collections and their dominance ratios."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from benchmarks.papers.data import (
    DD_SETS,
    DD_WEIGHTING,
    NEWSGROUPS,
    STANDS_FOR,
    WEIGHTINGS,
    load,
    weighted,
)
from benchmarks.papers.published import published
from benchmarks.papers.report import Result, Table
from sklearn_kernelclust import PairwiseKernel
from sklearn_kernelclust.metrics import dominance_ratio

TITLE = "DD Table 1: data sets and dominance ratios"


def run(folder, quick):
    paper = published("dd1")
    records, sizes, ratios = [], [], []
    for name in (*DD_SETS, *STANDS_FOR):
        row = STANDS_FOR.get(name, name)
        data = load(folder, name)
        n, terms = data.counts.shape
        own = {how: ratio(data.counts, how) for how in WEIGHTINGS}
        at = {what: paper[row, what] for what in ("documents", "terms", "k", "ratio")}
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
    return Result(records, parts, [enclosed(records)], DEVIATIONS)


def enclosed(records):
    """Sets whose published ratio is between those of two kinds of logarithms."""
    low, high = "(1 + log2 tf)(1 + log10(n/df))", DD_WEIGHTING
    at = {(r["data"], r["weighting"]): r for r in records if r["what"] == "ratio"}
    outside = [
        name
        for name in DD_SETS
        if not at[name, low]["ours"]
        <= at[name, low]["published"]
        <= at[name, high]["ours"]
    ]
    seen = f"not that of {', '.join(outside)}" if outside else "all"
    return f"{low} and {high} enclose the published ratio", not outside, seen


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


DEVIATIONS = [
    'The paper says "standard TF-IDF". No weighting tried gives its dominance ratio on '
    "bbc and bbcsport, whose counts are its own; those that come closest for each set "
    "are in the table.",
    "Raw text: tokens, stop words and stemmer were fitted to the published "
    "vocabularies of bbc and bbcsport, which they give but for a few words.",
    "ng17-19, ng3: whole messages of the release by date. With sender and subject "
    "only, as in the release of 18,828 messages, the numbers of terms come nearer to "
    "the paper's and the accuracy goes farther from it (ddx).",
    f"ng3 is {', '.join(NEWSGROUPS['ng3'])}; ng3b is {', '.join(NEWSGROUPS['ng3b'])}. "
    "Both have the paper's number of documents in the release of 18,828 messages, and "
    "the paper does not name its groups.",
    "classic3, classic: title and abstract of the SMART records; empty ones are left "
    "out. cstr: not the paper's version.",
]

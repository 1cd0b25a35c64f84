"""DD: what was tried to come closer to its Tables 1 to 3."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import os
from functools import partial

import numpy as np
from sklearn.utils.parallel import Parallel, delayed

from benchmarks.papers.data import (
    DD_WEIGHTING,
    NEWSGROUPS,
    WEIGHTINGS,
    body,
    counted,
    frequent,
    load,
    read_lines,
    sender_and_subject,
    weighted,
)
from benchmarks.papers.dd import SPLIT_MERGE, cell_of, kernel_of, run_trials
from benchmarks.papers.dd import starts_of as random_labels_of
from benchmarks.papers.published import published
from benchmarks.papers.report import Result, Table
from sklearn_kernelclust import PairwiseKernel
from sklearn_kernelclust.metrics import dominance_ratio

TITLE = "DD: settings that were tried for Tables 1 to 3"
METHODS = ("original", "DS", "DSM", "AA", "AA, shifted", "p=0.6")
# Triples of newsgroups that together have as many documents as the paper's ng3.
TRIPLES = (
    NEWSGROUPS["ng3b"],
    ("comp.sys.mac.hardware", "soc.religion.christian", "talk.politics.mideast"),
    ("misc.forsale", "comp.os.ms-windows.misc", "talk.politics.mideast"),
    ("talk.politics.guns", "rec.sport.hockey", "sci.crypt"),
    ("talk.politics.guns", "rec.motorcycles", "rec.sport.baseball"),
)


def run(folder, quick):
    count = 10 if quick else 25
    tasks = list(quick_variants(folder) if quick else variants(folder))
    measured = Parallel(n_jobs=os.cpu_count())(
        delayed(measure)(X, y, starts, count) for _, _, X, y, starts in tasks
    )
    records, rows = [], []
    for (data, variant, X, _, _), (ratio, scores) in zip(tasks, measured):
        records += list(lines(data, variant, X.shape, ratio, scores))
        cells = [f"{nmi:.2f}/{anmi:.2f}" for nmi, anmi in scores.values()]
        rows.append([data, variant, f"{X.shape[0]} x {X.shape[1]}", ratio, *cells])
    for data in reversed(list(dict.fromkeys(r[0] for r in rows))):
        first = next(i for i, r in enumerate(rows) if r[0] == data)
        rows.insert(first, paper_row(data))
    head = ["data", "what was tried", "size", "dominance ratio", *METHODS]
    parts = [
        f"NMI/ANMI, {count} trials. What Tables 1 to 3 take is the first line of each "
        "set below the paper's.",
        Table(head, rows, digits=2),
    ]
    return Result(records, parts)


def measure(X, y, starts, count):
    """Dominance ratio, and NMI and ANMI of each method."""
    ratio = dominance_ratio(PairwiseKernel(lazy=True).fit_transform(X))
    k, scores = int(y.max()) + 1, {}
    begin = starts(X, k, count)
    for method in METHODS:
        trials = run_trials(kernel_of(X, method), k, begin, method in SPLIT_MERGE)
        scores[method] = float(trials.nmi(y).mean()), trials.anmi
    return ratio, scores


# Variants: data set, what was tried, documents, classes, starts


def quick_variants(folder):
    yield from starts_and_weightings(load(folder, "bbcsport"))


def variants(folder):
    for name in ("bbc", "bbcsport"):
        yield from starts_and_weightings(load(folder, name))
    for name in ("ng17-19", "ng3"):
        yield from headers(folder, name)
    yield from other_triples(folder)
    for name, files in OTHER_COUNTS.items():
        own = load(folder, name)
        yield variant(name, own.source, own.counts, own.labels)
        for file in files:
            counts, labels, source = frequent(file)(folder)
            yield variant(name, source, counts, codes(labels))
    own = load(folder, "reviews")
    for how in [w for w in WEIGHTINGS if not w.startswith("tf")]:
        yield variant("reviews", how, own.counts, own.labels, how)


OTHER_COUNTS = {
    "classic3": ("classic3",),
    "classic": ("classic4", "classic_cluto"),
    "cstr": ("cstr299",),
}


def variant(data, text, counts, y, weighting=DD_WEIGHTING, starts=None):
    starts = starts or random_labels
    return data, text, weighted(counts, weighting), y, starts


def codes(labels):
    return np.unique(np.asarray(labels), return_inverse=True)[1]


def starts_and_weightings(data):
    one = partial(variant, data.name, counts=data.counts, y=data.labels)
    yield one(text=f"{DD_WEIGHTING}, random labels")
    for how in list(WEIGHTINGS)[1:]:
        yield one(text=how, weighting=how)
    for size in (1, 10, 50):
        text = f"start: nearest mean of {size} random documents"
        yield one(text=text, starts=partial(random_means, size=size))


def headers(folder, name):
    records = [
        r for r in read_lines(folder, "ng20_bydate") if r["label"] in NEWSGROUPS[name]
    ]
    for text, part in (
        ("whole messages", str),
        ("sender, subject and body", sender_and_subject),
        ("body", body),
    ):
        kept = [{"text": part(r["text"]), "label": r["label"]} for r in records]
        counts, labels = counted(kept)
        yield variant(name, text, counts, codes(labels))


def other_triples(folder):
    messages = read_lines(folder, "ng20_bydate")
    for groups in TRIPLES:
        counts, labels = counted([r for r in messages if r["label"] in groups])
        yield variant("ng3", " + ".join(groups), counts, codes(labels))


# Starts


def random_labels(X, k, count):
    return random_labels_of(X.shape[0], k, count)


def random_means(X, k, count, size):
    """Each document with the nearest of k means of so many random documents."""
    starts = []
    for seed in range(count):
        chosen = np.random.RandomState(seed).permutation(X.shape[0])[: k * size]
        means = np.stack([X[rows].mean(axis=0) for rows in chosen.reshape(k, size)])
        distances = (means**2).sum(axis=1) - 2 * (X @ means.T)
        start = distances.argmin(axis=1)
        start[chosen.reshape(k, size)[:, 0]] = np.arange(k)
        starts.append(start)
    return starts


# Lines


def lines(data, variant, shape, ratio, scores):
    nmi, anmi = published("dd2"), published("dd3")
    for method, (ours, stable) in scores.items():
        column = cell_of(data, method)
        yield {
            "data": data,
            "tried": variant,
            "documents": shape[0],
            "terms": shape[1],
            "ratio": ratio,
            "method": method,
            "published NMI": nmi[column],
            "NMI": ours,
            "published ANMI": anmi[column],
            "ANMI": stable,
        }


def paper_row(data):
    about, nmi, anmi = published("dd1"), published("dd2"), published("dd3")
    columns = [cell_of(data, method) for method in METHODS]
    cells = [f"{nmi[c]:.2f}/{anmi[c]:.2f}" for c in columns]
    size = f"{about[data, 'documents']:.0f} x {about[data, 'terms']:.0f}"
    return [data, "**the paper**", size, about[data, "ratio"], *cells]

"""PV Table 3: the first three choices of k on real collections, by method."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import os

import numpy as np
from sklearn.utils.parallel import Parallel, delayed

from benchmarks.papers.data import DD_SETS, DD_WEIGHTING, load, weighted
from benchmarks.papers.published import published
from benchmarks.papers.pv import METHODS, PASSES, RAW, choose, cosine_kernel
from benchmarks.papers.report import Result, Table, agreement

TITLE = "PV Table 3: first three choices of the number of clusters"
PLACES = ["1st", "2nd", "3rd"]
# What is asked of RED-S: first on these, and among the first three on so many.
FIRST_ON, N_TOP = ("bbc", "classic3", "ng3"), 6


def run(folder, quick):
    n_splits = 20 if quick else 200
    choices = all_choices(folder, DD_SETS, n_splits)
    records = list(choice_records(choices, published("pv3")))
    compared = [r for r in records if r["method"] != RAW]
    parts = [
        f"{n_splits} splits, both directions of each; kernel k-means from random "
        "labels, one run on each half. The score in brackets is the mean, corrected "
        "for chance; the true number of clusters is bold.",
        choice_table(choices),
        f"Scores at the paper's choices, by method: {by_method(records)}.",
        "Of the paper's 24 choices, among our first three: "
        + ", ".join(f"{m} {n_shared(choices, m)}" for m in [*METHODS, RAW])
        + ".",
        times_table(choices),
    ]
    return Result(
        records,
        parts,
        list(findings(choices)),
        DEVIATIONS,
        agreement=f"scores at the paper's choices: {agreement(compared)}",
    )


def all_choices(folder, names, n_splits):
    """Choices by (collection, method); passes over collections in parallel."""
    tasks = [(name, which) for name in names for which in PASSES]
    # The longest first, or one core waits for the other at the end.
    tasks.sort(key=lambda task: (task[1] == "RED", -load(folder, task[0]).counts.nnz))
    runs = Parallel(n_jobs=os.cpu_count(), return_as="generator_unordered")(
        delayed(choices_of)(folder, *task, n_splits) for task in tasks
    )
    choices = {}
    for name, own in runs:
        for method, choice in own.items():
            choices[name, method] = choice
            told = ", ".join(f"{k} ({choice.scores[k]:.2f})" for k in choice.ranking)
            print(f"  {name} {method}: {told}; {choice.cpu:.0f} s", flush=True)
    return choices


def choices_of(folder, name, which, n_splits):
    data = load(folder, name)
    K = cosine_kernel(weighted(data.counts, DD_WEIGHTING))
    return name, choose(K, which, n_splits)


def true_k(name):
    return int(published("pv3")[name, "k"])


def choice_records(choices, paper):
    """Published and own score at each choice of the paper."""
    for (name, method), choice in sorted(choices.items(), key=order):
        theirs = f"{name} {'KM-P' if method == RAW else method}"
        for place, k in zip(PLACES, choice.ranking):
            their_k = int(paper[theirs, f"{place} k"])
            yield {
                "data": name,
                "method": method,
                "place": place,
                "published k": their_k,
                "published": paper[theirs, f"{place} score"],
                "ours": choice.scores[their_k],
                "our k": k,
                "our score": choice.scores[k],
                "standard error": choice.errors[k],
                "seconds": choice.seconds,
                "CPU seconds": choice.cpu,
            }


def order(item):
    name, method = item[0]
    return DD_SETS.index(name), [*METHODS, RAW].index(method)


def choice_table(choices):
    paper, rows = published("pv3"), []
    for (name, method), choice in sorted(choices.items(), key=order):
        theirs = f"{name} {'KM-P' if method == RAW else method}"
        row = [name, true_k(name), method]
        for place in PLACES:
            k = int(paper[theirs, f"{place} k"])
            row.append(told(k, paper[theirs, f"{place} score"], name))
        row += [told(k, choice.scores[k], name) for k in choice.ranking[:3]]
        rows.append(row)
    columns = ["data", "k", "method"]
    columns += [f"paper's {place}" for place in PLACES] + [
        f"our {place}" for place in PLACES
    ]
    return Table(columns, rows, "First three choices")


def told(k, score, name):
    text = f"**{k}**" if k == true_k(name) else str(k)
    return f"{text} ({score:.2f})"


def times_table(choices):
    """CPU seconds of each method, and what prototypes save."""
    rows = []
    for name in DD_SETS:
        spent = [choices[name, method].cpu for method in ("KM-S", "KKM-S", "RED-S")]
        rows.append([name, *spent, spent[1] / spent[2]])
    columns = ["data", "KM-S and KM-P", "KKM-S", "RED-S", "KKM-S / RED-S"]
    heading = "CPU seconds of one core, from the kernel on"
    return Table(columns, rows, heading, digits=1)


def by_method(records):
    """Mean distance of our scores from the published, for each method."""
    texts = []
    for method in [*METHODS, RAW]:
        gaps = [r["ours"] - r["published"] for r in records if r["method"] == method]
        near, way = np.mean(np.abs(gaps)), np.mean(gaps)
        texts.append(f"{method} {near:.2f} apart (ours {way:+.2f})")
    return "; ".join(texts)


def findings(choices):
    """What the paper says of its Table 3, and what was asked of RED-S."""
    places = {key: c.place(true_k(key[0])) for key, c in choices.items()}
    top = [d for d in DD_SETS if places[d, "RED-S"] <= 3]
    text = f"RED-S has the true k among its first three on {N_TOP} of 8 sets"
    yield text, len(top) >= N_TOP, f"on {len(top)}: {', '.join(top)}"
    first = [d for d in DD_SETS if places[d, "RED-S"] == 1]
    text = f"RED-S has the true k first on {', '.join(FIRST_ON)}"
    yield text, set(FIRST_ON) <= set(first), f"on {', '.join(first) or 'none'}"
    best = {key: c.ranking[0] for key, c in choices.items()}
    other = [d for d in DD_SETS if best[d, "RED-S"] != best[d, "KKM-S"]]
    seen = f"not on {', '.join(other)}" if other else "on all"
    text = "RED-S recommends the same k as KKM-S on almost all sets (all but two)"
    yield text, len(other) <= 2, seen
    chosen = [best["cstr", method] for method in METHODS]
    text = "cstr: all four methods prefer three clusters"
    yield text, set(chosen) == {3}, f"they prefer {', '.join(map(str, chosen))}"
    hits = {m: sum(places[d, m] == 1 for d in DD_SETS) for m in METHODS}
    text = "the kernel methods are right at least as often as k-means"
    kernel, plain = (hits["KKM-S"], hits["RED-S"]), (hits["KM-S"], hits["KM-P"])
    seen = ", ".join(f"{m} {n}" for m, n in hits.items())
    yield text, min(kernel) >= max(plain), f"first on: {seen}"
    shared = {m: n_shared(choices, m) for m in ("KM-P", RAW)}
    seen = f"{shared['KM-P']} of the paper's 24 choices with it, {shared[RAW]} without"
    text = "the published scores of KM-P are corrected for chance"
    yield text, shared["KM-P"] > shared[RAW], seen
    speed = [choices[d, "KKM-S"].cpu / choices[d, "RED-S"].cpu for d in DD_SETS]
    seen = f"{min(speed):.0f} to {max(speed):.0f}, against KKM-S with shared products"
    yield "RED-S is 16 to 20 times faster than KKM-S", min(speed) >= 16, seen


def n_shared(choices, method):
    """How many of the paper's choices are among our first three."""
    paper, n = published("pv3"), 0
    for name in DD_SETS:
        theirs = f"{name} {'KM-P' if method == RAW else method}"
        ours = choices[name, method].ranking[:3]
        n += sum(int(paper[theirs, f"{place} k"]) in ours for place in PLACES)
    return n


DEVIATIONS = [
    "cstr is another version than the paper's, which was not to be had.",
    "Scores are lower than the paper's, those of KKM-S and RED-S more so, as its "
    "accuracies in DD are a little higher than ours. Other settings were tried for "
    "RED-S: pvx has the numbers.",
]

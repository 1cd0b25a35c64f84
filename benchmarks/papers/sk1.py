"""SK Table 1, how far better kernels go, and DNA."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from sklearn.metrics import normalized_mutual_info_score
from sklearn.pipeline import make_pipeline

from benchmarks.papers.data import read_lines
from benchmarks.papers.published import published
from benchmarks.papers.report import Result, Table
from benchmarks.papers.sk import (
    MEASURES,
    METHODS,
    N_RUNS,
    all_runs,
    best_of,
    documents,
    kernel_kmeans,
    lengths_of,
    mean_of,
    spectral,
)
from sklearn_kernelclust import (
    DiagonalShift,
    EmpiricalKernelMap,
    PowerMeanNormalizer,
    StringKernel,
    SubpolynomialKernel,
)

TITLE = "SK Table 1: string kernels on three topics of Reuters, and DNA"


def run(folder, quick):
    docs, y = documents(folder)
    runs = all_runs(folder, lengths_of(quick))
    records = table_records(runs, y)
    parts = [table_1(records)]
    if not quick:
        parts += [SEEN, better(docs, y), CHOSEN, dna(folder)]
    return Result(records, parts, list(findings(records)), DEVIATIONS)


def table_records(runs, y):
    """All measures at the length of least mean VI, beside the paper's."""
    paper, records = published("sk1"), []
    for method in METHODS:
        own = {length: r for (name, length), r in runs.items() if name == method}
        length = min(own, key=lambda length: mean_of(own[length], y)[0])
        values = {"mean": mean_of(own[length], y)}
        if method != "spectral clustering":
            values["best objective"] = best_of(own[length], y)
        for kind, row in values.items():
            for measure, value in zip(MEASURES, row):
                records.append(
                    {
                        "method": method,
                        "length": length,
                        "runs": kind,
                        "measure": measure,
                        "published": paper[method, measure],
                        "ours": float(value),
                    }
                )
    return records


def table_1(records):
    rows = []
    for key in dict.fromkeys((r["method"], r["length"], r["runs"]) for r in records):
        own = [r for r in records if (r["method"], r["length"], r["runs"]) == key]
        if key[2] == "mean":
            rows.append([key[0], "", "the paper", *[r["published"] for r in own]])
        rows.append([*key, *[r["ours"] for r in own]])
    return Table(["method", "length", "runs", *MEASURES], rows, "Table 1")


def findings(records):
    """Which method is better, as the paper has it."""
    vi = {(r["method"], r["runs"]): r["ours"] for r in records if r["measure"] == "VI"}
    kernel, spectral_, plain = METHODS
    for kind in ("mean", "best objective"):
        gap = abs(vi[kernel, kind] - vi[plain, kind])
        text = f"Kernel k-means and k-means on TF-IDF are alike (VI within 0.1), {kind}"
        yield text, gap <= 0.1, f"{vi[kernel, kind]:.3f} and {vi[plain, kind]:.3f}"
    text = "Spectral clustering is the worst, by VI"
    worst = max(METHODS, key=lambda m: vi[m, "mean"])
    yield text, worst == spectral_, f"the worst is {worst}"


def kernels(length):
    """What else there is to do with the same strings, as steps of a pipeline."""
    plain = StringKernel(length)
    raw = StringKernel(length, normalize=False, lazy=True)
    longer = StringKernel(length, weight=lambda n: (n > 3).astype(float))
    shift, map_ = DiagonalShift(), EmpiricalKernelMap()
    return {
        "as it is": [plain],
        "DiagonalShift": [plain, shift],
        "PowerMeanNormalizer, t = 1": [raw, PowerMeanNormalizer(t=1)],
        "PowerMeanNormalizer, t = inf": [raw, PowerMeanNormalizer(t=np.inf)],
        "subpolynomial 0.6 and map": [plain, SubpolynomialKernel(0.6), map_],
        "substrings above 3 letters": [longer],
        "above 3 letters, DiagonalShift": [longer, shift],
        "above 3 letters, shift and map": [longer, shift, map_],
    }


def better(docs, y):
    """How far VI falls."""
    rows = []
    for length in (5, 10, 15):
        for name, steps in kernels(length).items():
            K = make_pipeline(*steps).fit_transform(docs)
            K = K if isinstance(K, np.ndarray) else K.toarray()
            runs = kernel_kmeans(K, 3, init="k-means++")
            row = [*mean_of(runs, y)[[0, 2]], *best_of(runs, y)[[0, 2]]]
            if K.min() >= 0:
                row += [*mean_of(spectral(K, 3), y)[[0, 2]]]
            rows.append([length, name, *map(float, row)])
    header = ["length", "kernel", "VI", "accuracy", "VI, best objective", "accuracy"]
    header += ["VI, spectral", "accuracy"]
    title = "Doing better: kernel k-means from k-means++ seeds, and spectral clustering"
    return Table(header, rows, title)


def dna(folder):
    """NMI by length of the spectrum kernel."""
    rows = []
    for name in ("promoters", "splice"):
        records = read_lines(folder, name)
        strings, y = [r["text"] for r in records], [r["label"] for r in records]
        k = len(set(y))
        for length in (3, 4, 5, 6):
            K = StringKernel(length, kind="spectrum").fit_transform(strings)
            row = [f"{name}, {len(y)} strings, {k} classes", length]
            for kernel in (K, DiagonalShift().fit_transform(K)):
                runs = kernel_kmeans(kernel, k, init="k-means++")
                row += [mean_nmi(y, runs), nmi(y, min(runs, key=lambda r: r[0])[1])]
            rows.append([*row, mean_nmi(y, spectral(K, k))])
    header = ["data", "length", "kernel k-means", "best objective"]
    header += ["with DiagonalShift", "best objective", "spectral clustering"]
    return Table(header, rows, f"DNA: NMI by length of spectrum, {N_RUNS} runs")


def nmi(y, labels):
    return float(normalized_mutual_info_score(y, labels, average_method="geometric"))


def mean_nmi(y, runs):
    return float(np.mean([nmi(y, labels) for _, labels in runs]))


SEEN = """VI is in bits: so k-means on TF-IDF of the best objective comes to the
paper's numbers, and in nats it does not. That partition has most of interest in
one cluster, and crude in two, one of which holds coffee too. The paper's kernel
k-means has nearly the same numbers. The plain boundrange kernel does not come to
them here, at any length; substrings of more than three letters do, by the best
objective in the table below.
"""
CHOSEN = """All that was tried is in this table. Which of its rows has the least VI
was seen with the topics known; the columns of the best objective need no topics.
"""
DEVIATIONS = [
    "The plain boundrange kernel does not come to the paper's numbers at any length. "
    "Tried: kernlab's sentinel at the end of each string, the diagonal shift, power "
    "means, the subpolynomial kernel with the map, only longer substrings; k-means++ "
    "seeds; spectral clustering. The table has them all.",
]

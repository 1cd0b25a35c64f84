"""String kernels on three topics of Reuters: Table 1 and Figure 1, and DNA.

``python benchmarks/papers/sk_table1.py --data DIR``, where DIR holds
``r52_stemmed.jsonl.gz``, ``promoters.jsonl.gz`` and ``splice.jsonl.gz``, a JSON
object with ``text`` and ``label`` a line. Takes a few minutes and writes
``results/sk_table1.md`` beside this file.

The paper is M. Gkotsopoulou and R. Monge, "Kernel based methods for text
clustering". Each method runs ten times from ten seeds; a row is the mean of the
ten runs unless it says that it is the one with the best objective. Spectral
clustering takes the eigenvectors of the random walk, as the paper does. VI is in
bits, sensitivity, precision and recall are
means over topics.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import gzip
import json
import warnings
from pathlib import Path

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.stats import entropy
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics import mutual_info_score, normalized_mutual_info_score
from sklearn.metrics.cluster import contingency_matrix
from sklearn.pipeline import make_pipeline

from sklearn_kernelclust import (
    DiagonalShift,
    EmpiricalKernelMap,
    KernelKMeans,
    PowerMeanNormalizer,
    SpectralClustering,
    StringKernel,
    SubpolynomialKernel,
)

RESULTS = Path(__file__).parent / "results" / "sk_table1.md"
TOPICS = ("crude", "interest", "coffee")
LENGTHS = (2, 5, 7, 10, 12, 15, 20, 25)
N_RUNS = 10
MEASURES = ("VI", "error", "accuracy", "sensitivity", "precision", "recall")
PAPER = {
    "kernel k-means": (1.369, 0.313, 0.687, 0.539, 0.549, 0.539),
    "spectral clustering": (1.523, 0.498, 0.502, 0.341, 0.500, 0.341),
    "k-means on TF-IDF": (1.372, 0.312, 0.688, 0.541, 0.549, 0.541),
}

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


# Measures


def variation_of_information(y, labels):
    """In bits: so k-means on TF-IDF comes to the number of the paper."""
    sizes = [np.unique(z, return_counts=True)[1] for z in (y, labels)]
    nats = sum(entropy(size) for size in sizes) - 2 * mutual_info_score(y, labels)
    return nats / np.log(2)


def measures(y, labels):
    """The paper's measures, with clusters matched to topics one to one."""
    table = contingency_matrix(y, labels)
    rows, cols = linear_sum_assignment(-table)
    hits = table[rows, cols]
    recall = (hits / table.sum(axis=1)[rows]).mean()
    precision = (hits / table.sum(axis=0)[cols]).mean()
    vi, accuracy = variation_of_information(y, labels), hits.sum() / len(y)
    return vi, 1 - accuracy, accuracy, recall, precision, recall


# Methods: labels of each run, and the objectives of those that have one


def kernel_kmeans(K, n_clusters, init="random", algorithm="lloyd"):
    model = KernelKMeans(
        n_clusters, kernel="precomputed", n_init=1, init=init, algorithm=algorithm
    )
    runs = []
    for seed in range(N_RUNS):
        model.set_params(random_state=seed).fit(K)
        runs.append((model.inertia_, model.labels_))
    return runs


def spectral(K, n_clusters):
    model = SpectralClustering(n_clusters, kernel="precomputed", n_init=1)
    return [
        (0.0, model.set_params(random_state=seed).fit(K).labels_)
        for seed in range(N_RUNS)
    ]


def kmeans(X, n_clusters):
    model = KMeans(n_clusters, n_init=1, init="random")
    runs = []
    for seed in range(N_RUNS):
        model.set_params(random_state=seed).fit(X)
        runs.append((model.inertia_, model.labels_))
    return runs


def mean_of(runs, y):
    return np.mean([measures(y, labels) for _, labels in runs], axis=0)


def best_of(runs, y):
    return measures(y, min(runs, key=lambda run: run[0])[1])


# Tables


def read(folder, name):
    with gzip.open(Path(folder) / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def table(title, header, rows):
    lines = [f"## {title}", "", f"| {' | '.join(header)} |", "|---" * len(header) + "|"]
    for row in rows:
        row = [*row, *[None] * (len(header) - len(row))]
        cells = [
            f"{v:.3f}" if isinstance(v, float) else "" if v is None else str(v)
            for v in row
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def figure_1(docs, y):
    """VI by length, and the runs of each method."""
    runs = {}
    for length in LENGTHS:
        K = StringKernel(length, sentinel="\n").fit_transform(docs)  # as kernlab
        runs["kernel k-means", length] = kernel_kmeans(K, 3)
        runs["spectral clustering", length] = spectral(K, 3)
    tfidf = TfidfVectorizer(min_df=0.05).fit_transform(docs)
    runs["k-means on TF-IDF", None] = kmeans(tfidf, 3)
    rows = []
    for length in LENGTHS:
        row = [length]
        for method in ("kernel k-means", "spectral clustering"):
            scores = [measures(y, labels)[0] for _, labels in runs[method, length]]
            row += [
                float(np.mean(scores)),
                float(np.min(scores)),
                float(np.max(scores)),
            ]
        row.append(float(mean_of(runs["k-means on TF-IDF", None], y)[0]))
        rows.append(row)
    header = ["length", "kernel k-means", "least", "most", "spectral", "least", "most"]
    title = f"Figure 1: VI by length of boundrange, {N_RUNS} runs"
    return table(title, [*header, "k-means on TF-IDF"], rows), runs


def table_1(runs, y):
    """All measures at the length of least mean VI, beside the paper's."""
    rows = []
    for method, paper in PAPER.items():
        own = {length: r for (name, length), r in runs.items() if name == method}
        length = min(own, key=lambda length: mean_of(own[length], y)[0])
        name = method if length is None else f"{method}, length {length}"
        rows.append([f"{method}, the paper", *paper])
        rows.append([name, *map(float, mean_of(own[length], y))])
        if method != "spectral clustering":
            best = map(float, best_of(own[length], y))
            rows.append([f"{name}, best objective", *best])
    return table("Table 1", ["method", *MEASURES], rows)


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
            best = np.array(best_of(runs, y))
            row = [*mean_of(runs, y)[[0, 2]], *best[[0, 2]]]
            if K.min() >= 0:
                row += [*mean_of(spectral(K, 3), y)[[0, 2]]]
            rows.append([length, name, *map(float, row)])
    header = ["length", "kernel", "VI", "accuracy", "VI, best objective", "accuracy"]
    header += ["VI, spectral", "accuracy"]
    title = "Doing better: kernel k-means from k-means++ seeds, and spectral clustering"
    return table(title, header, rows)


def dna(folder):
    """NMI by length of the spectrum kernel."""
    rows = []
    for name in ("promoters", "splice"):
        records = read(folder, name)
        strings, y = zip(*((r["text"], r["label"]) for r in records))
        k = len(set(y))
        for length in (3, 4, 5, 6):
            K = StringKernel(length, kind="spectrum").fit_transform(strings)
            row = [f"{name}, {len(y)} strings, {k} classes", length]
            for kernel in (K, DiagonalShift().fit_transform(K)):
                runs = kernel_kmeans(kernel, k, init="k-means++")
                row += [float(np.mean([nmi(y, labels) for _, labels in runs]))]
                row += [float(nmi(y, min(runs, key=lambda run: run[0])[1]))]
            row += [float(np.mean([nmi(y, labels) for _, labels in spectral(K, k)]))]
            rows.append(row)
    header = ["data", "length", "kernel k-means", "best objective"]
    header += ["with DiagonalShift", "best objective", "spectral clustering"]
    return table(f"DNA: NMI by length of spectrum, {N_RUNS} runs", header, rows)


def nmi(y, labels):
    return normalized_mutual_info_score(y, labels, average_method="geometric")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True, metavar="DIR", help="the data sets")
    folder = parser.parse_args().data
    warnings.simplefilter("ignore", ConvergenceWarning)
    records = [r for r in read(folder, "r52_stemmed") if r["label"] in TOPICS]
    docs, y = zip(*((r["text"], r["label"]) for r in records))
    sizes = ", ".join(f"{t} {y.count(t)}" for t in TOPICS)
    figure, runs = figure_1(docs, y)
    parts = [
        "# String kernels on text and DNA\n",
        "Written by `benchmarks/papers/sk_table1.py`.\n",
        f"R52, stemmed: {len(docs)} documents ({sizes}), "
        f"{sum(map(len, docs))} characters. The paper: 757.\n",
        figure,
        table_1(runs, y),
        SEEN,
        better(docs, y),
        CHOSEN,
        dna(folder),
    ]
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text("\n".join(parts), encoding="utf-8")
    print(RESULTS.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()

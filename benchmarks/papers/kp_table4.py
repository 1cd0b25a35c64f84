"""KP Table 4: confusion matrices of PDDP and PDDP_OCPC on CLASSIC3.

    python benchmarks/papers/kp_table4.py --data DIR

DIR holds ``classic3.npz``, ``classic3.labels.txt`` (term counts) and, for the
second version, ``classic4.jsonl.gz`` (raw text). Counts are weighted as in the
paper: log2(1 + tf) * log2(n / df), rows of unit length. The paper's 7,823
terms were stemmed; neither version here has just these terms.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import csv
import gzip
import json
from pathlib import Path

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array, load_npz
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.metrics.cluster import contingency_matrix
from sklearn.preprocessing import normalize

from sklearn_kernelclust import PDDP
from sklearn_kernelclust.metrics import conditional_entropy_score

RESULTS = Path(__file__).parent / "results"
CLASSES = ["med", "cran", "cisi"]
SPLITS = {"PDDP": "sign", "PDDP_OCPC": "projection-cut"}
PAPER = {
    ("PDDP", 3): [[12, 6, 1015], [1364, 14, 20], [2, 1392, 66]],
    ("PDDP", 4): [[12, 1015, 4, 2], [1364, 20, 8, 6], [2, 66, 788, 604]],
    ("PDDP_OCPC", 3): [[0, 9, 1024], [1253, 29, 116], [0, 1431, 29]],
    ("PDDP_OCPC", 4): [[0, 1024, 7, 2], [1253, 116, 23, 6], [0, 29, 917, 514]],
}


def counts_of(folder):
    """Term counts and class names, for each version of the collection."""
    labels = (folder / "classic3.labels.txt").read_text().split()
    yield "classic3.npz", load_npz(folder / "classic3.npz"), labels
    with gzip.open(folder / "classic4.jsonl.gz", "rt", encoding="utf-8") as lines:
        documents = [json.loads(line) for line in lines]
    documents = [d for d in documents if d["label"] != "cacm"]
    vectorizer = CountVectorizer(stop_words="english", min_df=2)
    X = vectorizer.fit_transform(d["text"] for d in documents)
    yield "raw text, terms in two documents", X, [d["label"] for d in documents]


def weighted(counts):
    """Logarithm of the counts times inverse document frequency, unit rows."""
    X = csr_array(counts, dtype=np.float64)
    df = np.bincount(X.indices, minlength=X.shape[1])
    X.data = np.log2(1 + X.data) * np.log2(X.shape[0] / df)[X.indices]
    return normalize(X)


def confusion(labels, predicted, paper):
    """Classes x clusters, with the clusters in the order that suits the paper's."""
    table = contingency_matrix(labels, predicted)
    names = np.unique(labels)
    table = table[[int(np.flatnonzero(names == c)[0]) for c in CLASSES]]
    order = linear_sum_assignment(-np.asarray(paper).T @ table)[1]
    return table[:, order]


def misplaced(table):
    """Documents outside the largest class of their cluster, for each cluster."""
    return table.sum(axis=0) - table.max(axis=0)


def rows_of(source, name, table, entropy):
    table = np.asarray(table)
    k, wrong = table.shape[1], misplaced(table)
    for c, row in zip([*CLASSES, "misplaced"], [*table, wrong]):
        cells = [*row, *[""] * (4 - k)]
        total = int(wrong.sum()) if c == "misplaced" else ""
        yield [source, name, k, c, *map(str, cells), str(total), entropy]
        entropy = ""


def entropy_of_table(table):
    table = np.asarray(table)
    i, j = np.indices(table.shape)
    repeat = table.ravel()
    pair = np.repeat(i.ravel(), repeat), np.repeat(j.ravel(), repeat)
    return f"{conditional_entropy_score(*pair):.4f}"


def main(folder):
    rows = []
    for (name, _), table in PAPER.items():
        rows += rows_of("paper", name, table, entropy_of_table(table))
    for source, counts, labels in counts_of(folder):
        X = weighted(counts)
        source = f"{source} ({X.shape[0]} x {X.shape[1]})"
        for (name, k), paper in PAPER.items():
            predicted = PDDP(k, split=SPLITS[name]).fit_predict(X)
            table = confusion(labels, predicted, paper)
            rows += rows_of(source, name, table, entropy_of_table(table))
    write(rows)


def write(rows):
    head = ["source", "method", "k", "class", *"1234", "all", "entropy"]
    RESULTS.mkdir(exist_ok=True)
    with open(RESULTS / "kp_table4.csv", "w", newline="") as file:
        csv.writer(file).writerows([head, *rows])
    lines = [
        "# KP Table 4: CLASSIC3, classes by clusters",
        "",
        "Written by `benchmarks/papers/kp_table4.py`. Misplaced: outside the largest",
        "class of the cluster. Entropy: `metrics.conditional_entropy_score`.",
        "",
    ]
    for row in [head, ["---"] * len(head), *rows]:
        lines.append("| " + " | ".join(map(str, row)) + " |")
    text = "\n".join(lines) + "\n"
    (RESULTS / "kp_table4.md").write_text(text)
    print(text)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    main(parser.parse_args().data)

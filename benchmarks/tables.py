"""Write the tables of README.rst and benchmarks/README.rst from one run.

``python benchmarks/tables.py`` reads ``results_floor.json``, which ``bench_floor.py
--json`` wrote on a machine that did nothing else, and puts both tables where the
documents have them, between two comments.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import json
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.append(str(HERE))

from bench_floor import THREADS, cells, table  # noqa: E402

RESULTS = HERE / "results_floor.json"
DOCUMENTS = HERE / "README.rst", HERE.parent / "README.rst"
BEGIN, END = ".. The table comes from tables.py.\n\n", "\n.. End of the table.\n"

# Row and case of what README.rst shows, and in which words.
SHOWN = {
    ("precomputed", "float32 n = 5000 k = 100"): "Kernel k-means, a kernel of 5000 "
    "objects in float32, k = 100",
    ("precomputed", "float64 n = 5000 k = 20"): "The same in float64, k = 20",
    ("precomputed", "float64 n = 5000 k = 100"): "The same in float64, k = 100",
    ("predict", "sparse cosine n = 20000, one row"): "Predict one text, 20,000 "
    "training texts, cosine kernel",
    ("strength-kmeans", "n = 2000, 20 splits"): "Choose k by ``PredictionStrengthK("
    "KMeans())``, n = 2000",
    ("pddp", "5000 x 200"): "PDDP, 5000 x 200 features",
    ("pddp", "2000 x 1000"): "PDDP, 2000 x 1000 features",
    ("bisecting", "5000 x 200 n_init = 10"): "Bisecting k-means with ten starts, "
    "5000 x 200, linear kernel",
    ("graph", "n = 20000"): "Spectral clustering of a given graph, 20,000 nodes",
    ("spectral", "rbf n = 5000"): "Spectral clustering, rbf, n = 5000",
    ("kernel-pca", "n = 5000 k = 5"): "Kernel-PCA k-means, n = 5000",
    ("subsequence", "50 strings of 300 characters"): "Subsequence kernel, 50 strings "
    "of 300 characters",
}


def records():
    """Those of the file; numbers of threads are numbers again."""
    rows = json.loads(RESULTS.read_text())["rows"]
    for record in rows:
        by_threads = record["by_threads"]
        record["by_threads"] = {n: by_threads[str(n)] for n in THREADS}
    return rows


def short_table(rows):
    """What README.rst shows: how many times faster than the fastest peer."""
    lines = [("What", "Peer", "One thread", "Two threads")]
    for record in rows:
        words = SHOWN.get((record["row"], record["what"]))
        _, _, _, _, ratio, _, _, with_two, _, _, peer = cells(record)
        if words and peer:
            times = (f"{float(number):.1f} times" for number in (ratio, with_two))
            lines.append((words, peer, *times))
    body = "".join("   * - " + "\n     - ".join(line) + "\n" for line in lines)
    return ".. list-table::\n   :header-rows: 1\n   :widths: 46 22 16 16\n\n" + body


def written(document, text):
    """A document with a table between the two comments."""
    before, rest = document.split(BEGIN)
    return before + BEGIN + text + END + rest.split(END)[1]


def tables():
    """What each of the documents should hold."""
    rows = records()
    return dict(zip(DOCUMENTS, (table(rows), short_table(rows))))


if __name__ == "__main__":
    for path, text in tables().items():
        path.write_text(written(path.read_text(), text))

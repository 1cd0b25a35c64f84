"""String kernels and their peers: the same documents, the same matrix.

``python benchmarks/bench_strings.py --data DIR``, where DIR holds
``r52_stemmed.jsonl.gz``, makes the normalised boundrange kernel of three topics
for substrings of up to 10 and of up to 25 characters. Peers:

- scikit-learn's ``CountVectorizer`` of characters, and the product;
- kernlab's ``kernelMatrix(stringdot(...))``, where Rscript has it. It looks at
  pairs of documents, so it gets every tenth and every fifth document; the two
  times tell how it grows, and the time for all is that of a fifth times the
  square of five.

Each runs in a process of its own; times are medians of three unless one takes
seconds. The matrices are compared. A ratio is how many times this package is
faster.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import gzip
import json
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from measuring import in_fresh_process, median_time, peak_memory, verdict
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.preprocessing import normalize

from sklearn_kernelclust import StringKernel

TOPICS = ("crude", "interest", "coffee")
LENGTHS = (10, 25)
FASTER = {("kernlab", 25): 50, ("CountVectorizer", 25): 3}
MOST_MEMORY = 2**30

R_CODE = """
suppressMessages(library(kernlab))
file <- commandArgs(trailingOnly = TRUE)
x <- as.list(readLines(file[1]))
kernel <- stringdot(type = "boundrange", length = as.integer(file[3]))
seconds <- system.time(K <- kernelMatrix(kernel, x))[["elapsed"]]
writeBin(as.double(K), file[2])
cat(seconds)
"""


def read(folder):
    path = Path(folder) / "r52_stemmed.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        records = map(json.loads, lines)
        return [r["text"] for r in records if r["label"] in TOPICS]


def ours(folder, length):
    docs = read(folder)
    before = peak_memory()
    seconds, K = median_time(StringKernel(length).fit_transform, docs)
    return seconds, peak_memory(), peak_memory() - before, K


def lazily(folder, length):
    docs = read(folder)
    before = peak_memory()
    kernel = StringKernel(length, lazy=True)
    seconds, _ = median_time(kernel.fit_transform, docs)
    return seconds, peak_memory(), peak_memory() - before, None


def count_vectorizer(folder, length):
    docs = read(folder)
    before = peak_memory()

    def work():
        counter = CountVectorizer(
            analyzer="char", ngram_range=(1, length), lowercase=False
        )
        counts = normalize(counter.fit_transform(docs).astype(np.float64))
        return (counts @ counts.T).toarray()

    seconds, K = median_time(work)
    return seconds, peak_memory(), peak_memory() - before, K


def kernlab(docs, length):
    """Seconds of one run, and the matrix."""
    with tempfile.TemporaryDirectory() as folder:
        text, matrix = Path(folder, "text"), Path(folder, "matrix")
        text.write_text("\n".join(docs) + "\n", encoding="utf-8")
        command = ["Rscript", "-e", R_CODE, text, matrix, str(length)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return float(done.stdout), np.fromfile(matrix).reshape(len(docs), -1)


def has_kernlab():
    if shutil.which("Rscript") is None:
        return False
    code = "quit(status = !requireNamespace('kernlab', quietly = TRUE))"
    return subprocess.run(["Rscript", "-e", code], check=False).returncode == 0


def show(what, length, seconds, mine=None, **notes):
    line = f"{what:28} length {length:2}  {seconds:8.3f} s"
    needed = FASTER.get((what.split(",")[0], length))
    if mine is not None:
        line += f"  ratio {seconds / mine:6.1f}"
    if needed is not None:
        line += f"  needed {needed}: {verdict(seconds / mine >= needed)}"
    print(line, *(f"{k} {v}" for k, v in notes.items()), sep="  ", flush=True)


def gib(n_bytes):
    return f"{n_bytes / 2**30:.2f} GiB"


def compare(folder, length, with_kernlab):
    seconds, peak, more, K = in_fresh_process(ours, folder, length)
    show("this package", length, seconds, peak=gib(peak), of_it_the_kernel=gib(more))
    print(f"  below {gib(MOST_MEMORY)}: {verdict(peak < MOST_MEMORY)}")
    lazy, peak, more, _ = in_fresh_process(lazily, folder, length)
    show("this package, lazy", length, lazy, peak=gib(peak), of_it_the_kernel=gib(more))
    other, peak, more, K2 = in_fresh_process(count_vectorizer, folder, length)
    notes = {"peak": gib(peak), "of_it_the_kernel": gib(more)}
    notes["largest_difference"] = f"{np.abs(K - K2).max():.1e}"
    show("CountVectorizer", length, other, seconds, **notes)
    if with_kernlab:
        compare_kernlab(read(folder), length, seconds)


def compare_kernlab(docs, length, mine):
    tenth, _ = kernlab(docs[::10], length)
    fifth, K = kernlab(docs[::5], length)
    growth = np.log(fifth / tenth) / np.log(len(docs[::5]) / len(docs[::10]))
    same = StringKernel(length, sentinel="\n").fit_transform(docs[::5])
    show(
        "kernlab, all, from a fifth",
        length,
        fifth * (len(docs) / len(docs[::5])) ** 2,
        mine,
        a_tenth=f"{tenth:.3f} s",
        a_fifth=f"{fifth:.3f} s",
        grows_as=f"n^{growth:.2f}",
        largest_difference=f"{np.abs(K - same).max():.1e}",
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True, metavar="DIR", help="the data sets")
    folder = parser.parse_args().data
    docs = read(folder)
    print(f"{len(docs)} documents, {sum(map(len, docs))} characters")
    with_kernlab = has_kernlab()
    if not with_kernlab:
        print("R with kernlab is not here: that part is left out.")
    for length in LENGTHS:
        compare(folder, length, with_kernlab)


if __name__ == "__main__":
    main()

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
faster; the second one is of processor time, which other work on the machine
disturbs less, but which does not count that this package uses two cores.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import gzip
import json
import subprocess
import tempfile
from pathlib import Path
from time import process_time

import numpy as np
from measuring import (
    GIB,
    in_fresh_process,
    installed_in_r,
    median_time,
    peak_memory,
    verdict,
)
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.preprocessing import normalize

from sklearn_kernelclust import StringKernel

TOPICS = ("crude", "interest", "coffee")
LENGTHS = (10, 25)
FASTER = {("kernlab", 25): 50, ("CountVectorizer", 25): 3}
MOST_MEMORY = GIB

R_CODE = """
suppressMessages(library(kernlab))
file <- commandArgs(trailingOnly = TRUE)
x <- as.list(readLines(file[1]))
kernel <- stringdot(type = "boundrange", length = as.integer(file[3]))
seconds <- system.time(K <- kernelMatrix(kernel, x))
writeBin(as.double(K), file[2])
cat(seconds[["elapsed"]], seconds[["user.self"]] + seconds[["sys.self"]])
"""


def read(folder):
    path = Path(folder) / "r52_stemmed.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        records = map(json.loads, lines)
        return [r["text"] for r in records if r["label"] in TOPICS]


def ours(docs, length):
    return StringKernel(length).fit_transform(docs)


def lazily(docs, length):
    StringKernel(length, lazy=True).fit_transform(docs)


def count_vectorizer(docs, length):
    counter = CountVectorizer(analyzer="char", ngram_range=(1, length), lowercase=False)
    counts = normalize(counter.fit_transform(docs).astype(np.float64))
    return (counts @ counts.T).toarray()


def measured(method, folder, length):
    """Seconds, processor seconds, peak memory, and the matrix."""
    docs, processor = read(folder), []

    def work():
        begin = process_time()
        K = method(docs, length)
        processor.append(process_time() - begin)
        return K

    seconds, K = median_time(work)
    return seconds, float(np.median(processor)), peak_memory(), K


def kernlab(docs, length):
    """Seconds and processor seconds of one run, and the matrix."""
    with tempfile.TemporaryDirectory() as folder:
        text, matrix = Path(folder, "text"), Path(folder, "matrix")
        text.write_text("\n".join(docs) + "\n", encoding="utf-8")
        command = ["Rscript", "-e", R_CODE, text, matrix, str(length)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        times = np.array(done.stdout.split(), dtype=float)
        return times, np.fromfile(matrix).reshape(len(docs), -1)


def show(what, length, times, mine=None, **notes):
    line = f"{what:27} length {length:2} {times[0]:8.3f} s, processor {times[1]:8.3f} s"
    if mine is not None:
        ratios = np.divide(times, mine)
        line += f"  ratios {ratios[0]:.1f}, {ratios[1]:.1f}"
        needed = FASTER.get((what.split(",")[0], length))
        if needed is not None:
            line += f"  needed {needed}: {verdict(ratios[0] >= needed)}"
    print(line, *(f"{k} {v}" for k, v in notes.items()), sep="  ", flush=True)


def gib(n_bytes):
    return f"{n_bytes / GIB:.2f} GiB"


def compare(folder, length, with_kernlab):
    *mine, peak, K = in_fresh_process(measured, ours, folder, length)
    within = f"needed below {gib(MOST_MEMORY)}: {verdict(peak < MOST_MEMORY)}"
    show("this package", length, mine, peak=f"{gib(peak)}  {within}")
    *times, peak, _ = in_fresh_process(measured, lazily, folder, length)
    show("this package, lazy", length, times, peak=gib(peak))
    *times, peak, other = in_fresh_process(measured, count_vectorizer, folder, length)
    difference = f"{np.abs(K - other).max():.0e}"
    show("CountVectorizer", length, times, mine, peak=gib(peak), differs_by=difference)
    if with_kernlab:
        compare_kernlab(read(folder), length, mine)


def compare_kernlab(docs, length, mine):
    tenth, _ = kernlab(docs[::10], length)
    fifth, K = kernlab(docs[::5], length)
    growth = np.log(fifth[1] / tenth[1]) / np.log(len(docs[::5]) / len(docs[::10]))
    same = StringKernel(length, sentinel="\n").fit_transform(docs[::5])
    show(
        "kernlab, all, from a fifth",
        length,
        fifth * (len(docs) / len(docs[::5])) ** 2,
        mine,
        a_fifth=f"{fifth[0]:.3f} s",
        from_a_tenth_grows_as=f"n^{growth:.2f}",
        differs_by=f"{np.abs(K - same).max():.0e}",
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True, metavar="DIR", help="the data sets")
    folder = parser.parse_args().data
    docs = read(folder)
    print(f"{len(docs)} documents, {sum(map(len, docs))} characters")
    with_kernlab = installed_in_r("kernlab")
    if not with_kernlab:
        print("R with kernlab is not here: that part is left out.")
    for length in LENGTHS:
        compare(folder, length, with_kernlab)


if __name__ == "__main__":
    main()

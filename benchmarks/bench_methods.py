"""Every clusterer here, and those of scikit-learn, on 21 sets: NMI, time, memory.

``python benchmarks/bench_methods.py --data DIR`` takes about ten minutes on one core.
DIR holds the sets, which are not part of this package: term counts (``NAME.npz``,
``NAME.labels.txt``), strings (``NAME.jsonl.gz``) and tables (``NAME.csv``). ``--set``
and ``--method`` choose, and ``--summary`` only repeats the summary of the results so
far. Results are numbers only: ``doc/methods_results.csv``, and
``doc/methods_summary.csv``, which the guide shows.

- Sets of more than 2,000 objects are sampled.
- All methods see the same features or the same kernel: log tf x idf with its cosine,
  substrings of four characters, standardized columns with a Gaussian kernel; for
  "neighbors", the graph of ten nearest neighbors of the features.
- All are told the number of classes, but for HDBSCAN, which takes none.
- Methods with random numbers run with five seeds, each with its default number of
  starts (ten for ``KMeans``); means are shown.
- Each method runs in a process of its own, with one thread and a time limit. The time
  is that of the CPU, from counts, strings or tables to labels. Memory is the peak above
  that of a process that only holds the data.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import csv
import gzip
import json
import warnings
from multiprocessing import get_context
from pathlib import Path
from resource import RLIMIT_CPU, setrlimit
from time import process_time

import numpy as np
from measuring import peak_memory
from scipy.sparse import csr_array, load_npz
from sklearn import cluster as sk
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.metrics import normalized_mutual_info_score
from sklearn.preprocessing import Normalizer, StandardScaler
from threadpoolctl import threadpool_limits

from sklearn_kernelclust import (
    KPDDP,
    PDDP,
    BisectingKernelKMeans,
    DiagonalShift,
    EmpiricalKernelMap,
    KernelKMeans,
    KernelPCAKMeans,
    PairwiseKernel,
    SpectralClustering,
    StringKernel,
)

DOC = Path(__file__).parents[1] / "doc"
RESULTS, SUMMARY = DOC / "methods_results.csv", DOC / "methods_summary.csv"

KINDS = {
    "texts": "bbc bbcsport classic3 fbis re0 re1 tr11 tr31 tr41 oh0 reviews ng20_cai",
    "strings": "promoters splice dna_chimp r8_stemmed",
    "tables": "iris ecoli yeast pima segmentation",
}
KIND_OF = {name: kind for kind, names in KINDS.items() for name in names.split()}
MOST_OBJECTS, TIME_LIMIT, LENGTH, N_SEEDS = 2000, 120, 4, 5


def load(name, folder):
    """Raw objects of a set, at most `MOST_OBJECTS`, and their classes."""
    kind = KIND_OF[name]
    if kind == "texts":
        objects = csr_array(load_npz(folder / f"{name}.npz"))
        lines = (folder / f"{name}.labels.txt").read_text(encoding="utf-8").split("\n")
        classes = np.array(lines[: objects.shape[0]])
    elif kind == "strings":
        with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
            records = [json.loads(line) for line in file]
        objects = np.array([record["text"] for record in records], dtype=object)
        classes = np.array([str(record["label"]) for record in records])
    else:
        with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            _, *rows = csv.reader(file)
        objects = np.array([row[:-1] for row in rows], dtype=float)
        classes = np.array([row[-1] for row in rows])
    n_objects = len(classes)
    sample = np.random.RandomState(0).permutation(n_objects)[:MOST_OBJECTS]
    return objects[np.sort(sample)], classes[np.sort(sample)]


def features(objects, kind):
    """Features that the methods on features take."""
    if kind == "texts":
        return TfidfTransformer(sublinear_tf=True).fit_transform(objects)
    if kind == "strings":
        counter = CountVectorizer(analyzer="char", ngram_range=(LENGTH, LENGTH))
        return Normalizer().fit_transform(counter.fit_transform(objects).astype(float))
    return StandardScaler().fit_transform(objects)


def lazy_kernel(objects, kind):
    """The kernel that the methods on kernels take."""
    if kind == "strings":
        kernel = StringKernel(LENGTH, kind="spectrum", lazy=True)
        return kernel.fit_transform(list(objects))
    name = "cosine" if kind == "texts" else "rbf"
    return PairwiseKernel(name, lazy=True).fit_transform(features(objects, kind))


def on_kernel(make, prepare=()):
    """A method on the kernel, after the transforms `prepare`."""

    def labels(objects, kind, k, seed):
        gram = lazy_kernel(objects, kind)
        for step in prepare:
            gram = step.fit_transform(gram)
        return make(k, seed).fit(gram).labels_

    return labels


def on_features(make):
    def labels(objects, kind, k, seed):
        return make(k, seed).fit(features(objects, kind)).labels_

    return labels


def on_affinity(objects, kind, k, seed):
    """scikit-learn's spectral clustering takes a matrix."""
    affinity = np.maximum(lazy_kernel(objects, kind).toarray(), 0)
    model = sk.SpectralClustering(k, affinity="precomputed", random_state=seed)
    return model.fit(affinity).labels_


def agglomerative(objects, kind, k, seed):
    """Ward's method on tables, average cosine distances on the others."""
    if kind == "tables":
        return sk.AgglomerativeClustering(k).fit(features(objects, kind)).labels_
    distances = np.maximum(1 - lazy_kernel(objects, kind).toarray(), 0)
    model = sk.AgglomerativeClustering(k, metric="precomputed", linkage="average")
    return model.fit(distances).labels_


def hdbscan(objects, kind, k, seed):
    """On 50 components where there are more columns, as is usual."""
    X = features(objects, kind)
    if X.shape[1] > 50:
        X = TruncatedSVD(50, random_state=seed).fit_transform(X)
        X = Normalizer().fit_transform(X)
    return sk.HDBSCAN(min_cluster_size=10, copy=True).fit(X).labels_


KERNEL = {"kernel": "precomputed"}
GRAPH = "nearest_neighbors"
MAPPED = [DiagonalShift(), EmpiricalKernelMap()]
METHODS = {
    "KernelKMeans": on_kernel(lambda k, s: KernelKMeans(k, random_state=s, **KERNEL)),
    "KernelKMeans, hartigan": on_kernel(
        lambda k, s: KernelKMeans(k, algorithm="hartigan", random_state=s, **KERNEL)
    ),
    "KernelKMeans from KPDDP": on_kernel(
        lambda k, s: KernelKMeans(k, init=KPDDP(split="2-means"), **KERNEL)
    ),
    "KernelKMeans after DSM": on_kernel(
        lambda k, s: KernelKMeans(k, init="random", random_state=s, **KERNEL), MAPPED
    ),
    "BisectingKernelKMeans": on_kernel(
        lambda k, s: BisectingKernelKMeans(k, random_state=s, **KERNEL)
    ),
    "PDDP": on_features(lambda k, s: PDDP(k, split="2-means")),
    "KPDDP": on_kernel(lambda k, s: KPDDP(k, split="2-means", **KERNEL)),
    "SpectralClustering": on_kernel(
        lambda k, s: SpectralClustering(k, random_state=s, **KERNEL)
    ),
    "SpectralClustering, neighbors": on_features(
        lambda k, s: SpectralClustering(k, kernel=GRAPH, random_state=s)
    ),
    "KernelPCAKMeans": on_kernel(
        lambda k, s: KernelPCAKMeans(k, random_state=s, **KERNEL)
    ),
    "sklearn KMeans": on_features(lambda k, s: sk.KMeans(k, n_init=10, random_state=s)),
    "sklearn BisectingKMeans": on_features(
        lambda k, s: sk.BisectingKMeans(k, n_init=10, random_state=s)
    ),
    "sklearn SpectralClustering": on_affinity,
    "sklearn SpectralClustering, neighbors": on_features(
        lambda k, s: sk.SpectralClustering(k, affinity=GRAPH, random_state=s)
    ),
    "sklearn AgglomerativeClustering": agglomerative,
    "sklearn HDBSCAN": hdbscan,
}
WITHOUT_CHANCE = {
    "KernelKMeans from KPDDP",
    "PDDP",
    "KPDDP",
    "sklearn AgglomerativeClustering",
}


def measured(name, method, folder):
    """One row of the results."""
    objects, classes = load(name, folder)
    n_classes = len(np.unique(classes))
    seeds = range(1 if method in WITHOUT_CHANCE else N_SEEDS)
    before, begin = peak_memory(), process_time()
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")
        runs = [METHODS[method](objects, KIND_OF[name], n_classes, s) for s in seeds]
    nmi = [normalized_mutual_info_score(classes, labels) for labels in runs]
    return {
        "set": name,
        "kind": KIND_OF[name],
        "objects": len(classes),
        "classes": n_classes,
        "method": method,
        "clusters": len(np.unique(runs[0])),
        "nmi": round(np.mean(nmi), 4),
        "nmi_deviation": round(np.std(nmi), 4),
        "cpu_seconds": round((process_time() - begin) / len(seeds), 3),
        "peak_mib": round((peak_memory() - before) / 2**20, 1),
    }


def in_time(*args):
    """The row of a process of its own; without a result if that takes too long."""
    context = get_context("fork")  # which has imported everything, and holds no data
    queue = context.SimpleQueue()

    def work():
        # Of the CPU: a loaded machine changes nothing.
        setrlimit(RLIMIT_CPU, (TIME_LIMIT + int(process_time()) + 1,) * 2)
        queue.put(measured(*args))

    process = context.Process(target=work)
    process.start()
    process.join()
    if not queue.empty():
        return queue.get()
    name, method, _ = args
    print(f"{method} on {name}: no result within {TIME_LIMIT} s, or an error")
    return {"set": name, "kind": KIND_OF[name], "method": method}


def summary(rows):
    """For each method and kind of set the mean NMI; for each method time and memory."""
    kinds = list(KINDS)
    for method in METHODS:
        done = [row for row in rows if row["method"] == method and "nmi" in row]
        if not done:
            continue
        nmi = {
            kind: [float(r["nmi"]) for r in done if r["kind"] == kind] for kind in kinds
        }
        yield {
            "method": method,
            **{
                kind: f"{np.mean(nmi[kind]):.2f}" if nmi[kind] else "" for kind in kinds
            },
            "CPU s": f"{np.median([float(r['cpu_seconds']) for r in done]):.2f}",
            "most CPU s": f"{max(float(r['cpu_seconds']) for r in done):.1f}",
            "most MiB": f"{max(float(r['peak_mib']) for r in done):.0f}",
        }


def write(path, rows):
    names = list(dict.fromkeys(name for row in rows for name in row))
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path)
    parser.add_argument("--set", nargs="+", choices=KIND_OF, default=list(KIND_OF))
    parser.add_argument("--method", nargs="+", choices=METHODS, default=list(METHODS))
    parser.add_argument("--summary", action="store_true")
    options = parser.parse_args()
    rows = []
    if RESULTS.exists():
        with RESULTS.open(encoding="utf-8", newline="") as file:
            rows = [{k: v for k, v in r.items() if v} for r in csv.DictReader(file)]
    if not options.summary:
        for name in options.set:
            for method in options.method:
                row = in_time(name, method, options.data)
                print(*row.values(), sep="\t", flush=True)
                same = (name, method)
                rows = [r for r in rows if (r["set"], r["method"]) != same] + [row]
                write(RESULTS, rows)
    write(SUMMARY, list(summary(rows)))
    print(SUMMARY.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()

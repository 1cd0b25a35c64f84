"""Topics without knowing k: the tree against flat choices and other clusterers.

``python benchmarks/bench_topic_tree.py --data DIR`` takes half an hour; ``--set NAME``
and ``--method NAME`` choose, ``--csv FILE`` writes the rows. DIR holds term counts
(``NAME.npz``, ``NAME.labels.txt``), which are not part of this package; the docstrings
are. No method sees the classes, and only "told" knows how many there are.

tree       ``PredictionStrengthTree``
told       ``KernelKMeans`` with the number of classes, same kernel, 10 starts
flat       ``PredictionStrengthK``, same kernel, k = 2..24, 50 splits, on a sample of
           1000 documents
shifted    the same with the shifted kernel alone, without the empirical map (KKM-S)
hdbscan    ``HDBSCAN`` of scikit-learn on 50 components of an SVD
bisecting  ``BisectingKMeans`` on these, with the k of the best silhouette
umap       UMAP to 5 dimensions and ``HDBSCAN``, as BERTopic does; if installed
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import csv
import warnings
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
from measuring import installed
from scipy.sparse import csr_array, load_npz
from sklearn.cluster import HDBSCAN, BisectingKMeans
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.metrics import normalized_mutual_info_score, silhouette_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer

from sklearn_kernelclust import (
    DiagonalShift,
    EmpiricalKernelMap,
    KernelKMeans,
    PairwiseKernel,
    PredictionStrengthK,
    PredictionStrengthTree,
)
from sklearn_kernelclust.datasets import load_docstrings

SETS = [
    *("docstrings", "bbc", "bbcsport", "classic3", "fbis", "re0", "re1", "tr11"),
    *("tr12", "tr23", "tr31", "tr41", "oh0", "oh10", "oh15", "reviews"),
]
MOST_CLUSTERS, N_COMPONENTS, MOST_DOCUMENTS = 24, 50, 1000


def counts_of(name, folder):
    """Term counts of a collection, and the classes."""
    if name == "docstrings":
        corpus = load_docstrings()
        counts = CountVectorizer(stop_words="english").fit_transform(corpus.data)
        return csr_array(counts), np.asarray(corpus.target)
    counts = csr_array(load_npz(folder / f"{name}.npz"))
    labels = (folder / f"{name}.labels.txt").read_text(encoding="utf-8").split("\n")
    return counts, np.array(labels[: counts.shape[0]])


def pipeline(k=8, kernel_map=None):
    """Counts to clusters: log tf x idf, cosine, DSM, kernel k-means."""
    return make_pipeline(
        TfidfTransformer(sublinear_tf=True),
        PairwiseKernel("cosine", lazy=True),
        DiagonalShift(),
        kernel_map or EmpiricalKernelMap(),
        KernelKMeans(k, kernel="precomputed", init="random"),
    )


def tree(counts, n_classes, n_jobs):
    model = PredictionStrengthTree(pipeline(), n_jobs=n_jobs, random_state=0)
    return model.fit(counts).labels_


def told(counts, n_classes, n_jobs):
    model = pipeline(n_classes)
    return model.set_params(kernelkmeans__random_state=0).fit_predict(counts)


def flat(counts, n_classes, n_jobs, kernel_map=None):
    steps, n_documents = pipeline(kernel_map=kernel_map), counts.shape[0]
    rows = np.random.RandomState(0).permutation(n_documents)[:MOST_DOCUMENTS]
    K = steps[:-1].fit_transform(counts[np.sort(rows)]).toarray()
    model = PredictionStrengthK(
        steps[-1].set_params(n_init=1),
        n_clusters=range(2, MOST_CLUSTERS + 1),
        n_splits=50,
        refit=False,
        n_jobs=n_jobs,
        random_state=0,
    )
    chosen = pipeline(model.fit(K).best_k_, kernel_map)
    return chosen.set_params(kernelkmeans__random_state=0).fit_predict(counts)


def shifted(counts, n_classes, n_jobs):
    return flat(counts, n_classes, n_jobs, "passthrough")


def components(counts):
    """Documents on the unit sphere of the leading components."""
    return make_pipeline(
        TfidfTransformer(sublinear_tf=True),
        TruncatedSVD(N_COMPONENTS, random_state=0),
        Normalizer(),
    ).fit_transform(counts)


def hdbscan(counts, n_classes, n_jobs):
    return HDBSCAN(min_cluster_size=10, copy=True).fit_predict(components(counts))


def bisecting(counts, n_classes, n_jobs):
    X = components(counts)
    partitions = [
        BisectingKMeans(k, n_init=3, random_state=0).fit_predict(X)
        for k in range(2, MOST_CLUSTERS + 1)
    ]
    return max(partitions, key=lambda labels: silhouette_score(X, labels))


def umap(counts, n_classes, n_jobs):
    from umap import UMAP

    reducer = UMAP(15, n_components=5, min_dist=0, metric="cosine", random_state=0)
    X = reducer.fit_transform(components(counts))
    return HDBSCAN(min_cluster_size=10, copy=True).fit_predict(X)


METHODS = {f.__name__: f for f in (tree, told, flat, shifted, hdbscan, bisecting, umap)}


def measured(name, method, folder, n_jobs):
    """One row of the table."""
    counts, classes = counts_of(name, folder)
    n_classes = len(np.unique(classes))
    begin, cpu = perf_counter(), process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        labels = METHODS[method](counts, n_classes, n_jobs)
    return {
        "set": name,
        "documents": len(classes),
        "classes": n_classes,
        "method": method,
        "clusters": int(labels.max()) + 1,
        "outliers": int((labels < 0).sum()),
        "nmi": round(normalized_mutual_info_score(classes, labels), 3),
        "seconds": round(perf_counter() - begin, 1),
        "cpu": round(process_time() - cpu, 1),
    }


def summary(rows):
    """Means of each method, and how many have about as many clusters as classes."""
    for method in METHODS:
        of_method = [row for row in rows if row["method"] == method]
        if of_method:
            near = [0.5 <= row["clusters"] / row["classes"] <= 3 for row in of_method]
            yield (
                f"{method:10} mean NMI {np.mean([row['nmi'] for row in of_method]):.3f}"
                f", half to three times the classes on {sum(near)} of {len(near)}"
                f", {sum(row['cpu'] for row in of_method):.0f} s of CPU"
            )


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--set", nargs="+", default=SETS)
    parser.add_argument("--method", nargs="+", choices=METHODS, default=list(METHODS))
    parser.add_argument("--csv", type=Path)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    methods, rows = list(options.method), []
    if "umap" in methods and not installed("umap-learn"):
        print("umap is left out: umap-learn is not installed.")
        methods.remove("umap")
    for name in options.set:
        for method in methods:
            rows.append(measured(name, method, options.data, options.jobs))
            print(*rows[-1].values(), sep="\t", flush=True)
    print(*summary(rows), sep="\n")
    if options.csv:
        with options.csv.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    main()

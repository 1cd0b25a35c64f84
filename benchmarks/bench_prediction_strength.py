"""Choosing k: batched against one by one, with prototypes, and against peers.

``python benchmarks/bench_prediction_strength.py`` runs four parts, in minutes;
``--quick`` scales them down to seconds. Peers that are not installed are skipped.

a. 2000 objects, k = 2..10: all numbers of clusters in one batch, against the same work
   fitted estimator by estimator; the scores have to be the same.
b. 4000 documents: with prototypes (RED-S) against without (KKM-S), batched and one
   by one; everything from the kernel matrix on counts.
c. 7000 documents, 200 splits, k = 2..10, with prototypes: seconds on all cores.
d. 2000 objects with features: R's fpc and Python's reval.

In a, b and d each contestant has one thread, and a ratio is one of CPU times: how
many times the row takes that of this package (in b, of RED-S).
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import os
import subprocess
import tempfile
import warnings
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
from bench_kernel_kmeans import corpus
from measuring import clock, in_fresh_process, installed, installed_in_r, main, verdict
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.neighbors import NearestCentroid
from sklearn.pipeline import make_pipeline
from threadpoolctl import threadpool_limits

from sklearn_kernelclust import DiagonalShift, KernelKMeans, PredictionStrengthK

N_SPLITS = 200
CANDIDATES = "2..10"
SCALED = "Seconds are those of all splits, scaled up where only some were run."
STARTS = {"random, 1 start": ("random", 1), "k-means++, 10 starts": ("k-means++", 10)}


class OneByOne(KernelKMeans):
    """Another class, so that the same work is done estimator by estimator."""


# Part a: batched, or one by one


def batched(quick):
    n = 300 if quick else 2000
    rows = []
    for dtype in ("float32", "float64"):
        for start in STARTS:
            rows += in_fresh_process(batched_runs, n, dtype, start, quick)
    return rows


def batched_runs(n, dtype, start, quick):
    n_splits = 8 if quick else N_SPLITS
    few = n_splits // 4 if start in list(STARTS)[:1] else max(n_splits // 20, 2)
    X, _ = make_blobs(n, 10, centers=5, cluster_std=3.0, random_state=0)
    K = rbf_kernel(X, gamma=1 / (X.shape[1] * X.var())).astype(dtype)
    init, n_init = STARTS[start]
    many = few if n_init > 1 else n_splits
    params = {"kernel": "precomputed", "init": init, "n_init": n_init}
    ours, scores = timed(KernelKMeans(**params), K, many, n_splits)
    theirs, same = timed(OneByOne(**params), K, few, n_splits)
    gap = np.nanmax(np.abs(scores[:, :few] - same))
    # To rounding, by which an object near a border may change sides.
    assert gap < (0.02 if dtype == "float32" else 1e-9), gap
    title = f"{dtype}, {start}"
    theirs |= {
        "what": f"one by one, {title}",
        "ratio": theirs["cpu"] / ours["cpu"],
        "note": f"scores differ by at most {gap:.2g}",
    }
    if not quick:
        theirs |= {"needed": "4x", "verdict": verdict(theirs["ratio"] >= 4)}
    return [ours | {"what": f"batched, {title}"}, theirs]


def timed(model, K, n_splits, wanted, n_threads=1, **params):
    """Seconds of `wanted` splits from those of `n_splits`, and the scores."""
    warnings.simplefilter("ignore")
    choice = PredictionStrengthK(
        model, n_splits=n_splits, refit=False, random_state=0, **params
    )
    with threadpool_limits(n_threads):
        begin, cpu = perf_counter(), process_time()
        choice.fit(K)
        cpu, seconds = process_time() - cpu, perf_counter() - begin
    return scaled(seconds, cpu, n_splits, wanted, choice.best_k_), choice.scores_


def scaled(seconds, cpu, n_splits, wanted, best):
    """The row of `wanted` splits, of which `n_splits` were run."""
    scale = wanted / n_splits
    row = {"k": CANDIDATES, "seconds": scale * seconds, "cpu": scale * cpu}
    return row | {"splits": n_splits, "best": int(best)}


# Part b: with prototypes, and without


def reduced(quick):
    return in_fresh_process(reduced_runs, 600 if quick else 4000, quick)


def shifted(clusterer):
    model = clusterer(kernel="precomputed", init="random", n_init=1)
    return make_pipeline(DiagonalShift(), model)


def text_kernel(n):
    X = corpus(n, n_topics=5).astype(np.float32)
    return (X @ X.T).toarray()


def reduced_runs(n, quick):
    K, n_splits = text_kernel(n), 8 if quick else N_SPLITS
    red, _ = timed(shifted(KernelKMeans), K, n_splits, n_splits, reduction_rate=4)
    rows = [red | {"what": f"RED-S, n = {n}"}]
    contests = [
        (KernelKMeans, "batched", n_splits // 4, 6),
        (OneByOne, "one by one", max(n_splits // 20, 2), 16),
    ]
    for clusterer, how, few, needed in contests:
        row, _ = timed(shifted(clusterer), K, few, n_splits)
        row |= {"what": f"KKM-S, {how}", "ratio": row["cpu"] / red["cpu"]}
        if not quick:
            row |= {"needed": f"{needed}x", "verdict": verdict(row["ratio"] >= needed)}
        rows.append(row)
    return rows


# Part c: many documents


def many(quick):
    rows = []
    n, n_splits = (600, 8) if quick else (7000, N_SPLITS)
    for n_jobs, n_threads in ((1, os.cpu_count()), (os.cpu_count(), 1)):
        # Not in a fresh process, which would wait minutes for joblib's workers to go.
        seconds, best = many_run(n, n_splits, n_jobs, n_threads)
        what = f"RED-S, n = {n}, n_jobs = {n_jobs}, {n_threads} threads in each"
        row = {"what": what, "k": CANDIDATES, "seconds": seconds}
        rows.append(row | {"splits": n_splits, "best": best})
    fastest = min(rows, key=lambda row: row["seconds"])
    if not quick:
        in_time = verdict(fastest["seconds"] < 120)
        fastest |= {"needed": "< 120 s", "verdict": in_time}
    return rows


def many_run(n, n_splits, n_jobs, n_threads):
    K = text_kernel(n)
    row, _ = timed(
        shifted(KernelKMeans),
        K,
        n_splits,
        n_splits,
        n_threads=n_threads,
        reduction_rate=4,
        n_jobs=n_jobs,
    )
    return row["seconds"], row["best"]


# Part d: peers, which take features


def peers(quick):
    return in_fresh_process(peer_runs, 300 if quick else 2000, quick)


def peer_runs(n, quick):
    X, _ = make_blobs(n, 10, centers=5, cluster_std=3.0, random_state=0)
    n_splits = 8 if quick else N_SPLITS
    few = max(n_splits // 20, 2)
    kmeans = KMeans(init="random", n_init=1)
    kernel = KernelKMeans(kernel="linear", init="random", n_init=1)
    ours, _ = timed(kernel, X, n_splits, n_splits)
    rows = [ours | {"what": "KernelKMeans, linear kernel"}]
    for criterion in ("prediction-strength", "partition-similarity"):
        row, _ = timed(kmeans, X, few, n_splits, criterion=criterion)
        rows.append(row | {"what": f"sklearn KMeans, {criterion}"})
    if installed_in_r("fpc"):
        rows.append(against(rows[1], fpc(X, few, n_splits)))
    if installed("reval"):
        rows.append(against(rows[2], reval(X, few, n_splits)))
    return rows


def against(ours, row):
    note = "against sklearn KMeans here; one start each"
    return row | {"ratio": row["cpu"] / ours["cpu"], "note": note}


R_CODE = """
suppressMessages(library(fpc))
files <- commandArgs(TRUE)
X <- as.matrix(read.csv(files[1], header = FALSE))
set.seed(0)
spent <- system.time(
  found <- prediction.strength(X, Gmin = 2, Gmax = 10, M = as.integer(files[2])))
cat(spent[["elapsed"]], spent[["user.self"]] + spent[["sys.self"]], found$optimalk)
"""


def fpc(X, n_splits, wanted):
    """R's fpc, k-means from one random start, nearest centroids."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "X.csv"
        np.savetxt(file, X, delimiter=",")
        command = ["Rscript", "-e", R_CODE, str(file), str(n_splits)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
    seconds, cpu, best = map(float, done.stdout.split())
    row = scaled(seconds, cpu, n_splits, wanted, best)
    return row | {"what": "R fpc::prediction.strength, kmeansCBI"}


def reval(X, n_splits, wanted):
    """Python's reval: Lange's stability, k-means and nearest centroids."""
    from reval.best_nclust_cv import FindBestClustCV

    search = FindBestClustCV(
        s=NearestCentroid(),
        c=KMeans(init="random", n_init=1),
        nrand=1,
        nfold=2,
        nclust_range=list(range(2, 11)),
    )
    with threadpool_limits(1):
        cpu = process_time()
        seconds, found = clock(search.best_nclust, X, n_splits)
        cpu = process_time() - cpu
    row = scaled(seconds, cpu, n_splits, wanted, found[1])
    return row | {"what": "reval FindBestClustCV"}


PARTS = {
    "a": (batched, "Kernel of 2000 objects, all k batched and one by one"),
    "b": (reduced, "Kernel of 4000 documents, with prototypes and without"),
    "c": (many, "Kernel of 7000 documents, with prototypes, all cores"),
    "d": (peers, "2000 objects, 10 features"),
}


if __name__ == "__main__":
    main(__doc__, PARTS, [SCALED])

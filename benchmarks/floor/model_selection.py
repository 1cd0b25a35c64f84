"""Rows of the choice of k by prediction strength."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import partial

from bench_prediction_strength import fpc
from floor.case import Case, Timed
from measuring import installed_in_r
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs
from sklearn.metrics.pairwise import rbf_kernel

from sklearn_kernelclust import KernelKMeans, PredictionStrengthK


def blobs(n):
    return make_blobs(n, 10, centers=5, cluster_std=3.0, random_state=0)[0]


def strength():
    """All defaults, from a precomputed kernel."""
    X = blobs(5000)
    K = rbf_kernel(X, gamma=1 / (X.shape[1] * X.var()))
    choice = PredictionStrengthK(KernelKMeans(kernel="precomputed"), random_state=0)
    yield Case(
        "defaults, n = 5000",
        partial(choice.fit, K),
        at_most=60,
        repeats=1,
        bound="ten starts in each of the splits: nearest means, moves and seeds",
    )


def strength_of_kmeans():
    """One random start of k-means, nearest centroids, as fpc has it."""
    X, n_splits = blobs(2000), 20
    choice = PredictionStrengthK(
        KMeans(init="random", n_init=1), n_splits=n_splits, refit=False, random_state=0
    )
    peers = {}
    if installed_in_r("fpc"):
        peers["R's fpc"] = partial(in_r, X, n_splits)
    yield Case(
        f"n = 2000, {n_splits} splits",
        partial(choice.fit, X),
        peers,
        3,
        note=best,
    )


def best(results):
    mine, theirs = results.values()
    return f"best k: {mine.best_k_}, of fpc {theirs}"


def in_r(X, n_splits):
    row = fpc(X, n_splits, n_splits)
    return Timed(row["cpu"], row["seconds"], row["best"])

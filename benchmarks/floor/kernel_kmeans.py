"""Rows of kernel k-means: precomputed kernels, prediction, single moves, text."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import partial

import numpy as np
from bench_kernel_kmeans import MAX_ITER, corpus, ours, plain
from floor.case import Case
from sklearn import config_context
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.pipeline import make_pipeline

from sklearn_kernelclust import (
    DiagonalShift,
    EmpiricalKernelMap,
    KernelKMeans,
    PairwiseKernel,
)
from sklearn_kernelclust._gram._checks import check_kernel


def kernel(n, dtype):
    X, _ = make_blobs(n, 20, centers=20, cluster_std=6.0, random_state=0)
    return rbf_kernel(X, gamma=1 / (X.shape[1] * X.var())).astype(dtype)


def precomputed():
    """A fit against a product of K with the dense indicator in each iteration."""
    for dtype, k, at_least in (
        ("float32", 20, 4),
        ("float32", 100, 8),
        ("float64", 20, 4),
        ("float64", 100, 10),
    ):
        K = kernel(5000, dtype)
        start = np.random.RandomState(0).randint(k, size=len(K))
        yield Case(
            f"{dtype} n = 5000 k = {k}",
            partial(ours, K, k, start, 0),
            {"plain loop": partial(plain, K, k, start, 0)},
            at_least,
            note=same_labels,
        )


def same_labels(results):
    (mine, n_iter), (theirs, _) = results.values()
    agreement = adjusted_rand_score(mine, theirs)
    return f"adjusted Rand index {agreement:.4f}, {n_iter} iterations"


def checks():
    """The checks of a precomputed kernel against one product with a vector."""
    for dtype in ("float32", "float64"):
        K = kernel(5000, dtype)
        v = np.ones(len(K), dtype)
        yield Case(
            f"{dtype} n = 5000",
            partial(check_kernel, KernelKMeans(kernel="precomputed"), K, reset=True),
            {"K @ v": partial(np.matmul, K, v)},
            0.25,
            repeats=5,
        )


def predict():
    """One row, and many."""
    X, _ = make_blobs(20_000, 50, centers=10, cluster_std=8.0, random_state=0)
    yield of_one_row("linear 20000 x 50, one row", "linear", X)
    yield of_one_row("sparse cosine n = 20000, one row", "cosine", corpus(20_000))
    X = X[:5000]
    model = KernelKMeans(10, kernel="rbf", n_init=1, random_state=0).fit(X)
    row = X[:1]
    evaluation = partial(rbf_kernel, row, X, gamma=model.gamma_)
    yield Case(
        "rbf n = 5000, one row",
        partial(model.predict, row),
        {"its kernel row": evaluation},
        at_most=1.0,
        per=1e3,
        unit="ms",
    )
    many = np.random.RandomState(0).permutation(np.repeat(X, 20, axis=0))
    yield Case(
        "rbf n = 5000, 100000 rows",
        partial(model.predict, many),
        at_most=9.4,
        per=1e9 / len(many) / len(X),
        unit="ns an entry",
        repeats=1,
    )


def of_one_row(what, kernel, X):
    model = KernelKMeans(10, kernel=kernel, init="random", n_init=1, random_state=0)
    peer = KMeans(10, init="random", n_init=1, max_iter=5, random_state=0)
    model.fit(X)
    peer.fit(X)
    row = X[:1]
    fits = {"KMeans.predict": partial(peer.predict, row)}
    return Case(what, partial(model.predict, row), fits, 0.5, repeats=5)


def hartigan():
    """Single moves against Lloyd's steps alone, from the same starts."""
    for n, k in ((1000, 10), (2000, 100), (5000, 100)):
        K = kernel(n, "float64")
        start = np.random.RandomState(0).randint(k, size=n)
        model = KernelKMeans(k, kernel="precomputed", init=start, max_iter=MAX_ITER)
        single = KernelKMeans(**model.get_params() | {"algorithm": "hartigan"})
        yield Case(
            f"n = {n} k = {k}",
            partial(single.fit, K),
            {"lloyd": partial(model.fit, K)},
            1 / 1.5,
            note=objectives,
            bound="an iteration costs as much as Lloyd's, and there are more of them, "
            "to a lower objective; after Lloyd's steps, moves end later and higher",
        )


def objectives(results):
    """What each result has for an objective."""
    values = (f"{name} {model.inertia_:.6g}" for name, model in results.items())
    return "objective: " + ", ".join(values)


def rbf():
    """A fit from features with a kernel that is never stored."""
    for n, d in ((12_000, 50), (20_000, 10)):
        X, _ = make_blobs(n, d, centers=10, cluster_std=8.0, random_state=0)
        X = X.astype(np.float32)
        model = KernelKMeans(10, n_init=1, max_iter=MAX_ITER, random_state=0)
        yield Case(
            f"float32 {n} x {d} k = 10",
            partial(fit_in_tiles, model, X),
            at_most=5.5,
            per=1e9 / n**2,
            unit="ns an entry",
            bound="one evaluation of K in tiles, and those of the objects that move",
        )


def fit_in_tiles(model, X):
    with config_context(working_memory=64):
        return model.fit(X)


def small_text():
    """A cosine kernel of few documents: no slower than the better of two ways."""
    for n, k, n_init in ((300, 10, 10), (500, 17, 10), (1000, 10, 1), (1000, 20, 10)):
        X = corpus(n)
        model = KernelKMeans(k, kernel="cosine", n_init=n_init, random_state=0)
        stored = KernelKMeans(**model.get_params() | {"kernel": "precomputed"})
        yield Case(
            f"n = {n} k = {k} n_init = {n_init}",
            partial(model.fit, X),
            {"stored": partial(fit_stored, stored, X)},
            0.9,
            note=objectives,
        )


def fit_stored(model, X):
    return model.fit((X @ X.T).toarray())


def dsm():
    """Shift, then empirical map, of a kernel that is never stored."""
    for n, at_most in ((20_000, 1.5), (100_000, 10)):
        X = corpus(n)
        pipeline = make_pipeline(
            PairwiseKernel("cosine", lazy=True),
            DiagonalShift(),
            EmpiricalKernelMap(),
            KernelKMeans(20, n_init=1, random_state=0),
        )
        yield Case(
            f"lazy, {n} documents k = 20",
            partial(pipeline.fit, X),
            at_most=at_most,
            repeats=2,
            bound="row lengths by pairs of features, some 10 ns each in scipy's loops; "
            "three passes over the features for each seed",
        )

"""Rows of divisive clustering."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import partial

import numpy as np
from bench_divisive import hipart, objective
from floor.case import Case
from measuring import installed
from sklearn.cluster import BisectingKMeans
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score

from sklearn_kernelclust import PDDP, BisectingKernelKMeans

# What is left, by the shape of the features.
BOUNDS = {
    (20_000, 50): (
        "scatter matrices of the root and of smaller children, rows of each node that "
        "are gathered and projected, LAPACK on 19 matrices: each 4 to 7 ms"
    ),
    (2000, 1000): (
        "28 Lanczos steps at the root, 20 at its children, each a pass over the "
        "features, for exact directions; those of HiPart are a randomised SVD's"
    ),
}
SHAPES = ((5000, 200), (20_000, 50), (2000, 1000))


def pddp():
    """PDDP against HiPart, and against bisecting k-means."""
    for n, m in SHAPES:
        X, _ = make_blobs(n, m, centers=20, cluster_std=8.0, random_state=0)
        fit, bound = partial(labels_of, PDDP(20), X), BOUNDS.get((n, m), "")
        if installed("HiPart"):
            peers = {"HiPart": partial(hipart, X, 20)}
            yield Case(f"{n} x {m}", fit, peers, 5, note=same_labels, bound=bound)
        peer = BisectingKMeans(20, n_init=1, random_state=0)
        peers = {"BisectingKMeans": partial(labels_of, peer, X)}
        yield Case(
            f"{n} x {m}", fit, peers, 1, note=partial(objectives, X), bound=bound
        )


def labels_of(model, X):
    return model.fit(X).labels_


def same_labels(results):
    return f"adjusted Rand index {adjusted_rand_score(*results.values()):.4f}"


def objectives(X, results):
    values = (f"{name} {objective(X, y):.5g}" for name, y in results.items())
    return "objective: " + ", ".join(values)


def bisecting():
    """A linear kernel on few features against the same on features."""
    for n_init in (1, 10):
        for n, m in SHAPES:
            X, _ = make_blobs(n, m, centers=20, cluster_std=8.0, random_state=0)
            settings = {"init": "random", "n_init": n_init, "random_state": 0}
            model = BisectingKernelKMeans(20, kernel="linear", **settings)
            peer = BisectingKMeans(20, max_iter=100, tol=0, **settings)
            yield Case(
                f"{n} x {m} n_init = {n_init}",
                partial(labels_of, model, X),
                {"BisectingKMeans": partial(labels_of, peer, X)},
                1,
                note=partial(objectives, X - np.mean(X, axis=0)),
                bound="one start: products of Lloyd's steps, and a copy of each node",
            )

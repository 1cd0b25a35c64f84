"""Rows of spectral clustering and kernel PCA."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import partial

from floor.case import Case
from measuring import installed
from scipy.sparse import csr_array
from sklearn.cluster import KMeans
from sklearn.cluster import SpectralClustering as Peer
from sklearn.datasets import make_blobs
from sklearn.decomposition import KernelPCA
from sklearn.metrics import normalized_mutual_info_score
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.neighbors import kneighbors_graph
from sklearn.pipeline import make_pipeline

from sklearn_kernelclust import KernelPCAKMeans, SpectralClustering

# scikit-learn's arpack takes minutes beyond.
MOST_OF_ARPACK = 20_000


def blobs(n):
    return make_blobs(n, 20, centers=10, cluster_std=5.0, random_state=0)


def graph():
    """A given graph of nearest neighbours against the best of three solvers."""
    for n in (2000, 20_000, 100_000):
        X, y = blobs(n)
        A = kneighbors_graph(X, 10, include_self=False)
        A = csr_array((A + A.T) / 2)
        names = ["lobpcg"] + ["arpack"] * (n <= MOST_OF_ARPACK)
        names += ["amg"] * installed("pyamg")
        yield Case(
            f"n = {n}",
            partial(labels_of, SpectralClustering, A, "kernel"),
            {name: partial(labels_of, Peer, A, solver=name) for name in names},
            1.2,
            note=partial(agreement, y),
            bound=(
                "fifty products with the graph, for a residual of 1e-9, where lobpcg "
                "stops at 1.5e-8 n"
            ),
            repeats=3 if n < MOST_OF_ARPACK else 1,
        )


def labels_of(estimator, A, given="affinity", k=10, solver=None):
    settings = {given: "precomputed", "random_state": 0}
    if solver is not None:
        settings["eigen_solver"] = solver
    return estimator(k, **settings).fit_predict(A)


def agreement(y, results):
    """Normalised mutual information of each with the classes."""
    values = (
        f"{name} {normalized_mutual_info_score(y, labels):.3f}"
        for name, labels in results.items()
    )
    return "NMI: " + ", ".join(values)


def dense():
    """An rbf kernel from features."""
    for n in (2000, 5000):
        X, y = blobs(n)
        gamma = 1 / (X.shape[1] * X.var())
        model = SpectralClustering(10, gamma=gamma, random_state=0)
        peer = Peer(10, gamma=gamma, eigen_solver="lobpcg", random_state=0)
        yield Case(
            f"rbf n = {n}",
            partial(model.fit_predict, X),
            {"lobpcg": partial(peer.fit_predict, X)},
            3,
            note=partial(agreement, y),
            bound=(
                "ten products of K with a block, for a residual of 1e-9, where lobpcg "
                "stops at 1.5e-8 n; then K itself and k-means"
            ),
        )


def kernel_pca():
    """k - 1 components and k-means, with the ten starts of ours."""
    for n, k in ((2000, 5), (2000, 20), (5000, 5)):
        X, y = make_blobs(n, 20, centers=k, cluster_std=5.0, random_state=0)
        K = rbf_kernel(X, gamma=1 / (X.shape[1] * X.var()))
        given = {"kernel": "precomputed", "random_state": 0}
        peer = make_pipeline(
            KernelPCA(k - 1, eigen_solver="arpack", **given),
            KMeans(k, n_init=10, random_state=0),
        )
        yield Case(
            f"n = {n} k = {k}",
            partial(KernelPCAKMeans(k, **given).fit_predict, K),
            {"KernelPCA, KMeans": partial(peer.fit_predict, K)},
            2,
            note=partial(agreement, y),
            bound="eight to ten products of K with a block; then k-means",
        )

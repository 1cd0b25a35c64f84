"""Distances passed as a kernel are noticed; similarities are not mistaken for them."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings

import numpy as np
import pytest
from corpora import documents
from scipy.spatial.distance import pdist, squareform
from sklearn.datasets import load_breast_cancer, load_iris, load_wine, make_blobs
from sklearn.metrics.pairwise import cosine_similarity, rbf_kernel
from sklearn.neighbors import kneighbors_graph

from sklearn_kernelclust import (
    KPDDP,
    DiagonalShift,
    KernelKMeans,
    PairwiseKernel,
    SpectralClustering,
)
from sklearn_kernelclust._gram._distances import looks_like_distances

SETS = {
    "iris": load_iris().data,
    "wine": load_wine().data,
    "breast cancer": load_breast_cancer().data,
    "blobs": make_blobs(100, 5, centers=4, random_state=0)[0],
}


def without_diagonal(K):
    return K - np.diag(K.diagonal())


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize(
    "metric", ["euclidean", "sqeuclidean", "cityblock", "cosine", "chebyshev"]
)
def test_distances(name, metric):
    D = squareform(pdist(SETS[name], metric))
    assert looks_like_distances(D)
    assert looks_like_distances(D.astype(np.float32) * 1e6)


@pytest.mark.parametrize("name", SETS)
def test_similarities_with_a_zero_diagonal(name):
    X = SETS[name]
    for factor in (0.01, 0.1, 1, 10):
        K = rbf_kernel(X, gamma=factor / (X.shape[1] * X.var()))
        assert not looks_like_distances(without_diagonal(K))
    assert not looks_like_distances(without_diagonal((cosine_similarity(X) + 1) / 2))
    A = kneighbors_graph(X, 10).toarray()
    assert not looks_like_distances(np.maximum(A, A.T))


def test_documents():
    X, _ = documents(200, topical=0.4, k=5)
    C = cosine_similarity(X)
    assert not looks_like_distances(without_diagonal(C))
    assert looks_like_distances(without_diagonal(1 - C))


def test_graphs_that_are_no_distances():
    rng = np.random.default_rng(0)
    weights = rng.random((100, 100))
    assert not looks_like_distances(without_diagonal(weights + weights.T))
    assert not looks_like_distances(1 - np.eye(50))
    assert not looks_like_distances(np.kron([[0, 1], [1, 0]], np.ones((20, 20))))
    assert not looks_like_distances(np.zeros((20, 20)))
    assert not looks_like_distances(-squareform(pdist(SETS["iris"])))
    assert not looks_like_distances(squareform(pdist(SETS["iris"][:9])))


def test_a_tenth_of_the_pairs_may_be_equal():
    x = np.array([0.0, 0, 1, 1, 2, 2, 3, 3, 8, 9, 9])  # 5 pairs of 55
    assert looks_like_distances(squareform(pdist(x[:, None])))
    x[8] = 3 + 1e-9
    assert looks_like_distances(squareform(pdist(x[:, None])))
    x[8] = 3  # 7 pairs
    assert not looks_like_distances(squareform(pdist(x[:, None])))


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("Model", [KernelKMeans, KPDDP, SpectralClustering])
def test_clusterers_warn(Model):
    D = squareform(pdist(SETS["blobs"]))
    with pytest.warns(
        UserWarning, match="of 100 objects has a zero diagonal"
    ) as caught:
        Model(4, kernel="precomputed").fit(D)
    assert sum("zero diagonal" in str(w.message) for w in caught) == 1


def test_a_shifted_kernel_does_not_warn():
    K = PairwiseKernel("rbf", gamma=0.1).fit_transform(SETS["blobs"])
    shifted = DiagonalShift().fit_transform(K)
    assert shifted.diagonal() == pytest.approx(0)
    with warnings.catch_warnings():
        warnings.filterwarnings("error", "The kernel matrix")
        DiagonalShift().fit(shifted)
        KernelKMeans(4, kernel="precomputed", random_state=0).fit(
            PairwiseKernel("additive_chi2").fit_transform(np.abs(SETS["blobs"])) + 99
        )

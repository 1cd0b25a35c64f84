"""The graph of nearest neighbors as a kernel."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.sparse import csr_array
from sklearn.datasets import make_blobs, make_moons
from sklearn.metrics import adjusted_rand_score
from sklearn.neighbors import NearestNeighbors

from sklearn_kernelclust import SpectralClustering
from sklearn_kernelclust._spectral._neighbors import NeighborGraph

X, Y = make_moons(200, noise=0.05, random_state=0)
MODEL = SpectralClustering(2, kernel="nearest_neighbors", random_state=0)


@pytest.mark.parametrize("container", [np.asarray, csr_array])
def test_it_is_the_graph_by_hand(container):
    neighbors = NearestNeighbors(n_neighbors=10).fit(X)
    A = neighbors.kneighbors_graph()
    by_hand = SpectralClustering(2, kernel="precomputed", random_state=0)
    by_hand.fit((A + A.T) / 2)
    model = MODEL.fit(container(X))
    assert_array_equal(model.labels_, by_hand.labels_)
    assert adjusted_rand_score(model.labels_, Y) == 1
    assert_array_equal(model.predict(container(X)), model.labels_)
    new, y_new = make_moons(300, noise=0.05, random_state=1)
    labels = model.predict(container(new))
    assert_array_equal(labels, by_hand.predict(neighbors.kneighbors_graph(new)))
    assert adjusted_rand_score(labels, y_new) > 0.98


@pytest.mark.parametrize("dtype, far", [(np.float64, 1e10), (np.float32, 1e4)])
@pytest.mark.parametrize("n_features", [3, 20])  # by a tree, and by inner products
@pytest.mark.parametrize("container", [np.array, csr_array])
def test_neighbors_far_from_the_origin(container, n_features, dtype, far):
    X = np.random.default_rng(0).integers(0, 50, size=(40, n_features)).astype(dtype)
    new = X[:5] + 1
    expected, graph = (NeighborGraph(container(Y), 4) for Y in (X, X + dtype(far)))
    A = graph.gram().toarray()
    assert A.dtype == dtype
    assert_array_equal(A, expected.gram().toarray())
    assert_array_equal(
        graph.against(container(new + dtype(far))).toarray(),
        expected.against(container(new)).toarray(),
    )


def test_fewer_objects_than_neighbors():
    points, y = make_blobs(8, centers=2, cluster_std=0.1, random_state=0)
    model = SpectralClustering(2, kernel="nearest_neighbors", n_neighbors=3)
    assert adjusted_rand_score(model.fit_predict(points), y) == 1
    graph = NeighborGraph(points, 50)
    assert_array_equal(graph.gram().toarray(), 1 - np.eye(8))
    assert_array_equal(graph.against(points[:2]).toarray(), np.ones((2, 8)))


def test_one_object():
    with pytest.raises(ValueError, match="n_samples=1: a minimum of 2 is required"):
        MODEL.fit(X[:1])


def test_new_objects_are_not_training_objects():
    gram = NeighborGraph(X, 10).against(np.vstack([X[7], X[7] + 0.1]))
    assert gram.training_index.tolist() == [7, -1]


def test_parameters():
    with pytest.raises(ValueError, match="'n_neighbors' parameter"):
        SpectralClustering(2, kernel="nearest_neighbors", n_neighbors=0).fit(X)
    with pytest.raises(ValueError, match=r"kernel_params=.*are for a callable kernel"):
        SpectralClustering(2, kernel="nearest_neighbors", kernel_params={"a": 1}).fit(X)

"""Spectral clustering beside LAPACK, scikit-learn and what it promises."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle

import numpy as np
import pytest
from clusterings import expected_failed_checks, same_partition
from corpora import documents
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import block_diag, csr_array
from sklearn import config_context
from sklearn.base import clone
from sklearn.cluster import SpectralClustering as Peer
from sklearn.datasets import make_blobs, make_circles, make_moons
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors
from sklearn.utils._testing import ignore_warnings
from sklearn.utils.estimator_checks import parametrize_with_checks

from sklearn_kernelclust import (
    DiagonalShift,
    KernelKMeans,
    LocalScalingKernel,
    PairwiseKernel,
    SpectralClustering,
)
from sklearn_kernelclust._gram._base import Gram
from sklearn_kernelclust._gram._factored import FactoredGram
from sklearn_kernelclust._gram._stored import SparseGram
from sklearn_kernelclust.metrics import kernel_inertia

LAPLACIANS = ["random-walk", "symmetric", "unnormalized"]
ASSIGNMENTS = ["kmeans", "discretize", "cluster_qr"]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore:.*objects are isolated")
@pytest.mark.filterwarnings("ignore:The graph has .* connected components")
@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
@pytest.mark.filterwarnings("ignore:X has feature names")
@parametrize_with_checks(
    [
        SpectralClustering(n_init=2),
        SpectralClustering(n_init=2, laplacian="symmetric", assign_labels="cluster_qr"),
        SpectralClustering(
            n_init=2, laplacian="unnormalized", assign_labels="discretize"
        ),
        SpectralClustering(n_init=2, kernel="precomputed"),
    ],
    expected_failed_checks=expected_failed_checks,
)
def test_estimators(estimator, check):
    check(estimator)


@pytest.fixture(params=LAPLACIANS)
def laplacian(request):
    return request.param


@pytest.fixture(params=ASSIGNMENTS)
def assign_labels(request):
    return request.param


def neighbours(X, new=None, n_neighbors=10):
    """Weights 1 among near objects, symmetric unless `new` ones are given."""
    tree = NearestNeighbors(n_neighbors=n_neighbors).fit(X)
    if new is not None:
        return csr_array(tree.kneighbors_graph(new))
    A = csr_array(tree.kneighbors_graph())
    return (A + A.T) / 2


def blobs(n=150, k=3, seed=0, std=1.0):
    return make_blobs(n, 4, centers=k, cluster_std=std, random_state=seed)


def dense_laplacian(A, laplacian):
    A = A - np.diag(A.diagonal())
    d = A.sum(axis=1)
    L = np.diag(d) - A
    if laplacian == "unnormalized":
        return L, np.ones_like(d)
    return L / np.sqrt(np.outer(d, d)), d


def projector(U, mass):
    """On the span of U, in the inner product that `mass` weighs."""
    Q = np.linalg.qr(np.sqrt(mass)[:, None] * U)[0]
    return Q @ Q.T


def test_score_is_the_spread_in_the_embedding(laplacian, assign_labels, seed):
    X, _ = blobs(seed=seed, std=3.0)
    new = X[:50] + 0.5
    model = SpectralClustering(
        3, gamma=0.05, laplacian=laplacian, assign_labels=assign_labels, random_state=0
    ).fit(X)
    means = [model.embedding_[model.labels_ == c].mean(axis=0) for c in range(3)]
    for objects in (X, new):
        gaps = model.transform(objects) - np.array(means)[model.predict(objects)]
        assert model.score(objects) == pytest.approx(-(gaps**2).sum(), rel=1e-9)
    assert model.score(X) == pytest.approx(-model.inertia_, rel=1e-9)


def test_score_counts_isolated_objects():
    A = block_diag([np.ones((3, 3)), np.ones((4, 4)), np.zeros((1, 1))]).toarray()
    model = SpectralClustering(2, kernel="precomputed")
    with pytest.warns(UserWarning, match="1 of 8 objects are isolated"):
        model.fit(A)
    E, labels = model.embedding_, model.labels_
    means = np.array([E[labels == c].mean(axis=0) for c in (0, 1)])
    assert model.inertia_ == pytest.approx(((E - means[labels]) ** 2).sum())
    assert model.score(A) == pytest.approx(-model.inertia_)


# What the eigenvectors are


@pytest.mark.parametrize("n", [60, 300])
def test_eigenvectors_are_those_of_lapack(laplacian, n, seed):
    X, _ = blobs(n, seed=seed, std=3.0)
    A = rbf_kernel(X, gamma=0.05)
    model = SpectralClustering(
        4, kernel="precomputed", laplacian=laplacian, random_state=0
    ).fit(A)
    L, d = dense_laplacian(A, laplacian)
    values, vectors = np.linalg.eigh(L)
    assert_allclose(model.eigenvalues_, values[:4], atol=1e-9 * abs(values).max())
    if laplacian == "symmetric":
        rows = vectors[:, :4] / np.linalg.norm(vectors[:, :4], axis=1, keepdims=True)
        assert_allclose(model.embedding_ @ model.embedding_.T, rows @ rows.T, atol=1e-6)
        assert_allclose(np.linalg.norm(model.embedding_, axis=1), 1)
    else:
        expected = vectors[:, :4] @ vectors[:, :4].T
        assert_allclose(projector(model.embedding_, d), expected, atol=1e-6)
        assert_allclose((d @ model.embedding_**2) / d.sum(), 1)


@given(st.integers(0, 10**6), st.integers(2, 5))
@settings(max_examples=30)
def test_random_walk_is_the_symmetric_one_rescaled(seed, k):
    A = np.random.default_rng(seed).random((20, 20)) ** 3
    A = A + A.T
    fits = [
        SpectralClustering(
            k, kernel="precomputed", laplacian=name, n_init=1, random_state=0
        ).fit(A)
        for name in LAPLACIANS[:2]
    ]
    assert_allclose(fits[0].eigenvalues_, fits[1].eigenvalues_, atol=1e-12)
    assert (fits[0].eigenvalues_ >= -1e-12).all()
    assert (fits[0].eigenvalues_ <= 2).all()
    rows = fits[0].embedding_
    rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    assert_allclose(rows, fits[1].embedding_, atol=1e-9)


@given(st.integers(0, 10**6), st.sampled_from([2.0**-60, 1e-9, 3.0, 1e12]))
@settings(max_examples=30)
def test_scale_of_the_weights_makes_no_difference(seed, c):
    X, _ = blobs(40, seed=seed % 1000, std=2.0)
    A = rbf_kernel(X, gamma=0.1)
    for laplacian in LAPLACIANS:
        model = SpectralClustering(
            3, kernel="precomputed", laplacian=laplacian, random_state=0
        )
        with ignore_warnings(category=UserWarning):
            first, second = model.fit(A), clone(model).fit(c * A)
        assert same_partition(first.labels_, second.labels_)
        factor = c if laplacian == "unnormalized" else 1
        assert_allclose(
            factor * first.eigenvalues_, second.eigenvalues_, atol=1e-9 * factor * 40
        )


def test_the_diagonal_makes_no_difference(laplacian):
    X, _ = blobs(std=2.0)
    A = rbf_kernel(X, gamma=0.1)
    model = SpectralClustering(
        3, kernel="precomputed", laplacian=laplacian, random_state=0
    )
    expected = model.fit(A)
    for diagonal in (0, 100, -1):
        other = A.copy()
        np.fill_diagonal(other, diagonal)
        found = clone(model).fit(other)
        assert_allclose(found.eigenvalues_, expected.eigenvalues_, atol=1e-9)
        assert_array_equal(found.labels_, expected.labels_)
        assert_array_equal(found.predict(other), found.labels_)


# What the clusters are


def shapes(name, noise):
    if name == "moons":
        return make_moons(400, noise=noise, random_state=0)
    return make_circles(400, noise=noise, factor=0.4, random_state=0)


@pytest.mark.parametrize("name", ["moons", "circles"])
@pytest.mark.parametrize("noise, n_neighbors", [(0.05, 10), (0.04, 30)])
def test_moons_and_circles(name, noise, n_neighbors, laplacian, assign_labels):
    X, y = shapes(name, noise)
    A = neighbours(X, n_neighbors=n_neighbors)
    model = SpectralClustering(
        2,
        kernel="precomputed",
        laplacian=laplacian,
        assign_labels=assign_labels,
        random_state=0,
    ).fit(A)
    assert same_partition(model.labels_, y)
    peer = Peer(2, affinity="precomputed", random_state=0)
    with ignore_warnings(category=UserWarning):  # of components
        assert same_partition(model.labels_, peer.fit_predict(A.toarray()))


@pytest.mark.parametrize("assign_labels", ["kmeans", "cluster_qr"])
def test_agrees_with_scikit_learn_where_clusters_overlap(assign_labels, seed):
    X, _ = blobs(300, k=4, seed=seed, std=2.5)
    A = rbf_kernel(X, gamma=0.05)
    model = SpectralClustering(
        4, kernel="precomputed", assign_labels=assign_labels, random_state=0
    )
    peer = Peer(4, affinity="precomputed", assign_labels=assign_labels, random_state=0)
    agreement = adjusted_rand_score(model.fit_predict(A), peer.fit_predict(A))
    assert agreement > 0.98


def test_self_similarity_does_not_drown_the_rest():
    X, y = make_blobs(300, 20, centers=4, cluster_std=3.0, random_state=0)
    A = rbf_kernel(X, gamma=0.02)
    assert A[~np.eye(300, dtype=bool)].mean() < 0.01
    model = SpectralClustering(4, kernel="precomputed", random_state=0)
    assert adjusted_rand_score(model.fit_predict(A), y) > 0.95


@given(st.integers(0, 10**6), st.integers(1, 4))
@settings(max_examples=40)
def test_components_are_the_clusters(seed, k):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(2, 8, k)
    blocks = [rng.random((m, m)) + 0.01 for m in sizes]
    order = rng.permutation(sizes.sum())
    A = block_diag([b + b.T for b in blocks]).toarray()[np.ix_(order, order)]
    y = np.repeat(np.arange(k), sizes)[order]
    for matrix in (A, csr_array(A)):
        for laplacian in LAPLACIANS:
            model = SpectralClustering(k, kernel="precomputed", laplacian=laplacian)
            model.fit(matrix)
            assert same_partition(model.labels_, y)
            assert model.n_connected_components_ == k
            assert_allclose(model.eigenvalues_, 0)
            assert_array_equal(model.predict(matrix), model.labels_)
    zeros = np.linalg.eigvalsh(dense_laplacian(A, "symmetric")[0]) < 1e-9
    assert np.count_nonzero(zeros) == k


def test_fewer_components_than_clusters(laplacian, assign_labels):
    """Equal components: every eigenvalue comes three times."""
    X, _ = blobs(60, k=2, std=0.7)
    block = rbf_kernel(X, gamma=0.05)
    A = block_diag([block] * 3).tocsr()
    model = SpectralClustering(
        6,
        kernel="precomputed",
        laplacian=laplacian,
        assign_labels=assign_labels,
        random_state=0,
    ).fit(A)
    single = SpectralClustering(
        2, kernel="precomputed", laplacian=laplacian, random_state=0
    ).fit(block)
    expected = np.concatenate([single.labels_ + 2 * i for i in range(3)])
    assert same_partition(model.labels_, expected)
    assert_allclose(model.eigenvalues_, np.repeat(single.eigenvalues_, 3), atol=1e-8)
    again = clone(model).fit(A)
    assert_array_equal(again.labels_, model.labels_)
    # The last digit of a product may depend on where in memory its factors are.
    assert_allclose(again.embedding_, model.embedding_, atol=1e-9)


def test_repeated_eigenvalues_are_deterministic(laplacian):
    n = 200
    ring = np.roll(np.eye(n), 1, axis=1)
    A = csr_array(ring + ring.T)
    model = SpectralClustering(
        4, kernel="precomputed", laplacian=laplacian, random_state=0
    )
    labels = model.fit_predict(A)
    for _ in range(3):
        assert_array_equal(clone(model).fit_predict(A), labels)
    assert np.bincount(labels).max() < 3 * np.bincount(labels).min()


# One answer from every kind of input


@pytest.mark.parametrize("kernel", ["rbf", "linear", "cosine", "poly"])
def test_every_path_gives_the_same_answer(kernel, laplacian):
    X, _ = blobs(180, std=1.5)
    X = X - X.min()
    model = SpectralClustering(
        3, kernel=kernel, gamma=0.05, laplacian=laplacian, random_state=0
    )
    lazy = PairwiseKernel(kernel=kernel, gamma=0.05, lazy=True)
    first = model.fit(X)
    K = clone(lazy).set_params(lazy=False).fit_transform(X)
    given = clone(model).set_params(kernel="precomputed")
    models = [clone(model).fit(csr_array(X))]
    models += [clone(given).fit(m) for m in (K, csr_array(K), lazy.fit_transform(X))]
    with config_context(working_memory=0.1):
        models.append(clone(model).fit(X))
    new = X[:50] + 0.01
    inputs = [csr_array(new), *[lazy.transform(new).toarray()] * 2]
    inputs += [lazy.transform(new), new]
    for other, block in zip(models, inputs):
        assert same_partition(other.labels_, first.labels_)
        assert_allclose(other.eigenvalues_, first.eigenvalues_, atol=1e-7, rtol=1e-7)
        found, expected = other.predict(block), first.predict(new)
        assert same_partition(found, expected)


def test_a_sparse_affinity_is_never_dense(monkeypatch):
    n = 6000
    X = np.sort(np.random.default_rng(0).random(n))[:, None]
    X[n // 2 :] += 0.002
    A = neighbours(X, n_neighbors=40)

    def refuse(*args, **kwargs):
        raise AssertionError("made dense")

    monkeypatch.setattr(SparseGram, "_tile", refuse)
    monkeypatch.setattr(Gram, "toarray", refuse)
    model = SpectralClustering(2, kernel="precomputed", random_state=0).fit(A)
    assert len(set(model.labels_[: n // 2])) == 1
    T, y = documents(2000, topical=0.4, k=5)
    monkeypatch.setattr(FactoredGram, "_tile", refuse)
    model = SpectralClustering(5, kernel="cosine", random_state=0).fit(T)
    assert adjusted_rand_score(model.labels_, y) > 0.95
    assert_array_equal(model.predict(T), model.labels_)


def test_float32():
    X, y = blobs()
    model = SpectralClustering(3, gamma=0.05, random_state=0).fit(X.astype(np.float32))
    assert model.embedding_.dtype == np.float32
    assert model.transform(X.astype(np.float32)).dtype == np.float32
    assert same_partition(model.labels_, y)


def test_input_is_left_alone(laplacian):
    A = rbf_kernel(blobs()[0], gamma=0.05)
    before = A.copy()
    SpectralClustering(3, kernel="precomputed", laplacian=laplacian).fit(A)
    assert_array_equal(A, before)


def test_local_scaling_in_front():
    X, y = shapes("circles", 0.05)
    K = LocalScalingKernel(lazy=True).fit_transform(X)
    model = SpectralClustering(2, random_state=0).fit(K)
    assert same_partition(model.labels_, y)


# New objects


@pytest.mark.parametrize("kernel", ["rbf", "cosine", "laplacian"])
@given(seed=st.integers(0, 10**6))
@settings(max_examples=15)
def test_training_objects_get_their_labels_back(kernel, seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, size=(30, 3)) + 0.5
    for laplacian in LAPLACIANS:
        for assign_labels in ASSIGNMENTS:
            model = SpectralClustering(
                3,
                kernel=kernel,
                laplacian=laplacian,
                assign_labels=assign_labels,
                random_state=0,
            )
            with ignore_warnings(category=(UserWarning, ConvergenceWarning)):
                model.fit(X)
            assert_array_equal(model.predict(X), model.labels_)
            assert_allclose(model.transform(X), model.embedding_, atol=1e-7)


@pytest.mark.parametrize("noise, gamma", [(0.05, None), (0.04, None), (0.05, 30.0)])
def test_new_moons_are_where_their_neighbours_are(
    noise, gamma, laplacian, assign_labels
):
    X, _ = make_moons(400, noise=noise, random_state=0)
    new, _ = make_moons(1000, noise=noise, random_state=1)
    model = SpectralClustering(
        2,
        kernel="precomputed" if gamma is None else "rbf",
        gamma=gamma,
        laplacian=laplacian,
        assign_labels=assign_labels,
        random_state=0,
    )
    if gamma is None:
        n_neighbors = 10 if noise > 0.045 else 25
        A = neighbours(X, n_neighbors=n_neighbors)
        block = neighbours(X, new, n_neighbors=n_neighbors)
    else:
        A, block = X, new
    model.fit(A)
    assert_array_equal(model.predict(A), model.labels_)
    near = KNeighborsClassifier(5).fit(X, model.labels_).predict(new)
    assert (model.predict(block) == near).mean() >= 0.99


def test_the_extension_is_continuous(laplacian):
    X, _ = blobs(std=2.0)
    model = SpectralClustering(3, gamma=0.05, laplacian=laplacian, random_state=0).fit(
        X
    )
    for step in (1e-3, 1e-6):
        gap = np.abs(model.transform(X + step) - model.embedding_).max()
        assert gap < 50 * step


@pytest.mark.parametrize("kernel", ["rbf", "cosine"])
def test_objects_beside_training_objects_of_clusters_that_touch(laplacian, kernel):
    # All eigenvalues but the first are near 1: the own similarity is most of what
    # an object has.
    X = np.abs(np.random.default_rng(0).normal(size=(120, 20)))
    model = SpectralClustering(
        5, kernel=kernel, laplacian=laplacian, random_state=0
    ).fit(X)
    beside = X + 1e-9 * np.random.default_rng(1).normal(size=X.shape)
    assert_allclose(model.transform(beside), model.embedding_, atol=1e-4)
    assert_array_equal(model.predict(beside), model.labels_)


def test_as_many_clusters_as_objects_by_all_laplacians(laplacian):
    for n in (2, 3, 5):
        X = np.arange(n, dtype=float)[:, None]
        model = SpectralClustering(n, laplacian=laplacian, random_state=0).fit(X)
        assert_array_equal(np.sort(model.labels_), np.arange(n))
    with pytest.warns(ConvergenceWarning, match="is the last. Nothing in the graph"):
        SpectralClustering(6, laplacian=laplacian).fit(np.ones((6, 2)))


def test_training_rows_of_a_precomputed_kernel_with_an_uneven_diagonal():
    X, _ = blobs(std=2.0)
    K = (X - X.min()) @ (X - X.min()).T
    model = SpectralClustering(3, kernel="precomputed", random_state=0).fit(K)
    assert_array_equal(model.predict(K[::-1])[::-1], model.labels_)
    assert_allclose(model.transform(K[5:9]), model.embedding_[5:9])


def test_new_objects_that_are_similar_to_none():
    X, _ = blobs(k=2)
    model = SpectralClustering(2, random_state=0).fit(X[:100])
    far = np.full((1, 4), 1e6)
    assert model.predict(far) == np.bincount(model.labels_).argmax()
    assert_array_equal(model.transform(far), 0)


def test_fitted_models_pickle():
    X, _ = blobs()
    model = SpectralClustering(3, gamma=0.05, random_state=0).fit(X)
    twin = pickle.loads(pickle.dumps(model))
    assert_array_equal(twin.predict(X + 0.1), model.predict(X + 0.1))


# Graphs that cannot be parted as asked


@pytest.mark.parametrize("wrap", [np.asarray, csr_array])
def test_negative_affinity(wrap):
    A = np.ones((5, 5))
    A[1, 3] = A[3, 1] = -0.25
    with pytest.raises(ValueError, match=r"smallest affinity is -0.25"):
        SpectralClustering(2, kernel="precomputed").fit(wrap(A))


def test_negative_affinity_of_a_lazy_gram():
    X = np.random.default_rng(0).normal(size=(300, 3))
    for kernel in ("linear", "cosine"):
        low = PairwiseKernel(kernel=kernel).fit_transform(X)
        low = low[~np.eye(300, dtype=bool)].min()
        with pytest.raises(ValueError, match=f"smallest affinity is {low:.3g}"):
            SpectralClustering(2, kernel=kernel).fit(X)
        with pytest.raises(ValueError, match=f"smallest affinity is {low:.3g}"):
            SpectralClustering(2, kernel=kernel).fit(csr_array(X))


def test_a_negative_diagonal_is_no_weight():
    K = DiagonalShift(sigma=-2.0).fit_transform(rbf_kernel(blobs()[0], gamma=0.05))
    assert K.min() == -1
    SpectralClustering(3, kernel="precomputed", random_state=0).fit(K)


@pytest.mark.parametrize("A", [np.zeros((6, 6)), np.eye(6), csr_array((6, 6))])
def test_no_edges(A):
    with pytest.raises(ValueError, match="affinity of 6 objects has no edges"):
        SpectralClustering(2, kernel="precomputed").fit(A)
    X = np.arange(6.0)[:, None] * 1e6
    with pytest.raises(ValueError, match="affinity of 6 objects has no edges"):
        SpectralClustering(2).fit(X)


def test_one_object():
    with pytest.raises(ValueError, match="n_samples=1: a minimum of 2 is required"):
        SpectralClustering(1).fit([[1.0, 2.0]])


def test_more_clusters_than_objects():
    with pytest.raises(ValueError, match="n_samples=3 should be >= n_clusters=4"):
        SpectralClustering(4).fit([[1.0], [2.0], [3.0]])


def test_isolated_objects_join_the_largest_cluster(laplacian, assign_labels):
    X, y = blobs(90, k=2, std=1.0)
    X = np.vstack([X, [[1e5] * 4, [-1e5] * 4]])
    K = rbf_kernel(X, gamma=0.05)
    K[:90, :90] += 1e-4  # one component
    model = SpectralClustering(
        2,
        kernel="precomputed",
        laplacian=laplacian,
        assign_labels=assign_labels,
        random_state=0,
    )
    message = r"2 of 92 objects are isolated \(the first is object 90\)"
    for matrix in (K, csr_array(K)):
        with pytest.warns(UserWarning, match=message):
            model.fit(matrix)
        assert same_partition(model.labels_[:90], y)
        largest = np.bincount(model.labels_[:90]).argmax()
        assert_array_equal(model.labels_[90:], largest)
        assert_array_equal(model.degrees_[90:], 0)
        assert np.isfinite(model.embedding_).all()
        assert_array_equal(model.predict(matrix), model.labels_)


def test_zero_rows_of_a_cosine_kernel():
    X = np.abs(blobs(60, k=2)[0]) + [0.0, 0, 0, 1]
    X[7] = 0
    model = SpectralClustering(2, kernel="cosine", random_state=0)
    with pytest.warns(UserWarning, match="1 of 60 objects are isolated"):
        model.fit(csr_array(X))
    assert np.isfinite(model.embedding_).all()
    assert_array_equal(model.predict(X), model.labels_)


def test_too_few_objects_with_edges():
    A = np.zeros((6, 6))
    A[0, 1] = A[1, 0] = 1
    with pytest.raises(ValueError, match="Only 2 of 6 objects have edges, fewer than"):
        SpectralClustering(3, kernel="precomputed").fit(A)


def test_more_components_than_clusters(laplacian, assign_labels):
    A = block_diag([np.ones((m, m)) for m in (2, 5, 3, 7)]).toarray()
    y = np.repeat([0, 1, 2, 3], [2, 5, 3, 7])
    model = SpectralClustering(
        3, kernel="precomputed", laplacian=laplacian, assign_labels=assign_labels
    )
    message = (
        "4 connected components, more than n_clusters=3: the 2 largest are clusters, "
        "and the 2 others, of 2 to 3 objects"
    )
    for matrix in (A, csr_array(A)):
        with pytest.warns(UserWarning, match=message):
            model.fit(matrix)
        assert_array_equal(model.labels_, np.array([0, 1, 0, 2])[y])
        assert model.n_connected_components_ == 4
        assert_array_equal(model.predict(matrix), model.labels_)


def test_no_eigengap():
    for laplacian in LAPLACIANS:
        model = SpectralClustering(3, laplacian=laplacian, random_state=0)
        with pytest.warns(ConvergenceWarning, match="No eigengap: eigenvalue 3"):
            labels = model.fit_predict(np.ones((50, 2)))
        with pytest.warns(ConvergenceWarning, match=r"equal to all 47 that follow"):
            assert_array_equal(clone(model).fit_predict(np.ones((50, 2))), labels)


def test_a_star_has_eigenvalues_of_size_zero(laplacian):
    A = np.zeros((300, 300))
    A[0, 1:] = A[1:, 0] = 1
    model = SpectralClustering(
        2, kernel="precomputed", laplacian=laplacian, random_state=0
    )
    with ignore_warnings(category=ConvergenceWarning):
        model.fit(A)
    assert_allclose(model.eigenvalues_[1], 1, atol=1e-9)


def test_as_many_clusters_as_objects():
    X = np.arange(5.0)[:, None]
    for assign_labels in ASSIGNMENTS:
        model = SpectralClustering(5, assign_labels=assign_labels, random_state=0).fit(
            X
        )
        assert len(set(model.labels_)) == 5
        assert_array_equal(model.predict(X), model.labels_)


def test_asymmetric_and_not_square():
    A = np.ones((4, 4))
    A[0, 1] = 2
    with pytest.raises(ValueError, match=r"symmetric: K\[0, 1\] and K\[1, 0\]"):
        SpectralClustering(2, kernel="precomputed").fit(A)
    with pytest.raises(ValueError, match=r"must be square, got \(3, 4\)"):
        SpectralClustering(2, kernel="precomputed").fit(np.ones((3, 4)))


# The normalised cut


def normalized_cut(A, labels):
    A = A - np.diag(A.diagonal())
    d = A.sum(axis=1)
    inside = [labels == c for c in np.unique(labels)]
    return sum(A[i][:, ~i].sum() / d[i].sum() for i in inside)


@pytest.mark.parametrize("sigma", [0.0, 1.0, 2.5])
def test_normalised_cut_is_an_objective_of_weighted_kernel_kmeans(sigma, seed):
    X, _ = blobs(60, seed=seed, std=3.0)
    A = rbf_kernel(X, gamma=0.05)
    np.fill_diagonal(A, 0)
    d = A.sum(axis=1)
    K = A / np.outer(d, d) + sigma * np.diag(1 / d)
    rng = np.random.default_rng(seed)
    for k in (2, 3, 5):
        labels = rng.permutation(np.arange(60) % k)
        # Of all n objects but one a cluster, each has its sigma; see doc/spectral.rst.
        expected = normalized_cut(A, labels) + sigma * (60 - k) - k
        assert_allclose(kernel_inertia(K, labels, d), expected)


def test_kernel_kmeans_refines_the_normalised_cut(seed):
    X, _ = blobs(200, k=4, seed=seed, std=4.0)
    A = rbf_kernel(X, gamma=0.05)
    np.fill_diagonal(A, 0)
    d = A.sum(axis=1)
    start = SpectralClustering(
        4, kernel="precomputed", assign_labels="cluster_qr", random_state=0
    ).fit(A)
    K = A / np.outer(d, d) + np.diag(1 / d)
    model = KernelKMeans(
        4, kernel="precomputed", algorithm="hartigan", init=start.labels_
    ).fit(K, sample_weight=d)
    before, after = (normalized_cut(A, m.labels_) for m in (start, model))
    assert after <= before + 1e-12
    assert_allclose(model.inertia_, after + 200 - 2 * 4)
    assert after >= start.eigenvalues_.sum() - 1e-9
    random = min(
        normalized_cut(
            A,
            KernelKMeans(
                4, kernel="precomputed", init="random", n_init=1, random_state=i
            )
            .fit(K + 2 * np.diag(1 / d), sample_weight=d)
            .labels_,
        )
        for i in range(3)
    )
    assert after <= random + 1e-9


@pytest.mark.parametrize("n, k", [(160, 32), (200, 40), (300, 10), (120, 6)])
def test_equal_blocks_are_the_clusters(n, k):
    """Eigenvalues repeat k - 1 times, and all copies are needed."""
    y = np.arange(n) % k
    K = np.where(y[:, None] == y, 0.9, 0.1)
    np.fill_diagonal(K, 1)
    model = SpectralClustering(k, kernel="precomputed", random_state=0).fit(K)
    assert adjusted_rand_score(y, model.labels_) == 1
    expected = np.linalg.eigvalsh(laplacian_of(K))[:k]
    assert_allclose(model.eigenvalues_, expected, atol=1e-8)


def laplacian_of(K):
    """The symmetric one, of a graph with equal degrees."""
    A = K - np.diag(np.diag(K))
    return np.eye(len(A)) - A / A.sum(axis=0)


@pytest.mark.parametrize("n", [3, 10, 50, 200])
def test_equal_objects_have_all_eigenvectors(n):
    model = SpectralClustering(2, random_state=0)
    with pytest.warns(ConvergenceWarning, match="No eigengap"):
        model.fit(np.ones((n, 2)))
    assert model.embedding_.shape == (n, 2)
    assert_allclose(model.eigenvalues_, [0, n / (n - 1)], atol=1e-8)


@pytest.mark.parametrize("laplacian", ["random-walk", "symmetric", "unnormalized"])
def test_two_objects_are_two_clusters(laplacian):
    model = SpectralClustering(2, laplacian=laplacian, random_state=0)
    assert sorted(model.fit([[0.0], [1.0]]).labels_) == [0, 1]


@pytest.mark.filterwarnings("ignore:The kernel.*is nearly the identity")
@pytest.mark.filterwarnings("ignore:.*objects are isolated")
@pytest.mark.parametrize("laplacian", ["random-walk", "symmetric", "unnormalized"])
@pytest.mark.parametrize("lazy", [False, True])
def test_weights_far_below_the_self_similarity(laplacian, lazy):
    """Sums of a kernel that is nearly the identity have the rounding of its ones."""
    X, _ = make_blobs(150, 20, centers=3, cluster_std=5.0, random_state=0)
    kernel = PairwiseKernel("rbf", gamma=0.05, lazy=lazy).fit(X).transform(X)
    model = SpectralClustering(3, kernel="precomputed", laplacian=laplacian)
    labels = model.set_params(random_state=0).fit_predict(kernel)
    K = np.array(PairwiseKernel("rbf", gamma=0.05).fit_transform(X))
    np.fill_diagonal(K, 0)
    kept = model.degrees_ > 0
    degree = K.sum(axis=1)[kept]
    assert_allclose(model.degrees_[kept], degree, rtol=1e-10)
    assert degree.min() < 1e-10
    scale = 1 / np.sqrt(degree) if laplacian != "unnormalized" else np.ones(len(degree))
    L = np.diag(scale**2 * degree) - scale[:, None] * K[np.ix_(kept, kept)] * scale
    size = np.linalg.eigvalsh(L)[-1]
    expected = np.linalg.eigvalsh(L)[:3]
    assert_allclose(model.eigenvalues_, expected, atol=1e-9 * size)
    assert_array_equal(model.predict(kernel), labels)


@pytest.mark.parametrize("laplacian", ["random-walk", "symmetric", "unnormalized"])
def test_weights_far_below_self_similarities_that_vary(laplacian):
    rng, y = np.random.RandomState(0), np.repeat([0, 1, 2], 40)
    W = np.where(y[:, None] == y, 1e-12, 1e-14) * rng.uniform(0.5, 1, (120, 120))
    W = W + W.T + np.diag(1 + rng.uniform(size=120))
    model = SpectralClustering(3, kernel="precomputed", laplacian=laplacian)
    with ignore_warnings(category=UserWarning):
        labels = model.set_params(random_state=0).fit_predict(W)
    assert adjusted_rand_score(y, labels) == 1
    assert_allclose(model.degrees_, (W - np.diag(W.diagonal())).sum(axis=1))

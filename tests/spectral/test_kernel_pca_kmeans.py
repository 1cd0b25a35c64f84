"""K-means on kernel components beside LAPACK, scikit-learn and kernel k-means."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings

import numpy as np
import pytest
from clusterings import expected_failed_checks, run_check, same_partition
from corpora import documents
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from samples import like_negative_identity
from scipy.sparse import csr_array
from sklearn import config_context
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.decomposition import KernelPCA
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.utils._testing import ignore_warnings
from sklearn.utils.estimator_checks import parametrize_with_checks

from sklearn_kernelclust import (
    KernelKMeans,
    KernelPCAKMeans,
    PairwiseKernel,
    PowerMeanNormalizer,
)
from sklearn_kernelclust._gram._base import Gram
from sklearn_kernelclust._gram._factored import FactoredGram
from sklearn_kernelclust.metrics import kernel_inertia


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore:The kernel of .* positive eigenvalues")
@pytest.mark.filterwarnings("ignore:All .* objects are the same")
@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
@pytest.mark.filterwarnings("ignore:X has feature names")
@parametrize_with_checks(
    [
        KernelPCAKMeans(n_init=2),
        KernelPCAKMeans(n_init=2, kernel="linear", center=False),
        KernelPCAKMeans(n_init=2, kernel="precomputed"),
    ],
    expected_failed_checks=expected_failed_checks,
)
def test_estimators(estimator, check):
    run_check(estimator, check)


def blobs(n=200, k=4, seed=0, std=2.0):
    return make_blobs(n, 5, centers=k, cluster_std=std, random_state=seed)


@pytest.mark.parametrize("n", [60, 300])
def test_components_are_those_of_scikit_learn(n, seed):
    X, _ = blobs(n, seed=seed)
    model = KernelPCAKMeans(4, gamma=0.05, random_state=0).fit(X)
    peer = KernelPCA(3, kernel="rbf", gamma=0.05, eigen_solver="dense").fit(X)
    assert_allclose(model.eigenvalues_, peer.eigenvalues_, rtol=1e-9)
    new = X[:40] + 0.3
    for mine, other in (
        (model.embedding_, peer.transform(X)),
        (model.transform(new), peer.transform(new)),
    ):
        assert_allclose(mine @ mine.T, other @ other.T, atol=1e-6)
    assert model.n_components_ == 3


@pytest.mark.parametrize("center", [True, False])
def test_score_is_the_spread_on_the_components(center, seed):
    X, _ = blobs(seed=seed)
    model = KernelPCAKMeans(4, gamma=0.05, center=center, random_state=0).fit(X)
    for objects in (X, X[:50] + 0.5):
        means = model.cluster_centers_[model.predict(objects)]
        expected = -((model.transform(objects) - means) ** 2).sum()
        assert model.score(objects) == pytest.approx(expected, rel=1e-9)
    assert model.score(X) == pytest.approx(-model.inertia_, rel=1e-9)


def test_without_centring(seed):
    X, _ = blobs(seed=seed)
    K = rbf_kernel(X, gamma=0.05)
    model = KernelPCAKMeans(4, gamma=0.05, center=False, random_state=0).fit(X)
    values, vectors = np.linalg.eigh(K)
    assert_allclose(model.eigenvalues_, values[::-1][:3], rtol=1e-9)
    expected = (vectors[:, ::-1][:, :3] * values[::-1][:3]) @ vectors[:, ::-1][:, :3].T
    assert_allclose(model.embedding_ @ model.embedding_.T, expected, atol=1e-6)


@given(st.integers(0, 10**6))
@settings(max_examples=25)
def test_all_components_give_the_objective_of_kernel_kmeans(seed):
    X = np.random.default_rng(seed).normal(size=(25, 3))
    K = rbf_kernel(X, gamma=0.2)
    for center in (True, False):
        model = KernelPCAKMeans(
            3,
            kernel="precomputed",
            n_components=25,
            center=center,
            n_init=2,
            random_state=0,
        )
        with ignore_warnings(category=UserWarning):
            model.fit(K)
        assert_allclose(model.inertia_, kernel_inertia(K, model.labels_), rtol=1e-6)
        assert_array_equal(model.predict(K), model.labels_)
    refined = KernelKMeans(3, kernel="precomputed", init=model.labels_).fit(K)
    assert refined.inertia_ <= model.inertia_ * (1 + 1e-6)


@pytest.mark.parametrize("center", [True, False])
@pytest.mark.parametrize("kernel", ["rbf", "linear", "cosine", "poly"])
def test_every_path_gives_the_same_answer(kernel, center):
    X, _ = blobs(180)
    model = KernelPCAKMeans(4, kernel=kernel, gamma=0.05, center=center, random_state=0)
    lazy = PairwiseKernel(kernel=kernel, gamma=0.05, lazy=True)
    first = model.fit(X)
    K = clone(lazy).set_params(lazy=False).fit_transform(X)
    given = clone(model).set_params(kernel="precomputed")
    models = [clone(model).fit(csr_array(X))]
    models += [clone(given).fit(m) for m in (K, csr_array(K), lazy.fit_transform(X))]
    with config_context(working_memory=0.1):
        models.append(clone(model).fit(X))
    new = X[:50] + 0.01
    block = lazy.transform(new)
    inputs = [csr_array(new), block.toarray(), block.toarray(), block, new]
    expected = first.transform(new)
    for other, rows in zip(models, inputs):
        assert same_partition(other.labels_, first.labels_)
        assert_allclose(other.eigenvalues_, first.eigenvalues_, rtol=1e-7)
        found = other.transform(rows)
        scale = np.abs(expected @ expected.T).max()
        assert_allclose(found @ found.T, expected @ expected.T, atol=1e-5 * scale)
        assert same_partition(other.predict(rows), first.predict(new))


@given(st.integers(0, 10**6))
@settings(max_examples=30)
def test_training_objects_get_their_labels_back(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, size=(25, 2))
    for kernel in ("linear", "rbf"):
        model = KernelPCAKMeans(4, kernel=kernel, n_init=2, random_state=0)
        with ignore_warnings(category=(UserWarning, ConvergenceWarning)):
            model.fit(X)
        assert_array_equal(model.predict(X), model.labels_)
        assert_array_equal(model.predict(X[::-1])[::-1], model.labels_)
        assert_allclose(model.transform(X), model.embedding_, atol=1e-9)


def test_no_square_matrix_of_sparse_text(monkeypatch):
    def refuse(*args, **kwargs):
        raise AssertionError("made dense")

    X, y = documents(2000, topical=0.4, k=5)
    monkeypatch.setattr(Gram, "toarray", refuse)
    monkeypatch.setattr(FactoredGram, "_tile", refuse)
    model = KernelPCAKMeans(5, kernel="cosine", random_state=0).fit(X)
    assert adjusted_rand_score(model.labels_, y) > 0.95
    assert_array_equal(model.predict(X), model.labels_)


def test_chunks_are_not_stored(monkeypatch):
    toarray = Gram.toarray

    def only_of_samples(gram):
        assert gram.shape[0] < 100, "made dense"
        return toarray(gram)

    X, y = blobs(600, std=1.0)
    monkeypatch.setattr(Gram, "toarray", only_of_samples)
    with config_context(working_memory=0.1):
        model = KernelPCAKMeans(4, gamma=0.05, random_state=0).fit(X)
    assert same_partition(model.labels_, y)


def test_same_seed_same_labels_on_repeated_eigenvalues():
    K = np.kron(np.eye(4), np.ones((50, 50)))
    model = KernelPCAKMeans(4, kernel="precomputed", random_state=0)
    labels = model.fit_predict(K)
    assert same_partition(labels, np.repeat(np.arange(4), 50))
    for _ in range(3):
        assert_array_equal(clone(model).fit_predict(K), labels)


def test_normalised_kernel_in_front():
    X, y = blobs(std=1.0)
    K = PowerMeanNormalizer(t=1.0, kernel="rbf", gamma=0.05, lazy=True).fit_transform(X)
    assert same_partition(KernelPCAKMeans(4, random_state=0).fit_predict(K), y)


def test_far_from_the_origin():
    X, _ = blobs(std=1.0)
    model = KernelPCAKMeans(4, kernel="linear", random_state=0)
    near, far = model.fit(X), clone(model).fit(X + 1e7)
    assert same_partition(near.labels_, far.labels_)
    assert_allclose(near.eigenvalues_, far.eigenvalues_, rtol=1e-6)


# Kernels that have fewer components than wanted


def test_more_components_than_the_rank():
    X = blobs()[0][:, :2]
    model = KernelPCAKMeans(4, kernel="linear", n_components=10, random_state=0)
    with pytest.warns(UserWarning, match="200 objects has 2 positive.*leading 10"):
        model.fit(X)
    assert model.n_components_ == 2
    assert model.embedding_.shape == (200, 2)
    assert model.get_feature_names_out().shape == (2,)


def test_all_components():
    X = np.random.default_rng(0).normal(size=(12, 3))
    model = KernelPCAKMeans(3, n_components=12, center=False, random_state=0).fit(X)
    assert model.n_components_ == 12


def test_indefinite_kernel():
    rng = np.random.default_rng(0)
    Q = np.linalg.qr(rng.normal(size=(200, 200)))[0]
    values = np.r_[9.0, 5.0, -50 * np.ones(198)]
    K = (Q * values) @ Q.T
    K = (K + K.T) / 2
    model = KernelPCAKMeans(5, kernel="precomputed", center=False, random_state=0)
    with pytest.warns(UserWarning, match="2 positive eigenvalues among its leading 4"):
        model.fit(K)
    assert_allclose(model.eigenvalues_, [9, 5])
    assert np.isfinite(model.embedding_).all()
    assert_array_equal(model.predict(K), model.labels_)


@pytest.mark.parametrize("center", [True, False])
def test_no_positive_eigenvalue(center):
    K = -np.diag(np.arange(1.0, 31.0)) - 0.1
    model = KernelPCAKMeans(3, kernel="precomputed", center=center)
    largest = "0|-?[0-9.]+e-[0-9]+" if center else "-1.0[0-9]*"
    with pytest.raises(ValueError, match=rf"eigenvalue \(its largest is ({largest})"):
        model.fit(K)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("weighted", [False, True])
def test_mean_is_no_component(seed, weighted):
    """Only the mean, which centring takes away, has no negative eigenvalue."""
    K, weight = like_negative_identity(seed, weighted)
    with pytest.raises(ValueError, match="no positive eigenvalue"):
        KernelPCAKMeans(4, kernel="precomputed").fit(K, sample_weight=weight)


def test_constant_features():
    model = KernelPCAKMeans(3, random_state=0)
    with (
        pytest.warns(UserWarning, match="All 20 objects are the same"),
        pytest.warns(ConvergenceWarning, match="distinct clusters"),
    ):
        model.fit(np.ones((20, 2)))
    assert_array_equal(model.labels_, 0)
    assert_array_equal(model.embedding_, np.zeros((20, 1)))
    assert model.inertia_ == 0
    assert_array_equal(model.predict(np.ones((3, 2))), 0)


def test_one_object():
    model = KernelPCAKMeans(1).fit([[1.0, 2.0]])
    assert_array_equal(model.labels_, [0])
    assert model.inertia_ == 0


def test_more_clusters_than_objects():
    with pytest.raises(ValueError, match="n_samples=3 should be >= n_clusters=4"):
        KernelPCAKMeans(4).fit([[1.0], [2.0], [3.0]])


@pytest.mark.parametrize("n", [3, 17, 40, 48, 60, 300])
@pytest.mark.parametrize(
    "params",
    [{"kernel": "rbf"}, {"kernel": "poly"}, {"kernel": "sigmoid"}, {"gamma": 0}],
    ids=str,
)
def test_constant_features_are_one_cluster(n, params):
    model = KernelPCAKMeans(3, n_init=1, random_state=0, **params)
    for X in (np.ones((n, 2)), np.full((n, 3), 0.1)):
        with warnings.catch_warnings(record=True) as record:
            warnings.simplefilter("always")
            model.fit(X)
        messages = " ".join(str(warning.message) for warning in record)
        assert f"All {n} objects are the same" in messages
        assert_array_equal(model.labels_, 0)


@pytest.mark.filterwarnings("ignore:The kernel matrix is nearly the identity")
@pytest.mark.parametrize("n", [3, 8, 60, 63, 150])
def test_all_components_that_are_asked_for(n):
    """Of the identity any will do, but as many as are asked for."""
    for k in (2, 3, min(n, 8)):
        model = KernelPCAKMeans(k, kernel="precomputed", n_init=1, random_state=0)
        model.fit(np.eye(n))
        assert model.n_components_ == k - 1
        assert_allclose(model.eigenvalues_, 1)

"""KernelKMeans as its users see it."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle
from functools import partial

import numpy as np
import pytest
from clusterings import binary_and_blobs, labels_by_storage
from corpora import documents
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from references import best_single_move
from scipy.sparse import coo_array, csc_array, csr_array, csr_matrix
from sklearn import clone, config_context
from sklearn.datasets import make_blobs
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics import normalized_mutual_info_score as nmi
from sklearn.metrics.pairwise import pairwise_kernels, rbf_kernel
from sklearn.utils.estimator_checks import ignore_warnings

from sklearn_kernelclust import DiagonalShift, KernelKMeans, PairwiseKernel
from sklearn_kernelclust.metrics import dominance_ratio, kernel_inertia

ALGORITHMS = ["lloyd", "split-merge", "hartigan"]


@pytest.fixture
def blobs(seed):
    return make_blobs(150, 4, centers=5, cluster_std=2.5, random_state=seed)


@pytest.fixture(params=ALGORITHMS)
def algorithm(request):
    return request.param


# One result, whatever the storage


@pytest.mark.parametrize(
    "kernel",
    ["linear", "cosine", "rbf"]
    + [pytest.param(k, marks=pytest.mark.slow) for k in ("poly", "laplacian")],
)
@pytest.mark.filterwarnings("ignore:.*rows of zeros")
def test_storage_does_not_matter(kernel, algorithm, blobs):
    X = np.abs(blobs[0]) * (np.abs(blobs[0]) > 2)
    start = np.arange(len(X)) % 5
    params = {"kernel": kernel, "gamma": None, "algorithm": algorithm, "init": start}
    first = KernelKMeans(5, **params).fit(X)
    params["kernel"] = "precomputed"
    K = pairwise_kernels(X, metric=kernel)
    given_kernel = KernelKMeans(5, **params)
    lazy = PairwiseKernel(kernel, gamma=None, lazy=True).fit(X)
    models = [KernelKMeans(5, **{**params, "kernel": kernel}).fit(csr_array(X))]
    with config_context(working_memory=0.01):
        models.append(KernelKMeans(5, **{**params, "kernel": kernel}).fit(X))
    models += [
        clone(given_kernel).fit(K),
        clone(given_kernel).fit(np.asfortranarray(K)),
        clone(given_kernel).fit(csr_array(K)),
        clone(given_kernel).fit(lazy.fit_transform(X)),
    ]
    inputs = [csr_array(X), X, K, K, csr_array(K), lazy.transform(X)]
    for model, new in zip(models, inputs):
        assert_array_equal(model.labels_, first.labels_)
        assert_array_equal(model.n_reassignments_, first.n_reassignments_)
        assert_allclose(model.inertia_, first.inertia_)
        assert_array_equal(
            model.predict(new[:40] if new is not inputs[-1] else new)[:40],
            first.labels_[:40],
        )
        assert_allclose(model.transform(new), first.transform(X), atol=1e-6)
        assert_allclose(model.score(new), first.score(X))


@pytest.mark.parametrize(
    "container", [csc_array, coo_array, csr_matrix, np.asfortranarray, list]
)
def test_containers(container, blobs):
    X = blobs[0]
    model = KernelKMeans(5, kernel="linear", random_state=0)
    expected = model.fit_predict(X)
    assert_array_equal(model.fit_predict(container(X)), expected)


def test_seeds_give_the_same_starts_on_every_path(blobs):
    X = blobs[0]
    model = KernelKMeans(5, random_state=3, gamma=0.1)
    K = rbf_kernel(X, gamma=0.1)
    expected = model.fit(X).labels_
    assert_array_equal(
        clone(model).set_params(kernel="precomputed").fit(K).labels_, expected
    )
    with config_context(working_memory=0.01):
        assert_array_equal(clone(model).fit(X).labels_, expected)


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_ties_of_seeds_are_the_same_on_every_path(kernel, algorithm, first_seed):
    model = KernelKMeans(5, algorithm=algorithm, n_init=3, random_state=first_seed)
    for X in binary_and_blobs(first_seed):
        with ignore_warnings(category=ConvergenceWarning):
            (_, expected), *others = labels_by_storage(model, X, kernel)
        for storage, labels in others:
            assert_array_equal(labels, expected, err_msg=storage)


def test_more_starts_are_never_worse(blobs):
    X = blobs[0]
    fits = [
        KernelKMeans(5, init="random", n_init=n, random_state=0).fit(X)
        for n in (1, 3, 9)
    ]
    assert fits[0].inertia_ >= fits[1].inertia_ >= fits[2].inertia_


def test_starts_in_batches_are_the_same(blobs, monkeypatch):
    X = blobs[0]
    model = KernelKMeans(5, random_state=0)
    expected = model.fit(X).labels_
    monkeypatch.setattr("sklearn_kernelclust._kmeans._solve.SUMS_BYTES", 1)
    assert_array_equal(model.fit(X).labels_, expected)


# What the numbers are


def test_predict_of_the_training_objects(algorithm, blobs):
    for kernel in ("linear", "rbf", "cosine"):
        model = KernelKMeans(7, kernel=kernel, algorithm=algorithm, random_state=0)
        with ignore_warnings(category=ConvergenceWarning):
            model.fit(blobs[0])
        assert_array_equal(model.predict(blobs[0]), model.labels_)


@given(st.integers(0, 10**6))
@settings(max_examples=60)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_predict_of_tied_objects(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, size=(20, 2))
    k = int(rng.integers(2, 6))
    model = KernelKMeans(k, kernel="linear", init="random", n_init=1, random_state=seed)
    model.fit(X)
    assert_array_equal(model.predict(X), model.labels_)
    assert_array_equal(model.predict(X[::-1])[::-1], model.labels_)
    assert (
        model.labels_.max() + 1 == len(np.unique(X, axis=0))
        or model.labels_.max() == k - 1
    )


def test_inertia_score_and_transform_agree(algorithm, blobs):
    X = blobs[0]
    weight = np.random.default_rng(0).random(len(X))
    model = KernelKMeans(5, algorithm=algorithm, random_state=0, gamma=0.05)
    with ignore_warnings(category=ConvergenceWarning):
        model.fit(X, sample_weight=weight)
    K = rbf_kernel(X, gamma=0.05)
    assert_allclose(model.inertia_, kernel_inertia(K, model.labels_, weight))
    distances = model.transform(X)
    assert distances.shape == (150, 5)
    if model.converged_:
        assert_array_equal(distances.argmin(axis=1), model.labels_)
        assert_allclose((weight * distances.min(axis=1) ** 2).sum(), model.inertia_)
        assert_allclose(model.score(X, sample_weight=weight), -model.inertia_)


def test_transform_is_the_distance_to_explicit_means(blobs):
    X, new = blobs[0], blobs[0][:20] + 0.5
    model = KernelKMeans(5, kernel="linear", random_state=0).fit(X)
    centers = np.array([X[model.labels_ == c].mean(axis=0) for c in range(5)])
    exact = np.linalg.norm(new[:, None] - centers, axis=2)
    assert_allclose(model.transform(new), exact)
    assert_array_equal(model.predict(new), exact.argmin(axis=1))
    twin = KernelKMeans(5, kernel="precomputed", init=model.labels_).fit(X @ X.T)
    assert_allclose(twin.transform(X @ X.T), model.transform(X), atol=1e-6)
    ordered = np.argsort(twin.transform(new @ X.T), axis=1)
    assert_array_equal(ordered, np.argsort(exact, axis=1))


def test_non_linear_clusters():
    """Inside and outside: means on the line cannot part them, squares can."""
    x = np.random.default_rng(0).normal(size=200)
    inside = np.arange(200) < 100
    X = np.where(inside, 0.3 * x, np.sign(x) * (4 + 0.3 * abs(x)))[:, None]
    model = KernelKMeans(2, random_state=0)
    linear = model.set_params(kernel="linear").fit_predict(X)
    square = {"kernel": "poly", "degree": 2, "coef0": 0.0}
    assert adjusted_rand_score(inside, linear) < 0.5
    assert adjusted_rand_score(inside, model.set_params(**square).fit_predict(X)) == 1


def test_weights_are_copies(algorithm, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 3))
    weight = rng.integers(0, 4, 40)
    copies = np.repeat(np.arange(40), weight)
    labels = np.arange(40) % 4
    model = KernelKMeans(4, gamma=0.3, algorithm=algorithm, init=labels)
    with ignore_warnings(category=(ConvergenceWarning, UserWarning)):
        model.fit(X, sample_weight=weight)
        twin = clone(model).set_params(init=labels[copies]).fit(X[copies])
    if algorithm == "lloyd":  # the others treat a copy as an object of its own
        assert_array_equal(twin.labels_, model.labels_[copies])
        assert_allclose(twin.inertia_, model.inertia_)
    K = rbf_kernel(X[copies], gamma=0.3)
    assert_allclose(model.inertia_, kernel_inertia(K, model.labels_[copies]))


@pytest.mark.parametrize("factor", [2.0**40, 2.0**-40, 1e10, 1e-10])
def test_scale_does_not_matter(factor, algorithm, blobs):
    X = blobs[0]
    model = KernelKMeans(5, kernel="linear", algorithm=algorithm, random_state=0)
    with ignore_warnings(category=ConvergenceWarning):
        expected = model.fit(X).labels_
        assert_array_equal(model.fit(factor * X).labels_, expected)


def test_float32_is_kept(blobs):
    X = blobs[0].astype(np.float32)
    model = KernelKMeans(5, random_state=0).fit(X)
    assert model.transform(X).dtype == np.float32
    assert model.X_fit_.dtype == np.float32
    wide = KernelKMeans(5, random_state=0).fit(X.astype(np.float64))
    assert_array_equal(wide.labels_, model.labels_)
    assert_array_equal(wide.predict(X), model.labels_)
    assert_array_equal(model.predict(X.astype(np.float64)), model.labels_)


def test_far_from_the_origin(blobs):
    """The linear kernel would lose all digits."""
    X = blobs[0]
    model = KernelKMeans(5, kernel="linear", random_state=0)
    expected = model.fit(X)
    labels, inertia = expected.labels_, expected.inertia_
    moved = model.fit(X + 1e7)
    assert_array_equal(moved.labels_, labels)
    assert_allclose(moved.inertia_, inertia, rtol=1e-6)
    assert_array_equal(moved.predict(X + 1e7), labels)


def test_fitted_models_pickle(blobs):
    X = blobs[0]
    for kernel in ("rbf", "linear", "precomputed"):
        data = X @ X.T if kernel == "precomputed" else X
        model = KernelKMeans(5, kernel=kernel, random_state=0).fit(data)
        again = pickle.loads(pickle.dumps(model))
        assert_array_equal(again.predict(data), model.labels_)


def test_nothing_is_fitted_after_an_interrupt(blobs, monkeypatch):
    model = KernelKMeans(5, random_state=0)

    def interrupt(*args, **kwargs):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("sklearn_kernelclust._kmeans._kernel_kmeans.solve", interrupt)
        with pytest.raises(KeyboardInterrupt):
            model.fit(blobs[0])
    with pytest.raises(NotFittedError):
        model.predict(blobs[0])
    old = model.fit(blobs[0]).labels_
    with monkeypatch.context() as patch:
        patch.setattr("sklearn_kernelclust._kmeans._kernel_kmeans.solve", interrupt)
        with pytest.raises(KeyboardInterrupt):
            model.fit(blobs[0][:50, :2])
    assert model.labels_ is old


def test_dense_and_sparse_may_be_mixed(blobs):
    X = blobs[0] + 50
    for kernel in ("linear", "rbf", "cosine"):
        model = KernelKMeans(5, kernel=kernel, random_state=0).fit(X)
        assert_array_equal(model.predict(csr_array(X)), model.labels_)
        assert_allclose(model.score(csr_array(X)), model.score(X), rtol=1e-6)
        model = KernelKMeans(5, kernel=kernel, random_state=0).fit(csr_array(X))
        assert_array_equal(model.predict(X), model.labels_)


def test_an_outlier_does_not_hide_the_clusters(blobs):
    X, y = make_blobs(120, 3, centers=3, cluster_std=0.1, random_state=0)
    X = np.vstack([X, np.full((1, 3), 1e8)])
    model = KernelKMeans(4, kernel="linear", random_state=0).fit(X)
    assert adjusted_rand_score(y, model.labels_[:-1]) == 1
    K = X @ X.T
    given_kernel = KernelKMeans(2, kernel="precomputed", random_state=0).fit(K)
    assert_array_equal(given_kernel.predict(K), given_kernel.labels_)


def test_clusters_that_are_small_beside_their_similarity():
    """Squared distances of 1 in a kernel with entries of 1e10."""
    X, y = make_blobs(60, 2, centers=[[0, 0], [1, 0], [0, 1]], cluster_std=0.1)
    X = X + 1e5
    model = KernelKMeans(3, kernel="precomputed", random_state=0).fit(X @ X.T)
    assert adjusted_rand_score(y, model.labels_) == 1
    assert_array_equal(model.predict(X @ X.T), model.labels_)


@pytest.mark.parametrize("factor", [1e-170, 1e-50, 1e50, 1e170])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_the_scale_of_weights_does_not_matter(factor, dtype, blobs):
    X = blobs[0].astype(dtype)
    weight = np.random.default_rng(0).random(len(X))
    model = KernelKMeans(5, random_state=0, gamma=0.1)
    expected = model.fit(X, sample_weight=weight)
    labels, inertia = expected.labels_, expected.inertia_
    found = model.fit(X, sample_weight=weight * factor)
    assert_array_equal(found.labels_, labels)
    assert_allclose(found.inertia_, inertia * factor, rtol=1e-5)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_no_cluster_without_weight(algorithm):
    for s in range(40):
        rng = np.random.default_rng(s)
        A = rng.random((15, 8))
        K = A @ A.T
        K -= np.eye(15) * np.trace(K) / 15
        weight = rng.integers(0, 3, 15).astype(float)
        weight[0] = 1
        model = KernelKMeans(
            5, kernel="precomputed", algorithm=algorithm, init="random", n_init=1
        )
        model.set_params(random_state=s).fit(K, sample_weight=weight)
        assert np.isfinite(model.center_norms_).all()
        assert np.isfinite(model.transform(K)).all()


def test_a_gram_and_an_array_may_be_mixed(blobs):
    X = blobs[0]
    gram = PairwiseKernel("linear", lazy=True).fit_transform(X)
    model = KernelKMeans(5, random_state=0).fit(gram)
    assert_array_equal(model.predict(X @ X.T), model.labels_)
    assert model.transform(X @ X.T).shape == (150, 5)
    with pytest.raises(ValueError, match=r"X has 4 features, but .* expecting 150"):
        model.predict(PairwiseKernel("linear", lazy=True).fit_transform(X[:4]))


def test_distances_that_overflow():
    X = np.random.default_rng(0).normal(size=(20, 2)) * 1e200
    with pytest.raises(ValueError, match=r"Squared distances overflowed.*Rescale"):
        KernelKMeans(2, gamma=None).fit(X)
    with pytest.raises(ValueError, match="the variance of X overflowed"):
        KernelKMeans(2).fit(X)
    K = np.full((20, 20), 1e308)
    message = r"objective of kernel k-means is .*Rescale"
    with pytest.raises(ValueError, match=message), np.errstate(all="ignore"):
        KernelKMeans(2, kernel="precomputed", n_init=1).fit(K)


@pytest.mark.parametrize("factor", [1e200, 1e-200])
def test_cosine_of_any_length(factor, blobs):
    X = blobs[0]
    model = KernelKMeans(5, kernel="cosine", random_state=0)
    expected = model.fit(X).labels_
    assert_array_equal(model.fit(factor * X).labels_, expected)
    assert_array_equal(model.fit(csr_array(factor * X)).labels_, expected)


def test_a_callback_may_stop_a_run(blobs, monkeypatch, algorithm):
    monkeypatch.setattr(
        "sklearn_kernelclust._kmeans._kernel_kmeans.Progress.step", lambda self: True
    )
    model = KernelKMeans(
        5, kernel="linear", algorithm=algorithm, init="random", n_init=1, random_state=0
    )
    with pytest.warns(ConvergenceWarning, match="stopped by a callback after 1 it"):
        model.fit(blobs[0])
    assert model.n_iter_ == 1


# Indefinite and dominated kernels


@pytest.mark.parametrize("structure", ["noise", "integers", "shifted"])
@pytest.mark.parametrize(
    "sets", [range(15), pytest.param(range(15, 40), marks=pytest.mark.slow)]
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_indefinite_kernels_end_and_never_above_their_start(structure, algorithm, sets):
    for s in sets:
        rng = np.random.default_rng(s)
        n, k = int(rng.integers(10, 50)), int(rng.integers(2, 6))
        A = rng.normal(size=(n, n))
        K = {
            "noise": lambda A: A + A.T,
            "integers": lambda A: np.round(A + A.T),
            "shifted": lambda A: rbf_kernel(A[:, :5]) - np.eye(len(A)),
        }[structure](A)
        start = np.r_[np.arange(k), rng.integers(0, k, n - k)]
        model = KernelKMeans(k, kernel="precomputed", algorithm=algorithm, init=start)
        model.fit(K)
        assert model.n_iter_ < 100
        assert model.inertia_ <= kernel_inertia(K, start) + 1e-9
        assert_allclose(model.inertia_, kernel_inertia(K, model.labels_), atol=1e-9)
        assert np.isfinite(model.transform(K)).all()
        if model.converged_ and algorithm == "lloyd":
            assert_array_equal(model.predict(K), model.labels_)


class TestDominated:
    """Documents each some thirty times more like itself than like the others."""

    @pytest.fixture(scope="class")
    @classmethod
    def corpus(cls):
        X, y = documents()
        return (X @ X.T).toarray(), y

    def fit(self, K, y, **params):
        model = KernelKMeans(10, kernel="precomputed", random_state=0, **params).fit(K)
        return model, nmi(y, model.labels_, average_method="geometric")

    def test_plain_kernel_kmeans_stays_at_its_start(self, corpus):
        K, y = corpus
        assert dominance_ratio(K) > 20
        model, score = self.fit(K, y, init="random")
        assert model.n_iter_ <= 2
        assert score < 0.05

    @pytest.mark.parametrize("init", ["random", "k-means++"])
    def test_the_shift_finds_the_classes(self, corpus, init):
        K, y = corpus
        shifted = DiagonalShift().fit_transform(K)
        model, score = self.fit(shifted, y, init=init, n_init=5)
        assert score > 0.9
        assert_array_equal(model.predict(shifted), model.labels_)

    def test_split_merge_collapses_and_says_so(self, corpus):
        K, y = corpus
        with pytest.warns(
            ConvergenceWarning,
            match=r"emptied \d+ clusters.*of 10 now holds \d+%.*hartigan",
        ):
            model, score = self.fit(
                K, y, algorithm="split-merge", init="random", n_init=1
            )
        assert np.bincount(model.labels_).max() > 300
        assert score < 0.7

    def test_one_at_a_time_finds_the_classes(self, corpus):
        K, y = corpus
        assert self.fit(K, y, algorithm="hartigan", init="random", n_init=5)[1] > 0.9

    def test_split_merge_on_the_shifted_kernel_finds_the_classes(self, corpus):
        K, y = corpus
        K = DiagonalShift().fit_transform(K)
        assert self.fit(K, y, algorithm="split-merge", init="random", n_init=5)[1] > 0.9


def test_a_cycle_is_finished_by_single_moves():
    """Without a warning, which would be an error here."""
    rng = np.random.default_rng(0)
    n_held = 0
    for s in range(20):
        A = rng.normal(size=(30, 30))
        K = A + A.T
        model = KernelKMeans(3, kernel="precomputed", random_state=s).fit(K)
        assert model.converged_
        assert model.n_reassignments_[-1] == 0
        assert_array_equal(model.predict(K), model.labels_)
        if model.shift_ > 0:  # not a fixed point of Lloyd's steps
            n_held += 1
            assert best_single_move(K, model.labels_, 3) >= -1e-9
    assert n_held > 3


def test_a_fixed_point_above_the_start_is_not_kept():
    """Split-and-merge does not follow the objective."""
    n_above = 0
    for s in range(300):
        rng = np.random.default_rng(s)
        X, start = rng.normal(size=(7, 3)), np.r_[0, 1, rng.integers(0, 2, 5)]
        model = KernelKMeans(2, kernel="linear", algorithm="split-merge", init=start)
        with ignore_warnings(category=ConvergenceWarning):
            model.fit(X)
        assert model.converged_
        assert model.inertia_ <= kernel_inertia(X @ X.T, start) + 1e-9
        assert_array_equal(model.predict(X), model.labels_)
        n_above += np.count_nonzero(model.n_reassignments_ == 0) > 1
    assert n_above > 0


# Degenerate but meaningful data


@pytest.mark.parametrize("init", ["k-means++", "random"])
@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_fewer_distinct_objects_than_clusters(init, kernel, algorithm):
    X = np.repeat([[0.0, 0.0], [5.0, 0.0], [0.0, 7.0]], 4, axis=0)
    model = KernelKMeans(
        5, kernel=kernel, init=init, algorithm=algorithm, random_state=0
    )
    with pytest.warns(
        ConvergenceWarning, match=r"clusters \(3\) found smaller than n_clusters \(5\)"
    ):
        model.fit(X)
    assert_array_equal(np.unique(model.labels_), [0, 1, 2])
    assert len({*map(tuple, np.c_[X, model.labels_])}) == 3
    assert_allclose(model.inertia_, 0, atol=1e-9)
    assert_array_equal(model.predict(X), model.labels_)


@pytest.mark.parametrize("X", [np.full((6, 2), 0.1), np.zeros((6, 2))])
def test_all_objects_equal(X, algorithm):
    for kernel in ("linear", "rbf"):
        model = KernelKMeans(3, kernel=kernel, algorithm=algorithm, random_state=0)
        with pytest.warns(ConvergenceWarning, match=r"clusters \(1\) found"):
            model.fit(X)
        assert_array_equal(model.labels_, np.zeros(6))


def test_a_kernel_of_ones(algorithm):
    X = np.random.default_rng(0).normal(size=(9, 2))
    for gamma in (0.0, 1e-300):
        with pytest.warns(ConvergenceWarning, match=r"clusters \(1\) found"):
            model = KernelKMeans(3, gamma=gamma, algorithm=algorithm).fit(X)
        assert_array_equal(model.labels_, np.zeros(9))


def test_one_object(algorithm):
    model = KernelKMeans(1, algorithm=algorithm).fit([[1.0, 2.0]])
    assert_array_equal(model.labels_, [0])
    assert model.inertia_ == 0


def test_one_cluster(algorithm, blobs):
    X = blobs[0]
    model = KernelKMeans(1, kernel="linear", algorithm=algorithm).fit(X)
    assert_allclose(model.inertia_, ((X - X.mean(axis=0)) ** 2).sum())


def test_as_many_clusters_as_objects(algorithm):
    X = np.random.default_rng(0).normal(size=(7, 2))
    model = KernelKMeans(7, kernel="linear", algorithm=algorithm, random_state=0).fit(X)
    assert set(model.labels_) == set(range(7))
    assert_allclose(model.inertia_, 0, atol=1e-12)


def test_fewer_weighted_objects_than_clusters(algorithm):
    X = np.arange(8.0)[:, None]
    weight = np.r_[1.0, 1.0, np.zeros(6)]
    model = KernelKMeans(4, kernel="linear", algorithm=algorithm, random_state=0)
    with pytest.warns(ConvergenceWarning, match=r"clusters \(2\) found"):
        model.fit(X, sample_weight=weight)
    assert_allclose(model.inertia_, 0, atol=1e-12)


def test_max_iter_reached(blobs):
    start = {"kernel": "linear", "init": "random", "n_init": 1, "max_iter": 2}
    model = KernelKMeans(5, **start, random_state=0)
    with pytest.warns(ConvergenceWarning, match="did not converge in 2 iterations"):
        model.fit(blobs[0])
    assert not model.converged_
    assert model.n_iter_ == 2
    assert_array_equal(model.predict(blobs[0]), model.labels_)


# Bad input

X_BAD = np.arange(12.0).reshape(6, 2)
NUMBER = "must be an int in the range"


@pytest.mark.parametrize(
    "params, message",
    [
        ({"n_clusters": 0}, NUMBER),
        ({"n_clusters": -1}, NUMBER),
        ({"n_clusters": 2.0}, NUMBER),
        ({"n_clusters": "2"}, NUMBER),
        ({"n_clusters": True}, NUMBER),
        ({"n_clusters": 7}, "n_samples=6 should be >= n_clusters=7"),
        ({"n_init": 0}, NUMBER),
        ({"max_iter": 0}, NUMBER),
        ({"max_oscillations": 0}, NUMBER),
        ({"gamma": -1.0}, "must be .*a float in the range"),
        ({"gamma": "auto"}, "must be a str among {'scale'}"),
        ({"degree": 0}, NUMBER),
        ({"degree": 1.5}, NUMBER),
        ({"kernel": "gauss"}, "'rbf'"),
        ({"algorithm": "elkan"}, "'hartigan'"),
        ({"init": "k-means"}, "'k-means\\+\\+'"),
        ({"init": [0, 1, 0]}, r"expected shape \(6,\), got \(3,\)"),
        ({"init": [0.0, 1, 0, 1, 0, 1]}, "integer labels, got type float64"),
        ({"init": [0, 1, 0, 1, 0, 2]}, r"labels in 0\.\.1, got labels from 0 to 2"),
        ({"init": [0, 1, 0, 1, 0, -1]}, "got labels from -1 to 1"),
        ({"random_state": -1}, "random_state"),
        ({"random_state": "a"}, "random_state"),
    ],
)
def test_bad_parameters(params, message):
    with pytest.raises(ValueError, match=message):
        KernelKMeans(**{"n_clusters": 2, **params}).fit(X_BAD)


def test_numpy_integers_are_integers():
    KernelKMeans(np.int64(2), n_init=np.int32(1)).fit(X_BAD)


@pytest.mark.parametrize(
    "X, message",
    [
        (np.empty((0, 3)), "0 sample"),
        (np.empty((3, 0)), "0 feature"),
        (np.arange(3.0), "Expected 2D array"),
        (np.zeros((2, 2, 2)), "dim 3"),
        ([[np.nan, 1.0], [0.0, 1.0]], "contains NaN"),
        ([[np.inf, 1.0], [0.0, 1.0]], "contains infinity"),
        (np.array([[1j, 1], [2, 3]]), "Complex data not supported"),
        ([["a", "b"], ["c", "d"]], "could not convert string to float"),
        ([[1.0], [1.0, 2.0]], "inhomogeneous"),
        (csr_array([[np.nan, 1.0], [0.0, 1.0]]), "contains NaN"),
        (1e200 * X_BAD, "kernel 'linear' overflowed"),
        (1e-200 * X_BAD, "underflowed"),
    ],
)
def test_bad_features(X, message):
    with pytest.raises(ValueError, match=message):
        KernelKMeans(2, kernel="linear").fit(X)


@pytest.mark.parametrize("X", [None, 3.0, {"a": 1}])
def test_no_data_at_all(X):
    with pytest.raises((TypeError, ValueError)):
        KernelKMeans(2).fit(X)


@pytest.mark.parametrize(
    "weight, message",
    [
        (-np.ones(6), "Negative values in data"),
        (np.full(6, np.nan), "NaN"),
        (np.ones(5), "inconsistent|shape"),
        (np.zeros(6), "at least one non-zero"),
    ],
)
def test_bad_weights(weight, message):
    with pytest.raises(ValueError, match=message):
        KernelKMeans(2).fit(X_BAD, sample_weight=weight)


def test_init_that_leaves_clusters_empty():
    with pytest.warns(
        UserWarning, match=r"leaves 1 of 3 clusters empty \(the first is 1"
    ):
        model = KernelKMeans(3, init=[0, 0, 0, 2, 2, 2]).fit(X_BAD)
    assert set(model.labels_) == {0, 1, 2}


def test_a_kernel_without_positive_eigenvalue():
    rng = np.random.default_rng(0)
    A = rng.normal(size=(9, 9))
    with pytest.raises(
        ValueError, match=r"no positive eigenvalue.*did you pass distances"
    ):
        KernelKMeans(2, kernel="precomputed").fit(-A @ A.T)
    with pytest.raises(ValueError, match="no positive eigenvalue"):
        KernelKMeans(2, kernel="precomputed").fit(-np.eye(2))
    # All self-similarities negative, and still a kernel that can be clustered.
    with ignore_warnings(category=ConvergenceWarning):
        KernelKMeans(2, kernel="precomputed").fit(rbf_kernel(A) - 1.5 * np.eye(9))
        KernelKMeans(2, kernel="precomputed").fit(
            np.diag([-1.0, -1]) + [[0, 3], [3, 0]]
        )


def test_predict_checks():
    with pytest.raises(NotFittedError):
        KernelKMeans().predict(X_BAD)
    model = KernelKMeans(2).fit(X_BAD)
    with pytest.raises(
        ValueError, match="X has 3 features, but KernelKMeans is expecting 2"
    ):
        model.predict(np.ones((2, 3)))
    with pytest.raises(ValueError, match="0 sample"):
        model.predict(np.empty((0, 2)))


def test_callable_kernels(blobs):
    X = blobs[0]
    model = KernelKMeans(5, kernel=partial(rbf_kernel, gamma=0.1), random_state=0).fit(
        X
    )
    named = KernelKMeans(5, gamma=0.1, random_state=0).fit(X)
    assert_array_equal(model.labels_, named.labels_)
    assert_array_equal(model.predict(X), model.labels_)


def test_gamma_is_that_of_the_training_data(blobs):
    X = blobs[0]
    model = KernelKMeans(5, gamma="scale", random_state=0).fit(X)
    assert_allclose(model.gamma_, 1 / (X.shape[1] * X.var()))
    assert_array_equal(model.predict(X[:7]), model.labels_[:7])

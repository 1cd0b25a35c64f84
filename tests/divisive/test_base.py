"""Divisive clusterers through scikit-learn's checks, and what is true of all."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle

import numpy as np
import pytest
from clusterings import expected_failed_checks, run_check, same_partition
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy.cluster.hierarchy import is_valid_linkage
from scipy.sparse import csc_array, csr_array, csr_matrix
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.utils.estimator_checks import parametrize_with_checks

from sklearn_kernelclust import (
    KPDDP,
    PDDP,
    BisectingKernelKMeans,
    DiagonalShift,
    PairwiseKernel,
)
from sklearn_kernelclust._divisive import _base
from sklearn_kernelclust._divisive._base import grow
from sklearn_kernelclust._divisive._splitters import SPLITS, FeatureObjects
from sklearn_kernelclust.metrics import kernel_inertia

CHECKED = [
    PDDP(),
    PDDP(n_components=2, split="2-means"),
    KPDDP(),
    KPDDP(kernel="precomputed"),
    KPDDP(n_components=3, kernel="linear", split="optimal-cut-2-means"),
    BisectingKernelKMeans(n_init=2),
    BisectingKernelKMeans(n_init=2, kernel="precomputed"),
]
ALSO_CHECKED = [
    *(PDDP(split=split) for split in SPLITS),
    PDDP(n_components=2),
    *(KPDDP(split=split) for split in SPLITS),
    KPDDP(n_components=3, kernel="linear"),
    KPDDP(kernel="poly", degree=2),
    BisectingKernelKMeans(n_init=2, init="random", kernel="linear"),
]
VARIANTS = [
    *(PDDP(split=s) for s in SPLITS),
    *(PDDP(split=s, n_components=2) for s in ("sign", "optimal-cut-2-means")),
    *(KPDDP(split=s, gamma=0.05) for s in SPLITS),
    *(KPDDP(split=s, n_components=3, gamma=0.05) for s in ("2-means", "optimal-cut")),
    KPDDP(kernel="linear", split="projection-cut"),
    KPDDP(kernel="poly", gamma=0.1),
    BisectingKernelKMeans(gamma=0.05, n_init=2, random_state=0),
    BisectingKernelKMeans(kernel="linear", init="random", n_init=2, random_state=0),
]
MORE_VARIANTS = [
    *(PDDP(split=s, n_components=d) for s in SPLITS for d in (2, 3)),
    *(KPDDP(split=s, n_components=d, gamma=0.05) for s in SPLITS for d in (2, 3)),
    *(KPDDP(split=s, kernel="linear") for s in SPLITS),
    *(KPDDP(split=s, kernel="poly", gamma=0.1) for s in SPLITS),
]
SCORED = [
    PDDP(),
    PDDP(split="2-means", n_components=2),
    KPDDP(gamma=0.05),
    KPDDP(kernel="linear"),
    KPDDP(kernel="poly", gamma=0.1),
    KPDDP(kernel="cosine"),
    BisectingKernelKMeans(gamma=0.05, n_init=2, random_state=0),
]
LINEAR = [
    *(PDDP(split=s, n_components=d) for s in SPLITS for d in (1, 2, 3)),
    BisectingKernelKMeans(kernel="linear", n_init=2, random_state=0),
]


def of_checks(estimators):
    """A test by the checks of scikit-learn, which have names on one side on purpose."""
    checks = parametrize_with_checks(
        estimators, expected_failed_checks=expected_failed_checks
    )
    quiet = pytest.mark.filterwarnings(
        "ignore:X does not have valid feature names",
        "ignore:X has feature names",
        "ignore::sklearn.exceptions.ConvergenceWarning",
    )
    return lambda test: quiet(checks(test))


@of_checks(CHECKED)
def test_estimators(estimator, check):
    run_check(estimator, check)


@pytest.mark.slow
@of_checks(ALSO_CHECKED)
def test_more_estimators(estimator, check):
    run_check(estimator, check)


def on_variants(chosen=lambda model: True):
    """A test of models of each kind, and of all others among the slow tests."""
    more = [pytest.param(m, marks=pytest.mark.slow) for m in MORE_VARIANTS if chosen(m)]
    models = [*filter(chosen, VARIANTS), *more]
    return pytest.mark.parametrize("model", models, ids=repr)


def blobs(seed, n=120):
    return make_blobs(n, 4, centers=6, cluster_std=2, random_state=seed)[0]


def refines(fine, coarse):
    return len(np.unique(np.c_[fine, coarse], axis=0)) == len(np.unique(fine))


@on_variants()
def test_predict_of_the_training_objects_is_labels(model, seed):
    X = blobs(seed)
    model = clone(model).set_params(n_clusters=7).fit(X)
    assert model.n_clusters_ == 7
    assert_array_equal(np.unique(model.labels_), np.arange(7))
    assert_array_equal(model.predict(X), model.labels_)
    shuffled = np.random.default_rng(seed).permutation(len(X))
    assert_array_equal(model.predict(X[shuffled]), model.labels_[shuffled])
    assert_array_equal(model.predict(X[:1]), model.labels_[:1])
    assert_array_equal(model.predict(csr_array(X)), model.labels_)


@on_variants()
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_duplicates_stay_together(model, dtype):
    X = np.random.default_rng(0).integers(-2, 3, size=(40, 2)) * 0.1 + 0.3
    X = np.tile(X, (3, 1)).astype(dtype)
    distinct = np.unique(X, axis=0, return_inverse=True)[1].ravel()
    for n_clusters in (2, 7, distinct.max() + 1):
        model = clone(model).set_params(n_clusters=n_clusters).fit(X)
        assert refines(distinct, model.labels_)
        assert_array_equal(model.predict(X), model.labels_)
        assert model.n_clusters_ == n_clusters


@pytest.mark.parametrize("model", LINEAR, ids=repr)
@pytest.mark.parametrize("factor", [1e-10, 1e10, 1e-50, 1e50])
def test_scale_makes_no_difference(model, factor, first_seed):
    X = blobs(first_seed)
    expected = clone(model).fit(X)
    found = clone(model).fit(X * factor)
    assert_array_equal(found.labels_, expected.labels_)
    assert found.inertia_ == pytest.approx(expected.inertia_ * factor**2, rel=1e-9)
    assert_array_equal(found.predict(X * factor), expected.labels_)


@pytest.mark.parametrize("model", LINEAR, ids=repr)
def test_translation_and_rotation(model, seed):
    X = blobs(seed)
    Q = np.linalg.qr(np.random.default_rng(seed).normal(size=(4, 4)))[0]
    expected = clone(model).fit_predict(X)
    assert same_partition(clone(model).fit_predict(X @ Q + 1e3), expected)


@on_variants()
def test_one_feature_constant_features_and_one_object(model):
    X = np.random.default_rng(0).normal(size=(30, 1))
    model = clone(model).set_params(n_clusters=4)
    assert len(np.unique(model.fit_predict(X))) == 4
    assert len(np.unique(model.fit_predict(np.c_[X, np.ones(30)]))) == 4
    model.set_params(n_clusters=1).fit(X)
    assert_array_equal(model.labels_, np.zeros(30))
    assert model.children_.shape == (0, 2)
    assert_array_equal(model.fit([[3.0, 1.0]]).labels_, [0])
    assert model.inertia_ == 0
    assert_array_equal(model.predict([[3.0, 1.0], [7.0, 7.0]]), [0, 0])


@on_variants()
def test_fewer_distinct_objects_than_clusters(model):
    model = clone(model).set_params(n_clusters=3)
    with pytest.warns(ConvergenceWarning, match=r"clusters \(1\) .* n_clusters \(3\)"):
        assert_array_equal(model.fit_predict(np.full((9, 2), 0.1)), np.zeros(9))
    X = np.repeat([[0.1, 0.2], [0.3, 0.1]], 5, axis=0)
    with pytest.warns(ConvergenceWarning, match=r"clusters \(2\) .* n_clusters \(3\)"):
        assert same_partition(model.fit_predict(X), np.repeat([0, 1], 5))


@on_variants()
def test_as_many_clusters_as_objects(model):
    X = blobs(0, 25)
    model = clone(model).set_params(n_clusters=25).fit(X)
    assert_array_equal(np.sort(model.labels_), np.arange(25))
    assert model.inertia_ == 0
    assert_array_equal(model.predict(X), model.labels_)


@on_variants(lambda model: getattr(model, "n_components", 1) == 1)
def test_more_leaves_refine_fewer(model, seed):
    X = blobs(seed)
    before = clone(model).set_params(n_clusters=1).fit_predict(X)
    for n_clusters in range(2, 7):
        after = clone(model).set_params(n_clusters=n_clusters).fit_predict(X)
        assert refines(after, before)
        before = after


@on_variants()
def test_tree_tells_what_happened(model, seed):
    X = blobs(seed)
    model = clone(model).set_params(n_clusters=9).fit(X)
    tree = model.tree_
    assert tree.n_leaves == model.n_clusters_ == 9
    for i in tree.splits:
        node = tree.nodes[i]
        scatters = [tree.nodes[c].scatter for c in node.children]
        assert node.scatter >= sum(scatters) * (1 - 1e-9)
        assert node.objective_after == pytest.approx(
            node.objective_before - node.scatter + sum(scatters)
        )
        children = np.concatenate([tree.members(c) for c in node.children])
        assert_array_equal(np.sort(children), tree.members(i))
        n_columns = node.size if tree.dual else X.shape[1]
        assert node.cut.directions.shape[0] == n_columns
    scatters = [tree.nodes[i].scatter for i in tree.splits]
    assert (np.diff(scatters) <= 1e-9 * scatters[0]).all()
    assert is_valid_linkage(tree.linkage())
    assert (np.diff(tree.linkage()[:, 2]) >= 0).all()
    assert model.children_.shape == (8, 2)
    assert_array_equal(np.sort(model.children_.ravel()), np.arange(16))


@on_variants()
def test_inertia_is_the_objective_of_the_leaves(model, seed):
    X = blobs(seed)
    model = clone(model).fit(X)
    kernel = getattr(model, "kernel", "linear")
    gamma = getattr(model, "gamma", None)
    K = PairwiseKernel(kernel, gamma=gamma).fit_transform(X)
    assert model.inertia_ == pytest.approx(kernel_inertia(K, model.labels_), rel=1e-8)


@on_variants(lambda model: not isinstance(model, PDDP))
def test_kernels_given_in_any_form(model, first_seed):
    X = blobs(first_seed)
    model = clone(model)
    expected = model.fit_predict(X)
    kernel = PairwiseKernel(model.kernel, gamma=model.gamma)
    K = kernel.fit_transform(X)
    lazy = clone(kernel).set_params(lazy=True).fit(X)
    given = clone(model).set_params(kernel="precomputed").fit(K)
    assert same_partition(given.labels_, expected)
    assert_array_equal(given.predict(K[5:30]), given.labels_[5:30])
    for fitted in (clone(model).fit(lazy.fit_transform(X)), given):
        assert same_partition(fitted.labels_, expected)
        assert_array_equal(fitted.predict(lazy.transform(X)), fitted.labels_)
    sparse = clone(given).fit(csr_array(K))
    assert same_partition(sparse.labels_, expected)
    assert_array_equal(sparse.predict(csr_array(K)), sparse.labels_)


def score_by_hand(K, labels, K_new, self_similarity, predicted):
    """Minus the squared distances to the means, from the kernel matrices."""
    Z = np.eye(labels.max() + 1)[labels]
    Z /= Z.sum(axis=0)
    norms = np.diag(Z.T @ K @ Z)
    distances = self_similarity[:, None] - 2 * K_new @ Z + norms
    return -distances[np.arange(len(predicted)), predicted].sum()


@pytest.mark.parametrize("model", SCORED, ids=repr)
def test_score_by_hand(model, seed):
    X, new = blobs(seed), blobs(seed + 10) + 1
    model = clone(model).set_params(n_clusters=5).fit(X)
    assert model.score(X) == pytest.approx(-model.inertia_, rel=1e-8)
    params = {"kernel": getattr(model, "kernel", "linear")}
    params |= {"gamma": getattr(model, "gamma", None)}
    kernel = PairwiseKernel(**params).fit(X)
    K, K_new = kernel.fit_transform(X), kernel.transform(new)
    own = PairwiseKernel(**params).fit_transform(new).diagonal()
    expected = score_by_hand(K, model.labels_, K_new, own, model.predict(new))
    assert model.score(new) == pytest.approx(expected, rel=1e-8)
    assert model.score(csr_array(new)) == pytest.approx(expected, rel=1e-8)
    sparse = clone(model).fit(csr_array(X))
    assert sparse.score(csr_array(X)) == pytest.approx(-model.inertia_, rel=1e-8)
    assert sparse.score(new) == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("Model", [KPDDP, BisectingKernelKMeans])
def test_score_of_given_kernels(Model, seed):
    X, new = blobs(seed), blobs(seed + 10)
    kernel = PairwiseKernel("poly", gamma=0.01, lazy=True).fit(X)
    K, K_new = kernel.fit_transform(X).toarray(), kernel.transform(new)
    model = Model(5, kernel="precomputed").fit(K)
    assert model.score(K) == pytest.approx(-model.inertia_, rel=1e-8)
    assert model.score(csr_array(K)) == pytest.approx(-model.inertia_, rel=1e-8)
    predicted = model.predict(K_new)
    known = K_new.diagonal()
    args = K, model.labels_, K_new.toarray()
    expected = score_by_hand(*args, known, predicted)
    assert model.score(K_new) == pytest.approx(expected, rel=1e-8)
    # An array does not tell k(y, y): the mean of the training objects stands in.
    mean = np.full(len(new), K.diagonal().mean())
    expected = score_by_hand(*args, mean, predicted)
    assert model.score(K_new.toarray()) == pytest.approx(expected, rel=1e-8)


def test_score_far_from_the_origin(seed):
    X = blobs(seed)
    for model in (PDDP(5), KPDDP(5, kernel="linear")):
        far = model.fit(X + 1e6)
        assert far.score(X + 1e6) == pytest.approx(-far.inertia_, rel=1e-6)
        assert far.score(csr_array(X + 1e6)) == pytest.approx(-far.inertia_, rel=1e-6)


@on_variants()
def test_sparse_like_dense(model, first_seed):
    X = blobs(first_seed) * (
        np.random.default_rng(first_seed).uniform(size=(120, 4)) < 0.7
    )
    expected = clone(model).fit(X)
    for kind in (csr_array, csr_matrix, csc_array):
        found = clone(model).fit(kind(X))
        assert_array_equal(found.labels_, expected.labels_)
        assert_array_equal(found.predict(kind(X)), found.labels_)
        assert_array_equal(found.predict(X), found.labels_)


@on_variants()
def test_refit_and_pickle_give_the_same(model):
    X = blobs(0)
    model = clone(model).fit(X)
    labels, new = model.labels_, blobs(1)
    assert_array_equal(clone(model).fit_predict(X), labels)
    again = pickle.loads(pickle.dumps(model))
    assert_array_equal(again.predict(new), model.predict(new))


@pytest.mark.parametrize("model", [PDDP(2), KPDDP(2), BisectingKernelKMeans(2)])
def test_far_away_objects_and_empty_branches(model):
    X = blobs(0)
    model = clone(model).set_params(n_clusters=6).fit(X)
    far = np.array([[1e6, -1e6, 0, 0], [-1e6, 0, 0, 0]])
    assert np.isin(model.predict(far), np.arange(6)).all()
    assert len(np.unique(model.predict(X[model.labels_ == 3]))) == 1


@pytest.mark.parametrize(
    "n, Model",
    [(300, KPDDP), (100, PDDP), pytest.param(2000, KPDDP, marks=pytest.mark.slow)],
)
def test_chain_shaped_trees(n, Model):
    # Orthogonal objects: each cut takes the longest out of the rest.
    X = csr_array((0.9 ** np.arange(n), np.arange(n), np.arange(n + 1)), (n, n))
    model = Model(n_clusters=n)
    if Model is KPDDP:
        model.set_params(kernel="precomputed")
        X = csr_array(X.multiply(X))
    model.fit(X)
    depth, deepest = {0: 0}, 0
    for i in model.tree_.splits:
        for child in model.tree_.nodes[i].children:
            depth[child] = depth[i] + 1
            deepest = max(deepest, depth[child])
    assert deepest == n - 1
    assert_array_equal(np.sort(model.labels_), np.arange(n))
    assert_array_equal(model.predict(X), model.labels_)
    assert is_valid_linkage(model.tree_.linkage())


grids = arrays(
    np.float64,
    st.tuples(st.integers(2, 25), st.integers(1, 4)),
    elements=st.integers(-4, 4).map(float),
)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore:X of shape")
@given(
    X=grids, k=st.integers(1, 25), d=st.integers(1, 3), split=st.sampled_from(SPLITS)
)
@settings(max_examples=60)
def test_properties_on_grids(X, k, d, split):
    k = min(k, len(X))
    distinct = np.unique(X, axis=0, return_inverse=True)[1].ravel()
    for model in (
        PDDP(k, n_components=d, split=split),
        KPDDP(k, n_components=d, split=split, gamma=0.3),
        BisectingKernelKMeans(k, kernel="linear", n_init=2, random_state=0),
    ):
        model.fit(X)
        assert model.n_clusters_ == min(k, distinct.max() + 1)
        assert refines(distinct, model.labels_)
        assert_array_equal(model.predict(X), model.labels_)
        nodes = model.tree_.nodes
        for i in model.tree_.splits:
            parts = [nodes[c].scatter for c in nodes[i].children]
            assert sum(parts) <= nodes[i].scatter * (1 + 1e-9) + 1e-12
            assert sum(nodes[c].size for c in nodes[i].children) == nodes[i].size


@pytest.mark.parametrize("d", [1, 2, 3])
def test_the_papers_count(d):
    X = np.random.default_rng(0).normal(size=(600, 5)) * [5, 4, 3, 2, 1]
    for k in (1, 2, 3, 5, 8, 9):
        model = PDDP(k, n_components=d, exact=False).fit(X)
        cuts = -(-(k - 1) // (2**d - 1))
        assert model.n_clusters_ == cuts * (2**d - 1) + 1
        assert PDDP(k, n_components=d).fit(X).n_clusters_ == k


def test_empty_orthants_make_no_leaf():
    X = np.random.default_rng(0).normal(size=(50, 1))
    assert PDDP(2, n_components=3, exact=False).fit(X).n_clusters_ == 2


@pytest.mark.filterwarnings("ignore:K-means did not converge")
@pytest.mark.parametrize("kernel", ["precomputed", "gram"])
def test_indefinite_kernels(kernel, seed):
    X = blobs(seed)
    K = DiagonalShift().fit_transform(X @ X.T)
    models = [KPDDP(5, split=s) for s in SPLITS]
    models.append(BisectingKernelKMeans(5, random_state=0))
    for model in models:
        if kernel == "gram":
            K = DiagonalShift().fit_transform(
                PairwiseKernel(lazy=True).fit_transform(X)
            )
        labels = model.set_params(kernel="precomputed").fit_predict(K)
        assert_array_equal(np.unique(labels), np.arange(5))
        assert np.isfinite(model.inertia_)


@pytest.mark.parametrize("Model", [KPDDP, BisectingKernelKMeans])
def test_kernel_may_be_scaled_and_moved(Model, seed):
    # P54: c K + a 1' + 1 a' moves the origin of feature space.
    X = blobs(seed)
    K = X @ X.T
    a = np.random.default_rng(seed).normal(size=len(X))
    moved = 3 * K + a[:, None] + a
    models = [Model(6, kernel="precomputed") for _ in range(2)]
    if Model is BisectingKernelKMeans:
        [m.set_params(random_state=0) for m in models]
    assert same_partition(models[0].fit_predict(K), models[1].fit_predict(moved))


@pytest.mark.parametrize("Model", [PDDP, KPDDP, BisectingKernelKMeans])
class TestBadInput:
    def test_number_of_clusters(self, Model):
        X = blobs(0, 5)
        with pytest.raises(ValueError, match="n_samples=5 should be >= n_clusters=6"):
            Model(6).fit(X)
        for wrong in (0, -1, 2.0, "2", True):
            with pytest.raises(ValueError, match="'n_clusters' parameter of"):
                Model(wrong).fit(X)
        assert Model(np.int64(2)).fit(X).n_clusters_ == 2

    def test_not_fitted(self, Model):
        with pytest.raises(NotFittedError):
            Model().predict(blobs(0))

    def test_overflow_and_underflow(self, Model):
        kernel = {} if Model is PDDP else {"kernel": "linear"}
        for factor, word in [(1e200, "overflowed"), (1e-200, "underflowed")]:
            with pytest.raises(ValueError, match=f"{word}.*Rescale X"):
                Model(2, **kernel).fit(blobs(0) * factor)
        X = (blobs(0) * 1e25).astype(np.float32)
        model = Model(4, **kernel).fit(X)
        assert model.n_clusters_ == 4
        assert_array_equal(model.predict(X), model.labels_)

    def test_interrupted_fit_leaves_nothing(self, Model, monkeypatch):
        def stop(*args, **kwargs):
            raise KeyboardInterrupt

        model = Model(3).fit(blobs(0))
        before = dict(vars(model))
        monkeypatch.setattr(_base, "grow", stop)
        with pytest.raises(KeyboardInterrupt):
            model.fit(blobs(1, 60))
        assert vars(model).keys() == before.keys()
        assert model.labels_ is before["labels_"]

    def test_other_number_of_features(self, Model):
        model = Model(3).fit(blobs(0))
        with pytest.raises(ValueError, match="X has 3 features, but"):
            model.predict(blobs(0)[:, :3])


def test_negative_kernels_are_refused():
    for model in (KPDDP(2), BisectingKernelKMeans(2)):
        with pytest.raises(ValueError, match="no positive eigenvalue"):
            model.set_params(kernel="precomputed").fit(-np.eye(5) - 1)


def test_a_callback_can_stop():
    tree = grow(
        FeatureObjects(blobs(0)),
        9,
        lambda objects, most: (None, (np.arange(len(objects)) > 0).astype(int)),
        on_split=lambda: True,
    )
    assert tree.n_leaves == 2
    assert_allclose(tree.labels()[0], 0)


class StopAfter:
    """A callback that asks to stop once `n_splits` splits are done."""

    def __init__(self, n_splits):
        self.n_left = n_splits

    def setup(self, estimator, context):
        pass

    def on_fit_task_begin(self, estimator, context, **kwargs):
        pass

    def on_fit_task_end(self, estimator, context, **kwargs):
        self.n_left -= context.task_name == "split"
        return self.n_left <= 0

    def teardown(self, estimator, context):
        pass


@pytest.mark.parametrize("Model", [PDDP, KPDDP, BisectingKernelKMeans])
def test_the_warning_names_the_callback_that_stopped_the_fit(Model):
    pytest.importorskip("sklearn.callback")
    model = Model(8).set_callbacks(StopAfter(3))
    with pytest.warns(
        ConvergenceWarning, match=r"callback stopped the fit after 3 splits: .* 4 clus"
    ) as caught:
        model.fit(blobs(0))
    assert len(caught) == 1
    assert model.n_clusters_ == 4
    # Stopped where it would have ended anyway: nothing to say.
    assert Model(4).set_callbacks(StopAfter(3)).fit(blobs(0)).n_clusters_ == 4

"""A tree that chooses the number of clusters at each node."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle

import clusterings
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from one_topic import documents, nested_blobs, text_pipeline
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.metrics import adjusted_rand_score
from sklearn.mixture import GaussianMixture
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from sklearn_kernelclust import (
    DiagonalShift,
    KernelKMeans,
    PairwiseKernel,
    PredictionStrengthK,
    PredictionStrengthTree,
)

pytestmark = [
    pytest.mark.filterwarnings("ignore:X does not have valid feature names"),
    pytest.mark.filterwarnings("ignore:X has feature names"),
]
FEW = {"n_clusters": range(2, 6), "n_splits": 12, "n_references": 4, "random_state": 0}
LINEAR = KernelKMeans(kernel="linear", n_init=3)


@pytest.fixture(scope="module")
def blobs():
    return nested_blobs(0, n_per_blob=30)


def tree_of(estimator, X, **params):
    return PredictionStrengthTree(estimator, **(FEW | params)).fit(X)


CHECKED = [
    tree.set_params(n_clusters=[2, 3], n_splits=4, n_references=2)
    for tree in (
        PredictionStrengthTree(KMeans(n_init=1), threshold=0.8, max_depth=1),
        PredictionStrengthTree(KernelKMeans(n_init=2)),
        PredictionStrengthTree(KernelKMeans(n_init=2, kernel="precomputed")),
    )
]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@parametrize_with_checks(
    CHECKED, expected_failed_checks=clusterings.expected_failed_checks
)
def test_checks_of_scikit_learn(estimator, check):
    check(estimator)


def assert_finds(tree, X, blob, group):
    assert adjusted_rand_score(blob, tree.labels_) == 1
    assert adjusted_rand_score(group, tree.labels_at(1)) == 1
    assert tree.n_leaves_ == len(np.unique(blob)) == tree.labels_.max() + 1
    assert_array_equal(tree.predict(X), tree.labels_)


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(s, marks=pytest.mark.slow) for s in (1, 2))]
)
def test_nested_blobs(seed):
    X, blob, group = nested_blobs(seed)
    assert_finds(tree_of(KernelKMeans(kernel="linear"), X), X, blob, group)


@pytest.mark.slow
def test_a_hundred_nested_blobs():
    n_found = 0
    for seed in range(100):
        X, blob, group = nested_blobs(seed)
        model = PredictionStrengthTree(KernelKMeans(kernel="linear"), random_state=0)
        try:
            assert_finds(model.fit(X), X, blob, group)
        except AssertionError:
            continue
        n_found += 1
    assert n_found >= 90


def noise(seed, uniform=False, n_most=600):
    rng = np.random.default_rng(seed)
    shape = rng.integers(50, n_most), rng.integers(1, 20)
    X = rng.uniform(size=shape) if uniform else rng.normal(size=shape)
    return X * rng.uniform(0.3, 2, size=shape[1])


def n_leaves_of_noise(seed, uniform=False, n_most=600):
    kernel = ["linear", "rbf"][seed % 2]
    model = PredictionStrengthTree(
        KernelKMeans(kernel=kernel, gamma="scale"), max_depth=1, random_state=0
    )
    return model.fit(noise(seed, uniform, n_most)).n_leaves_


def n_leaves_of_documents(seed, n_most=1000):
    n_documents = np.random.default_rng(seed).integers(50, n_most)
    model = PredictionStrengthTree(text_pipeline(), max_depth=1, random_state=0)
    return model.fit(documents(seed, n_documents)).n_leaves_


@pytest.mark.parametrize("uniform", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_noise_is_one_leaf(uniform):
    assert [n_leaves_of_noise(seed, uniform, 200) for seed in range(3)] == [1] * 3


def test_documents_of_one_topic_are_one_leaf():
    assert [n_leaves_of_documents(seed, 200) for seed in range(2)] == [1] * 2


@pytest.mark.slow
def test_three_hundred_sets_of_noise():
    n_leaves = [n_leaves_of_noise(seed) for seed in range(100)]
    n_leaves += [n_leaves_of_documents(seed) for seed in range(200)]
    assert np.count_nonzero(np.array(n_leaves) > 1) <= 15


def on_kernels():
    kmeans = KernelKMeans(kernel="precomputed", n_init=3)
    return make_pipeline(PairwiseKernel(lazy=True), DiagonalShift(0), kmeans)


@pytest.mark.parametrize(
    "estimator, take",
    [
        (LINEAR, np.asarray),
        (LINEAR, csr_array),
        (KMeans(n_init=2), np.asarray),
        (make_pipeline(StandardScaler(), KernelKMeans(gamma="scale")), np.asarray),
        (on_kernels(), np.asarray),
        (on_kernels()[1:], lambda X: X @ X.T),
        (KernelKMeans(kernel="precomputed"), lambda X: X @ X.T),
        (KernelKMeans(kernel="precomputed"), lambda X: csr_array(X @ X.T)),
    ],
)
def test_features_and_kernels(blobs, estimator, take):
    X, _, group = blobs
    X = take(X)
    tree = tree_of(estimator, X, max_depth=1, n_clusters=[3], threshold=0.7)
    assert adjusted_rand_score(group, tree.labels_) == 1
    assert_array_equal(tree.predict(X), tree.labels_)
    assert_array_equal(tree.predict(X[:7]), tree.labels_[:7])


def test_lazy_kernels(blobs):
    X, _, group = blobs
    gram = PairwiseKernel(lazy=True).fit_transform(X)
    lazy = tree_of(LINEAR, gram)
    assert_array_equal(lazy.predict(gram), lazy.labels_)
    assert adjusted_rand_score(group, lazy.labels_at(1)) == 1


TOPICS = [
    "ball goal team win match",
    "court law judge trial jury",
    "cell gene virus dna",
]


@pytest.fixture(scope="module")
def texts():
    """Short texts of three topics, each with a word of its own here and there."""
    rng = np.random.default_rng(0)
    pools = [topic.split() + ["the", "of"] for topic in TOPICS]
    topic = np.repeat(range(3), 30)
    return [" ".join(rng.choice(pools[t], size=12)) for t in topic], topic


def test_from_raw_text_terms_are_counted_once(texts):
    """A vectorizer in front is that of all objects, weights are those of the node."""
    documents, topic = texts
    steps = [step for _, step in text_pipeline().steps]
    weighted = make_pipeline(TfidfVectorizer(sublinear_tf=True), *steps[1:])
    tree = tree_of(weighted, documents)
    assert adjusted_rand_score(topic, tree.labels_at(1)) == 1
    assert_array_equal(tree.predict(documents), tree.labels_)
    assert tree.predict(["goal goal match team"]) == tree.labels_[0]
    assert not hasattr(tree, "n_features_in_")
    counts = CountVectorizer().fit_transform(documents)
    again = tree_of(text_pipeline(), counts)
    assert_array_equal(tree.labels_, again.labels_)
    third = make_pipeline(CountVectorizer(), *steps)
    assert_array_equal(tree.labels_, tree_of(third, documents).labels_)


def test_words_of_other_topics_do_not_count(texts):
    """A node knows the words of its documents; others would weigh infinitely much."""
    documents, topic = texts
    steps = [step for _, step in text_pipeline().steps[1:]]
    model = make_pipeline(TfidfVectorizer(smooth_idf=False), *steps)
    tree = tree_of(model, documents, n_clusters=3, threshold=0.0, max_depth=2)
    assert adjusted_rand_score(topic, tree.labels_at(1)) == 1
    assert tree.depth_ == 2
    assert_array_equal(tree.predict(documents), tree.labels_)
    strange = [f"{text} {['jury', 'dna', 'goal'][t]}" for text, t in zip(*texts)]
    assert_array_equal(tree.predict(strange), tree.labels_)


@pytest.mark.filterwarnings("ignore:.*clusters are not chosen")
def test_every_node_is_the_choice_of_prediction_strength(blobs):
    """The splits, and so the scores, are those of PredictionStrengthK."""
    X, _, _ = blobs
    tree = tree_of(LINEAR, X)
    assert len(tree.tree_.splits) > 1
    for i, node in enumerate(tree.tree_.nodes):
        choice, members = node.choice, tree.tree_.members(i)
        by_hand = PredictionStrengthK(
            clone(LINEAR).set_params(n_init=1),
            n_clusters=choice.n_clusters,
            n_splits=choice.n_splits,
            refit=False,
            random_state=choice.random_state,
        ).fit(X[members])
        assert_allclose(by_hand.scores_.mean(axis=1), choice.scores)
        if node.children:
            model = clone(LINEAR).set_params(n_clusters=choice.k)
            model.set_params(random_state=choice.random_state)
            children = np.empty(len(X))
            for child in node.children:
                children[tree.tree_.members(child)] = child
            labels = model.fit_predict(X[members])
            assert adjusted_rand_score(labels, children[members]) == 1


@pytest.mark.parametrize(
    "estimator", [KMeans(n_init=2), pytest.param(LINEAR, marks=pytest.mark.slow)]
)
def test_the_same_tree_twice_and_for_any_number_of_jobs(blobs, estimator):
    X, _, _ = blobs
    params = {"max_depth": 2, "n_splits": 4, "n_references": 2}
    trees = [tree_of(estimator, X, n_jobs=n, **params) for n in (None, None, 2)]
    for tree in trees[1:]:
        assert_array_equal(tree.labels_, trees[0].labels_)
        for node, first in zip(tree.tree_.nodes, trees[0].tree_.nodes):
            assert_array_equal(node.choice.scores, first.choice.scores)
            assert node.choice.reason == first.choice.reason


def test_clone_and_pickle(blobs):
    X, _, _ = blobs
    tree = tree_of(LINEAR, X)
    again = pickle.loads(pickle.dumps(tree))
    assert_array_equal(again.predict(X), tree.labels_)
    assert_array_equal(clone(tree).fit(X).labels_, tree.labels_)


def test_the_estimator_is_left_alone(blobs):
    model = KernelKMeans(kernel="linear", n_clusters=7)
    tree_of(model, blobs[0], max_depth=1)
    assert model.n_clusters == 7
    assert not hasattr(model, "labels_")


def test_children_join_leaves_as_in_scikit_learn(blobs):
    tree = tree_of(LINEAR, blobs[0])
    assert tree.children_.shape == (tree.n_leaves_ - 1, 2)
    assert_array_equal(
        np.sort(tree.children_, axis=None), range(2 * tree.n_leaves_ - 2)
    )


def test_a_fixed_bar(blobs):
    X, _, _ = blobs
    low, high = (tree_of(LINEAR, X, threshold=t, max_depth=1) for t in (0.5, 1.5))
    assert low.tree_.nodes[0].choice.score > 0.5
    assert low.n_leaves_ == low.tree_.nodes[0].choice.k > 1
    assert low.tree_.nodes[0].choice.reference == 0
    assert high.n_leaves_ == 1
    assert high.tree_.nodes[0].choice.reason == "no number of clusters stands out"


def test_references_of_your_own(blobs):
    X, _, _ = blobs
    sizes = []

    def shuffled(X, random_state):
        sizes.append(len(X))
        return random_state.permutation(X.ravel()).reshape(X.shape)

    tree = tree_of(LINEAR, X, threshold=shuffled, max_depth=1)
    assert sizes == [len(X)] * FEW["n_references"]
    assert tree.n_leaves_ > 1
    # The objects themselves are a bar that they are not above.
    assert tree_of(LINEAR, X, threshold=lambda X, _: X).n_leaves_ == 1
    with pytest.raises(ValueError, match=f"reference of 5 objects for {len(X)}"):
        tree_of(LINEAR, X, threshold=lambda X, _: X[:5])


def test_limits(blobs):
    X, _, _ = blobs
    n = len(X)
    flat = tree_of(LINEAR, X, max_depth=0)
    assert flat.n_leaves_ == 1 and flat.tree_.nodes[0].choice.reason == "max_depth=0"
    few = tree_of(LINEAR, X, min_samples_split=n + 1)
    assert few.tree_.nodes[0].choice.reason == f"{n} objects are too few"
    assert_array_equal(few.predict(X[:3]), [0, 0, 0])
    one = tree_of(LINEAR, X, n_clusters=1)
    assert one.n_leaves_ == 1
    demanding = tree_of(LINEAR, X, min_evidence=1e6)
    assert demanding.depth_ >= 1  # The root needs no evidence but its own.
    sampled = tree_of(LINEAR, X, max_samples=60, max_depth=1)
    assert len(sampled.labels_) == n


def test_objects_that_are_all_the_same():
    tree = tree_of(LINEAR, np.ones((40, 2)))
    assert tree.n_leaves_ == 1
    assert_array_equal(tree.predict(np.ones((3, 2))), [0, 0, 0])


def test_documents_without_terms():
    counts = np.zeros((40, 6))
    counts[:20, 0] = counts[20:, 1] = 3
    tree = tree_of(KernelKMeans(kernel="linear"), csr_array(counts))
    assert tree.n_leaves_ <= 2


def test_another_name_for_the_number_of_clusters(blobs):
    X, _, group = blobs
    tree = tree_of(
        GaussianMixture(),
        X,
        param_name="n_components",
        max_depth=1,
        threshold=0.5,
        n_splits=3,
        n_clusters=[3],
    )
    assert adjusted_rand_score(group, tree.labels_) == 1


def test_score_compares_trees(blobs):
    X, _, _ = blobs
    tree = tree_of(LINEAR, X[::2])
    assert tree.score(X[1::2]) > 0.9
    flat = tree_of(LINEAR, X[::2], max_depth=0)
    assert flat.score(X[1::2]) == 0
    kernel = PredictionStrengthTree(KernelKMeans(kernel="precomputed"))
    assert not hasattr(kernel, "score")
    gram = PairwiseKernel(lazy=True).fit_transform(X)
    with pytest.raises(ValueError, match="only the similarities"):
        tree_of(LINEAR, gram, max_depth=1).score(gram)


def test_a_search_around_it(blobs):
    X, _, _ = blobs
    tree = PredictionStrengthTree(LINEAR, **FEW)
    search = GridSearchCV(tree, {"max_depth": [0, 1]}, cv=2).fit(X)
    assert search.best_params_ == {"max_depth": 1}


def test_bad_input(blobs):
    X, _, _ = blobs
    with pytest.raises(TypeError, match="AgglomerativeClustering has no predict"):
        tree_of(AgglomerativeClustering(), X)
    with pytest.raises(TypeError, match="can be read only once"):
        tree_of(LINEAR, iter(X))
    with pytest.raises(ValueError, match="must be square, got"):
        tree_of(KernelKMeans(kernel="precomputed"), X)
    with pytest.raises(ValueError, match="'n_references' parameter"):
        tree_of(LINEAR, X, n_references=1)


def test_progress(blobs):
    """A callback hears of the root's splits and of the nodes, and may end the work."""
    pytest.importorskip("sklearn.callback")

    class Counter:
        def __init__(self, stop):
            self.n_calls, self.stop = 0, stop

        def setup(self, *args, **kwargs):
            pass

        def teardown(self, *args, **kwargs):
            pass

        def on_fit_task_begin(self, *args, **kwargs):
            pass

        def on_fit_task_end(self, *args, **kwargs):
            self.n_calls += 1
            return self.stop

    X, _, _ = blobs
    quiet, hasty = Counter(False), Counter(True)
    tree = PredictionStrengthTree(LINEAR, **FEW)
    n_leaves = clone(tree).set_callbacks(quiet).fit(X).n_leaves_
    assert quiet.n_calls > 10
    with pytest.warns(ConvergenceWarning, match="stopped the fit: the tree has"):
        stopped = clone(tree).set_callbacks(hasty).fit(X)
    assert stopped.n_leaves_ < n_leaves
    reasons = {n.choice.reason for n in stopped.tree_.nodes if not n.children}
    assert reasons == {"a callback stopped the fit"}

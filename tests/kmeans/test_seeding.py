"""Where runs start."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import BaseEstimator, ClusterMixin, clone
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.utils import check_random_state

from sklearn_kernelclust import (
    KPDDP,
    PDDP,
    KernelKMeans,
    PairwiseKernel,
    PredictionStrengthK,
)
from sklearn_kernelclust._gram._factored import FactoredGram
from sklearn_kernelclust._gram._stored import DenseGram
from sklearn_kernelclust._kmeans._runs import Problem, ProblemStack
from sklearn_kernelclust._kmeans._seeding import (
    distances_to,
    drawn_by,
    first_smallest,
    generators,
    plus_plus_starts,
    random_labels,
)


def plus_plus_labels(problem, k, rng):
    [labels] = plus_plus_starts(problem, k, [rng])
    return labels


def problem_of(X, weight=None):
    return Problem(FactoredGram(X, X), weight)


def test_a_generator_seeded_anew_is_a_new_one():
    for seed, rng in zip([3, 0, 3], generators([3, 0, 3])):
        expected = np.random.RandomState(seed)
        assert_array_equal(rng.randint(9, size=5), expected.randint(9, size=5))
        assert_array_equal(rng.permutation(9), expected.permutation(9))


def test_random_labels_leave_no_cluster_empty():
    for s in range(50):
        labels = random_labels(9, 8, np.random.RandomState(s))
        assert set(labels) == set(range(8))


def test_random_labels_are_random():
    rng = np.random.RandomState(0)
    counts = np.bincount(random_labels(30_000, 3, rng))
    assert abs(counts - 10_000).max() < 400


def test_distances_in_feature_space():
    X = np.random.default_rng(0).normal(size=(20, 3))
    d = distances_to(problem_of(X), np.array([3, 7]))
    assert_allclose(d, euclidean_distances(X, X[[3, 7]], squared=True).T, atol=1e-12)


@pytest.mark.parametrize("n_problems", [1, 2, 3])
def test_distances_in_a_stack_are_those_of_each_problem(n_problems):
    rng = np.random.default_rng(0)
    problems = [problem_of(rng.normal(size=(9, 4))) for _ in range(n_problems)]
    seeds, blocks = rng.integers(9, size=6), rng.integers(n_problems, size=6)
    stack = ProblemStack([problem.gram for problem in problems])
    each = [distances_to(problems[b], [s])[0] for s, b in zip(seeds, blocks)]
    assert_allclose(distances_to(stack, seeds, blocks), each, atol=1e-12)


def test_separated_clusters_get_a_seed_each():
    X, y = make_blobs(200, 2, centers=6, cluster_std=0.01, random_state=0)
    for s in range(20):
        labels = plus_plus_labels(problem_of(X), 6, np.random.RandomState(s))
        assert adjusted_rand_score(y, labels) == 1


def test_seeds_are_drawn_by_squared_distance():
    """Three objects, two clusters: the second seed by weight times distance."""
    X = np.array([[0.0], [1.0], [3.0]])
    n_split = 0
    for s in range(4000):
        rng = np.random.RandomState(s)
        labels = plus_plus_labels(problem_of(X, np.array([1.0, 1.0, 1e-9])), 2, rng)
        n_split += labels[0] != labels[1]
    assert n_split > 3990  # the third weighs nothing, so the other two are drawn


def test_equal_objects_are_one_seed():
    X = np.array([[0.0], [0.0], [5.0], [5.0], [5.0]])
    for s in range(20):
        labels = plus_plus_labels(problem_of(X), 4, np.random.RandomState(s))
        assert len(set(labels)) == 2
        assert labels[0] == labels[1] and len(set(labels[2:])) == 1


def test_weightless_objects_are_no_seeds():
    X = np.arange(6.0)[:, None] ** 2
    weight = np.array([0.0, 1.0, 0.0, 1.0, 0.0, 0.0])
    for s in range(20):
        labels = plus_plus_labels(problem_of(X, weight), 3, np.random.RandomState(s))
        assert len(set(labels)) == 2


def test_a_shifted_kernel_still_gives_seeds():
    """All squared distances would be negative: K_ii is 0 and K_ij is not."""
    X, y = make_blobs(90, 5, centers=3, cluster_std=0.1, random_state=0)
    K = np.exp(-euclidean_distances(X, squared=True) / 50)
    problem = Problem(DenseGram.training(K - np.eye(90)))
    d = distances_to(problem, np.array([4]))
    assert (d >= 0).all() and d[0, 4] == 0
    hits = 0
    for s in range(20):
        labels = plus_plus_labels(problem, 3, np.random.RandomState(s))
        hits += adjusted_rand_score(y, labels) == 1
    assert hits >= 15


def test_rounding_cannot_draw_beyond_the_end():
    X = np.r_[np.zeros((1, 1)), np.full((500, 1), 1e-160), np.ones((1, 1))]
    for s in range(10):
        labels = plus_plus_labels(problem_of(X), 3, np.random.RandomState(s))
        assert_array_equal(np.unique(labels), np.arange(labels.max() + 1))


def test_several_starts_are_each_alone(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, size=(40, 2)).astype(float)  # some objects coincide
    problem = problem_of(X)
    together = plus_plus_starts(problem, 9, generators(range(7)))
    monkeypatch.setattr("sklearn_kernelclust._kmeans._seeding.BLOCK", 1)
    one_by_one = plus_plus_starts(problem, 9, generators(range(7)))
    for s, labels in enumerate(together):
        alone = plus_plus_labels(problem, 9, np.random.RandomState(s))
        assert_array_equal(labels, alone)
        assert_array_equal(labels, one_by_one[s])


def test_nothing_is_drawn_that_has_no_weight():
    cumulated = np.cumsum([[0.0, 0.5, 0.0, 0.5, 0.0]], axis=1)
    drawn = drawn_by(cumulated, np.array([[1e-9, 0.4, 0.6, 1 - 1e-16]]))
    assert_array_equal(drawn, [[1, 1, 3, 3]])


def test_of_equally_good_seeds_the_first():
    values = np.array([[2.0, 1.0 + 1e-14, 1.0], [1.0, 1.0 + 1e-14, 0.5]])
    assert_array_equal(first_smallest(values, 1e-13, np.ones(2)), [1, 2])


def test_rounding_does_not_choose_the_seed_of_an_object():
    """Objects on a grid, at equal distances from several seeds."""
    X = np.array([[i, j] for i in range(6) for j in range(6)], dtype=float)
    noise = 1e-15 * np.random.default_rng(0).normal(size=(36, 36))
    K = (X - X.mean(axis=0)) @ (X - X.mean(axis=0)).T
    other = Problem(DenseGram.training(K * (1 + noise + noise.T)))
    problem = Problem(DenseGram.training(K))
    for s in range(50):
        labels = plus_plus_labels(problem, 6, np.random.RandomState(s))
        again = plus_plus_labels(other, 6, np.random.RandomState(s))
        assert_array_equal(labels, again)


class AllNoise(ClusterMixin, BaseEstimator):
    def fit(self, X, y=None):
        self.labels_ = np.r_[-1, np.zeros(len(X) - 1, int)]
        return self


@pytest.mark.parametrize("lazy", [False, True])
def test_another_clusterer_gives_the_start(lazy):
    X, _ = make_blobs(90, 3, centers=4, random_state=1)
    K = PairwiseKernel("rbf", gamma=0.1, lazy=lazy).fit_transform(X)
    labels = KPDDP(4, kernel="precomputed").fit(K).labels_
    expected = KernelKMeans(4, kernel="precomputed", init=labels).fit(K)
    given = KernelKMeans(4, kernel="precomputed", init=KPDDP()).fit(K)
    assert_array_equal(given.labels_, expected.labels_)
    assert given.n_iter_ == expected.n_iter_
    # The kernel of the model, whatever that of the clusterer.
    by_features = KernelKMeans(4, gamma=0.1, init=KPDDP(kernel="linear")).fit(X)
    assert_array_equal(by_features.labels_, expected.labels_)


def test_a_clusterer_of_features_gives_the_start():
    X, _ = make_blobs(90, 3, centers=4, random_state=1)
    for clusterer in (AgglomerativeClustering(), KMeans(), PDDP()):
        model = KernelKMeans(4, kernel="linear", init=clusterer, random_state=0)
        labels = model.fit(X).labels_
        assert_array_equal(model.fit(X).labels_, labels)  # by its random_state
        start = clone(clusterer).set_params(n_clusters=4)
        if "random_state" in start.get_params():
            seed = check_random_state(0).randint(np.iinfo(np.int32).max, size=10)[0]
            start.set_params(random_state=seed)
        given = KernelKMeans(4, kernel="linear", init=start.fit_predict(X))
        assert_array_equal(given.fit(X).labels_, labels)
        assert not hasattr(clusterer, "labels_")


def test_searches_set_the_number_of_clusters_of_the_start():
    X, _ = make_blobs(90, 3, centers=4, cluster_std=0.3, random_state=1)
    model = KernelKMeans(kernel="linear", init=KPDDP())
    choice = PredictionStrengthK(model, n_clusters=[2, 3, 4], n_splits=3).fit(X)
    assert choice.best_k_ in (2, 3, 4)


def test_a_start_needs_a_cluster_for_each_object():
    with pytest.raises(ValueError, match="init=AllNoise leaves 1 objects without"):
        KernelKMeans(2, init=AllNoise()).fit(np.ones((5, 2)))

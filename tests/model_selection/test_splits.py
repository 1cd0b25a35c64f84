"""Halves of the objects, and what one says of the other."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.sparse import csr_array, issparse
from sklearn.cluster import KMeans
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_info

from sklearn_kernelclust import KernelKMeans
from sklearn_kernelclust._gram._stored import DenseGram, SparseGram
from sklearn_kernelclust._model_selection._splits import (
    Features,
    Kernel,
    Split,
    batches_of_splits,
    score_splits,
    seeded,
    share_products,
)
from sklearn_kernelclust.metrics import prediction_strength_score


class Subclass(KernelKMeans):
    """May do anything, so it is fitted model by model."""


@pytest.mark.parametrize("n", [4, 7, 100])
def test_a_split_is_two_halves(n):
    split = Split.drawn(n, 3, seed=0)
    a, b = split.halves
    assert len(a) == n // 2
    assert_array_equal(np.sort(np.concatenate([a, b])), np.arange(n))
    assert split.seeds.shape == (3, 2)
    again = Split.drawn(n, 3, seed=0)
    assert_array_equal(again.halves[0], a)


def score_split(model, param, candidates, data, split, *how):
    [scores] = score_splits(model, param, candidates, data, [split], *how)
    return scores


@pytest.mark.parametrize("n", [60, 61])
def test_nearest_explicit_means(n, seed):
    """Each half is predicted by the means of the other."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3)) + 4 * rng.integers(0, 3, n)[:, None]
    split = Split.drawn(n, 3, seed)
    model = KernelKMeans(kernel="precomputed", n_init=2)
    data = Kernel(DenseGram.training(X @ X.T))
    scores = score_split(
        model, "n_clusters", [2, 3, 4], data, split, "prediction-strength", np.nan
    )
    for k, score, seeds in zip([2, 3, 4], scores, split.seeds):
        labels, centers = [], []
        for half, state in zip(split.halves, seeds):
            fitted = KernelKMeans(k, kernel="linear", n_init=2, random_state=state)
            labels.append(fitted.fit_predict(X[half]))
            centers.append([X[half][labels[-1] == c].mean(axis=0) for c in range(k)])
        for side in (0, 1):
            Y, means = X[split.halves[side]], np.array(centers[1 - side])
            nearest = ((Y[:, None] - means) ** 2).sum(axis=2).argmin(axis=1)
            assert score.values[side] == pytest.approx(
                prediction_strength_score(labels[side], nearest)
            )


def test_more_clusters_than_objects():
    data = Features(np.arange(10.0)[:, None])
    split = Split.drawn(10, 2, 0)
    few, many = score_split(
        KMeans(n_init=1),
        "n_clusters",
        [2, 6],
        data,
        split,
        "prediction-strength",
        np.nan,
    )
    assert np.isfinite(few.values).all()
    assert np.isnan(many.values).all()
    assert many.reason == "5 objects are not two for each cluster"


def test_what_fails_has_a_reason():
    """All at once or model by model, an error is a reason and ends nothing."""
    split = Split.drawn(12, 1, 0)
    data = Kernel(DenseGram.training(-np.eye(12) - 0.1))
    model = KernelKMeans(kernel="precomputed", n_init=1)
    for clusterer in (model, Subclass(**model.get_params())):
        (score,) = score_split(
            clusterer, "n_clusters", [2], data, split, "prediction-strength", np.nan
        )
        assert np.isnan(score.values).all()
        assert "no positive eigenvalue" in score.reason


class Counting(KMeans):
    """Remembers how many threads of OpenMP it could use."""

    n_threads = []

    def fit(self, X, y=None, sample_weight=None):
        found = threadpool_info()
        self.n_threads += [i["num_threads"] for i in found if i["user_api"] == "openmp"]
        return super().fit(X, y, sample_weight)


def test_few_objects_need_one_thread():
    """Several would wait for each other most of the time."""
    X = np.random.default_rng(0).normal(size=(30, 2))
    split, how = Split.drawn(30, 1, 0), ("prediction-strength", "raise")
    score_split(Counting(n_init=1), "n_clusters", [2], Features(X), split, *how)
    assert set(Counting.n_threads) <= {1}


def test_a_failure_is_that_of_its_split():
    """Splits scored together: the objects that fail are in one half of the second."""
    K = np.eye(24) + 0.1
    K[:12, :12] = -np.eye(12) - 0.1
    splits = [Split.drawn(24, 1, 0), Split.drawn(24, 1, 0), Split.drawn(24, 1, 1)]
    splits[1].halves = np.arange(12), np.arange(12, 24)
    model = KernelKMeans(kernel="precomputed", n_init=1)
    data, how = Kernel(DenseGram.training(K)), ("prediction-strength", np.nan)
    scores = score_splits(model, "n_clusters", [2], data, splits, *how)
    assert "no positive eigenvalue" in scores[1][0].reason
    for i in (0, 2):
        alone = score_split(model, "n_clusters", [2], data, splits[i], *how)
        assert scores[i][0].values == alone[0].values
        assert not scores[i][0].reason


@pytest.mark.parametrize("n, size", [(20, 10), (2000, 8), (20_000, 1)])
def test_small_splits_are_scored_together(n, size):
    splits = [Split.drawn(n, 1, 0)] * 19
    kernel, features = Kernel(DenseGram.training(np.eye(4))), Features(np.eye(4))
    batches = batches_of_splits(splits, KernelKMeans(), "n_clusters", kernel)
    assert sum(map(len, batches)) == 19
    assert {len(batch) for batch in batches[:-1]} == {size}
    batches = batches_of_splits(splits, KernelKMeans(), "n_clusters", features)
    assert [len(batch) for batch in batches] == [1] * 19


def test_fewer_clusters_than_asked_for():
    data = Kernel(DenseGram.training(np.ones((10, 10))))
    split = Split.drawn(10, 1, 0)
    model = KernelKMeans(kernel="precomputed", n_init=1)
    (score,) = score_split(
        model, "n_clusters", [2], data, split, "prediction-strength", np.nan
    )
    assert np.isnan(score.values).all()
    assert score.reason == "only 1 clusters were found"


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_criterion_is_not_asked_about_fewer_clusters():
    def fails(labels, predicted):
        raise AssertionError

    split, kernel = Split.drawn(10, 1, 0), Kernel(DenseGram.training(np.ones((10, 10))))
    model = KernelKMeans(kernel="precomputed", n_init=1)
    for clusterer in (model, Subclass(**model.get_params())):
        (score,) = score_split(
            clusterer, "n_clusters", [2], kernel, split, fails, np.nan
        )
        assert score.reason == "only 1 clusters were found"


def test_what_shares_products():
    kernel, features = Kernel(DenseGram.training(np.eye(4))), Features(np.eye(4))
    assert share_products(KernelKMeans(), "n_clusters", kernel)
    assert share_products(KernelKMeans(algorithm="hartigan"), "n_clusters", kernel)
    assert not share_products(KernelKMeans(), "n_init", kernel)
    assert not share_products(KernelKMeans(), "n_clusters", features)
    assert not share_products(KernelKMeans(init=[0, 1, 0, 1]), "n_clusters", kernel)
    assert not share_products(KMeans(), "n_clusters", kernel)
    assert not share_products(Subclass(), "n_clusters", kernel)


def test_parts_are_arrays_where_one_was_given():
    split = Split.drawn(6, 1, 0)
    K = np.arange(36.0).reshape(6, 6) + np.arange(36.0).reshape(6, 6).T
    a, b = split.halves
    own, other = Kernel(DenseGram.training(K), as_array=True).halves(split)
    assert_array_equal(own[0], K[np.ix_(a, a)])
    assert_array_equal(own[1], K[np.ix_(b, b)])
    assert_array_equal(other[0], K[np.ix_(a, b)])
    assert_array_equal(other[1], K[np.ix_(b, a)])
    sparse = Kernel(SparseGram.training(csr_array(K)), as_array=True)
    for given, part in zip(sparse.halves(split)[1], other):
        assert issparse(given)
        assert_array_equal(given.toarray(), part)


def test_seeds_of_all_parts():
    alone = seeded(KMeans(), 7)
    assert alone.random_state == 7
    both = seeded(make_pipeline(StandardScaler(), KMeans(random_state=3)), 7)
    assert both["kmeans"].random_state == 7
    kept = seeded(KMeans(random_state=3), 7, only_unset=True)
    assert kept.random_state == 3

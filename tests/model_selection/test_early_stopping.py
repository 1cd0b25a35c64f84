"""Splits end when the first places of the ranking are settled."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.metrics.pairwise import rbf_kernel

from sklearn_kernelclust import KernelKMeans, PredictionStrengthK
from sklearn_kernelclust._model_selection._early_stopping import LOOKS, is_clear


def kernel(std, seed=0):
    X = make_blobs(120, 5, centers=4, cluster_std=std, random_state=seed)[0]
    return rbf_kernel(X, gamma=1 / (5 * X.var()))


def chooser(**params):
    model = KernelKMeans(kernel="precomputed", n_init=1)
    params = {"n_clusters": range(2, 7), "n_splits": 100, "random_state": 0} | params
    return PredictionStrengthK(model, **params)


def test_looks_are_few_and_fixed():
    assert LOOKS[:6] == [20, 30, 45, 67, 100, 150]


def test_what_is_clear():
    rng = np.random.default_rng(0)
    assert is_clear(np.zeros(20))
    assert is_clear(np.full(20, np.nan))
    assert is_clear(np.full(20, 0.1))
    assert not is_clear(np.full(20, -0.1))
    assert not is_clear(np.array([0.3]))
    assert is_clear(rng.normal(1, 1, 100))
    assert not is_clear(rng.normal(0.1, 1, 100))


def test_the_splits_are_the_first_of_all():
    K = kernel(1.0)
    early, whole = chooser().fit(K), chooser(early_stopping=False).fit(K)
    assert early.n_splits_ in (20, 30, 45, 67), early.scores_.mean(axis=1)
    assert whole.n_splits_ == 100
    assert_array_equal(early.scores_, whole.scores_[:, : early.n_splits_])
    assert early.best_k_ == whole.best_k_ == 4


@pytest.mark.parametrize(
    "std", [1.0, *(pytest.param(std, marks=pytest.mark.slow) for std in (3.0, 6.0))]
)
def test_the_first_places_are_those_of_all_splits(std):
    for seed in range(3):
        K = kernel(std, seed)
        early, whole = chooser().fit(K), chooser(early_stopping=False).fit(K)
        assert early.best_k_ == whole.best_k_


def test_close_calls_take_all_splits():
    noise = np.random.default_rng(0).normal(size=(60, 5))
    model = chooser(n_splits=30).fit(rbf_kernel(noise, gamma=0.1))
    assert model.n_splits_ == 30


def test_the_number_of_jobs_does_not_change_it():
    K = kernel(2.0)
    one, two = chooser().fit(K), chooser(n_jobs=2).fit(K)
    assert_array_equal(one.scores_, two.scores_)


def test_with_a_threshold_all_means_must_be_far_from_it():
    K = kernel(0.3)
    model = chooser(select="threshold", threshold=0.95)
    early, whole = clone(model).fit(K), model.set_params(early_stopping=False).fit(K)
    assert early.n_splits_ < whole.n_splits_ == 100
    assert early.best_k_ == whole.best_k_ == 4

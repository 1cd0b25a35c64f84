"""How often each rule finds the right number of clusters."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from sklearn.cluster import KMeans

from sklearn_kernelclust import KernelKMeans, PredictionStrengthK

pytestmark = pytest.mark.filterwarnings(
    "ignore::sklearn.exceptions.ConvergenceWarning",
    "ignore:No number of clusters has a mean strength",
)


def separated(seed):
    """Objects in 2 to 6 Gaussian clusters of 20 to 60, six deviations apart."""
    rng = np.random.default_rng(seed)
    k = int(rng.integers(2, 7))
    centers = np.empty((0, 4))
    while len(centers) < k:
        new = rng.uniform(-8, 8, size=4)
        if all(np.linalg.norm(centers - new, axis=1) >= 6):
            centers = np.vstack([centers, new])
    sizes = rng.integers(20, 61, size=k)
    return rng.normal(size=(sizes.sum(), 4)) + np.repeat(centers, sizes, axis=0), k


def noise(seed):
    """Objects without clusters: half of the sets Gaussian, half uniform."""
    rng = np.random.default_rng(seed)
    shape = 150, 10
    return rng.normal(size=shape) if seed % 2 else rng.uniform(size=shape)


def best_k(X, select, seed):
    return (
        PredictionStrengthK(
            KernelKMeans(kernel="linear", n_init=5),
            n_clusters=range(2, 9),
            n_splits=5,
            select=select,
            refit=False,
            random_state=seed,
        )
        .fit(X - X.mean(axis=0))
        .best_k_
    )


def n_right(select, n_sets):
    sets = map(separated, range(n_sets))
    return sum(best_k(X, select, seed) == k for seed, (X, k) in enumerate(sets))


def n_ones(n_sets):
    return sum(best_k(noise(i), "threshold", i) == 1 for i in range(n_sets))


@pytest.mark.parametrize("select", ["max", "threshold"])
def test_some_separated_sets(select):
    assert n_right(select, 4) == 4


def test_some_noise():
    assert n_ones(4) == 4


@pytest.mark.slow
@pytest.mark.parametrize("select", ["max", "threshold"])
def test_a_hundred_separated_sets(select):
    assert n_right(select, 100) >= 95


@pytest.mark.slow
def test_a_hundred_sets_of_noise():
    assert n_ones(100) >= 95


@pytest.mark.parametrize("select", ["max", "threshold"])
def test_single_objects_make_no_clusters(select):
    """Three groups; each object is a little off, in a direction of its own.

    Beside the groups, k-means sets single objects apart, and nothing is predicted
    of these: all scores from 3 on are 1.
    """
    i, X = np.arange(120), np.zeros((120, 123))
    X[i, i % 3], X[i, 3 + i] = 1, 0.8
    choice = PredictionStrengthK(
        KMeans(n_init=5),
        n_clusters=[2, 3, 4, 6],
        n_splits=5,
        select=select,
        random_state=0,
    )
    with pytest.warns(UserWarning, match=r"not chosen.* a single object"):
        choice.fit(X)
    assert choice.best_k_ == choice.ranking_[0] == 3
    assert choice.cv_results_["mean_raw_score"][1:].min() == 1

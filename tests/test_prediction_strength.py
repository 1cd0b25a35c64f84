"""Choosing the number of clusters."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from sklearn_kernelclust import (
    DiagonalShift,
    KernelKMeans,
    PredictionStrengthK,
)

FEW = {"n_clusters": range(2, 6), "n_splits": 4, "random_state": 0}

pytestmark = [
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    pytest.mark.filterwarnings("ignore:X does not have valid feature names"),
    pytest.mark.filterwarnings("ignore:X has feature names"),
]


@pytest.fixture(scope="module")
def blobs():
    return make_blobs(120, 3, centers=3, cluster_std=0.4, random_state=1)[0]


class Unbatched(KernelKMeans):
    """Another class, so that the same work is done model by model."""


CHECKED = [
    PredictionStrengthK(KMeans(n_init=1), n_clusters=[2, 3], n_splits=2),
    PredictionStrengthK(KernelKMeans(n_init=2), n_clusters=[2, 3], n_splits=2),
    PredictionStrengthK(
        KernelKMeans(n_init=2, kernel="precomputed"), n_clusters=[2, 3], n_splits=2
    ),
    PredictionStrengthK(
        make_pipeline(StandardScaler(), KMeans(n_init=1)),
        n_clusters=[2, 3],
        n_splits=2,
    ),
    PredictionStrengthK(
        make_pipeline(DiagonalShift(), KernelKMeans(n_init=2, kernel="precomputed")),
        n_clusters=[2],
        n_splits=2,
    ),
]


def expected_failed_checks(estimator):
    if "precomputed" in repr(estimator.estimator):
        return {
            "check_clustering": "scikit-learn passes features to pairwise clusterers"
        }
    return {}


@pytest.mark.filterwarnings("ignore:.*could not be scored")
@parametrize_with_checks(CHECKED, expected_failed_checks=expected_failed_checks)
def test_checks_of_scikit_learn(estimator, check):
    check(estimator)

"""A cluster of two processes: fits, many fits by joblib, and workers that die."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import os
import signal
from itertools import chain

import numpy as np
import pytest
from joblib import parallel_config
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from sklearn.model_selection import GridSearchCV, KFold

pytest.importorskip("distributed")
workers = pytest.importorskip("workers")

from dask.distributed import Client, LocalCluster  # noqa: E402

from sklearn_kernelclust import (  # noqa: E402
    KernelKMeans,
    PredictionStrengthK,
    PredictionStrengthTree,
)

# Two processes take seconds to start; dask complains of those that die in its own way.
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def cluster():
    processes = LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, memory_limit=0
    )
    with processes, Client(processes) as client:
        yield client


def blobs(n_samples=120):
    rng = np.random.RandomState(0)
    centers = 6 * rng.standard_normal((4, 3))
    which = rng.randint(4, size=n_samples)
    return rng.standard_normal((n_samples, 3)) + centers[which]


def die_once(marker):
    """End this process, unless one ended here before."""
    try:
        os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return
    os.kill(os.getpid(), signal.SIGKILL)


class Deadly:
    """A block that ends the worker which reads it in the third pass."""

    def __init__(self, folder):
        self.folder, self.main = folder, os.getpid()

    def __call__(self, block):
        assert os.getpid() != self.main
        n_passes = len(os.listdir(self.folder))
        open(os.path.join(self.folder, f"{n_passes}-{os.getpid()}"), "w").close()
        if n_passes > 15:
            die_once(os.path.join(self.folder, "died"))
        return csr_array(block)


class DeadlyKernelKMeans(KernelKMeans):
    """It ends the first worker that fits it."""

    def fit(self, X, y=None, sample_weight=None):
        main, marker = self.kernel_params["main"], self.kernel_params["marker"]
        if os.getpid() != main:
            die_once(marker)
        return super().fit(X, y, sample_weight)

    def _check_kernel_params(self):
        """They are for this test."""


def clusterer(marker=None):
    params = {"kernel": "linear", "n_init": 2, "random_state": 0}
    if marker is None:
        return KernelKMeans(4, **params)
    how = {"marker": str(marker), "main": os.getpid()}
    return DeadlyKernelKMeans(4, **params, kernel_params=how)


def test_a_worker_that_dies_costs_a_retry(cluster, tmp_path):
    X = np.abs(blobs())
    expected = KernelKMeans(4, kernel="cosine", n_init=1, random_state=0)
    expected.fit(csr_array(X))
    blocks = workers.dask_array(X, height=20).map_blocks(
        Deadly(str(tmp_path)), dtype=float, meta=csr_array((0, 3))
    )
    model = KernelKMeans(4, kernel="cosine", n_init=1, random_state=0).fit(blocks)
    assert (tmp_path / "died").exists()
    assert_array_equal(model.labels_, expected.labels_)
    assert model.n_iter_ == expected.n_iter_


CHOICES = [
    lambda model: PredictionStrengthK(
        model, n_clusters=[2, 3, 4], n_splits=6, random_state=0, n_jobs=2
    ),
    lambda model: PredictionStrengthTree(model, n_splits=4, random_state=0, n_jobs=2),
]


@pytest.mark.parametrize("choice", CHOICES, ids=["PredictionStrengthK", "...Tree"])
def test_prediction_strength(cluster, tmp_path, choice):
    X = blobs()
    expected = choice(clusterer()).fit(X)
    with parallel_config(backend="dask"):
        model = choice(clusterer()).fit(X)
        deadly = choice(clusterer(tmp_path / "died")).fit(X)
    assert (tmp_path / "died").exists()
    assert_array_equal(model.labels_, expected.labels_)
    assert_array_equal(deadly.labels_, expected.labels_)


def test_grid_search(cluster):
    X, grid = blobs(), {"n_clusters": [2, 3, 4]}
    expected = GridSearchCV(clusterer(), grid, cv=3).fit(X)
    with parallel_config(backend="dask"):
        search = GridSearchCV(clusterer(), grid, cv=3, n_jobs=2).fit(X)
    scores = "mean_test_score"
    assert_allclose(search.cv_results_[scores], expected.cv_results_[scores])


def test_a_grid_search_survives_a_worker_if_all_have_the_folds(cluster, tmp_path):
    X, grid = blobs(600), {"n_clusters": [2, 3, 4]}
    folds = list(KFold(3).split(X))
    assert all(index.nbytes > 1000 for index in chain(*folds))  # joblib scatters these
    expected = GridSearchCV(clusterer(), grid, cv=folds).fit(X)
    deadly = clusterer(tmp_path / "died")
    with parallel_config(backend="dask", scatter=[X, *chain(*folds)]):
        search = GridSearchCV(deadly, grid, cv=folds, n_jobs=2).fit(X)
    assert (tmp_path / "died").exists()
    scores = "mean_test_score"
    assert_allclose(search.cv_results_[scores], expected.cv_results_[scores])

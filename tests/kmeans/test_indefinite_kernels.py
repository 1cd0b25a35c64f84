"""KernelKMeans on indefinite kernels: every run ends, and predict repeats it."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import os
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import load_npz
from sklearn.datasets import make_blobs
from sklearn.feature_extraction.text import TfidfTransformer, TfidfVectorizer
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.utils.estimator_checks import ignore_warnings

from sklearn_kernelclust import DiagonalShift, KernelKMeans
from sklearn_kernelclust.datasets import load_docstrings
from sklearn_kernelclust.metrics import kernel_inertia

# Folder with the document collections of benchmarks/papers.
DATA = Path(os.environ.get("SKLEARN_KERNELCLUST_DATA", "missing"))

ALGORITHMS = ["lloyd", "split-merge", "hartigan"]


def definite(rng):
    return rbf_kernel(make_blobs(60, 3, random_state=rng.integers(99))[0], gamma=0.1)


def shifted(rng):
    A = rng.random((60, 20)) * (rng.random((60, 20)) < 0.2)
    A[:, 0] += 0.1
    A /= np.linalg.norm(A, axis=1)[:, None]
    return A @ A.T - np.eye(60)


def noise(rng):
    A = rng.normal(size=(60, 60))
    return A + A.T


def grid(rng):
    """Full of ties."""
    X = rng.integers(-2, 3, size=(60, 2)).astype(float)
    return X @ X.T


def shifted_grid(rng):
    return grid(rng) - 3 * np.eye(60)


KERNELS = [definite, shifted, noise, grid, shifted_grid]


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("max_iter", [1, 100])
@pytest.mark.parametrize("weighted", [False, True])
def test_predict_and_transform_repeat_the_labels(
    kernel, algorithm, max_iter, weighted, first_seed
):
    rng = np.random.default_rng(first_seed)
    K = kernel(rng)
    weight = rng.integers(0, 4, 60) if weighted else np.ones(60)
    model = KernelKMeans(
        6, kernel="precomputed", algorithm=algorithm, max_iter=max_iter, n_init=3
    )
    with ignore_warnings():  # on max_iter, and fewer distinct objects than clusters
        model.set_params(random_state=first_seed).fit(K, sample_weight=weight)
    assert model.converged_ or max_iter == 1
    assert_array_equal(model.predict(K), model.labels_)
    distances = model.transform(K)
    assert_array_equal(distances.argmin(axis=1), model.labels_)
    assert_allclose(model.inertia_, kernel_inertia(K, model.labels_, weight))
    if model.converged_:
        score = model.score(K, sample_weight=weight)
        assert_allclose(score, -model.inertia_, atol=1e-9)
    new = K[:20] + 0.01 * rng.normal(size=(20, 60))
    assert_array_equal(model.transform(new).argmin(axis=1), model.predict(new))


def test_only_what_is_no_fixed_point_has_a_shift(seed):
    rng = np.random.default_rng(seed)
    plain = KernelKMeans(4, kernel="precomputed", random_state=seed).fit(definite(rng))
    assert plain.shift_ == 0
    K = shifted(rng)
    model = KernelKMeans(4, kernel="precomputed", random_state=seed).fit(K)
    again = KernelKMeans(4, kernel="precomputed", init=model.labels_)
    held = again.fit(K + model.shift_ * np.eye(60))
    assert held.n_iter_ == 1 and held.shift_ == 0
    assert_array_equal(held.labels_, model.labels_)
    # The objective of every partition changes by the same amount.
    assert_allclose(held.inertia_, model.inertia_ + model.shift_ * (60 - 4))


def test_squared_distances_keep_their_differences():
    """One constant for a row: the order of negative squares is not lost."""
    K = noise(np.random.default_rng(0))
    model = KernelKMeans(3, kernel="precomputed", random_state=0).fit(K)
    new = 3 * noise(np.random.default_rng(1))[:30]
    S = new @ model.dual_coef_
    share = model.shift_ / np.bincount(model.labels_)
    exact = model.center_norms_ + share - 2 * S
    squared = model.transform(new) ** 2
    assert_allclose(np.diff(squared, axis=1), np.diff(exact, axis=1))
    assert (squared.min(axis=1) == 0).any()


def assert_all_converge(K, seeds):
    """No warning, which would be an error here."""
    for k in (3, 5, 8, 12, 20):
        for seed in seeds:
            init = ["k-means++", "random"][seed % 2]
            params = {"init": init, "n_init": 3, "random_state": seed}
            model = KernelKMeans(k, kernel="precomputed", **params).fit(K)
            assert model.converged_
            assert model.n_reassignments_[-1] == 0
            assert_array_equal(model.predict(K), model.labels_)


def test_shifted_docstrings():
    X = TfidfVectorizer(sublinear_tf=True).fit_transform(load_docstrings().data)
    assert_all_converge(DiagonalShift().fit_transform((X @ X.T).toarray()), [0, 1])


@pytest.mark.parametrize("name", ["bbcsport", "tr11", "re0", "cstr"])
def test_shifted_documents(name):
    path = DATA / f"{name}.npz"
    if not path.exists():
        pytest.skip("SKLEARN_KERNELCLUST_DATA names no folder with the collections")
    X = TfidfTransformer(sublinear_tf=True).fit_transform(load_npz(path)[:800])
    assert_all_converge(DiagonalShift().fit_transform((X @ X.T).toarray()), range(5))

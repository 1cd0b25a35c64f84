"""What is true of PDDP, and of KPDDP with a linear kernel."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from clusterings import same_partition, spread
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from sklearn.datasets import make_blobs

from sklearn_kernelclust import KPDDP, PDDP, PairwiseKernel
from sklearn_kernelclust._divisive import _pddp
from sklearn_kernelclust._divisive._splitters import SPLITS


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("n_components", [1, 2, 3])
@pytest.mark.parametrize("kind", [np.asarray, csr_array])
def test_linear_kernel_is_the_same_as_features(split, n_components, kind, first_seed):
    # In every node that is cut there is a gap in the spectrum, no projection is
    # near zero, and no two scatters tie: the data were drawn at random.
    X = kind(spread(150, 6, first_seed))
    parameters = {"n_components": n_components, "split": split}
    features = PDDP(9, **parameters).fit(X)
    kernel = KPDDP(9, kernel="linear", **parameters).fit(X)
    given = KPDDP(9, kernel="precomputed", **parameters)
    K = PairwiseKernel("linear").fit_transform(X)
    assert same_partition(features.labels_, kernel.labels_)
    assert same_partition(features.labels_, given.fit_predict(K))
    assert features.inertia_ == pytest.approx(kernel.inertia_, rel=1e-9)
    new = kind(spread(50, 6, first_seed + 10))
    assert_array_equal(features.predict(new), kernel.predict(new))


def test_one_split_is_the_sign_of_the_first_singular_vector(seed):
    X = spread(200, 6, seed)
    v = np.linalg.svd((X - X.mean(axis=0)).T, full_matrices=False)[2][0]
    assert np.abs(v).min() > 1e-7
    for model in (PDDP(2), KPDDP(2, kernel="linear")):
        assert same_partition(model.fit_predict(X), v > 0)


def test_direction_is_the_first_principal_component():
    X = spread(200, 6, 0)
    cut = PDDP(2).fit(X).tree_.nodes[0].cut
    u = np.linalg.svd((X - X.mean(axis=0)).T, full_matrices=False)[0][:, 0]
    assert abs(u @ cut.directions[:, 0]) == pytest.approx(1)
    assert_allclose(cut.thresholds, 0, atol=1e-9)


def test_permutation_of_the_objects(seed):
    X = spread(150, 6, seed)
    shuffled = np.random.default_rng(seed).permutation(150)
    for split in SPLITS:
        expected = PDDP(7, split=split).fit_predict(X)
        assert same_partition(
            PDDP(7, split=split).fit_predict(X[shuffled]), expected[shuffled]
        )


def test_sparse_features_are_never_made_dense(monkeypatch):
    rng = np.random.default_rng(0)
    rows, terms = np.repeat(np.arange(3000), 20), rng.integers(200_000, size=60_000)
    X = csr_array((rng.random(60_000), (rows, terms)), shape=(3000, 200_000))
    largest = []

    def watch(self, *args, **kwargs):
        largest.append(self.shape[0] * self.shape[1])
        return original(self, *args, **kwargs)

    original = type(X).toarray
    monkeypatch.setattr(type(X), "toarray", watch)
    for split in SPLITS:
        model = PDDP(4, split=split).fit(X)
        assert_array_equal(model.predict(X), model.labels_)
    assert max(largest, default=0) <= 4 * 200_000


def test_k_means_steering_finds_unequal_blobs():
    X, y = make_blobs([200, 30], 2, centers=[[0, 0], [6, 0]], random_state=0)
    for split in ("2-means", "optimal-cut", "optimal-cut-2-means", "projection-cut"):
        assert same_partition(PDDP(2, split=split).fit_predict(X), y)


@pytest.mark.parametrize("parameter", [{"split": "best"}, {"n_components": 0}])
def test_wrong_parameters(parameter):
    for Model in (PDDP, KPDDP):
        with pytest.raises(ValueError, match=f"'{next(iter(parameter))}' parameter of"):
            Model(2, **parameter).fit(spread(20, 3, 0))


@pytest.mark.parametrize("split", SPLITS)
def test_a_dense_array_of_zeros_mostly_is_held_sparse(split, monkeypatch, seed):
    X = np.zeros((300, 200))
    X[:, :15] = spread(300, 15, seed) - 10
    plain = PDDP(6, split=split).fit(X)
    assert plain.mean_ is not None
    monkeypatch.setattr(_pddp, "LARGE", X.size)
    held = PDDP(6, split=split).fit(X)
    assert held.mean_ is None
    assert_array_equal(held.labels_, plain.labels_)
    assert_array_equal(held.predict(X), held.labels_)
    far = PDDP(6, split=split).fit(X + 1e6 * np.eye(1, 200))
    assert far.mean_ is not None
    assert_array_equal(far.labels_, plain.labels_)


@pytest.mark.parametrize("n", [1, 7, 8, 100])
def test_which_arrays_are_mostly_zero(n):
    X = np.zeros((n, 10))
    assert _pddp.mostly_zero(X)
    for row in (0, -1):
        X[:] = 0
        X[row : (row + 1) or None] = 1
        assert _pddp.mostly_zero(X) == (np.count_nonzero(X) <= 0.1 * X.size)
    assert not _pddp.mostly_zero(X + 1)


@pytest.mark.parametrize("far", [0, 1e6, 1e10])
@pytest.mark.parametrize("container", [np.array, csr_array])
def test_score_where_some_entries_are_missing(container, far, first_seed):
    """Zeros in a column far from the origin move the mean away from all objects."""
    rng = np.random.default_rng(first_seed)
    X = rng.normal(size=(90, 4))
    X[:, 3] += far + 40 * (np.arange(90) % 3)
    X[:4, 3] = 0
    model = PDDP(6, split="optimal-cut").fit(container(X))
    near = X - far * (X > far / 2) * (np.arange(4) == 3)
    means = [near[model.labels_ == j].mean(axis=0) for j in range(model.n_clusters_)]
    expected = ((near - np.array(means)[model.labels_]) ** 2).sum()
    # Features keep so many digits beside the offset.
    rel = 1e-9 if far < 1e10 else 1e-5
    assert model.score(container(X)) == pytest.approx(-expected, rel=rel)

"""Weights of objects: an object of weight 2 counts as two, one of weight 0 as none."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score

from sklearn_kernelclust import (
    KPDDP,
    PDDP,
    BisectingKernelKMeans,
    KernelPCAKMeans,
    PairwiseKernel,
)

X, _ = make_blobs(60, 4, centers=4, cluster_std=2.0, random_state=0)
WEIGHT = np.random.default_rng(0).integers(0, 4, size=60)
COPIES = np.repeat(np.arange(60), WEIGHT)
SPLITS = ["sign", "2-means", "optimal-cut", "optimal-cut-2-means", "projection-cut"]

# gamma is given: "scale" does not know of weights, as in scikit-learn's SVC.
MODELS = [
    *[KPDDP(4, gamma=0.02, split=split) for split in SPLITS],
    *[KPDDP(4, kernel="linear", split=split) for split in SPLITS],
    *[PDDP(4, split=split) for split in SPLITS],
    KPDDP(4, gamma=0.02, n_components=2),
    KernelPCAKMeans(4, gamma=0.02, random_state=0),
    KernelPCAKMeans(4, gamma=0.02, center=False, n_components=5, random_state=0),
    BisectingKernelKMeans(4, gamma=0.02, n_init=20, random_state=0),
    BisectingKernelKMeans(4, kernel="linear", n_init=20, random_state=0),
]


def make(model):
    return model.__class__(**model.get_params())


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_a_weight_is_a_number_of_copies(model):
    weighted = make(model).fit(X, sample_weight=WEIGHT)
    repeated = make(model).fit(X[COPIES])
    assert adjusted_rand_score(weighted.labels_[COPIES], repeated.labels_) == 1
    assert_allclose(weighted.inertia_, repeated.inertia_, rtol=1e-6)
    new = np.random.default_rng(1).normal(size=(30, 4)) * 8
    assert adjusted_rand_score(weighted.predict(new), repeated.predict(new)) == 1
    assert_allclose(weighted.score(new), repeated.score(new), rtol=1e-6)
    score = weighted.score(X, sample_weight=WEIGHT)
    assert_allclose(score, -weighted.inertia_, rtol=1e-6)
    assert_array_equal(weighted.predict(X), weighted.labels_)


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_equal_weights_make_no_difference(model):
    plain = make(model).fit(X)
    for size in (1, 3.0):
        weighted = make(model).fit(X, sample_weight=np.full(60, size))
        assert adjusted_rand_score(weighted.labels_, plain.labels_) == 1
        assert_allclose(weighted.inertia_, size * plain.inertia_, rtol=1e-6)


@pytest.mark.parametrize(
    "model", [m for m in MODELS if m.__class__ is not PDDP], ids=repr
)
def test_storage_does_not_matter(model):
    params = {k: model.get_params()[k] for k in ("kernel", "gamma")}
    weighted = make(model).fit(X, sample_weight=WEIGHT)
    for kernel in (PairwiseKernel(**params), PairwiseKernel(lazy=True, **params)):
        given = make(model).set_params(kernel="precomputed")
        given.fit(kernel.fit_transform(X), sample_weight=WEIGHT)
        assert adjusted_rand_score(given.labels_, weighted.labels_) == 1
        assert_allclose(given.inertia_, weighted.inertia_, rtol=1e-6)


def test_sparse_features():
    dense, sparse = PDDP(4), PDDP(4)
    dense.fit(X, sample_weight=WEIGHT)
    sparse.fit(csr_array(X), sample_weight=WEIGHT)
    assert_array_equal(dense.labels_, sparse.labels_)


@pytest.mark.parametrize("model", [PDDP(), KPDDP(), KernelPCAKMeans()], ids=repr)
def test_weights_are_checked(model):
    with pytest.raises(ValueError, match="at least one non-zero"):
        model.fit(X, sample_weight=np.zeros(60))
    with pytest.raises(ValueError, match="Negative values"):
        model.fit(X, sample_weight=-np.ones(60))
    with pytest.raises(ValueError, match=r"sample_weight\.shape == "):
        model.fit(X, sample_weight=np.ones(59))

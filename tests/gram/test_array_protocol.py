"""Grams where arrays are expected."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from contract import features
from grams import make_gram
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from sklearn.cluster import SpectralClustering
from sklearn.datasets import make_blobs
from sklearn.decomposition import KernelPCA
from sklearn.metrics import silhouette_score
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.svm import SVC

from sklearn_kernelclust import (
    EmpiricalKernelMap,
    KernelKMeans,
    PairwiseKernel,
    SubpolynomialKernel,
)
from sklearn_kernelclust._gram._factored import FactoredGram
from sklearn_kernelclust._gram._stored import DenseGram, SparseGram
from sklearn_kernelclust._gram._wrappers import ShiftedGram, centered
from sklearn_kernelclust._utils._memory import GramTooLargeError

X = features(30)


def grams():
    """Square Grams of all kinds."""
    rbf = make_gram(X, kernel="rbf")
    yield "dense", DenseGram.training(X @ X.T)
    yield "sparse", SparseGram.training(csr_array(X @ X.T))
    yield "factored", make_gram(X, kernel="linear")
    yield "sparse factors", make_gram(csr_array(X), kernel="cosine")
    yield "chunked", rbf
    yield "entrywise", SubpolynomialKernel().fit_transform(rbf)
    yield "shifted", ShiftedGram(rbf, -1.0)
    yield "centered", centered(rbf)
    yield "product", EmpiricalKernelMap().fit_transform(rbf)


GRAMS = dict(grams())


@pytest.fixture(params=GRAMS)
def gram(request):
    return GRAMS[request.param]


def test_the_array_is_the_matrix(gram):
    K = gram.toarray()
    assert len(gram) == 30
    assert_array_equal(np.asarray(gram), K)
    assert np.asarray(gram, dtype=np.float32).dtype == np.float32
    copy = np.array(gram)
    copy[:] = 7
    assert_array_equal(gram.toarray(), K)


INDICES = [
    (3, 5),
    (4, 4),
    (-1, -30),
    (np.int32(2), np.asarray(7)),
    3,
    -2,
    (slice(None), 6),
    (..., 6),
    (6, ...),
    (slice(2, 9), 4),
    (4, slice(2, 9)),
    (4, [3, 4, 4]),
    ([3, 4, 4], 4),
    ([1, 5, 5, -1], [1, 5, 6, -1]),
    (np.arange(29, -1, -1), np.arange(30)),
    ([7], np.arange(30)),
    (X[:, 0] > 0, 3),
]


@pytest.mark.parametrize("index", INDICES, ids=lambda index: str(index)[:40])
def test_indices_give_what_they_give_of_the_array(gram, index):
    part, expected = gram[index], gram.toarray()[index]
    assert np.shape(part) == expected.shape
    assert part.dtype == expected.dtype
    assert_allclose(part, expected, rtol=1e-12, atol=1e-12)


def test_entries_on_the_diagonal_are_exact(gram):
    assert gram[4, 4] == gram[4][4] == gram[:, 4][4] == gram.diagonal()[4]
    assert_array_equal(gram[np.arange(30), np.arange(30)], gram.diagonal())


PARTS = [
    slice(4, 9),
    slice(None, None, -3),
    [1, 8, 8],
    [],
    X[:, 0] > 0,
    ...,
    (),
    (slice(3, 7), slice(3, 7)),
    (slice(3, 7), [2, 9]),
    ([2, 9], slice(3, 7)),
    (..., slice(3, 7)),
    ([2, 9], ...),
    np.ix_([1, 2, -3], [5, 1]),
    np.ix_(X[:, 0] > 0, X[:, 1] > 0),
]


@pytest.mark.parametrize("index", PARTS, ids=lambda index: str(index)[:40])
def test_parts_are_grams(gram, index):
    part, expected = gram[index], gram.toarray()[index]
    assert part.shape == expected.shape
    assert_allclose(part.toarray(), expected, rtol=1e-12, atol=1e-12)


def test_rows_one_after_the_other(gram):
    assert_allclose(list(gram), gram.toarray(), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    "index, message",
    [
        (30, "Index 30 is out of bounds for 30 objects"),
        ([0, -31], "Index -31 is out of bounds for 30 objects"),
        ((1, 2, 3), r"two dimensions cannot be indexed by \(1, 2, 3\)"),
        ((..., ...), "of two dimensions"),
        (None, "two dimensions cannot be indexed by None"),
        (1.5, r"got float64 of shape \(\)"),
        ([True, False], r"of 30 bools as indices, got bool of shape \(2,\)"),
        (([[1, 2]], [[1, 2]]), r"takes np.ix_\(rows, cols\)"),
        (([[1, 2]], [1, 2]), r"takes np.ix_\(rows, cols\)"),
    ],
)
def test_other_indices_are_refused(gram, index, message):
    with pytest.raises(IndexError, match=message):
        gram[index]


@pytest.mark.skipif(np.lib.NumpyVersion(np.__version__) < "2.0.0", reason="numpy 2")
def test_the_copy_keyword():
    K = X @ X.T
    dense = DenseGram.training(K)
    assert np.asarray(dense) is K
    assert np.asarray(dense, copy=False) is K
    assert not np.shares_memory(np.asarray(dense, copy=True), K)
    with pytest.raises(ValueError, match="float32 would be a copy of float64"):
        np.asarray(dense, dtype=np.dtype("float32"), copy=False)
    lazy = make_gram(X, kernel="linear")
    assert_array_equal(np.asarray(lazy, copy=True), lazy.toarray())
    with pytest.raises(ValueError, match="FactoredGram has no array in memory"):
        np.asarray(lazy, copy=False)


def test_what_does_not_fit_is_refused():
    A = np.zeros((3_000_000, 1), dtype=np.float32)
    with pytest.raises(GramTooLargeError, match=r"\(3000000, 3000000\).* GiB, and "):
        np.asarray(FactoredGram(A, A))


def test_a_wider_type_that_does_not_fit_is_refused(monkeypatch):
    gram = make_gram(X.astype(np.float32), kernel="linear")
    monkeypatch.setattr("sklearn_kernelclust._utils._memory.SMALL", 0)
    monkeypatch.setattr(
        "sklearn_kernelclust._utils._memory.available_memory", lambda: 6000
    )
    assert np.asarray(gram).dtype == np.float32
    with pytest.raises(GramTooLargeError, match=r"\(30, 30\) and type float64"):
        np.asarray(gram, dtype=np.float64)


POINTS, CLASSES = make_blobs(60, centers=3, random_state=0)
RBF = PairwiseKernel("rbf", gamma=0.1)
LAZY = PairwiseKernel("rbf", gamma=0.1, lazy=True)


def test_scikit_learn_takes_lazy_kernels():
    K, gram = RBF.fit_transform(POINTS), LAZY.fit_transform(POINTS)
    svc = SVC(kernel="precomputed")
    assert_array_equal(
        svc.fit(gram, CLASSES).predict(gram), svc.fit(K, CLASSES).predict(K)
    )
    spectral = SpectralClustering(3, affinity="precomputed", random_state=0)
    assert_array_equal(spectral.fit_predict(gram), spectral.fit_predict(K))
    pca = KernelPCA(2, kernel="precomputed")
    assert_allclose(pca.fit_transform(gram), pca.fit_transform(K), atol=1e-12)
    assert_allclose(silhouette_score(gram, CLASSES), silhouette_score(K, CLASSES))


def test_scikit_learn_splits_lazy_kernels():
    """A part of both rows and columns, of a Gram as of an array."""
    K, gram = RBF.fit_transform(POINTS), LAZY.fit_transform(POINTS)
    svc = SVC(kernel="precomputed")
    assert_allclose(
        cross_val_score(svc, gram, CLASSES), cross_val_score(svc, K, CLASSES)
    )
    search = GridSearchCV(
        KernelKMeans(3, kernel="precomputed", random_state=0), {"n_init": [1, 2]}
    )
    scores = [search.fit(X).cv_results_["mean_test_score"] for X in (K, gram)]
    assert_allclose(*scores)

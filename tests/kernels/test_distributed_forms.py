"""Kernels of features on workers are those of the host."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from contract import check_gram, features
from grams import make_gram
from numpy.testing import assert_allclose
from scipy.sparse import csr_array
from sklearn import config_context

workers = pytest.importorskip("workers")

from sklearn_kernelclust import KernelKMeans  # noqa: E402
from sklearn_kernelclust._kernels._evaluate import fit_kernel  # noqa: E402

X, Y = features(30), features(12, seed=1)
KERNELS = ["linear", "cosine", "rbf", "polynomial", "sigmoid", "laplacian", "chi2"]


def products(A, B):
    return A @ B.T


@pytest.mark.parametrize("kernel", [*KERNELS, products])
def test_kernels(kernel):
    A = workers.on_workers(X, height=13)
    with config_context(working_memory=0.001):
        K = make_gram(X, kernel=kernel).toarray()
        Z = np.random.RandomState(0).standard_normal((30, 2))
        gram = make_gram(A, kernel=kernel)
        assert gram.symmetric
        assert_allclose(gram @ Z, K @ Z)
        assert_allclose(gram.diagonal(), K.diagonal())
        block = make_gram(Y, X, kernel=kernel).toarray()
        for new in (Y, workers.on_workers(Y, height=5)):
            gram = make_gram(new, A, kernel=kernel)
            assert_allclose(gram @ Z, block @ Z, atol=1e-12)
            assert_allclose(gram.toarray(), block, atol=1e-12)
            assert (gram.training_index == -1).all()


@pytest.mark.parametrize("kernel", ["cosine", "rbf"])
def test_the_contract(kernel):
    K = make_gram(X, kernel=kernel).toarray()
    A = workers.on_workers(X, csr_array, 13)
    check_gram(make_gram(A, kernel=kernel), K, K)


def test_training_objects_are_recognised():
    twice = np.vstack([X, X[:3]])
    kernel = fit_kernel(workers.on_workers(twice), kernel="cosine")
    new = np.vstack([X[5:8], Y[:1], X[1:2]])
    assert list(kernel.training_index(new)) == [5, 6, 7, -1, 1]
    index = kernel.training_index(workers.on_workers(twice))
    assert list(index) == list(range(33))


def test_gamma_scale_is_that_of_the_host():
    for container in workers.CONTAINERS:
        A = workers.on_workers(X, container)
        for kernel in ("rbf", "laplacian"):
            gamma = fit_kernel(container(X), kernel=kernel).gamma
            assert fit_kernel(A, kernel=kernel).gamma == pytest.approx(gamma)


@pytest.mark.parametrize("container", workers.CONTAINERS)
def test_rows_without_length(container):
    A = X.copy()
    A[3], A[4] = 0, 1e-170 * A[4]
    K = make_gram(container(A), kernel="cosine").toarray()
    gram = make_gram(workers.on_workers(A, container), kernel="cosine")
    assert_allclose(gram.toarray(), K, atol=1e-12)
    assert_allclose(gram @ np.eye(30), K, atol=1e-12)


def test_features_far_from_the_origin():
    A = X + 1e6
    expected = KernelKMeans(3, kernel="linear", n_init=2, random_state=0).fit(A)
    model = KernelKMeans(3, kernel="linear", n_init=2, random_state=0)
    model.fit(workers.dask_array(A))
    assert model.inertia_ == pytest.approx(expected.inertia_, rel=1e-6)
    assert (model.labels_ == expected.labels_).all()


def test_what_overflows_or_underflows():
    wide = workers.on_workers((1e30 * X).astype(np.float32))
    assert fit_kernel(wide, kernel="linear").gram().dtype == np.float64
    with pytest.raises(ValueError, match=r"'linear' overflowed: k\(x, x\) of object 0"):
        fit_kernel(workers.on_workers(1e200 * X), kernel="linear")
    message = r"underflowed: .* largest entry of X is 1\.09e-200"
    with pytest.raises(ValueError, match=message):
        fit_kernel(workers.on_workers(1e-200 * X), kernel="linear")


def test_sparse_blocks_for_a_kernel_of_dense_features():
    with pytest.raises(ValueError, match="kernel='chi2' takes dense features only"):
        fit_kernel(workers.on_workers(X, csr_array), kernel="chi2")

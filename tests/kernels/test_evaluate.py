"""From features and the name of a kernel to a Gram."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from contract import check_gram, features
from grams import make_gram
from numpy.testing import assert_allclose
from scipy.sparse import csr_array
from sklearn import config_context
from sklearn.gaussian_process.kernels import RBF, WhiteKernel
from sklearn.metrics.pairwise import pairwise_kernels, rbf_kernel

from sklearn_kernelclust._gram._factored import FactoredGram
from sklearn_kernelclust._gram._stored import DenseGram
from sklearn_kernelclust._kernels._entrywise import (
    divide_by_power_mean,
    power,
    signed_power,
)
from sklearn_kernelclust._kernels._evaluate import (
    KERNELS,
    resolve_gamma,
)

PARAMS = {
    "chi2": {"gamma": 0.3},
    "laplacian": {"gamma": 0.3},
    "poly": {"gamma": 0.3, "degree": 2, "coef0": 0.5},
    "polynomial": {"gamma": 0.3, "degree": 5, "coef0": -0.5},
    "rbf": {"gamma": 0.3},
    "sigmoid": {"gamma": 0.3, "coef0": 0.5},
}


@pytest.mark.parametrize(
    "dtype", [np.float64, pytest.param(np.float32, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("kernel", KERNELS)
def test_equal_to_scikit_learn(kernel, sparse, dtype):
    if sparse and "chi2" in kernel:
        pytest.skip("scikit-learn's chi2 kernels take dense features")
    # scikit-learn's distances of sparse features take milliseconds for each small tile.
    n, m = (12, 8) if sparse and kernel == "laplacian" else (60, 25)
    X, Y = features(n, dtype=dtype), features(m, dtype=dtype, seed=1)
    params = PARAMS.get(kernel, {})
    A, B = (csr_array(X), csr_array(Y)) if sparse else (X, Y)
    K = pairwise_kernels(X, metric=kernel, **params)
    gram = make_gram(A, kernel=kernel, **params)
    assert gram.dtype == dtype
    assert gram.symmetric
    check_gram(gram, K, K)
    new = make_gram(B, A, kernel=kernel, **params)
    K_rows = pairwise_kernels(Y, metric=kernel, **params)
    check_gram(new, pairwise_kernels(Y, X, metric=kernel, **params), K_rows)


@pytest.mark.parametrize("kernel", KERNELS)
def test_arrays_that_may_not_be_written_to(kernel):
    X = features()
    expected = make_gram(X.copy(), kernel=kernel).toarray()
    X.flags.writeable = False
    assert_allclose(make_gram(X, kernel=kernel).toarray(), expected)


@pytest.mark.parametrize("kernel", [k for k in KERNELS if "chi2" not in k])
def test_indices_of_64_bits(kernel):
    X = csr_array(features())
    expected = make_gram(X.copy(), kernel=kernel).toarray()
    X.indices, X.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
    assert_allclose(make_gram(X, kernel=kernel).toarray(), expected)
    assert X.indices.dtype == np.int64


@pytest.mark.parametrize("kernel", ["additive_chi2", "chi2"])
def test_kernels_of_dense_features_only(kernel):
    X, new = features(), csr_array(features(25, seed=1))
    with pytest.raises(ValueError, match=rf"kernel='{kernel}' .*pass X\.toarray"):
        make_gram(new, kernel=kernel)
    K = make_gram(new.toarray(), X, kernel=kernel).toarray()
    assert_allclose(make_gram(new, X, kernel=kernel).toarray(), K)


def scaled_linear(X, Y, factor=1.0):
    return factor * (X @ Y.T)


def test_callable():
    X, Y = features(), features(25, seed=1)
    gram = make_gram(X, kernel=scaled_linear, kernel_params={"factor": 2.0})
    check_gram(gram, 2 * X @ X.T, 2 * X @ X.T)
    gram = make_gram(Y, X, kernel=RBF(2.0))
    check_gram(gram, RBF(2.0)(Y, X), RBF(2.0)(Y))


@pytest.mark.parametrize(
    "kernel, message",
    [
        (lambda X, Y: 1.0, r"returned shape \(\) for blocks of 32 and 32 rows"),
        (lambda X, Y: np.ones((2, 3)), r"shape \(2, 3\).*expected \(32, 32\)"),
        (
            lambda X, Y: np.full((len(X), len(Y)), np.nan),
            r"non-finite.*\(nan\) for row 0",
        ),
    ],
)
def test_callable_that_returns_rubbish(kernel, message):
    with pytest.raises(ValueError, match=message):
        make_gram(features(), kernel=kernel)


def test_callable_that_raises_is_not_hidden():
    def kernel(X, Y):
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine") as caught:
        make_gram(features(), kernel=kernel)
    assert "two matrices, as SVC calls it" in caught.value.__notes__[0]


def test_rbf_far_from_the_origin():
    """Three terms of the size 1e12 leave nothing of distances around 1."""
    X = features()
    assert_allclose(
        make_gram(X + 1e6, kernel="rbf", gamma=1.0).toarray(),
        rbf_kernel(X, gamma=1.0),
        rtol=1e-6,
    )


def test_rbf_beside_an_outlier():
    X = np.random.default_rng(0).normal(size=(100, 3))
    X[0] = 1e9
    K = make_gram(X, kernel="rbf", gamma=0.3).toarray()
    assert_allclose(K, rbf_kernel(X, gamma=0.3), atol=1e-12)


def test_noise_of_a_callable_is_in_no_entry():
    """A Gaussian process kernel counts it in its own diagonal only."""
    X = features()
    gram = make_gram(X, kernel=RBF(2.0) + WhiteKernel(1.0))
    assert_allclose(gram @ np.ones(60), gram.toarray().sum(axis=1))


def test_float32_exponent_is_exact_where_it_matters():
    rng = np.random.default_rng(0)
    X = (1e3 * rng.normal(size=(50, 5))).astype(np.float32)
    X[1] = X[0] + np.float32(0.25)
    K = make_gram(X, kernel="rbf", gamma=1.0).toarray()
    assert K.dtype == np.float32
    exact = np.exp(-((X[0].astype(float) - X[1].astype(float)) ** 2).sum())
    assert_allclose(K[0, 1], exact, rtol=1e-5)


def test_diagonal_of_the_training_gram_is_exact():
    K = make_gram(features() / 3, kernel="rbf", gamma=7.0).toarray()
    assert (K.diagonal() == 1).all()


def test_overflow_names_object_and_parameters():
    X = features()
    X[5, 3] = 1e200
    with pytest.raises(ValueError, match=r"'linear' overflowed.*object 5.*Rescale"):
        make_gram(X, kernel="linear")
    with pytest.raises(ValueError, match=r"'poly' overflowed.*degree=300"):
        make_gram(100 * features(), kernel="poly", degree=300)


def test_float32_overflow_is_computed_in_float64():
    X = features(dtype=np.float32)
    gram = make_gram(X * 10, kernel="poly", degree=50, gamma=1.0)
    assert gram.dtype == np.float64
    assert np.isfinite(gram.toarray()).all()


def test_sums_over_objects_must_not_overflow():
    """Which k(x, x) may be large depends on how many of them there are."""
    X = features()
    X *= np.sqrt(np.finfo(np.float32).max / (X**2).sum(axis=1).max()) / 20
    few, many = X.astype(np.float32)[:5], X.astype(np.float32)
    assert make_gram(few, kernel="linear").dtype == np.float32
    assert make_gram(many, kernel="linear").dtype == np.float64
    with pytest.raises(ValueError, match=r"is 1.*e\+306, too large to sum over 60 "):
        make_gram(X / X.max() * 1e153, kernel="linear")


def test_underflow_is_not_one_cluster():
    with pytest.raises(ValueError, match=r"underflowed.*1e-200.*Rescale"):
        make_gram(np.full((4, 2), 1e-200), kernel="linear")


def test_gamma():
    X = features()
    assert resolve_gamma(None, X) == 1 / 11
    assert resolve_gamma(None, X, "chi2") == 1
    assert resolve_gamma(0.25, X) == 0.25
    assert_allclose(resolve_gamma("scale", X), 1 / (11 * X.var()))
    assert_allclose(resolve_gamma("scale", csr_array(X)), 1 / (11 * X.var()))
    far = csr_array(X.astype(np.float32) + 1e4)
    exact = 1 / (11 * far.toarray().var(dtype=np.float64))
    assert_allclose(resolve_gamma("scale", far), exact)
    assert_allclose(resolve_gamma("scale", X, "laplacian"), 1 / (11 * X.std()))
    assert_allclose(resolve_gamma("scale", csr_array(X), "laplacian"), 1 / 11 / X.std())
    histograms = X / X.sum(axis=1, keepdims=True)
    assert_allclose(resolve_gamma("scale", histograms, "chi2"), 1)
    assert resolve_gamma("scale", X, "linear") == 1 / 11
    for name in ("rbf", "chi2"):
        assert resolve_gamma("scale", np.zeros((3, 2)), name) == 1  # as in SVC
    with pytest.raises(ValueError, match=r"variance of X underflowed.*Rescale"):
        resolve_gamma("scale", X * 1e-160)


def test_what_is_stored():
    X = features()
    rbf = make_gram(X, kernel="rbf", gamma=1.0)
    assert isinstance(rbf.stored(), DenseGram)
    with config_context(working_memory=0.01):
        assert rbf.stored() is rbf
    linear = make_gram(X, kernel="linear")
    assert linear.stored() is linear
    wide = make_gram(features(10, 50), kernel="linear")
    assert isinstance(wide, FactoredGram)
    assert isinstance(wide.stored(), DenseGram)
    sparse = make_gram(csr_array(features(10, 50)), kernel="linear")
    assert sparse.stored() is sparse


@pytest.mark.parametrize("degree", range(1, 9))
def test_power_by_squaring(degree):
    x = np.linspace(-1, 1, 7)
    assert_allclose(power(x.copy(), degree=degree, coef0=0.5), (x + 0.5) ** degree)


def test_signed_power():
    assert_allclose(signed_power(np.array([-4.0, 0.0, 9.0]), p=0.5), [-2, 0, 3])


@pytest.mark.parametrize("t", [0.01, 0.5, 1, 2, 10, 1e3])
def test_power_mean(t):
    a, b = np.array([[1.0], [4.0], [1e150]]), np.array([1.0, 9.0, 1e-150])
    larger = np.maximum(a, b)
    mean = larger * (((a / larger) ** t + (b / larger) ** t) / 2) ** (1 / t)
    assert_allclose(1 / divide_by_power_mean(np.ones((3, 3)), a, b, t=t), mean)


@pytest.mark.parametrize(
    "t, mean", [(0, lambda a, b: np.sqrt(a * b)), (np.inf, np.maximum)]
)
def test_power_mean_at_its_ends(t, mean):
    a, b = np.array([[1.0], [4.0]]), np.array([1.0, 9.0])
    near = {0: 1e-12, np.inf: 1e12}[t]
    for order in (t, near):
        found = 1 / divide_by_power_mean(np.ones((2, 2)), a, b, t=order)
        assert_allclose(found, mean(a, b))


def test_power_mean_of_nothing():
    a, b = np.array([[0.0], [1.0]]), np.array([0.0, 1.0])
    assert_allclose(divide_by_power_mean(np.ones((2, 2)), a, b, t=1), [[0, 0], [0, 1]])


@pytest.mark.parametrize(
    "kind, message",
    [
        (csr_array, r"returned a csr_array of dtype float64, expected a dense"),
        (lambda K: K.astype(object), r"returned a ndarray of dtype object"),
        (lambda K: K + 0j, r"returned a ndarray of dtype complex128"),
    ],
)
def test_callable_that_returns_another_type(kind, message):
    with pytest.raises(TypeError, match=message):
        make_gram(features(), kernel=lambda X, Y: kind(X @ Y.T))


def test_one_record_per_kernel():
    assert [k for k in KERNELS if not KERNELS[k].accepts_sparse] == [
        "additive_chi2",
        "chi2",
    ]
    assert resolve_gamma(None, features(), scaled_linear) == 1 / 11

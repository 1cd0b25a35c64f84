"""Input checks that all estimators share."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.metrics.pairwise import rbf_kernel

from sklearn_kernelclust import (
    KPDDP,
    PDDP,
    BisectingKernelKMeans,
    DiagonalShift,
    KernelKMeans,
    KernelPCAKMeans,
    LocalScalingKernel,
    PairwiseKernel,
    PowerMeanNormalizer,
    SpectralClustering,
)
from sklearn_kernelclust._gram._checks import as_gram
from sklearn_kernelclust._gram._factored import FactoredGram
from sklearn_kernelclust._gram._stored import SparseGram

K = np.array([[2.0, 1.0, 0.0], [1.0, 2.0, 0.5], [0.0, 0.5, 2.0]])


@pytest.mark.parametrize(
    "estimator", [DiagonalShift(), KernelKMeans(2, kernel="precomputed")]
)
class TestKernelMatrix:
    def test_not_square(self, estimator):
        with pytest.raises(ValueError, match=r"must be square, got \(2, 3\)"):
            estimator.fit(K[:2])

    def test_gram_not_square(self, estimator):
        with pytest.raises(ValueError, match=r"must be square, got \(2, 3\)"):
            estimator.fit(FactoredGram(np.ones((2, 1)), np.ones((3, 1))))

    @pytest.mark.parametrize("value, name", [(np.nan, "NaN"), (np.inf, "infinity")])
    def test_not_finite(self, estimator, value, name):
        bad = K.copy()
        bad[1, 2] = value
        with pytest.raises(
            ValueError, match=rf"(?s)contains {name}.*first is at K\[1, 2\]"
        ):
            estimator.fit(bad)

    def test_other_width(self, estimator):
        fitted = estimator.fit(K)
        use = getattr(fitted, "predict", None) or fitted.transform
        with pytest.raises(ValueError, match=r"X has 2 features, but .* 3 features"):
            use(K[:, :2])
        with pytest.raises(ValueError, match=r"X has 2 features, but .* 3 features"):
            use(FactoredGram(np.ones((1, 1)), np.ones((2, 1))))

    def test_input_is_not_written_to(self, estimator):
        given = K.copy()
        given.flags.writeable = False
        estimator.fit(given)
        np.testing.assert_array_equal(given, K)


def test_sparse_kernel_with_nan():
    bad = csr_array(K)
    bad[2, 1] = np.nan
    with pytest.raises(ValueError, match=r"(?s)NaN.*K\[2, 1\]"):
        KernelKMeans(2, kernel="precomputed").fit(bad)


def test_kernel_params_without_a_callable():
    with pytest.raises(
        ValueError, match=r"'a': 1.* are for a callable kernel; kernel='rbf'"
    ):
        PairwiseKernel("rbf", kernel_params={"a": 1}).fit(K)


def test_kernel_params_are_not_written_to():
    params = {}
    KernelKMeans(2, kernel=lambda X, Y: X @ Y.T, kernel_params=params).fit(K[:, :2])
    assert params == {}


def test_a_kernel_taken_for_features():
    with pytest.warns(
        UserWarning, match=r"\(3, 3\) is square and symmetric.*precomputed"
    ):
        KernelKMeans(2).fit(K)


@pytest.mark.parametrize(
    "model",
    [
        BisectingKernelKMeans(4),
        KernelKMeans(4),
        KernelPCAKMeans(2),
        KPDDP(4),
        PDDP(4),
        SpectralClustering(2),
    ],
    ids=repr,
)
def test_warnings_point_to_the_line_that_fits(model):
    with pytest.warns(UserWarning) as record:
        model.fit(np.ones((5, 2)))
    assert record[0].filename == __file__


def test_pairwise_tag():
    from sklearn.utils import get_tags

    assert get_tags(KernelKMeans(kernel="precomputed")).input_tags.pairwise
    assert not get_tags(KernelKMeans()).input_tags.pairwise
    assert not get_tags(KernelKMeans(kernel=len)).input_tags.pairwise
    assert get_tags(DiagonalShift()).input_tags.pairwise


INPUTS = [
    KernelKMeans(2),
    KernelKMeans(2, kernel="precomputed"),
    LocalScalingKernel(),
    PDDP(2),
]


@pytest.mark.parametrize("model", INPUTS, ids=repr)
def test_dates_and_masked_values_are_no_numbers(model):
    with pytest.raises(ValueError, match="masked values"):
        model.fit(np.ma.array(K, mask=np.eye(3)))
    with pytest.raises(TypeError, match=r"dates or times \(datetime64\[D\]\)"):
        model.fit(K.astype("datetime64[D]"))


@pytest.mark.parametrize("model", INPUTS, ids=repr)
@pytest.mark.parametrize("library", ["pandas", "polars"])
@pytest.mark.parametrize("kind", ["datetime64[us]", "timedelta64[us]"])
def test_dates_in_a_frame_are_no_numbers(model, library, kind):
    frame = pytest.importorskip(library).DataFrame
    times = (10 * K).astype(kind)
    for columns in (times, [times[0], K[1], K[2]]):
        named = dict(zip("abc", columns))
        with pytest.raises(TypeError, match=r"(?i)dates or times \((date|time|dura)"):
            model.fit(frame(named))


def test_dates_in_a_time_zone_are_no_numbers():
    pandas = pytest.importorskip("pandas")
    dates = pandas.date_range("2000", periods=3, tz="UTC")
    with pytest.raises(TypeError, match=r"datetime64\[.*UTC"):
        KernelKMeans(2).fit(pandas.DataFrame({"a": dates}))


def with_repeats(X):
    """Rows of CSR in which each entry is there twice, as three times it and -2."""
    X = csr_array(X)
    data = np.column_stack([3 * X.data, -2 * X.data]).ravel()
    return csr_array((data, np.repeat(X.indices, 2), 2 * X.indptr), shape=X.shape)


def outcome(model, X):
    fitted = model.fit(X)
    use = fitted.predict if hasattr(fitted, "predict") else fitted.transform
    return use(X), getattr(fitted, "labels_", 0), getattr(fitted, "inertia_", 0)


def check_repeats(model, X):
    repeats, once = with_repeats(X), csr_array(X)
    for actual, expected in zip(outcome(model, repeats), outcome(model, once)):
        assert_allclose(actual, expected, atol=1e-7)
    assert repeats.nnz == 2 * np.count_nonzero(X)


COUNTS = np.random.default_rng(0).poisson(1.5, size=(30, 6)).astype(float)
CLUSTERERS = [
    BisectingKernelKMeans(3, random_state=0),
    KernelKMeans(3, random_state=0),
    KernelKMeans(3, algorithm="hartigan", random_state=0),
    KernelPCAKMeans(3, random_state=0),
    KPDDP(3),
    SpectralClustering(3, random_state=0),
]
TRANSFORMERS = [LocalScalingKernel(), PairwiseKernel(), PowerMeanNormalizer()]


@pytest.mark.parametrize("model", [*CLUSTERERS, *TRANSFORMERS, PDDP(3)], ids=repr)
def test_entries_of_sparse_features_may_repeat(model):
    """scipy's way to count: what is at the same place is summed."""
    check_repeats(model, COUNTS)


@pytest.mark.parametrize("kernel", ["cosine", "laplacian", "linear", "poly"])
def test_entries_of_sparse_features_may_repeat_in_all_kernels(kernel):
    check_repeats(KernelKMeans(3, kernel=kernel, random_state=0), COUNTS)


@pytest.mark.parametrize("model", [*CLUSTERERS, PDDP(3)], ids=repr)
@pytest.mark.parametrize("power", [60, 61])
def test_float32_near_its_largest_value(model, power):
    """Where k(x, x) does not overflow, sums of them do."""
    X = COUNTS.astype(np.float32) * 2**power
    if hasattr(model, "kernel"):
        model = clone(model).set_params(kernel="linear")
    for actual, expected in zip(outcome(model, X), outcome(model, X.astype(float))):
        assert_allclose(actual, expected)


@pytest.mark.parametrize("model", CLUSTERERS, ids=repr)
def test_entries_of_sparse_kernels_may_repeat(model):
    check_repeats(clone(model).set_params(kernel="precomputed"), rbf_kernel(COUNTS))


def test_kernels_that_steps_make():
    """Any of the types that transformers return, but nothing that is no kernel."""
    counts = np.array([[2, 1], [1, 3]])
    assert as_gram(counts).dtype == np.float64
    assert isinstance(as_gram(csr_array(counts)), SparseGram)
    assert as_gram(counts[:, :1], training=False).shape == (2, 1)
    with pytest.raises(ValueError, match=r"must be square, got \(2, 1\)"):
        as_gram(counts[:, :1])
    with pytest.raises(ValueError, match="must be symmetric"):
        as_gram(np.array([[1, 2], [0, 1]]))


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_a_gram_after_features_is_refused(kernel):
    X = np.random.default_rng(0).normal(size=(30, 3)) + 100
    gram = PairwiseKernel(kernel, lazy=True).fit(X).transform(X[:5])
    for model in (KernelKMeans(2, kernel=kernel), KPDDP(2, kernel=kernel)):
        with pytest.raises(TypeError, match=r"fitted on features.* pass features"):
            model.fit(X).predict(gram)


def test_kernel_params_of_a_kernel_matrix():
    model = PairwiseKernel("precomputed", kernel_params={"a": 1})
    with pytest.warns(UserWarning, match=r"kernel_params=\{'a': 1\} are ignored"):
        model.fit(K)

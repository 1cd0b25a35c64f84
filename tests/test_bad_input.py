"""Bad input: a clear error or the right result, for every estimator."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import re
from itertools import product

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from scipy.sparse import coo_array, csc_array, csr_array
from sklearn import clone
from sklearn.exceptions import NotFittedError

from sklearn_kernelclust import (
    KPDDP,
    PDDP,
    BisectingKernelKMeans,
    DiagonalShift,
    EmpiricalKernelMap,
    KernelKMeans,
    KernelPCAKMeans,
    LocalScalingKernel,
    PairwiseKernel,
    PowerMeanNormalizer,
    PredictionStrengthK,
    PrototypeReducer,
    SpectralClustering,
    StringKernel,
    SubpolynomialKernel,
)

# Whether there is a warning is tested with each estimator.
pytestmark = pytest.mark.filterwarnings("ignore")

START = {"n_init": 1, "random_state": 0}
CLUSTERERS = {
    "lloyd": KernelKMeans(3, **START),
    "split-merge": KernelKMeans(3, algorithm="split-merge", **START),
    "hartigan": KernelKMeans(3, algorithm="hartigan", **START),
    "linear": KernelKMeans(3, kernel="linear", **START),
    "bisecting": BisectingKernelKMeans(3, **START),
    "PDDP": PDDP(3),
    "KPDDP": KPDDP(3),
    "spectral": SpectralClustering(3, **START),
    "kernel PCA": KernelPCAKMeans(3, **START),
}
CHOICE = PredictionStrengthK(
    KernelKMeans(**START), n_clusters=[2, 3], n_splits=1, random_state=0
)
ON_FEATURES = CLUSTERERS | {
    "choice": CHOICE,
    "rbf": PairwiseKernel("rbf"),
    "lazy rbf": PairwiseKernel("rbf", lazy=True),
    "cosine": PairwiseKernel("cosine"),
    "local scaling": LocalScalingKernel(3),
    "power mean": PowerMeanNormalizer(),
}
ON_KERNELS = {
    name: clone(model).set_params(kernel="precomputed")
    for name, model in CLUSTERERS.items()
    if hasattr(model, "kernel") and name != "linear"
} | {
    "shift": DiagonalShift(),
    "power": SubpolynomialKernel(),
    "map": EmpiricalKernelMap(),
    "plain map": EmpiricalKernelMap(normalize=False),
    "maximum": PowerMeanNormalizer(np.inf, kernel="precomputed"),
    "precomputed": PairwiseKernel("precomputed"),
    "prototypes": PrototypeReducer(2, n_neighbors=3),
}
EVERY = {f"features {n}": (m, False) for n, m in ON_FEATURES.items()} | {
    f"kernel {n}": (m, True) for n, m in ON_KERNELS.items()
}

X = np.random.default_rng(0).normal(size=(12, 3))
X[6:] += 5
K = np.exp(-0.1 * np.square(X[:, None] - X).sum(axis=2))


def with_entry(good, value):
    bad = good.copy()
    bad[2, 1] = bad[1, 2] = value
    return bad


# What is wrong, how to make it of good data, and words of the error.
BAD = {
    "NaN": (lambda A: with_entry(A, np.nan), "NaN"),
    "inf": (lambda A: with_entry(A, np.inf), "infinity|inf|too large"),
    "-inf": (lambda A: with_entry(A, -np.inf), "infinity|inf|too large"),
    "NaN in float32": (lambda A: with_entry(A.astype("f"), np.nan), "NaN"),
    "no rows": (lambda A: A[:0], "0 sample|square|2D"),
    "no columns": (lambda A: A[:, :0], "0 feature|square"),
    "one dimension": (lambda A: A[0], "2D|dimension"),
    "three dimensions": (lambda A: A[None], "dim"),
    "four dimensions": (lambda A: A[None, None], "dim"),
    "complex": (lambda A: A + 1j, "[Cc]omplex"),
    "dates": (lambda A: A.astype("datetime64[s]"), "date"),
    "times": (lambda A: A.astype("timedelta64[s]"), "time"),
    "words": (lambda A: np.full(A.shape, "word"), "convert|numeric|string"),
    "bytes": (lambda A: np.full(A.shape, b"word"), "convert|numeric|string|bytes"),
    "object": (lambda A: np.full(A.shape, object()), "number|float"),
    "dicts": (lambda A: np.full(A.shape, {}, dtype=object), "number|float|dict"),
    "none inside": (lambda A: with_entry(A.astype(object), None), "NaN|None|number"),
    "masked": (lambda A: np.ma.masked_where(A == A[2, 1], A), "masked"),
    "void": (
        lambda A: np.zeros(A.shape, dtype=[("a", float)]),
        "structured array with the fields",
    ),
}
CONTAINERS = {
    "array": lambda A: A,
    "by columns": np.asfortranarray,
    "list": np.ndarray.tolist,
    "frame": pd.DataFrame,
}
ONLY_ARRAYS = ("three", "four", "masked", "void", "complex", "one dim")


def bad_arrays():
    for estimator, bad, container in product(EVERY, BAD, CONTAINERS):
        hard = bad.startswith(ONLY_ARRAYS) and container != "array"
        # By columns it is the same array, for all but the order in which it is read.
        marks = [pytest.mark.slow] if container == "by columns" else []
        if not hard:
            yield pytest.param(estimator, bad, container, marks=marks)


@pytest.mark.parametrize("estimator, bad, container", bad_arrays())
def test_bad_arrays(estimator, bad, container):
    model, of_kernel = EVERY[estimator]
    make, words = BAD[bad]
    data = CONTAINERS[container](make(K if of_kernel else X))
    check_refused(model, data, words)


def check_refused(model, data, words):
    """In words that say why, and the estimator is as it was."""
    model = clone(model)
    with pytest.raises((TypeError, ValueError)) as error:
        model.fit(data)
    assert re.search(words, str(error.value)), str(error.value)
    assert vars(model).keys() == model.get_params(deep=False).keys()


STORED = {"csr": csr_array, "csc": csc_array, "coo": coo_array}
TAKES_SPARSE = [
    name
    for name, (model, _) in EVERY.items()
    if model.__sklearn_tags__().input_tags.sparse
]


@pytest.mark.parametrize(
    "estimator, bad, store", product(TAKES_SPARSE, ["NaN", "inf", "-inf"], STORED)
)
def test_bad_sparse_matrices(estimator, bad, store):
    model, of_kernel = EVERY[estimator]
    make, words = BAD[bad]
    check_refused(model, STORED[store](make(K if of_kernel else X)), words)


NO_MATRIX = {
    "None": None,
    "number": 3.0,
    "word": "word",
    "dict": {"a": 1},
    "set": {1.0, 2.0},
    "ragged": [[1.0, 2.0], [3.0]],
    "words": [["a", "b"], ["c", "d"]],
    "bytes": [b"ab", b"cd"],
    "class": np.ndarray,
    "generator": (row for row in X),
    "empty": [],
    "rows of nothing": [[], []],
}


@pytest.mark.parametrize("estimator, bad", product(EVERY, NO_MATRIX))
def test_no_matrix(estimator, bad):
    check_refused(EVERY[estimator][0], NO_MATRIX[bad], r"\w+ \w+ \w+")


BAD_KERNELS = {
    "not square": (K[:, :7], r"square.*\(12, 7\)"),
    "wide": (K[:7], r"square.*\(7, 12\)"),
    "asymmetric": (K + np.triu(np.full((12, 12), 0.1)), r"symmetric.*differ by 0\.1"),
    "asymmetric in one entry": (
        K + np.eye(1, 144, 5).reshape(12, 12),
        r"symmetric.*K\[0, 5\]",
    ),
}


@pytest.mark.parametrize("estimator, bad", product(ON_KERNELS, BAD_KERNELS))
def test_bad_kernels(estimator, bad):
    check_refused(ON_KERNELS[estimator], *BAD_KERNELS[bad])


@pytest.mark.parametrize("estimator, size", product(ON_KERNELS, [1e-320, 1e-306]))
def test_kernels_without_digits(estimator, size):
    words = r"largest entry of the kernel is 1e-3[02][06], too small .* float64"
    check_refused(ON_KERNELS[estimator], K * size, words)


N_CLUSTERS = [0, -1, 1.5, 2.0, True, False, "2", None, np.nan, [3], np.inf]


@pytest.mark.parametrize("estimator, n_clusters", product(CLUSTERERS, N_CLUSTERS))
def test_bad_numbers_of_clusters(estimator, n_clusters):
    model = clone(CLUSTERERS[estimator]).set_params(n_clusters=n_clusters)
    check_refused(model, X, "The 'n_clusters' parameter of .*must be an int")


@pytest.mark.parametrize("estimator, n", product(CLUSTERERS, [1, 2]))
def test_fewer_objects_than_clusters(estimator, n):
    words = f"n_samples={n} should be >= n_clusters=3|minimum of 2"
    check_refused(CLUSTERERS[estimator], X[:n], words)


BAD_CANDIDATES = [[], [0, 2], [-1], [1.5], [True], ["2"], [100], None, "23", [[2]]]


@pytest.mark.parametrize("n_clusters", BAD_CANDIDATES)
def test_bad_candidates(n_clusters):
    model = clone(CHOICE).set_params(n_clusters=n_clusters)
    check_refused(model, X, "n_clusters|numbers? of clusters|clusters")


WITH_SEEDS = [name for name, m in CLUSTERERS.items() if hasattr(m, "random_state")]


@pytest.mark.parametrize(
    "estimator, seed", product(WITH_SEEDS, [-1, 2**32, "a", 1.5, [1]])
)
def test_bad_seeds(estimator, seed):
    model = clone(CLUSTERERS[estimator]).set_params(random_state=seed)
    check_refused(model, X, "random_state|seed|Seed")


BAD_KERNEL_PARAMETERS = {
    "kernel": ["unknown", None, 3],
    "gamma": [-1.0, np.nan, "wide", np.inf, [1.0]],
    "degree": [0, -1, 1.5, "2"],
    "coef0": [np.nan, np.inf, "1", None],
    "kernel_params": [{"gamma": 1.0}, 3, "x"],
}
WITH_KERNEL = [name for name, m in ON_FEATURES.items() if hasattr(m, "kernel")]


@pytest.mark.parametrize(
    "estimator, name, value",
    [
        (estimator, name, value)
        for estimator in WITH_KERNEL
        for name, values in BAD_KERNEL_PARAMETERS.items()
        for value in values
    ],
)
def test_bad_kernel_parameters(estimator, name, value):
    model = clone(ON_FEATURES[estimator]).set_params(**{name: value})
    check_refused(model, X, name)


BAD_BLOCKS = {
    "NaN": (lambda A, B: np.full((len(A), len(B)), np.nan), "NaN|finite"),
    "inf": (lambda A, B: np.full((len(A), len(B)), np.inf), "inf|finite"),
    "scalar": (lambda A, B: 1.0, r"shape \(\)"),
    "vector": (lambda A, B: np.ones(len(A)), r"shape"),
    "too wide": (lambda A, B: np.ones((len(A), len(B) + 1)), r"shape"),
    "sparse": (lambda A, B: csr_array(A @ B.T), "csr_array|sparse"),
    "objects": (lambda A, B: np.full((len(A), len(B)), None), "object"),
    "complex": (lambda A, B: 1j * (A @ B.T), "complex"),
    "words": (lambda A, B: np.full((len(A), len(B)), "a"), "str|<U1"),
    "None": (lambda A, B: None, "None"),
    "asymmetric": (lambda A, B: A @ np.triu(np.ones((3, 3))) @ B.T, "symmetric"),
}


@pytest.mark.parametrize("estimator, bad", product(WITH_KERNEL, BAD_BLOCKS))
def test_bad_callable_kernels(estimator, bad):
    kernel, words = BAD_BLOCKS[bad]
    model = clone(ON_FEATURES[estimator]).set_params(kernel=kernel)
    if estimator == "lazy rbf" and bad != "asymmetric":
        with pytest.raises((TypeError, ValueError), match=words):
            model.fit_transform(X).toarray()
    else:
        check_refused(model, X, words)


BAD_WEIGHTS = {
    "negative": (-np.ones(12), "[Nn]egative"),
    "NaN": (np.full(12, np.nan), "NaN"),
    "inf": (np.full(12, np.inf), "inf"),
    "short": (np.ones(5), r"\(5,\)"),
    "two dimensions": (np.ones((12, 2)), "1D"),
    "zeros": (np.zeros(12), "non-zero"),
    "words": (["a"] * 12, "convert|string|str"),
}


@pytest.mark.parametrize(
    "algorithm, bad", product(["lloyd", "split-merge", "hartigan"], BAD_WEIGHTS)
)
def test_bad_weights(algorithm, bad):
    weight, words = BAD_WEIGHTS[bad]
    model = clone(CLUSTERERS[algorithm])
    with pytest.raises((TypeError, ValueError), match=words):
        model.fit(X, sample_weight=weight)
    assert vars(model).keys() == model.get_params().keys()


BAD_NEW = {
    "fewer columns": (lambda A: A[:, :2], "2 features.*(3|12) features"),
    "more columns": (lambda A: np.c_[A, A], "(6|24) features.*(3|12) features"),
    "NaN": BAD["NaN"],
    "inf": BAD["inf"],
    "no rows": BAD["no rows"],
    "one dimension": BAD["one dimension"],
    "complex": BAD["complex"],
    "dates": BAD["dates"],
    "masked": BAD["masked"],
    "words": BAD["words"],
}


def verb(model):
    return model.predict if hasattr(model, "predict") else model.transform


@pytest.mark.parametrize("estimator, bad", product(EVERY, BAD_NEW))
def test_bad_new_objects(estimator, bad):
    model, of_kernel = EVERY[estimator]
    good = K if of_kernel else X
    make, words = BAD_NEW[bad]
    model = clone(model).fit(good)
    with pytest.raises((TypeError, ValueError)) as error:
        verb(model)(make(good))
    assert re.search(words, str(error.value)), str(error.value)


@pytest.mark.parametrize("estimator", EVERY)
def test_not_fitted(estimator):
    model, of_kernel = EVERY[estimator]
    with pytest.raises(NotFittedError, match=type(model).__name__):
        verb(clone(model))(K if of_kernel else X)


@pytest.mark.parametrize("estimator", ON_FEATURES)
def test_columns_in_another_order(estimator):
    frame = pd.DataFrame(X, columns=list("abc"))
    model = clone(ON_FEATURES[estimator]).fit(frame)
    with pytest.raises(ValueError, match="feature names should match"):
        verb(model)(frame[list("cab")])


# Unusual data with a right result: labels are those of the plain array.
UNUSUAL = {
    "by columns": np.asfortranarray,
    "list": np.ndarray.tolist,
    "tuple": lambda A: tuple(map(tuple, A)),
    "objects": lambda A: A.astype(object),
    "numbers as text": lambda A: A.astype(str),
    "longdouble": lambda A: A.astype(np.longdouble),
    "frame": pd.DataFrame,
    "nullable frame": lambda A: pd.DataFrame(A).convert_dtypes(),
    "big endian": lambda A: A.astype(">f8"),
    "negative strides": lambda A: A[::-1].copy()[::-1],
    "every second": lambda A: np.repeat(A, 2, axis=1)[:, ::2],
    "nothing masked": np.ma.masked_invalid,
    "matrix of duplicates": lambda A: halved(A),
    "unsorted": lambda A: unsorted(A),
    "explicit zeros": lambda A: explicit_zeros(A),
}


def read_only(A):
    A = A.copy()
    A.flags.writeable = False
    return A


def halved(A):
    """Each entry stored as two halves, which are summed up."""
    col = np.indices(A.shape)[1].ravel()
    indptr = 2 * A.shape[1] * np.arange(len(A) + 1)
    return csr_array((np.repeat(A.ravel() / 2, 2), np.repeat(col, 2), indptr))


def unsorted(A):
    col = np.tile(np.arange(A.shape[1])[::-1], len(A))
    indptr = A.shape[1] * np.arange(len(A) + 1)
    return csr_array((A[:, ::-1].ravel(), col, indptr))


def explicit_zeros(A):
    padded = csr_array(np.where(np.eye(*A.shape), 7.0, A))
    padded.data[padded.data == 7.0] = np.diag(A)
    return padded


@pytest.mark.parametrize("estimator, form", product(EVERY, UNUSUAL))
def test_unusual_data(estimator, form):
    model, of_kernel = EVERY[estimator]
    good = read_only(K if of_kernel else X)
    sparse = list(UNUSUAL).index(form) >= list(UNUSUAL).index("matrix of duplicates")
    if sparse and estimator not in TAKES_SPARSE:
        check_refused(model, UNUSUAL[form](good), "[Ss]parse")
        return
    expected, result = clone(model).fit(good), clone(model).fit(UNUSUAL[form](good))
    assert_same(expected, result, good)


def assert_same(expected, result, good):
    a, b = (verb(model)(good) for model in (expected, result))
    if hasattr(a, "toarray"):
        a, b = a.toarray(), b.toarray()
    np.testing.assert_allclose(a, b, atol=1e-9)
    if hasattr(expected, "labels_"):
        assert_array_equal(expected.labels_, result.labels_)


DEGENERATE = {
    "all equal": np.ones((12, 3)),
    "all zero": np.zeros((12, 3)),
    "zero rows": np.vstack([X[:6], np.zeros((6, 3))]),
    "two distinct": np.repeat([[0.0, 1, 2], [5, 5, 5]], 6, axis=0),
    "one column": X[:, :1],
    "tiny": X * 1e-150,
    "huge": X * 1e100,
    "subnormal": X * 1e-310,
    "one outlier": np.vstack([X[:11], [[1e8, 1e8, 1e8]]]),
    "integers": np.arange(36).reshape(12, 3),
    "bools": X > 0,
    "small integers": (X > 0).astype(np.int8),
    "half precision": X.astype(np.float16),
}


@pytest.mark.parametrize("estimator, form", product(ON_FEATURES, DEGENERATE))
def test_degenerate_features(estimator, form):
    """A finite result for all objects, or an error that says what to do."""
    data = DEGENERATE[form]
    check_finite_or_refused(ON_FEATURES[estimator], data)


DEGENERATE_KERNELS = {
    "identity": np.eye(12),
    "ones": np.ones((12, 12)),
    "zeros": np.zeros((12, 12)),
    "negative": -K,
    "zero diagonal": K - np.eye(12),
    "negative diagonal": K - 2 * np.eye(12),
    "indefinite": K - 0.9 * np.eye(12),
    "distances": np.sqrt(np.square(X[:, None] - X).sum(axis=2)),
    "tiny": K * 1e-300,
    "huge": K * 1e300,
    "nearly symmetric": K + 1e-12 * np.triu(K),
    "zero rows": np.pad(K[:6, :6], (0, 6)),
    "integers": np.eye(12, dtype=int),
    "bools": np.eye(12, dtype=bool),
}


@pytest.mark.parametrize("estimator, form", product(ON_KERNELS, DEGENERATE_KERNELS))
def test_degenerate_kernels(estimator, form):
    check_finite_or_refused(ON_KERNELS[estimator], DEGENERATE_KERNELS[form])


# What errors of degenerate data say.
REASONS = (
    "positive|negative|edges|overflow|finite|[Rr]escale|scale the|too large|"
    "clusters were found|zero|self-similarit"
)


def check_finite_or_refused(model, data):
    model = clone(model)
    try:
        model.fit(data)
        result = verb(model)(data)
    except ValueError as error:
        assert re.search(REASONS, str(error)), str(error)
        return
    result = result.toarray() if hasattr(result, "toarray") else result
    assert len(result) == len(data)
    assert np.isfinite(result).all()
    if hasattr(model, "labels_"):
        assert_array_equal(result, model.labels_)
        assert_array_equal(np.unique(result), np.arange(result.max() + 1))


@pytest.mark.parametrize("estimator", CLUSTERERS)
def test_one_object_in_one_cluster(estimator):
    model = clone(CLUSTERERS[estimator]).set_params(n_clusters=1)
    if estimator == "spectral":
        check_refused(model, X[:1], "minimum of 2")
    else:
        assert_array_equal(model.fit(X[:1]).labels_, [0])


BAD_TEXTS = {
    "one string": ("a text", "string"),
    "None": ([*"abc", None], "3.*None"),
    "NaN": (["abc", np.nan], "1.*float"),
    "number": (["abc", 3], "1.*int"),
    "bytes": (["abc", b"abc"], "1.*bytes"),
    "nothing": ([], "0 |empty|one"),
    "no iterable": (3, "iterable|int"),
    "None itself": (None, "None"),
    "array of numbers": (X, "float|str"),
    "lists": ([["a"], ["b"]], "list"),
}


@pytest.mark.parametrize(
    "kind, bad", product(["spectrum", "boundrange", "subsequence"], BAD_TEXTS)
)
def test_bad_texts(kind, bad):
    texts, words = BAD_TEXTS[bad]
    check_refused(StringKernel(2, kind=kind), texts, words)

"""The public check, and a leaf from outside the package in every estimator."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

from sklearn_kernelclust import (
    KPDDP,
    BisectingKernelKMeans,
    DiagonalShift,
    EmpiricalKernelMap,
    KernelKMeans,
    KernelPCAKMeans,
    PairwiseKernel,
    PowerMeanNormalizer,
    PredictionStrengthK,
    PrototypeReducer,
    SpectralClustering,
    SubpolynomialKernel,
)
from sklearn_kernelclust._gram._wrappers import ScaledGram
from sklearn_kernelclust.gram import Gram, check_gram


class MinimumGram(Gram):
    """The smaller of two times: the kernel of Brownian motion."""

    def __init__(self, s, t, symmetric=False):
        super().__init__((len(s), len(t)), s.dtype, s, t, symmetric)
        self.s, self.t = s, t

    @property
    def T(self):
        return type(self)(self.t, self.s, self.symmetric)

    def _tile(self, rows, cols):
        return np.minimum.outer(self.s[rows], self.t[cols])

    def _part(self, rows, cols):
        return type(self)(self.s[rows], self.t[cols])


class ForgetfulGram(MinimumGram):
    """The same, with no word about self-similarities."""

    def __init__(self, s, t, symmetric=False):
        Gram.__init__(self, (len(s), len(t)), s.dtype, symmetric=symmetric)
        self.s, self.t = s, t


def times(n=40, dtype=np.float64, seed=0):
    rng = np.random.default_rng(seed)
    centers = np.repeat([1.0, 20.0], n // 2)
    return rng.permutation(centers + rng.random(n)).astype(dtype)


def pair(leaf=MinimumGram, dtype=np.float64):
    s, t = times(dtype=dtype), times(16, dtype, seed=1)
    return leaf(s, s, symmetric=True), leaf(t, s)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("leaf", [MinimumGram, ForgetfulGram])
def test_a_leaf_of_fifteen_lines_keeps_the_contract(leaf, dtype):
    gram, block = pair(leaf, dtype)
    check_gram(gram, np.minimum.outer(gram.s, gram.s))
    check_gram(block, np.minimum.outer(block.s, block.t))


CLUSTERERS = [
    KernelKMeans(2, random_state=0),
    KernelKMeans(2, algorithm="hartigan", random_state=0),
    BisectingKernelKMeans(2, random_state=0),
    KPDDP(2),
    SpectralClustering(2, random_state=0),
    KernelPCAKMeans(2, random_state=0),
    PredictionStrengthK(
        KernelKMeans(kernel="precomputed"),
        n_clusters=[2, 3],
        n_splits=3,
        random_state=0,
    ),
]

STEPS = {
    "plain": [],
    "normalized": [PowerMeanNormalizer(1.0)],
    "shifted": [DiagonalShift(-0.5)],
    "subpolynomial": [SubpolynomialKernel(0.8)],
    "empirical map": [EmpiricalKernelMap()],
}


@pytest.mark.parametrize("leaf", [MinimumGram, ForgetfulGram])
@pytest.mark.parametrize("steps", STEPS)
@pytest.mark.parametrize("model", CLUSTERERS, ids=str)
def test_every_clusterer_takes_it(model, steps, leaf):
    """What comes out is what comes out of the array that it stands for."""
    gram, block = pair(leaf)
    if leaf is ForgetfulGram and steps == "normalized":
        pytest.skip("self-similarities of new objects must be known")
    late = gram.s > 10
    pipe = make_pipeline(*map(clone, STEPS[steps]), clone(model)).fit(gram)
    labels = pipe[-1].labels_
    assert_array_equal(labels == labels[late.argmax()], late)
    assert_array_equal(pipe.predict(gram), labels)
    assert_array_equal(pipe.predict(block) == labels[late.argmax()], block.s > 10)
    part = gram.restrict(np.arange(0, 40, 2), np.arange(0, 40, 2))
    assert_array_equal(
        make_pipeline(*map(clone, STEPS[steps]), clone(model)).fit(part).predict(part),
        make_pipeline(*map(clone, STEPS[steps]), clone(model)).fit(part)[-1].labels_,
    )


def test_prototypes_of_it():
    gram, block = pair()
    K = np.minimum.outer(gram.s, gram.s)
    lazy, eager = PrototypeReducer(4).fit(gram), PrototypeReducer(4).fit(K)
    assert_array_equal(lazy.prototypes_, eager.prototypes_)
    assert_allclose(lazy.reduced_gram_.toarray(), eager.reduced_gram_)
    assert_allclose(lazy.transform(block), eager.transform(block.toarray()))


class SortedColumns(ScaledGram):
    """Wrong only in the order of the columns of a part."""

    def _part(self, rows, cols):
        return super()._part(rows, np.sort(np.arange(self.shape[1])[cols]))


def broken(**members):
    """A leaf of which one member is wrong."""
    return type("Broken", (MinimumGram,), members)


@pytest.mark.parametrize(
    "members, message",
    [
        ({"_tile": lambda self, r, c: 2.0 * np.minimum.outer(self.s[r], self.t[c])},
         r"gram\.toarray\(\) differs(.|\n)*Max absolute difference"),
        ({"__array__": lambda self, dtype=None, copy=None: np.zeros(self.shape)},
         r"gram, as np.asarray\(gram\), differs"),
        ({"__len__": lambda self: 3}, r"gram has length 3, not 40"),
        ({"squared_row_norms": lambda self: np.zeros(self.shape[0])},
         r"gram\.squared_row_norms\(\) differs"),
        ({"_part": lambda self, r, c: self},
         r"gram\.restrict\(.*\) has shape \(40, 40\)"),
        ({"T": None}, r"restrict\(.*\) @ z raised AttributeError"),
        ({"_tile": None}, r"gram\.toarray\(\) raised TypeError"),
        ({"prefix_sums": lambda self, order: order}, r"gram\.prefix_sums"),
        ({"quadratic_forms": lambda self, W: np.zeros(W.shape[0])},
         r"gram\.quadratic_forms\(W\) differs"),
        ({"combine": lambda self, W: self.restrict([0], [0])},
         r"gram\.combine\(W\)"),
        ({"scaled": lambda self, left, right: self}, r"gram\.scaled"),
        ({"scaled": lambda self, *scales: SortedColumns(self, *scales)},
         r"gram\.scaled\(\.\.\.\)\.restrict\(rows, cols\)\.toarray\(\) differs"),
        ({"entry_range": lambda self: (-1.0, 0.0)}, r"gram\.entry_range\(\)\[0\] diff"),
        ({"connected_components": lambda self, scale: np.arange(self.shape[0])},
         "gives 40 components, expected 1"),
        ({"toarray": lambda self: np.zeros(self.shape)}, r"gram\.toarray\(\) differs"),
        ({"stored": lambda self, columns=None: Gram._of_array(np.zeros(self.shape))},
         r"gram\.stored\(None\)\.toarray\(\) differs"),
        ({"factor": lambda self: np.zeros((self.shape[0], 1))}, r"gram\.factor"),
        ({"__matmul__": lambda self, Z: np.float64(0)}, r"restrict\(.*\) @ z differs"),
    ],
)  # fmt: skip
def test_the_check_names_the_verb_that_is_wrong(members, message):
    s = times()
    gram = broken(**members)(s, s, symmetric=True)
    with pytest.raises(AssertionError, match=message):
        check_gram(gram, np.minimum.outer(s, s))


def test_the_check_looks_at_facts():
    s = times()
    K = np.minimum.outer(s, s)
    gram = MinimumGram(s, s, symmetric=True)
    with pytest.raises(AssertionError, match=r"shape is \(40, 40\).*shape \(39, 40\)"):
        check_gram(gram, K[1:])
    with pytest.raises(AssertionError, match=r"gram\.diagonal\(\) differs"):
        check_gram(gram, K, self_similarity=s + 1)
    gram.dtype = np.dtype(np.int64)
    with pytest.raises(AssertionError, match="dtype is int64"):
        check_gram(gram, K)


@pytest.mark.parametrize("largest, allowed", [(0.01, 1.0), (1.0, 1.0), (20.0, 20.0)])
def test_tolerance_is_relative_to_the_largest_entry_or_to_1(largest, allowed):
    s = largest * np.linspace(0.1, 1, 12)
    K, gram = np.minimum.outer(s, s), MinimumGram(s, s, symmetric=True)
    how = {"rtol": 0, "atol": 1e-6}
    check_gram(gram, K, self_similarity=s + 0.9e-6 * allowed, **how)
    with pytest.raises(AssertionError, match=r"gram\.diagonal\(\) differs"):
        check_gram(gram, K, self_similarity=s + 1.1e-6 * allowed, **how)


def test_an_asymmetric_matrix_of_a_symmetric_gram_is_noticed():
    s = times()
    K = np.minimum.outer(s, s)
    noisy = K.copy()
    noisy[3, 5] = np.nextafter(noisy[3, 5], np.inf)
    gram = broken(toarray=lambda self: noisy)(s, s, symmetric=True)
    with pytest.raises(AssertionError, match="not exactly symmetric"):
        check_gram(gram, K)


def test_edges_that_are_only_rounding_are_not_compared():
    K = np.array([[1.0, 1e-17], [1e-17, 1.0]])
    gram = Gram._of_array.training(K)
    assert len(np.unique(gram.connected_components(np.ones(2)))) == 2
    check_gram(gram, K)


def test_required_members_are_named():
    gram = Gram((2, 2))
    for verb in (lambda: gram @ np.ones(2), lambda: gram.restrict([0]), lambda: gram.T):
        with pytest.raises(
            NotImplementedError, match=r"Gram has no (_part|property T)"
        ):
            verb()
    with pytest.raises(NotImplementedError, match="Gram has no _tile"):
        gram.toarray()


@pytest.mark.parametrize("kernel", ["rbf", "laplacian", "poly", "cosine", "linear"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_the_array_of_a_symmetric_gram_is_exactly_symmetric(kernel, dtype):
    """Incomes, each twice: rounding of the exponent differs by row and column."""
    X = np.random.RandomState(0).lognormal(10, 1, (150, 2))
    X = np.vstack([X, X]).astype(dtype)
    X = X / 1e3 if kernel == "poly" else X
    K = PairwiseKernel(kernel).fit_transform(X)
    assert_array_equal(K, K.T)
    DiagonalShift().fit(K)
    normalized = PowerMeanNormalizer(kernel="precomputed").fit_transform(K)
    assert_array_equal(normalized, normalized.T)
    mapped = EmpiricalKernelMap().fit_transform(K)
    assert_array_equal(mapped, mapped.T)

"""Callable kernels of objects that are no rows of numbers."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics import adjusted_rand_score
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from sklearn_kernelclust import (
    KPDDP,
    BisectingKernelKMeans,
    DiagonalShift,
    KernelKMeans,
    KernelPCAKMeans,
    PairwiseKernel,
    PowerMeanNormalizer,
    PredictionStrengthK,
    SpectralClustering,
)
from sklearn_kernelclust.gram import Gram

RNG = np.random.default_rng(0)
CLASSES = np.repeat([0, 1], 12)


def letters(A, B):
    """Inner products of counts of letters, of two lists of strings."""
    count = [[[s.count(c) for c in "abcdxyz"] for s in side] for side in (A, B)]
    return np.array(count[0]) @ np.array(count[1]).T


def means(A, B):
    """Gaussian of the means of series."""
    a, b = (np.array([np.mean(x) for x in side]) for side in (A, B))
    return np.exp(-((a[:, None] - b) ** 2))


def jaccard(A, B):
    """Share of common elements of sets."""
    return np.array([[len(x & y) / len(x | y) for y in B] for x in A])


def images(A, B):
    """Inner products of arrays of two dimensions."""
    assert A.ndim == B.ndim == 3
    return np.einsum("iab,jab->ij", A, B)


def words(y):
    return ["".join(RNG.choice(list("abcd" if c == 0 else "xyz"), 9)) for c in y]


OBJECTS = {
    "strings": (letters, words(CLASSES)),
    "array of strings": (letters, np.array(words(CLASSES))),
    "ragged series": (
        means,
        [RNG.normal(4 * c, 0.1, 5 + i % 7) for i, c in enumerate(CLASSES)],
    ),
    "sets": (
        jaccard,
        [{1000 + i, *RNG.permutation(8)[:5] + 100 * c} for i, c in enumerate(CLASSES)],
    ),
    "images": (
        images,
        np.array([RNG.random((3, 4)) * [[c], [1 - c], [0.1]] for c in CLASSES]),
    ),
}


@pytest.fixture(params=OBJECTS)
def case(request):
    return OBJECTS[request.param]


def new_gram(model, X):
    return np.asarray(model.transform(X))


@pytest.mark.parametrize("lazy", [False, True])
def test_the_kernel_is_that_of_the_callable(case, lazy):
    kernel, X = case
    model = PairwiseKernel(kernel, lazy=lazy)
    K = model.fit_transform(X)
    assert isinstance(K, Gram) == lazy
    assert_allclose(np.asarray(K), kernel(X, X))
    assert_allclose(new_gram(model, X[3:5]), kernel(X[3:5], X))
    assert type(model.X_fit_) is type(X)
    assert not hasattr(model, "n_features_in_")
    again = pickle.loads(pickle.dumps(model))
    assert_allclose(new_gram(again, X[:2]), kernel(X[:2], X))


@pytest.mark.parametrize(
    "Model",
    [
        KPDDP,
        BisectingKernelKMeans,
        KernelKMeans,
        KernelPCAKMeans,
        SpectralClustering,
    ],
)
def test_clusterers(case, Model):
    kernel, X = case
    model = Model(2, kernel=kernel)
    if "random_state" in model.get_params():
        model.set_params(random_state=0)
    model.fit(X)
    given = Model(2, kernel="precomputed").set_params(
        **{k: v for k, v in model.get_params().items() if k == "random_state"}
    )
    assert_array_equal(given.fit(kernel(X, X) * 1.0).labels_, model.labels_)
    assert adjusted_rand_score(model.labels_, CLASSES) > 0.8
    assert_array_equal(model.predict(X), model.labels_)
    assert_array_equal(model.predict(X[5:7]), model.labels_[5:7])


def test_training_objects_are_recognized(case):
    kernel, X = case
    model = make_pipeline(PairwiseKernel(kernel, lazy=True), DiagonalShift(-1.0))
    K = np.asarray(model.fit_transform(X))
    assert_allclose(np.asarray(model.transform(X[2:7])), K[2:7])
    assert_allclose(np.asarray(model.transform(X[::-1])), K[::-1])


def test_normalized_kernels():
    K = letters(*[OBJECTS["strings"][1]] * 2)
    norms = np.sqrt(K.diagonal())
    model = PowerMeanNormalizer(kernel=letters)
    expected = K / np.outer(norms, norms)
    assert_allclose(model.fit_transform(OBJECTS["strings"][1]), expected)


def test_searches_split_the_sequence(case):
    kernel, X = case
    model = KernelKMeans(2, kernel=kernel, random_state=0)
    search = GridSearchCV(model, {"n_init": [1, 2]}, cv=2).fit(X)
    assert search.best_estimator_.labels_.shape == (24,)
    choice = PredictionStrengthK(model, n_clusters=[2, 3], n_splits=4, random_state=0)
    assert choice.fit(X).best_k_ == 2
    assert_array_equal(choice.predict(X), choice.labels_)


def test_from_objects_to_features_and_back():
    model = PairwiseKernel(lambda A, B: np.ones((len(A), len(B))))
    assert model.fit([[1.0, 2.0]]).n_features_in_ == 2
    assert not hasattr(model.fit(["a"]), "n_features_in_")


def test_errors_name_the_block():
    def no_block(A, B):
        return np.ones(3)

    with pytest.raises(ValueError, match=r"shape \(3,\) for blocks of 2 and 2 rows"):
        PairwiseKernel(no_block).fit(["a", "b"])
    with pytest.raises(ValueError, match="could not convert string to float"):
        PairwiseKernel("rbf").fit([["a"], ["b"]])

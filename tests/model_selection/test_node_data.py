"""Objects of the nodes of a tree, and the model inside each node."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from one_topic import documents, text_pipeline
from scipy.sparse import csc_array, csr_array
from sklearn.cluster import KMeans
from sklearn.feature_extraction.text import (
    CountVectorizer,
    TfidfTransformer,
    TfidfVectorizer,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_kernelclust import (
    KernelKMeans,
    PairwiseKernel,
    PredictionStrengthTree,
    SpectralClustering,
    StringKernel,
)
from sklearn_kernelclust._model_selection._node_data import (
    FeatureSources,
    KernelSources,
    NodeModel,
    Objects,
    taken_apart,
)
from sklearn_kernelclust._model_selection._splits import Split

X = np.random.default_rng(0).normal(size=(30, 4))
ROWS = np.array([3, 5, 8])
TEXTS = ["one two two", "two three", "three three one", "four four one"]


@pytest.mark.parametrize("take", [np.asarray, csc_array, list])
def test_rows_of_features(take):
    part = Objects(take(X), is_kernel=False).restrict(ROWS, slice(None))
    part = part.toarray() if hasattr(part, "toarray") else np.asarray(part)
    assert_array_equal(part, X[ROWS])


def test_rows_and_columns_of_kernels():
    K = X @ X.T
    lazy = PairwiseKernel(lazy=True).fit_transform(X)
    for given in (K, K.tolist(), csr_array(K), lazy):
        part = Objects(given, is_kernel=True).restrict(ROWS, ROWS[:2])
        part = part.toarray() if hasattr(part, "toarray") else part
        assert_allclose(part, K[np.ix_(ROWS, ROWS[:2])])


def test_a_vectorizer_is_taken_apart_without_a_change():
    words = TfidfVectorizer(sublinear_tf=True, stop_words=["one"], norm="l1")
    counter, rest = taken_apart(make_pipeline(words, KMeans()))
    weighted = rest[0].fit_transform(counter.fit_transform(TEXTS))
    assert isinstance(rest[0], TfidfTransformer) and len(rest) == 2
    assert_allclose(weighted.toarray(), words.fit_transform(TEXTS).toarray())
    counter, rest = taken_apart(make_pipeline(CountVectorizer(), KMeans()))
    assert isinstance(counter, CountVectorizer) and len(rest) == 1


@pytest.mark.parametrize(
    "estimator",
    [KMeans(), make_pipeline(KMeans()), make_pipeline(StandardScaler(), KMeans())],
)
def test_what_does_not_count_stays_whole(estimator):
    assert taken_apart(estimator) == (None, estimator)


def sources_of(estimator, X, n_references=2, n_init=1):
    model = NodeModel(estimator, "n_clusters", n_init)
    return model.sources(X, n_references, None, range(n_references + 1))


def test_a_kernel_is_evaluated_once_for_each_source():
    model, param, data = sources_of(KernelKMeans(gamma=0.1), X)
    assert isinstance(data, KernelSources) and len(data.sources) == 3
    assert (model.kernel, model.n_init, param) == ("precomputed", 1, "n_clusters")
    K = PairwiseKernel("rbf", gamma=0.1).fit_transform(X)
    assert_allclose(data.sources[0].gram.toarray(), K)
    a, b = (np.arange(10), np.arange(10, 30))
    split = Split((a, b), None, None, source=1)
    own, other = data.grams(split)
    assert_allclose(own[0].toarray(), data.sources[1].gram.toarray()[:10, :10])
    assert other[0].shape == (10, 20)
    assert_allclose(data.halves(split)[0][0].toarray(), own[0].toarray())


def test_steps_are_fitted_on_each_source():
    _, _, data = sources_of(make_pipeline(StandardScaler(), KMeans()), 5 * X + 3)
    assert isinstance(data, FeatureSources)
    for source in data.sources:
        assert_allclose(source.X.std(axis=0), 1)
    halves, _ = data.halves(Split((ROWS, ROWS), None, None, source=2))
    assert_allclose(halves[0], data.sources[2].X[ROWS])


def test_own_starts_if_asked_for():
    model, _, _ = sources_of(KMeans(n_init=7), X, n_init=None)
    assert model.n_init == 7
    model, _, data = sources_of(SpectralClustering(kernel="precomputed"), X @ X.T)
    assert isinstance(data, KernelSources) and data.as_array


def test_references_of_what_becomes_numbers_on_the_way():
    """Strings have no reference, their kernel has."""
    strings = ["abcab", "bcabc", "xyzxy", "zyxzy", "abxyz", "yzabc"]
    kernel = make_pipeline(StringKernel(2), KernelKMeans(kernel="precomputed"))
    _, _, data = sources_of(kernel, strings)
    assert len(data.sources) == 3 and data.gram.shape == (6, 6)
    counts = documents(0, n_documents=20, n_terms=30)
    _, _, data = sources_of(text_pipeline(), counts)
    assert all(source.gram.shape == (20, 20) for source in data.sources)


def test_terms_that_a_node_does_not_have_weigh_nothing():
    """Without smoothing, their weight would be infinite, and warn."""
    counts = CountVectorizer().fit_transform(TEXTS)
    weights = TfidfTransformer(smooth_idf=False)
    model = NodeModel(make_pipeline(weights, KMeans()), "n_clusters", None)
    fitted = model.fitted(counts[:3], 2, 0)
    (unknown,) = np.flatnonzero(counts[:3].sum(axis=0) == 0)
    assert fitted[0].idf_[unknown] == 0
    assert np.isfinite(fitted[0].idf_).all()
    one_two = CountVectorizer(vocabulary=["four", "one", "three", "two"])
    texts = ["two two one four", "two two one"]
    assert len(set(fitted.predict(one_two.transform(texts)))) == 1


def test_objects_without_references():
    def first_letters(A, B):
        return np.array([[float(a[0] == b[0]) for b in B] for a in A])

    words = ["ab", "ac", "ad", "xy"] * 8
    tree = PredictionStrengthTree(KernelKMeans(kernel=first_letters), random_state=0)
    with pytest.raises(TypeError, match="cannot be drawn of objects for KernelKMeans"):
        tree.fit(words)
    words = [list(word) + ["z"] * (i % 3) for i, word in enumerate(words)]
    with pytest.raises(TypeError, match="cannot be drawn of objects for KernelKMeans"):
        tree.fit(words)
    kernel = PairwiseKernel(first_letters)
    model = make_pipeline(kernel, KernelKMeans(kernel="precomputed"))
    labels = PredictionStrengthTree(model, random_state=0).fit(words).labels_
    assert_array_equal(labels == labels[3], np.arange(32) % 4 == 3)
    X = np.ones((40, 2))
    X[3, 1] = np.nan
    tree = PredictionStrengthTree(KernelKMeans(), random_state=0)
    with pytest.raises(ValueError, match="X contains NaN"):
        tree.fit(X)

"""Pipelines and searches, from features and on a precomputed kernel."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from corpora import documents
from joblib import parallel_config
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics import normalized_mutual_info_score as nmi
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV, cross_val_predict
from sklearn.pipeline import Pipeline

from sklearn_kernelclust import (
    DiagonalShift,
    EmpiricalKernelMap,
    KernelKMeans,
    PairwiseKernel,
    PowerMeanNormalizer,
    SubpolynomialKernel,
)

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

GRID = {
    "normalizer__t": [0.0, np.inf],
    "subpoly__p": [0.6, 1.0],
    "shift__sigma": ["zero-trace", 0.0],
}


@pytest.fixture(scope="module")
def corpus():
    return documents(n=150, n_terms=2000, k=3, topical=0.4)


def pipeline(**params):
    return Pipeline(
        [
            ("normalizer", PowerMeanNormalizer(**params)),
            ("subpoly", SubpolynomialKernel()),
            ("shift", DiagonalShift()),
            (
                "clusterer",
                KernelKMeans(3, kernel="precomputed", n_init=2, random_state=0),
            ),
        ]
    )


@pytest.mark.parametrize("lazy", [False, True])
def test_search_from_sparse_features_with_labels(corpus, lazy):
    X, y = corpus
    search = GridSearchCV(
        pipeline(lazy=lazy), GRID, scoring="normalized_mutual_info_score", cv=3
    ).fit(X, y)
    scores = search.cv_results_["mean_test_score"]
    assert len(scores) == 8
    assert np.isfinite(scores).all()
    assert nmi(y, search.predict(X)) > 0.8
    assert search.best_estimator_[-1].labels_.shape == (150,)


def test_lazy_and_eager_searches_agree(corpus):
    X, y = corpus
    scores = [
        GridSearchCV(pipeline(lazy=lazy), GRID, scoring="adjusted_rand_score", cv=3)
        .fit(X, y)
        .cv_results_["mean_test_score"]
        for lazy in (False, True)
    ]
    assert_allclose(*scores)


def test_search_without_labels(corpus):
    X, _ = corpus
    grid = {"clusterer__n_clusters": [2, 3, 4]}
    search = GridSearchCV(pipeline(), grid, cv=3).fit(X)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    search = GridSearchCV(pipeline(), GRID, cv=3).fit(X)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_search_on_a_precomputed_kernel(corpus, dtype):
    X, y = corpus
    K = (X @ X.T).toarray().astype(dtype)
    model = pipeline(kernel="precomputed")
    search = GridSearchCV(model, GRID, scoring="normalized_mutual_info_score", cv=3)
    search.fit(K, y)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    assert nmi(y, search.predict(K)) > 0.8
    without = GridSearchCV(model, GRID, cv=3).fit(K)
    assert np.isfinite(without.cv_results_["mean_test_score"]).all()


def test_precomputed_slices_are_those_of_features(corpus):
    """Rows and columns for training, rows of the others against those."""
    X, y = corpus
    params = {"scoring": "adjusted_rand_score", "cv": 3}
    grid = {"clusterer__n_clusters": [2, 3], "shift__sigma": ["zero-trace", 0]}
    features = GridSearchCV(pipeline(), grid, **params).fit(X, y)
    K = (X @ X.T).toarray()
    given = GridSearchCV(pipeline(kernel="precomputed"), grid, **params).fit(K, y)
    assert_allclose(
        given.cv_results_["mean_test_score"], features.cv_results_["mean_test_score"]
    )


def test_search_of_the_clusterer_alone(corpus):
    X, _ = corpus
    K = rbf_kernel(X, gamma=1.0)
    model = KernelKMeans(kernel="precomputed", n_init=2, random_state=0)
    for data in (K, csr_array(K)):
        search = GridSearchCV(model, {"n_clusters": [2, 3]}, cv=3).fit(data)
        assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    model.set_params(n_clusters=3)
    assert cross_val_predict(model, K, cv=3).shape == (150,)


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_workers_change_nothing(corpus, backend):
    X, y = corpus
    search = GridSearchCV(pipeline(), GRID, scoring="adjusted_rand_score", cv=2)
    expected = clone(search).fit(X, y).cv_results_["mean_test_score"]
    with parallel_config(backend, n_jobs=2):
        scores = search.fit(X, y).cv_results_["mean_test_score"]
    assert_array_equal(scores, expected)


def test_documents_to_clusters():
    """A user's own documents, as they are."""
    texts = ["the cat sat", "a cat and a dog", "dogs and cats", "stock market falls"]
    texts += ["market and stocks", "stocks fall as the market sinks"]
    pipe = Pipeline(
        [
            ("tfidf", TfidfVectorizer()),
            ("kernel", PairwiseKernel("cosine", lazy=True)),
            ("shift", DiagonalShift()),
            ("map", EmpiricalKernelMap()),
            ("clusterer", KernelKMeans(2, kernel="precomputed", random_state=0)),
        ]
    )
    labels = pipe.fit_predict(texts)
    assert len(set(labels)) == 2
    assert_array_equal(pipe.predict(texts), labels)


def test_dataframes():
    pandas = pytest.importorskip("pandas")
    X = np.random.default_rng(0).normal(size=(40, 3))
    frame = pandas.DataFrame(X, columns=["a", "b", "c"])
    model = KernelKMeans(3, random_state=0).fit(frame)
    assert_array_equal(model.feature_names_in_, ["a", "b", "c"])
    assert_array_equal(model.labels_, KernelKMeans(3, random_state=0).fit(X).labels_)
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(frame[["b", "a", "c"]])
    out = PairwiseKernel("rbf").set_output(transform="pandas").fit_transform(frame)
    assert list(out.columns[:2]) == ["pairwisekernel0", "pairwisekernel1"]


def test_progress_reaches_callbacks():
    pytest.importorskip("sklearn.callback")
    steps = []

    class Count:
        def setup(self, estimator, context):
            steps.append("setup")

        def on_fit_task_begin(self, estimator, context, **kwargs):
            pass

        def on_fit_task_end(self, estimator, context, **kwargs):
            steps.append(context.task_name)

        def teardown(self, estimator, context):
            steps.append("teardown")

    X = np.random.default_rng(0).normal(size=(60, 2))
    model = KernelKMeans(4, kernel="linear", init="random", n_init=1, random_state=0)
    model.set_callbacks(Count()).fit(X)
    assert steps.count("iteration") == model.n_iter_
    assert (steps[0], steps[-2], steps[-1]) == ("setup", "fit", "teardown")

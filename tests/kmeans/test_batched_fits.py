"""All numbers of clusters at once, against one model for each."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from sklearn.metrics.pairwise import linear_kernel

from sklearn_kernelclust import KernelKMeans
from sklearn_kernelclust._gram._chunked import ChunkedGram
from sklearn_kernelclust._gram._factored import FactoredGram
from sklearn_kernelclust._gram._stored import DenseGram, SparseGram
from sklearn_kernelclust._gram._wrappers import ShiftedGram
from sklearn_kernelclust._kmeans._batched_fits import fit_each_k, predict_each_k
from sklearn_kernelclust._kmeans._runs import Run


def chunked(X):
    diagonal = (X**2).sum(axis=1)
    return ChunkedGram(linear_kernel, X, X, diagonal, diagonal, symmetric=True)


def factored(X):
    return FactoredGram(X, X, symmetric=True)


GRAMS = {
    "dense": lambda X: DenseGram.training(X @ X.T),
    "by columns": lambda X: DenseGram.training(np.asfortranarray(X @ X.T)),
    "sparse": lambda X: SparseGram.training(csr_array(X @ X.T)),
    "factored": factored,
    "chunked": chunked,
    "shifted": lambda X: ShiftedGram(factored(X), 0.1),
    "shifted array": lambda X: ShiftedGram(DenseGram.training(X @ X.T), 0.1),
}


@pytest.mark.parametrize("name", GRAMS)
@pytest.mark.parametrize("algorithm", ["lloyd", "split-merge", "hartigan"])
@pytest.mark.filterwarnings("ignore:split-merge emptied")
def test_as_one_model_for_each(name, algorithm, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 3)) + 4 * rng.integers(0, 3, 60)[:, None]
    gram, candidates, seeds = GRAMS[name](X), [2, 3, 5], [seed, 7, 8]
    order = rng.permutation(60)
    half, other = order[:30], order[30:]
    own, block = gram.restrict(half, half), gram.restrict(other, half)
    params = {"kernel": "precomputed", "n_init": 2, "algorithm": algorithm}
    [runs] = fit_each_k(KernelKMeans(**params), candidates, [own], [seeds])
    predicted = predict_each_k(runs, block, gram.diagonal()[other])
    for k, state, run, labels in zip(candidates, seeds, runs, predicted):
        alone = KernelKMeans(k, random_state=state, **params).fit(own)
        kept = np.unique(run.labels)
        assert_array_equal(kept[alone.labels_], run.labels)
        assert_array_equal(kept[alone.predict(block)], labels)


@pytest.mark.parametrize("algorithm", ["lloyd", "split-merge", "hartigan"])
@pytest.mark.parametrize("init", ["k-means++", "random"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_fits_on_several_kernels_are_those_on_each(algorithm, init, dtype, seed):
    """Definite and indefinite kernels, one of few distinct objects."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(4, 40, 3))
    X[2] = X[2, np.arange(40) % 5]
    kernels = [Y @ Y.T - shift * np.eye(40) for Y, shift in zip(X, [0, 3, 0, 1])]
    grams = [DenseGram.training(K.astype(dtype)) for K in kernels]
    seeds = rng.integers(1000, size=(4, 3))
    model = KernelKMeans(n_init=2, algorithm=algorithm, init=init)
    together = fit_each_k(model, [2, 7, 4], grams, seeds)
    for gram, seeds_of_gram, runs in zip(grams, seeds, together):
        [alone] = fit_each_k(model, [2, 7, 4], [gram], [seeds_of_gram])
        for run, expected in zip(runs, alone):
            assert_array_equal(run.labels, expected.labels)
            assert run.n_iter == expected.n_iter
            assert run.objective == pytest.approx(expected.objective, abs=1e-4)
            assert run.shift == pytest.approx(expected.shift, abs=1e-3)
            assert_allclose(run.norms, expected.norms, rtol=1e-4, atol=1e-4)


def test_predictions_do_not_depend_on_batches(seed, monkeypatch):
    X = np.random.default_rng(seed).normal(size=(40, 3))
    gram = GRAMS["dense"](X)
    [runs] = fit_each_k(KernelKMeans(n_init=1), [2, 6, 4], [gram], [[0, 1, 2]])
    expected = predict_each_k(runs, gram, gram.diagonal())
    monkeypatch.setattr("sklearn_kernelclust._kmeans._solve.SUMS_BYTES", 1)
    assert_array_equal(predict_each_k(runs, gram, gram.diagonal()), expected)
    for run, labels in zip(runs, expected):
        assert_array_equal(run.labels, labels)


def test_clusters_without_objects_have_no_mean():
    """Of three means, no object has the one in the middle."""
    gram = DenseGram(np.array([[9.0, 9.0, 0.0], [0.0, 9.0, 1.0]]))
    run = Run(0, np.array([0, 2, 2]), 3)
    run.members, run.mass = np.array([0, 1, 2]), np.ones(3)
    run.norms = np.array([4.0, 0.0, 0.0])
    [labels] = predict_each_k([run], gram, np.ones(2))
    assert_array_equal(labels, [0, 2])

"""All numbers of clusters on several halves, against one model for each."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.sparse import csr_array
from sklearn.metrics.pairwise import linear_kernel

from sklearn_kernelclust import KernelKMeans
from sklearn_kernelclust._gram._chunked import ChunkedGram
from sklearn_kernelclust._gram._factored import FactoredGram
from sklearn_kernelclust._gram._stored import DenseGram, SparseGram
from sklearn_kernelclust._gram._wrappers import ShiftedGram
from sklearn_kernelclust._kmeans._batched_fits import (
    Means,
    Seen,
    fit_in_step,
    predict_in_step,
)
from sklearn_kernelclust._kmeans._results import Result
from sklearn_kernelclust._model_selection._splits import Kernel, Split


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
@pytest.mark.parametrize("n", [60, 61])
@pytest.mark.parametrize("least", [0, 10**9])  # classes in common, or none
def test_as_one_model_for_each(name, n, least, seed, monkeypatch):
    monkeypatch.setattr(
        "sklearn_kernelclust._kmeans._cluster_sums.WORTH_JOINING", least
    )
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3)) + 4 * rng.integers(0, 3, n)[:, None]
    gram, candidates = GRAMS[name](X), [2, 3, 5]
    splits = [Split.drawn(n, 3, s) for s in (seed, seed + 1)]
    seeds = np.hstack([split.seeds for split in splits]).T
    model = KernelKMeans(kernel="precomputed", n_init=2)
    own, other = Kernel(gram).together(splits)
    fits = fit_in_step(model, candidates, own, seeds)
    halves = [half for split in splits for half in split.halves]
    of_others = [fits[i ^ 1] for i in range(4)]
    predicted = predict_in_step(model, candidates, of_others, other)
    for i, half in enumerate(halves):
        block = gram.restrict(halves[i ^ 1], half)
        each = zip(candidates, seeds[i], fits[i], predicted[i ^ 1])
        for k, of_k, found, guess in each:
            alone = KernelKMeans(k, kernel="precomputed", n_init=2, random_state=of_k)
            alone.fit(gram.restrict(half, half))
            assert_array_equal(found.labels, alone.labels_)
            assert_array_equal(guess, alone.predict(block))


@pytest.mark.parametrize("n, n_sizes", [(20, 1), (21, 2)])
def test_halves_of_one_size_go_in_step(n, n_sizes, monkeypatch):
    calls, runs = [], KernelKMeans._runs

    def counted(*args):
        calls.append(args)
        return runs(*args)

    monkeypatch.setattr(KernelKMeans, "_runs", counted)
    X = np.random.default_rng(0).normal(size=(n, 2))
    splits = [Split.drawn(n, 1, seed) for seed in range(4)]
    own, _ = Kernel(GRAMS["dense"](X)).together(splits)
    fit_in_step(KernelKMeans(n_init=1), [2], own, np.zeros((8, 1), dtype=int))
    assert len(calls) == n_sizes


def test_clusters_without_objects_are_none():
    """Of three means, no object has the one in the middle."""
    gram = DenseGram(np.array([[9.0, 9.0, 0.0], [0.0, 9.0, 1.0]]))
    labels, members = np.array([0, 2, 2]), np.array([0, 1, 2])
    mass, norms = np.ones(3), np.array([4.0, 0.0, 0.0])
    result = Result(labels, members, mass, norms, 0.0, 0.0, True, 0, [])
    means = Means.of(result)
    assert_array_equal(means.labels, [0, 1, 1])
    [[found]] = predict_in_step(
        KernelKMeans(), [3], [[means]], [Seen(gram, np.ones(2))]
    )
    assert_array_equal(found, [0, 1])

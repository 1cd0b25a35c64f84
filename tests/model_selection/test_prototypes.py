"""Prototypes against loops."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from corpora import documents
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array, issparse
from sklearn import config_context
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.utils.estimator_checks import parametrize_with_checks

from sklearn_kernelclust import PrototypeReducer
from sklearn_kernelclust._gram._chunked import ChunkedGram
from sklearn_kernelclust._gram._factored import FactoredGram
from sklearn_kernelclust._gram._stored import DenseGram, SparseGram
from sklearn_kernelclust._gram._wrappers import ShiftedGram
from sklearn_kernelclust._model_selection._prototypes import (
    averages,
    groups_of,
    neighborhoods,
    smallest,
)


def by_loops(K, p, rate):
    """The paper, sentence by sentence."""
    n = len(K)
    members, compactness = [], []
    for a in range(n):
        distance = [(K[a, a] + K[j, j] - 2 * K[a, j], j) for j in range(n) if j != a]
        members.append([a, *sorted(j for _, j in sorted(distance)[:p])])
        inside = sorted(members[a])
        total = sum(K[i, j] for i in inside for j in inside)
        compactness.append(total / len(members[a]) ** 2)
    ranked = sorted(range(n), key=lambda a: (-compactness[a], a))
    chosen = ranked[rate - 1 :: rate]
    reduced = [
        [
            sum(K[i, j] for i in members[a] for j in members[b])
            / (len(members[a]) * len(members[b]))
            for b in chosen
        ]
        for a in chosen
    ]
    return members, compactness, chosen, reduced


@parametrize_with_checks([PrototypeReducer(), PrototypeReducer(2, n_neighbors=1)])
def test_checks_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.parametrize("p, rate", [(1, 1), (5, 4), (3, 2), (50, 7)])
def test_equal_to_loops(p, rate, seed):
    X = np.random.default_rng(seed).normal(size=(40, 3))
    K = rbf_kernel(X)
    members, compactness, chosen, reduced = by_loops(K, p, rate)
    reducer = PrototypeReducer(rate, n_neighbors=p).fit(K)
    assert_array_equal(reducer.neighborhoods_, members)
    assert_allclose(reducer.compactness_, compactness)
    assert_array_equal(reducer.prototypes_, chosen)
    assert_allclose(reducer.reduced_gram_, reduced)
    assert len(chosen) == 40 // rate


cell = st.integers(-2, 2)


@given(st.lists(st.tuples(cell, cell), min_size=2, max_size=12))
def test_equal_to_loops_on_ties(grid):
    X = np.array(grid, dtype=float)
    K = X @ X.T
    members, compactness, _, _ = by_loops(K, min(2, len(X) - 1), 1)
    reducer = PrototypeReducer(1, n_neighbors=2).fit(K)
    assert_array_equal(reducer.neighborhoods_, members)
    assert_allclose(reducer.compactness_, compactness, atol=1e-12)


def grams(A):
    K = (A @ A.T).toarray()
    n = len(K)
    return {
        "dense": DenseGram.training(K),
        "factored": FactoredGram(A, A, symmetric=True),
        "dense factor": FactoredGram(A.toarray(), A.toarray(), symmetric=True),
        "sparse": SparseGram.training(csr_array(K)),
        "chunked": ChunkedGram(
            lambda X, Y: (X @ Y.T).toarray(), A, A, K.diagonal(), K.diagonal(), True
        ),
        "shifted": ShiftedGram(DenseGram.training(K - 0.5 * np.eye(n)), 0.5),
    }


@pytest.mark.parametrize("name", grams(csr_array(np.eye(2))))
def test_the_same_for_every_gram(name):
    A = csr_array(documents(n=90, n_terms=300, k=3)[0])
    expected = PrototypeReducer().fit((A @ A.T).toarray())
    gram = grams(A)[name]
    for megabytes in (1024, 0.001):
        with config_context(working_memory=megabytes):
            reducer = PrototypeReducer().fit(gram)
        assert_array_equal(reducer.neighborhoods_, expected.neighborhoods_)
        assert_allclose(reducer.compactness_, expected.compactness_)
        assert_array_equal(reducer.prototypes_, expected.prototypes_)
        assert_allclose(
            reducer.reduced_gram_.toarray(), expected.reduced_gram_, atol=1e-14
        )
        assert_allclose(
            reducer.reduced_gram_.diagonal(), expected.reduced_gram_.diagonal()
        )


def test_a_factored_kernel_stays_factored():
    A = csr_array(documents(n=90, n_terms=300, k=3)[0])
    reduced = PrototypeReducer().fit(FactoredGram(A, A, symmetric=True)).reduced_gram_
    assert isinstance(reduced, FactoredGram) and issparse(reduced.A)


def test_transform_is_the_mean_over_neighbourhoods(seed):
    K = rbf_kernel(np.random.default_rng(seed).normal(size=(30, 2)))
    reducer = PrototypeReducer(3, n_neighbors=4).fit(K)
    means = [K[:, reducer.neighborhoods_[a]].mean(axis=1) for a in reducer.prototypes_]
    assert_allclose(reducer.transform(K), np.transpose(means))
    assert_allclose(
        reducer.transform(K)[reducer.neighborhoods_[reducer.prototypes_]].mean(axis=1),
        reducer.reduced_gram_,
    )


def test_few_objects():
    assert_array_equal(neighborhoods(DenseGram.training(np.eye(1)), 5), [[0]])
    assert neighborhoods(DenseGram.training(np.eye(3)), 5).shape == (3, 3)
    with pytest.raises(ValueError, match="reduction_rate=4 leaves no prototype"):
        PrototypeReducer(4).fit(np.eye(3))


def test_smallest():
    rows = np.array([[3.0, 1.0, 1.0, 1.0, 0.0], [0.0, 1.0, 2.0, 3.0, 4.0]])
    assert_array_equal(smallest(rows, 3), [[1, 2, 4], [0, 1, 2]])


def test_smallest_within_rounding():
    rows = np.array([[1 + 1e-14, 1.0, 1 - 1e-14, 5.0], [2.0, 1 + 1e-9, 1.0, 5.0]])
    assert_array_equal(smallest(rows, 2, 1e-12, np.ones(2)), [[0, 1], [1, 2]])
    assert_array_equal(smallest(rows, 1, 1e-12, np.ones(2)), [[0], [2]])


@pytest.mark.parametrize("seed", range(10))
def test_ties_do_not_go_by_rounding(seed):
    X = np.random.default_rng(seed).integers(0, 3, size=(40, 3)).astype(float)
    K = X @ X.T
    expected = PrototypeReducer(4).fit(K)
    for other in (K / 3, K * 0.1, FactoredGram(X, X, symmetric=True)):
        found = PrototypeReducer(4).fit(other)
        assert_array_equal(found.neighborhoods_, expected.neighborhoods_)
        assert_array_equal(found.prototypes_, expected.prototypes_)


def test_groups_of():
    values = [3.0, 3 - 1e-9, 2.0, 1.9, 1.8, 1.7, 0.0]
    assert groups_of(values, 1e-6) == [0, 0, 1, 2, 3, 4, 5]
    assert groups_of(values, 0.15) == [0, 0, 1, 1, 2, 2, 3]  # no longer chains
    assert groups_of(values, 0.0) == list(range(7))


def test_averages():
    W = averages(np.array([[0, 2], [1, 0]]), 4)
    assert_array_equal(W.toarray(), [[0.5, 0, 0.5, 0], [0.5, 0.5, 0, 0]])

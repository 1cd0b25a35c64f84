"""Grams of features on workers keep the contract of the Gram."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from contract import DTYPES, check_gram, features
from numpy.testing import assert_allclose
from sklearn import config_context

workers = pytest.importorskip("workers")

from sklearn_kernelclust._gram._chunked import ChunkedGram  # noqa: E402
from sklearn_kernelclust._gram._distributed_leaves import (  # noqa: E402
    DistributedFactoredGram,
    DistributedGram,
)
from sklearn_kernelclust._gram._factored import FactoredGram  # noqa: E402
from sklearn_kernelclust._utils._blocks import RowBlocks  # noqa: E402

on_containers = pytest.mark.parametrize("container", workers.CONTAINERS)
on_budgets = pytest.mark.parametrize("budget", [1024, 0.001], ids=["fetched", "tiny"])


def similarity(X, Y):
    """A function of inner products."""
    products = X @ Y.T
    products = products if isinstance(products, np.ndarray) else products.toarray()
    return 1 / (1 + abs(products))


def local(X, Y, same):
    known = similarity(X, X).diagonal(), similarity(Y, Y).diagonal()
    return ChunkedGram(similarity, X, Y, *known, symmetric=same)


def factored(X, Y=None, container=np.asarray):
    norms, A = np.square(X).sum(axis=1), workers.on_workers(X, container)
    if Y is None:
        return DistributedFactoredGram(A, A, norms, norms, symmetric=True)
    B = workers.on_workers(Y, container, 9)
    return DistributedFactoredGram(A, B, norms, np.square(Y).sum(axis=1))


@on_budgets
@on_containers
def test_factored(container, budget):
    X, Y = features(40), features(25, seed=1)
    with config_context(working_memory=budget):
        check_gram(factored(X, container=container), X @ X.T, X @ X.T)
        check_gram(factored(X, Y, container), X @ Y.T, X @ X.T)


@on_budgets
@pytest.mark.parametrize("dtype", DTYPES)
def test_evaluated(dtype, budget):
    X, Y = features(40, dtype=dtype), features(25, dtype=dtype, seed=1)
    K, known = similarity(X, X), [similarity(s, s).diagonal() for s in (X, Y)]
    A, B = workers.on_workers(X), workers.on_workers(Y, height=9)
    with config_context(working_memory=budget):
        gram = DistributedGram(A, A, local, known[0], known[0], symmetric=True)
        check_gram(gram, K, K)
        check_gram(DistributedGram(A, B, local, *known), similarity(X, Y), K)


def test_float32():
    X = features(40, dtype=np.float32)
    gram = factored(X)
    assert gram.dtype == np.float32
    check_gram(gram, X @ X.T, X @ X.T)


def test_parts_are_fetched_if_they_fit():
    gram = factored(features(40))
    with config_context(working_memory=0.001):
        part = gram.restrict(np.arange(0, 40, 2), np.arange(0, 40, 2))
        assert isinstance(part.rows, RowBlocks) and part.rows is part.cols
    part = gram.restrict(np.arange(0, 40, 2), np.arange(0, 40, 2))
    assert isinstance(part, FactoredGram) and part.symmetric
    part = gram.restrict(slice(None), [3, 1])
    assert isinstance(part.rows, RowBlocks) and part.cols.shape == (2, 11)


def test_factored_grams_are_not_stored():
    gram = factored(features(40))
    assert gram.stored() is gram
    assert gram.cost == 2 * 40 * 11


@on_containers
def test_scaled_twice(container):
    X, scale = features(30), np.linspace(1, 2, 30)
    gram = factored(X, container=container).scaled(scale, scale).scaled(scale, scale)
    assert isinstance(gram, DistributedFactoredGram) and gram.symmetric
    Y = scale[:, None] ** 2 * X
    assert_allclose(gram @ np.eye(30), Y @ Y.T)
    assert_allclose(gram.restrict(ALL, [4]).toarray(), (Y @ Y.T)[:, [4]])


ALL = slice(None)

"""Grams made of several Grams."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from contract import DTYPES, check_gram, features
from grams import make_gram

from sklearn_kernelclust._gram._factored import FactoredGram
from sklearn_kernelclust._gram._several import EntrywiseProductGram, SumGram
from sklearn_kernelclust._gram._stored import DenseGram


def parts(X, Y=None):
    return [
        make_gram(X, Y, kernel="linear"),
        make_gram(X, Y, kernel="rbf"),
        make_gram(X, Y, kernel="cosine"),
    ]


def sum_of(grams):
    return SumGram(grams, [0.5, 2.0, 1.0])


def plain_sum(K, L, M):
    return 0.5 * K + 2 * L + M


def plain_product(K, L, M):
    return K * L * M


CASES = [(sum_of, plain_sum), (EntrywiseProductGram, plain_product)]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("combine, plain", CASES)
def test_the_contract(combine, plain, dtype):
    X, new = features(dtype=dtype), features(20, dtype=dtype, seed=1)
    square = plain(*(gram.toarray() for gram in parts(X)))
    check_gram(combine(parts(X)), square, square)
    block = plain(*(gram.toarray() for gram in parts(new, X)))
    rows = plain(*(gram.toarray() for gram in parts(new)))
    check_gram(combine(parts(new, X)), block, rows)


@pytest.mark.parametrize("combine, plain", CASES)
def test_stored_blocks_of_new_rows(combine, plain):
    blocks = [np.abs(features(9, 7, seed=seed)) for seed in range(3)]
    check_gram(combine([DenseGram(K) for K in blocks]), plain(*blocks))


def test_a_sum_costs_what_its_summands_cost():
    A = np.ones((1000, 2))
    factored = FactoredGram(A, A, symmetric=True)
    both = SumGram([factored, factored], [1.0, 1.0])
    assert both.cost == 2 * factored.cost < 1000**2
    assert not both._evaluated

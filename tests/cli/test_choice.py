"""How many clusters there are."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from separated import separated_set

from sklearn_kernelclust import DiagonalShift, PairwiseKernel
from sklearn_kernelclust._cli import _choice
from sklearn_kernelclust._cli._arguments import parse
from sklearn_kernelclust._cli._choice import choose
from sklearn_kernelclust._cli._clustering import Kernels, Notes
from sklearn_kernelclust._cli._reading import BadInputError
from sklearn_kernelclust._gram._checks import as_gram
from sklearn_kernelclust.metrics import dominance_ratio


def blobs(n, k=3):
    rng = np.random.RandomState(0)
    return 3 * np.eye(6)[np.arange(n) % k] + rng.normal(size=(n, 6))


def gram_of(X):
    return PairwiseKernel("cosine", lazy=True).fit_transform(X)


def chosen(X, argv="", dominance=2.0):
    gram = gram_of(X)
    kernels = Kernels([], X, gram, gram, (dominance, None))
    with Notes(is_text=True):
        return choose(kernels, parse(argv.split()))


@pytest.mark.parametrize("n", [30, 240])
def test_the_number_of_blobs(n, monkeypatch):
    monkeypatch.setattr(_choice, "N_SPLITS", 10)
    choice = chosen(blobs(n), "--k-range 2-5")
    assert choice.k == choice.ranking[0][0] == 3
    assert {k for k, _ in choice.ranking} == {2, 3, 4, 5}
    scores = [score for _, score in choice.ranking]
    assert scores == sorted(scores, reverse=True)
    assert choice.n_documents == n


def test_the_diagonal_is_shifted_where_it_dominates(monkeypatch):
    monkeypatch.setattr(_choice, "N_SPLITS", 2)
    for dominance in (2.0, 12.0):
        chooser = chosen(blobs(30), "--k-range 2-3", dominance).chooser
        steps = [type(step).__name__ for _, step in chooser.estimator.steps]
        assert ("DiagonalShift" in steps) == (dominance > 5)


def test_prototypes_only_where_each_cluster_keeps_some(monkeypatch):
    monkeypatch.setattr(_choice, "N_SPLITS", 2)
    for n, rate in [(236, None), (240, 4)]:
        assert chosen(blobs(n), "--k-range 2-3").chooser.reduction_rate == rate


def test_the_start_that_predicts_best():
    """Random labels merge six clusters that are far apart, seeds do not."""
    X = 40 * np.eye(6)[np.arange(120) % 6]
    X += np.random.RandomState(0).normal(size=X.shape)
    choice = chosen(X, "--k-range 2-8", dominance=12.0)
    assert choice.k == 6
    assert choice.init == "k-means++"
    assert choice.ranking[0][1] == 1


def test_of_many_documents_a_sample(monkeypatch):
    monkeypatch.setattr(_choice, "N_SPLITS", 5)
    monkeypatch.setattr(_choice, "MOST_DOCUMENTS", 60)
    first, again = (chosen(blobs(300), "--k-range 2-4") for _ in range(2))
    assert first.k == 3
    assert first.n_documents == 60
    assert_array_equal(first.chooser.scores_, again.chooser.scores_)


def test_no_more_clusters_than_halves_can_have(monkeypatch):
    monkeypatch.setattr(_choice, "N_SPLITS", 5)
    assert max(k for k, _ in chosen(blobs(16)).ranking) == 4


@pytest.mark.parametrize(("n", "argv"), [(7, ""), (30, "--k-range 8-10")])
def test_too_few_documents(n, argv):
    with pytest.raises(BadInputError, match=f"{n} documents are too few .* --k N"):
        chosen(blobs(n), argv)


def is_right(number):
    """Whether the program, given a kernel matrix, finds the right number."""
    K, n_clusters, shift = separated_set(number)
    gram = as_gram(K)
    dominance = 12.0 if shift else dominance_ratio(K)
    shifted = DiagonalShift().fit_transform(gram) if dominance > 5 else gram
    kernels = Kernels([], None, gram, shifted, (dominance, None))
    with Notes(is_text=False):
        return choose(kernels, parse(["--k-range", "2-14"])).k == n_clusters


@pytest.mark.parametrize("number", [57])
def test_separated_sets(number, monkeypatch):
    monkeypatch.setattr(_choice, "N_SPLITS", 5)
    assert is_right(number)


@pytest.mark.slow
def test_three_hundred_separated_sets():
    assert [number for number in range(300) if not is_right(number)] == []

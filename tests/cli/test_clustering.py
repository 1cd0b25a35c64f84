"""Fitting the steps, and what is learnt on the way."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings

import numpy as np
import pytest
from hostile import good_text
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import ConvergenceWarning

from sklearn_kernelclust import PairwiseKernel
from sklearn_kernelclust._cli._arguments import METHODS, parse
from sklearn_kernelclust._cli._clustering import (
    Notes,
    cluster,
    make_kernels,
    terms_of,
)
from sklearn_kernelclust._cli._model import make_plan
from sklearn_kernelclust._cli._reading import BadInputError, Corpus
from sklearn_kernelclust.metrics import dominance_ratio

TEXTS = [good_text(i) for i in range(40)]
X = np.vstack([np.full((5, 3), 9.0), np.zeros((5, 3))]) + np.random.RandomState(
    0
).normal(size=(10, 3))


def fitted(argv="", texts=TEXTS, features=None):
    n = len(texts) if features is None else len(features)
    corpus = Corpus([str(i) for i in range(n)], texts, features, source="x")
    plan = make_plan(parse(argv.split()), corpus)
    return plan, make_kernels(plan, corpus)


def test_dominance_before_and_after():
    _, kernels = fitted("--shift zero-trace")
    before, after = kernels.dominance
    assert before == dominance_ratio(kernels.plain) > 1
    assert_allclose(after, 0, atol=1e-9)
    _, kernels = fitted()
    assert kernels.dominance == (before, None)
    assert kernels.shifted is kernels.plain


@pytest.mark.parametrize("method", METHODS)
def test_every_method_finds_the_two_kinds_and_predicts(method):
    plan, kernels = fitted(f"--method {method}")
    model, labels = cluster(plan, kernels, 2)
    assert set(labels[::2]).isdisjoint(labels[1::2])
    assert_array_equal(model.predict(TEXTS), labels)
    new = ["the cup match was won by a late goal", "the bank has fewer shares"]
    assert_array_equal(model.predict(new), labels[:2])
    terms = terms_of(kernels, labels)
    assert {"goal", "cup"} & set(terms[labels[0]])
    assert {"bank", "shares"} & set(terms[labels[1]])


@pytest.mark.parametrize("argv", ["--t 1", "--p 0.5", "--t inf --p 0.7 --shift 0.1"])
def test_treated_kernels_predict_too(argv):
    plan, kernels = fitted(argv)
    model, labels = cluster(plan, kernels, 2)
    assert_array_equal(model.predict(TEXTS), labels)


@pytest.mark.parametrize("kind", ["spectrum", "boundrange", "subsequence"])
def test_string_kernels(kind):
    texts = TEXTS[:12] if kind == "subsequence" else TEXTS
    plan, kernels = fitted(f"--kernel string:{kind}:3", texts)
    model, labels = cluster(plan, kernels, 2)
    assert_array_equal(model.predict(texts[:4]), labels[:4])
    terms = terms_of(kernels, labels)
    assert kernels.n_words is None
    assert terms == {} if kind == "subsequence" else terms[0][0].startswith("'")


@pytest.mark.parametrize("method", METHODS)
def test_features(method):
    plan, kernels = fitted(f"--method {method}", [], X)
    model, labels = cluster(plan, kernels, 2)
    assert len(set(labels[:5])) == len(set(labels[5:])) == 1
    assert_array_equal(model.predict(X), labels)
    assert terms_of(kernels, labels)[labels[0]][0].startswith("column ")


def test_a_kernel_matrix_has_no_terms():
    K = X @ X.T
    plan, kernels = fitted("x --kernel precomputed", [], K)
    model, labels = cluster(plan, kernels, 2)
    assert_array_equal(model.predict(K), labels)
    assert terms_of(kernels, labels) == {}


def test_no_words_are_left():
    with pytest.raises(BadInputError, match=r"No words to compare 3 documents.*min-df"):
        fitted("", ["the", "and", "of the"])


def test_documents_without_words_are_counted():
    with Notes(is_text=True) as notes:
        fitted("", [*TEXTS, "unheard"])
    (note,) = notes.texts
    assert "1 of 41 documents have none of the" in note


def test_notes_have_each_warning_once():
    with Notes(is_text=True) as notes:
        warnings.warn("a", stacklevel=1)
        warnings.warn("a", stacklevel=1)
        warnings.warn("did not converge", ConvergenceWarning, stacklevel=1)
    assert notes.texts == ["a", "did not converge"]


def test_notes_on_square_features_are_left_to_features():
    """Words by documents may happen to be square and symmetric."""
    for is_text in (True, False):
        with Notes(is_text) as notes:
            PairwiseKernel("linear").fit(np.eye(5))
        assert len(notes.texts) == (not is_text)
    assert "X of shape (5, 5) is square and symmetric" in notes.texts[0]

"""The embedded corpus."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import subprocess
import sys

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.utils import Bunch

from sklearn_kernelclust.datasets import load_docstrings

PRINT_NAMES = """
from sklearn_kernelclust.datasets import load_docstrings
print("\\n".join(load_docstrings().names))
"""


@pytest.fixture(scope="module")
def corpus():
    return load_docstrings()


def run_python(code, *options):
    command = [sys.executable, *options, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_it_is_a_bunch_of_about_500_documents(corpus):
    assert isinstance(corpus, Bunch)
    n_documents, n_classes = len(corpus.data), len(corpus.target_names)
    assert 400 <= n_documents <= 700
    assert 12 <= n_classes <= 25
    assert len(corpus.names) == n_documents
    assert corpus.target.shape == (n_documents,)
    assert corpus.target.dtype.kind == "i"
    assert f":Documents: {n_documents}\n" in corpus.DESCR
    assert f":Classes: {n_classes}\n" in corpus.DESCR


def test_classes_are_modules(corpus):
    assert corpus.target_names == sorted(corpus.target_names)
    assert {"sklearn.cluster", "sklearn.linear_model"} <= set(corpus.target_names)
    for name, label in zip(corpus.names, corpus.target):
        assert name.startswith(corpus.target_names[label] + ".")


def test_classes_and_documents_are_large_enough(corpus):
    assert np.bincount(corpus.target).min() >= 8
    assert min(map(len, corpus.data)) >= 250
    fewer = load_docstrings(min_length=1000, min_documents=20)
    assert set(fewer.names) < set(corpus.names)
    assert set(fewer.target_names) < set(corpus.target_names)
    assert np.bincount(fewer.target).min() >= 20
    assert min(map(len, fewer.data)) >= 1000


def test_nothing_is_there_twice(corpus):
    assert len(set(corpus.names)) == len(corpus.names)
    assert len(set(corpus.data)) == len(corpus.data)


def test_no_document_gives_its_class_away(corpus):
    for text in corpus.data:
        assert "sklearn." not in text
        assert ">>>" not in text
        assert text == text.strip()


def test_documents_become_features(corpus):
    X = TfidfVectorizer().fit_transform(corpus.data)
    assert X.shape[0] == len(corpus.data)
    assert (X.getnnz(axis=1) > 0).all()


def test_return_X_y(corpus):
    data, target = load_docstrings(return_X_y=True)
    assert data == corpus.data
    assert_array_equal(target, corpus.target)


def test_same_documents_in_another_process_and_no_warnings(corpus):
    result = run_python(PRINT_NAMES, "-W", "error")
    assert result.stderr == ""
    assert result.stdout.splitlines() == corpus.names


@pytest.mark.slow
def test_same_documents_whatever_was_imported_before(corpus):
    experimental = (
        "from sklearn.experimental import enable_halving_search_cv\n"
        "from sklearn.experimental import enable_iterative_imputer\n"
    )
    result = run_python(experimental + PRINT_NAMES)
    assert result.stdout.splitlines() == corpus.names


def test_nothing_left_is_an_error():
    with pytest.raises(ValueError, match="min_length=1000000 and min_documents=8"):
        load_docstrings(min_length=1_000_000)


@pytest.mark.parametrize(
    "parameter", [{"min_length": -1}, {"min_documents": 0}, {"return_X_y": 1.5}]
)
def test_bad_parameters(parameter):
    (name,) = parameter
    with pytest.raises(ValueError, match=f"'{name}' parameter of load_docstrings"):
        load_docstrings(**parameter)

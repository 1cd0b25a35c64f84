"""Central documents, without repetitions."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import pytest

from sklearn_kernelclust._cli._central import central, nearly_same, pieces
from sklearn_kernelclust._cli._reading import Corpus

TEXT = "The striker scored a late goal and the team won the cup match again in London."


def corpus_of(*texts):
    return Corpus([str(i) for i in range(len(texts))], list(texts), source="s")


def test_the_same_text_twice():
    corpus = corpus_of("x", "x", "y", "z")
    assert central([0, 1, 2, 3], corpus) == [0, 2, 3]
    assert central([2, 0], corpus) == [2, 0]


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (TEXT.upper().replace(" ", "\n"), True),
        (TEXT.replace("late", "very late"), True),
        ("Shares fell as the bank raised its interest rate.", False),
        ("", False),
    ],
)
def test_nearly_the_same(other, same):
    assert nearly_same(pieces(TEXT), pieces(other)) == same
    assert len(central([0, 1], corpus_of(TEXT, other))) == 2 - same


def test_scripts_without_spaces():
    texts = ("今天的足球比赛非常精彩", "今天的足球比赛非常精彩。", "银行提高了利率")
    assert central([0, 1, 2], corpus_of(*texts)) == [0, 2]


def test_numbers_have_no_texts():
    corpus = Corpus(list("abcd"), features=[[1.0]] * 4, source="s")
    assert central([3, 2, 1, 0], corpus) == [3, 2, 1]

"""Clusters against classes."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_kernelclust._cli._arguments import parse
from sklearn_kernelclust._cli._clustering import Notes, make_kernels
from sklearn_kernelclust._cli._comparison import agreement, with_and_without_shift
from sklearn_kernelclust._cli._model import make_plan
from sklearn_kernelclust._cli._reading import docstring_corpus


def test_agreement():
    assert agreement(["a", "a", "b", "b"], [1, 1, 0, 0]) == 1
    assert agreement(["a", "a", "b", "b"], [1, 0, 1, 0]) == 0


def test_the_shift_is_better_on_the_embedded_corpus():
    corpus = docstring_corpus()
    kernels = make_kernels(make_plan(parse([]), corpus), corpus)
    with Notes(is_text=True):
        shifted, plain = with_and_without_shift(kernels, corpus.labels, 0, n_starts=8)
    assert shifted > plain + 0.02

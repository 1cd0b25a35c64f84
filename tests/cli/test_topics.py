"""The tree of topics, and its words."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from nested_topics import TOPICS, nested_texts
from numpy.testing import assert_allclose, assert_array_equal

from sklearn_kernelclust import PredictionStrengthTree
from sklearn_kernelclust._cli._arguments import parse
from sklearn_kernelclust._cli._clustering import make_kernels
from sklearn_kernelclust._cli._model import make_plan
from sklearn_kernelclust._cli._reading import Corpus
from sklearn_kernelclust._cli._result import topics_in_words
from sklearn_kernelclust._cli._screen import Screen, show_topics
from sklearn_kernelclust._cli._topics import describe_tree
from sklearn_kernelclust._cli._tree import grow

TEXTS, KINDS, PARTS = nested_texts()
CORPUS = Corpus([str(i) for i in range(len(TEXTS))], TEXTS, source="texts")


def grown(argv="", corpus=CORPUS):
    options = parse(argv.split())
    plan = make_plan(options, corpus)
    kernels = make_kernels(plan, corpus)
    return grow(plan, kernels, options), kernels


@pytest.fixture(scope="module")
def nested():
    model, kernels = grown()
    return model, kernels, describe_tree(model[-1], kernels)


def test_topics_and_subtopics_are_found(nested):
    model, _, root = nested
    assert [len(topic.children) for topic in root.children] == [3, 2]
    for topic in root.children:
        kind = {KINDS[i] for i in topic.members}
        assert len(kind) == 1
        parts = [{PARTS[i] for i in part.members} for part in topic.children]
        assert set.union(*parts) == set(TOPICS[kind.pop()])
        assert all(len(part) == 1 for part in parts)
    assert_array_equal(model.predict(TEXTS), model[-1].labels_)


def test_words_set_a_topic_apart_from_its_siblings(nested):
    for topic in nested[2].children:
        assert all(term.startswith(KINDS[topic.members[0]]) for term in topic.terms)
        for part in topic.children:
            assert all(term.startswith(PARTS[part.members[0]]) for term in part.terms)


def test_places_in_the_tree(nested):
    root = nested[2]
    topics = list(root.walk())
    numbers = ["", "1", "1.1", "1.2", "1.3", "2", "2.1", "2.2"]
    assert [topic.number for topic in topics] == numbers
    assert [topic.depth for topic in topics] == [0, 1, 2, 2, 2, 1, 2, 2]
    assert [t.number for t in topics[3].path] == ["1", "1.2"]
    assert [t.number for t in topics[3].siblings] == ["1.1", "1.3"]
    assert root.siblings == root.path == []
    labels = {topic.label for topic in root.leaves()}
    assert labels == set(range(5))


def test_members_are_sorted_by_their_distance_to_the_mean(nested):
    _, kernels, root = nested
    X = kernels.X.toarray()
    for topic in root.walk():
        mean = X[topic.members].mean(axis=0)
        distances = np.linalg.norm(X[topic.members] - mean, axis=1)
        assert_allclose(topic.distances, distances, atol=1e-10)
        assert (np.diff(distances) > -1e-10).all()


def test_depth():
    model, _ = grown("--depth 1")
    assert model[-1].n_leaves_ == 2


@pytest.mark.parametrize(
    "argv", ["--kernel string:spectrum:3", "--t 1 --p 0.8", "--shift none"]
)
def test_other_kernels(argv):
    few = Corpus(CORPUS.names[::3], TEXTS[::3], source="texts")
    model, kernels = grown(f"{argv} --depth 1 --k-range 2-3", few)
    assert isinstance(model[-1], PredictionStrengthTree)
    assert_array_equal(model.predict(few.texts), model[-1].labels_)
    assert all(topic.terms for topic in describe_tree(model[-1], kernels).leaves()[1:])


@pytest.mark.parametrize("argv", ["", "--kernel precomputed"])
def test_features_and_kernels(argv):
    rng = np.random.RandomState(0)
    X = np.repeat([[0, 0], [9, 0], [0, 9]], 20, axis=0) + rng.randn(60, 2)
    X = X @ X.T if argv else X
    corpus = Corpus([str(i) for i in range(60)], features=X, source="x.npy")
    model, kernels = grown(f"x.npy {argv} --shift none --k-range 2-4", corpus)
    assert model[-1].n_leaves_ == 3
    assert_array_equal(model.predict(X), model[-1].labels_)
    root = describe_tree(model[-1], kernels)
    assert root.children[0].name.startswith("Topic 1" if argv else "column")


def test_documents_without_topics(capsys):
    rng = np.random.RandomState(0)
    texts = [" ".join(f"w{i}" for i in rng.randint(90, size=40)) for _ in range(60)]
    corpus = Corpus([str(i) for i in range(60)], texts, source="texts")
    model, kernels = grown("--k-range 2-4", corpus)
    show_topics(Screen(False, True), describe_tree(model[-1], kernels), corpus)
    shown = " ".join(capsys.readouterr().out.split())
    assert shown.startswith("Topics: no number of topics stands out. Prediction")
    assert shown.endswith("for documents without topics.")


def test_too_few_documents():
    few = Corpus(list("abcde"), TEXTS[:5], source="texts")
    model, kernels = grown("", few)
    words = topics_in_words(describe_tree(model[-1], kernels))
    expected = "no number of topics stands out, because 5 objects are too few."
    assert words == expected


def test_what_is_shown(nested, capsys):
    show_topics(Screen(False, True), nested[2], CORPUS)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Topics: 2, 5 at the lowest level. Prediction strength")
    assert lines[3].startswith("1  animals")
    assert lines[3].endswith("(90)")
    assert lines[5].startswith("  1.1  ")
    assert lines[6].startswith("       - ")
    assert max(map(len, lines)) <= 88

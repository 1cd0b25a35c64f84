"""What was found, in facts."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from types import SimpleNamespace

import numpy as np

from sklearn_kernelclust import KernelKMeans, PredictionStrengthTree
from sklearn_kernelclust._cli._reading import Corpus
from sklearn_kernelclust._cli._result import Result, topics_in_words
from sklearn_kernelclust._cli._words import Cluster


def result(**changes):
    corpus = Corpus(["a", "b"], ["x", "y"], source="folder")
    kernels = SimpleNamespace(n_words=1234, dominance=(7.5, 0.0))
    plan = SimpleNamespace(words="cosine", method="kernel-kmeans")
    clusters = [Cluster(0, [], [0]), Cluster(1, [], [1])]
    given = {"choice": None, "agreement": None, "kernels": kernels} | changes
    return Result(
        corpus=corpus,
        plan=plan,
        model=["words", "clusterer"],
        labels=np.array([0, 1]),
        clusters=clusters,
        **given,
    )


def test_facts():
    facts = dict(result().facts())
    assert facts == {
        "Read": "2 from folder",
        "Words": "1,234",
        "Kernel": "cosine",
        "Dominance ratio": "7.50; 0.00 after the shift",
        "Method": "kernel-kmeans",
        "Clusters": "2",
    }


def test_facts_that_are_not_always_there():
    choice = SimpleNamespace(ranking=[(2, 0.9), (3, 0.5), (4, 0.25)])
    kernels = SimpleNamespace(n_words=None, dominance=(2.0, None))
    found = result(choice=choice, agreement=0.5, kernels=kernels)
    found.corpus.skipped.append(("c", "empty"))
    facts = dict(found.facts())
    assert facts["Clusters"] == "2, prediction strength 0.90; then 3 (0.50), 4 (0.25)"
    assert facts["NMI with the known classes"] == "0.500"
    assert facts["Skipped"] == "1"
    assert facts["Dominance ratio"] == "2.00; not shifted"
    assert "Words" not in facts
    assert found.clusterer == "clusterer"


def test_topics_of_documents_that_are_all_the_same():
    documents = np.ones((20, 2))
    tree = PredictionStrengthTree(KernelKMeans(), random_state=0).fit(documents)
    choice = tree.tree_.nodes[0].choice
    assert np.isnan(choice.score)
    root = SimpleNamespace(choice=choice, children=[], leaves=lambda: [None])
    words = topics_in_words(root)
    assert words.startswith("none.") and "nan" not in words

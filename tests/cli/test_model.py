"""From options to a pipeline."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from hostile import good_text
from numpy.testing import assert_allclose
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.preprocessing import normalize

from sklearn_kernelclust._cli._arguments import METHODS, parse
from sklearn_kernelclust._cli._model import make_plan, vectorizer
from sklearn_kernelclust._cli._reading import BadInputError, Corpus

TEXTS = [good_text(i) for i in range(40)]
WORDS = Corpus([str(i) for i in range(40)], TEXTS, source="texts")
NUMBERS = Corpus([str(i) for i in range(6)], features=np.eye(6)[:, :4], source="f.npy")
KERNEL = Corpus([str(i) for i in range(6)], features=np.eye(6), source="k.npy")


def plan_of(argv, corpus=WORDS):
    return make_plan(parse(argv.split()), corpus)


def names(steps):
    return [type(step).__name__ for _, step in steps]


def test_the_usual_plan():
    plan = plan_of("--k auto")
    assert names(plan.features) == ["TfidfVectorizer"]
    assert names(plan.kernel) == ["PairwiseKernel"]
    assert names(plan.shift(dominance=12.0)) == ["DiagonalShift"]
    assert names(plan.shift(dominance=2.0)) == []
    assert plan.words == "cosine of log tf x idf"
    kmeans = plan.clusterer(3, shifted=True)
    assert (kmeans.n_clusters, kmeans.init, kmeans.random_state) == (3, "random", 0)
    assert plan.clusterer(3, shifted=False).init == "k-means++"


def test_a_tree_counts_words_once():
    plan = plan_of("--t 1")
    assert names(plan.features) == ["CountVectorizer", "TfidfTransformer"]
    assert plan.features[1][1].norm is None
    assert plan.n_once == 1
    assert plan_of("--kernel string:spectrum:3").n_once == 1
    assert plan_of("", KERNEL).n_once == 0


def test_weights_of_words():
    """(1 + ln tf)(1 + ln n/df), of unit length."""
    found = vectorizer(parse(["--min-df", "1"]), 40).fit_transform(TEXTS).toarray()
    tf = CountVectorizer(stop_words="english").fit_transform(TEXTS).toarray()
    df = (tf > 0).sum(axis=0)
    expected = np.where(tf > 0, 1 + np.log(np.maximum(tf, 1)), 0)
    expected = normalize(expected * (1 + np.log(len(tf) / df)))
    assert_allclose(found, expected)


def test_rare_words_count_among_few_documents():
    assert vectorizer(parse([]), 29).min_df == 1
    assert vectorizer(parse([]), 30).min_df == 3
    assert vectorizer(parse(["--min-df", "7"]), 5).min_df == 7


def test_stop_words(tmp_path):
    (tmp_path / "words").write_text("Team\nbank goal\n")
    options = parse(["--stop-words", str(tmp_path / "words")])
    assert vectorizer(options, 9).stop_words == ["bank", "goal", "team"]
    assert vectorizer(parse(["--stop-words", "none"]), 9).stop_words is None
    options = parse(["--stop-words", str(tmp_path)])
    with pytest.raises(BadInputError, match=r"--stop-words .*: not a regular file\."):
        vectorizer(options, 9)


def test_steps_in_their_order():
    plan = plan_of("--k 2 --t 1 --p 0.5 --shift -0.2")
    assert names([*plan.features, *plan.kernel, *plan.shift(2.0)]) == [
        "TfidfVectorizer",
        "PowerMeanNormalizer",
        "SubpolynomialKernel",
        "DiagonalShift",
    ]
    assert plan.features[0][1].norm is None
    assert plan.shift(2.0)[0][1].sigma == -0.2
    assert plan.words == (
        "linear of log tf x idf, normalized of order 1, to the power 0.5"
    )


def test_string_kernels_take_the_texts():
    plan = plan_of("--kernel string:spectrum:3")
    assert plan.features == []
    assert plan.kernel[0][1].normalize
    plan = plan_of("--kernel string:spectrum:3 --t 1")
    assert names(plan.kernel) == ["StringKernel", "PowerMeanNormalizer"]
    assert not plan.kernel[0][1].normalize


@pytest.mark.parametrize("method", METHODS)
def test_only_kernel_kmeans_has_the_shift_by_default(method):
    plan = plan_of(f"--method {method}")
    assert bool(plan.shift(12.0)) == (method == "kernel-kmeans")
    assert plan.clusterer(4, shifted=False).n_clusters == 4


def test_features():
    plan = plan_of("", NUMBERS)
    assert plan.kernel[0][1].kernel == "rbf"
    assert plan.shift(12.0) == []
    plan = plan_of("--method pddp --kernel cosine", NUMBERS)
    assert names(plan.features) == ["Normalizer"]
    assert plan_of("--method pddp", NUMBERS).kernel[0][1].kernel == "linear"


@pytest.mark.parametrize(
    ("argv", "corpus", "message"),
    [
        (
            "--kernel string:spectrum:3",
            NUMBERS,
            "string:spectrum:3 needs texts, and f.npy holds",
        ),
        ("x --kernel precomputed", WORDS, "needs an .npy or .npz file, not texts"),
        (
            "x --kernel precomputed",
            NUMBERS,
            r"must be square; f.npy has shape \(6, 4\)",
        ),
    ],
)
def test_what_does_not_go_together(argv, corpus, message):
    with pytest.raises(BadInputError, match=message):
        plan_of(argv, corpus)


def test_a_kernel_matrix():
    plan = plan_of("x --kernel precomputed", KERNEL)
    assert plan.features == []
    assert plan.words == "precomputed"
    assert names(plan.shift(12.0)) == ["DiagonalShift"]

"""StringKernel against enumeration, kernlab and scikit-learn."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from contract import check_gram
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import __version__ as sklearn_version
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.metrics import adjusted_rand_score
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC
from sklearn.utils import estimator_checks, get_tags
from sklearn.utils.fixes import parse_version
from string_oracles import ALPHABETS, random_strings, substring_kernel
from string_oracles import subsequence_kernel as enumerated_subsequences

from sklearn_kernelclust import (
    DiagonalShift,
    KernelKMeans,
    PowerMeanNormalizer,
    SpectralClustering,
    StringKernel,
)
from sklearn_kernelclust._gram._base import Gram
from sklearn_kernelclust._utils._memory import GramTooLargeError
from sklearn_kernelclust._utils._sklearn import InvalidParameterError

DATA = Path(__file__).parent / "data"
STRINGS = ["abracadabra", "alakazam", "abra", "open sesame", "sesame seed", "a"]
LABELS = [0, 0, 0, 1, 1, 0]

KINDS = {
    "spectrum": {"length": 3},
    "boundrange": {"length": 4},
    "constant": {},
    "exponential": {"decay": 1.5},
    "subsequence": {"length": 2, "gap": 0.6},
}


def weight_of(kind):
    return {
        "spectrum": lambda n: float(n == 3),
        "boundrange": lambda n: float(n <= 4),
        "constant": lambda n: 1.0,
        "exponential": lambda n: 1.5**-n,
    }[kind]


def enumerated(kind, X, Y):
    if kind == "subsequence":
        return enumerated_subsequences(X, Y, 2, 0.6)
    return substring_kernel(X, Y, weight_of(kind))


@pytest.fixture(params=KINDS)
def kind(request):
    return request.param


def make(kind, **params):
    return StringKernel(kind=kind, **KINDS[kind], **params)


# ---------------------------------------------------------------- the kernel


@pytest.mark.parametrize("lazy", [False, True])
@pytest.mark.parametrize("alphabet", ALPHABETS)
def test_equal_to_enumeration(kind, alphabet, lazy, seed):
    rng = np.random.RandomState(seed)
    X = [*random_strings(rng, alphabet, 4, 15), "aaaa"]
    Y = [*random_strings(rng, alphabet + "?", 3, 15), X[0], "", "??"]
    kernel = make(kind, normalize=False, lazy=lazy)
    gram, new = kernel.fit_transform(X), kernel.transform(Y)
    if lazy:
        assert_allclose(new.diagonal(), enumerated(kind, Y, Y).diagonal())
        assert_allclose(gram.diagonal(), enumerated(kind, X, X).diagonal())
        gram, new = gram.toarray(), new.toarray()
    assert_allclose(gram, enumerated(kind, X, X), rtol=1e-11, atol=1e-12)
    assert_allclose(new, enumerated(kind, Y, X), rtol=1e-11, atol=1e-12)
    assert_allclose(kernel.self_similarity_, enumerated(kind, X, X).diagonal())


@pytest.mark.parametrize("lazy", [False, True])
def test_normalized_is_the_cosine(kind, lazy):
    X, Y = STRINGS[:5], ["sesame!", "abracadabra", "xyz seed"]
    kernel = make(kind, lazy=lazy)
    K, new = kernel.fit_transform(X), kernel.transform(Y)
    if lazy:
        assert_allclose(new.diagonal(), 1)
        K, new = K.toarray(), new.toarray()
    left, right = (np.sqrt(enumerated(kind, Z, Z).diagonal()) for Z in (Y, X))
    assert_allclose(K, enumerated(kind, X, X) / np.outer(right, right), rtol=1e-12)
    assert_allclose(new, enumerated(kind, Y, X) / np.outer(left, right), rtol=1e-12)
    assert_allclose(K.diagonal(), 1, rtol=1e-15 if lazy else 0)


@pytest.mark.parametrize("normalize", [False, True])
def test_lazy_kernels_are_grams(kind, normalize):
    X, Y = STRINGS[:5], ["sesame!", "abracadabra", "xyz seed"]
    kernel = make(kind, normalize=normalize, lazy=True)
    dense = make(kind, normalize=normalize).fit(X)
    check_gram(kernel.fit_transform(X), dense.transform(X), dense.transform(X))
    K_new = make(kind, normalize=normalize).fit_transform(Y)
    check_gram(kernel.transform(Y), dense.transform(Y), K_new)


def kernlab_params(name):
    kind, *numbers = name.removesuffix("_normalized").split("_")
    normalize = name.endswith("_normalized")
    if kind == "sequence":
        length, gap = numbers
        return {
            "kind": "subsequence",
            "length": int(length),
            "gap": float(gap),
            "normalize": normalize,
        }
    params = {"kind": kind, "normalize": normalize, "sentinel": "\n"}
    if kind == "exponential":
        return params | {"decay": float(numbers[0])}
    return params | ({"length": int(numbers[0])} if numbers else {})


def test_equal_to_kernlab():
    strings = (DATA / "kernlab_strings.txt").read_text().splitlines()
    table = pd.read_csv(DATA / "kernlab_stringdot.csv")
    assert len(table.columns) == 13
    for name in table.columns[2:]:
        K = StringKernel(**kernlab_params(name)).fit_transform(strings)
        assert_allclose(K[table.i, table.j], table[name], rtol=1e-12, err_msg=name)


def test_the_end_counts_only_with_a_sentinel():
    plain = StringKernel(2, normalize=False).fit_transform(["xa", "ya"])
    assert_array_equal(plain, [[3, 1], [1, 3]])
    ended = StringKernel(2, normalize=False, sentinel="\n").fit_transform(["xa", "ya"])
    assert_allclose(ended, [[5, 3], [3, 5]])


def test_spectrum_is_a_count_of_ngrams():
    lines = (DATA / "kernlab_strings.txt").read_text().splitlines()
    lines = [" ".join(line.split()) for line in lines]
    counter = CountVectorizer(analyzer="char", ngram_range=(2, 2), lowercase=False)
    counts = counter.fit_transform(lines)
    K = StringKernel(2, kind="spectrum", normalize=False).fit_transform(lines)
    assert_allclose(K, (counts @ counts.T).toarray(), rtol=1e-14)


def test_white_space_is_not_folded():
    K = StringKernel(1, normalize=False).fit_transform(["a  b", "\t\n "])
    assert_array_equal(K, [[6, 2], [2, 3]])


def test_forms_of_one_letter_are_different():
    K = StringKernel(1, normalize=False).fit_transform(["\u00e9", "e\u0301", "E"])
    assert_array_equal(K, [[1, 0, 0], [0, 2, 0], [0, 0, 1]])


def test_weight_by_length():
    X = STRINGS
    kernel = StringKernel(4, normalize=False, weight=[0, 3, 0, 1])
    expected = substring_kernel(X, X, lambda n: {2: 3.0, 4: 1.0}.get(n, 0.0))
    assert_allclose(kernel.fit_transform(X), expected)
    kernel = StringKernel(kind="constant", normalize=False, weight=np.sqrt)
    assert_allclose(kernel.fit_transform(X), substring_kernel(X, X, np.sqrt))
    Y = ["a much longer string: abracadabra, open sesame"]
    assert_allclose(kernel.transform(Y), substring_kernel(Y, X, np.sqrt))


def test_constant_is_boundrange_without_a_bound():
    expected = StringKernel(kind="constant").fit_transform(STRINGS)
    for same in (
        StringKernel(10**12),
        StringKernel(kind="exponential", decay=1),
        StringKernel(kind="constant", weight=np.ones(100)),
    ):
        assert_allclose(same.fit_transform(STRINGS), expected)


TEXTS = st.lists(
    st.text(st.characters(exclude_categories=()) | st.sampled_from("ab "), max_size=20),
    min_size=1,
    max_size=6,
)


@settings(max_examples=60)
@given(TEXTS, st.sampled_from([*KINDS]))
def test_properties(strings, kind):
    strings = [*strings, "abab"]
    kernel = make(kind, normalize=False)
    K = kernel.fit_transform(strings)
    size = K.diagonal().max()
    assert_array_equal(K, K.T)
    assert np.linalg.eigvalsh(K).min() >= -1e-12 * size
    assert_allclose(kernel.transform(strings), K, rtol=1e-10, atol=1e-12 * size)
    backwards = make(kind, normalize=False).fit_transform([s[::-1] for s in strings])
    assert_allclose(backwards, K, rtol=1e-10, atol=1e-12 * size)
    letters = sorted(set("".join(strings)))
    table = str.maketrans(dict(zip(letters, map(chr, range(40, 40 + len(letters))))))
    renamed = make(kind, normalize=False).fit_transform(
        [s.translate(table) for s in strings]
    )
    assert_allclose(renamed, K, rtol=1e-10, atol=1e-12 * size)
    if kind in {"spectrum", "boundrange", "constant"}:
        assert_allclose(K, K.round(), rtol=1e-12)


@settings(max_examples=40)
@given(st.text(max_size=30), st.text(max_size=30), st.integers(1, 6))
def test_spectrum_counts_add_up(x, y, length):
    kernel = StringKernel(length, kind="spectrum", normalize=False)
    one = "\uffff" * length  # so that there is something to fit
    K = kernel.fit_transform([x + y, x, y, one])
    assert K[1, 1] >= max(0, len(x) - length + 1)
    assert K[0, 0] >= K[1, 1] + K[2, 2] - 1e-9


def test_orders_of_strings_and_subsets_do_not_matter(kind):
    kernel = make(kind).fit(STRINGS[:5])
    new = ["sesame!", "abra", "", "zam"]
    with pytest.warns(UserWarning, match="strings have no substring"):
        K = kernel.transform(new)
    with pytest.warns(UserWarning, match="strings have no substring"):
        assert_allclose(kernel.transform(new[::-1]), K[::-1])
    assert_allclose(kernel.transform(new[:2]), K[:2])


# ------------------------------------------------------------------- the input


@pytest.mark.parametrize(
    "wrap",
    [list, tuple, iter, np.array, pd.Series, pl.Series, lambda x: np.array(x, object)],
)
def test_sequences_of_strings(wrap):
    expected = StringKernel().fit_transform(STRINGS)
    assert_array_equal(StringKernel().fit_transform(wrap(STRINGS)), expected)


@pytest.mark.parametrize(
    "X, error, message",
    [
        ("abc", ValueError, "sequence of strings is expected, got a single str"),
        (b"abc", ValueError, "sequence of strings is expected, got a single bytes"),
        (None, TypeError, "sequence of strings is expected, got NoneType"),
        (3, TypeError, "sequence of strings is expected, got int"),
        ([], ValueError, "At least one string is required, got an empty sequence"),
        (["a", "b", None], TypeError, "number 2 is of type NoneType"),
        (["a", np.nan], TypeError, "number 1 is of type float"),
        ([1, "a"], TypeError, "number 0 is of type int"),
        ([b"a"], TypeError, "number 0 is of type bytes. Decode it first"),
        ([["a"]], TypeError, "number 0 is of type list"),
        ({"a": 1}, TypeError, "sequence of strings is expected, got dict"),
        ({"a"}, TypeError, "sequence of strings is expected, got set"),
        (np.array([["a"], ["b"]]), ValueError, r"1D .* expected, got shape \(2, 1\)"),
        (pd.DataFrame({"text": ["a"]}), ValueError, r"expected, got shape \(1, 1\)"),
        (np.array("a"), ValueError, r"1D .* expected, got shape \(\)"),
        (
            pd.Series(["a", pd.NA], dtype="string"),
            TypeError,
            "number 1 is of .* NAType",
        ),
        (np.zeros(3), TypeError, "number 0 is of type float64"),
    ],
    ids=repr,
)
def test_what_is_no_sequence_of_strings(X, error, message):
    with pytest.raises(error, match=message):
        StringKernel().fit(X)
    with pytest.raises(error, match=message):
        StringKernel().fit(STRINGS).transform(X)


@pytest.mark.parametrize("kind", ["spectrum", "subsequence"])
def test_no_string_is_long_enough(kind):
    message = f"kind='{kind}', length=5: the longest of 2 strings has 3 characters"
    with pytest.raises(ValueError, match=message):
        StringKernel(5, kind=kind).fit(["abc", "ab"])


def test_only_empty_strings(kind):
    with pytest.raises(ValueError, match="longest of 2 strings has 0 characters"):
        make(kind).fit(["", ""])


def test_some_strings_are_empty(kind):
    with pytest.warns(UserWarning, match="1 of 3 strings have no substring"):
        K = make(kind).fit_transform(["abcabc", "", "abc"])
    assert_array_equal(K[1], [0, 0, 0])
    assert_array_equal(K.diagonal(), [1, 0, 1])
    kernel = make(kind, normalize=False).fit(["abcabc", "", "abc"])
    assert_array_equal(kernel.transform(["", ""]), np.zeros((2, 3)))


def test_lone_surrogates_are_letters():
    K = StringKernel(1, normalize=False).fit_transform(["\ud800a\ud800", "\ud800", "a"])
    assert_array_equal(K, [[5, 2, 1], [2, 1, 0], [1, 0, 1]])


def test_weight_is_not_for_subsequences():
    with pytest.raises(ValueError, match="kind='subsequence' has one length only"):
        StringKernel(kind="subsequence", weight=[1.0]).fit(STRINGS)


@pytest.mark.parametrize(
    "params",
    [
        {"length": 0},
        {"length": 2.5},
        {"kind": "words"},
        {"decay": 0.9},
        {"gap": 0.0},
        {"gap": 1.1},
        {"sentinel": 0},
        {"weight": 2.0},
    ],
    ids=str,
)
def test_wrong_parameters(params):
    with pytest.raises(InvalidParameterError, match=next(iter(params))):
        StringKernel(**params).fit(STRINGS)


def test_too_large_a_matrix_is_refused(monkeypatch):
    def nothing_left(shape, dtype, cure):
        raise GramTooLargeError(cure)

    monkeypatch.setattr("sklearn_kernelclust._gram._base.require_memory", nothing_left)
    with pytest.raises(GramTooLargeError, match="lazy=True"):
        StringKernel().fit_transform(STRINGS)
    assert isinstance(StringKernel(lazy=True).fit_transform(STRINGS), Gram)


def test_a_small_gap_does_not_underflow():
    kernel = StringKernel(20, kind="subsequence", gap=1e-30)
    K = kernel.fit_transform(["abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrst"])
    assert_allclose(K, [[1, 7**-0.5], [7**-0.5, 1]])


# ------------------------------------------------------------ reading clusters


def test_top_substrings():
    words = ["tea time", "green tea", "coffee", "toffee"]
    for by in ("correlation", "weight"):
        top = StringKernel(4).fit(words).top_substrings([0, 0, 1, 1], n=3, by=by)
        assert list(top) == [0, 1]
        for label, found in top.items():
            assert 0 < len(found) <= 3
            scores = [score for _, score in found]
            assert scores == sorted(scores, reverse=True)
            members = words[2 * label : 2 * label + 2]
            assert all(any(s in word for word in members) for s, _ in found)
    top = StringKernel(4).fit(words).top_substrings([0, 0, 1, 1], n=2)
    assert "tea" in [s.strip() for s, _ in top[0]]


def test_top_substrings_do_not_contain_each_other():
    top = StringKernel().fit(STRINGS).top_substrings(LABELS)
    for found in top.values():
        substrings = [s for s, _ in found]
        assert not any(s in t for s in substrings for t in substrings if s != t)


def test_top_substrings_of_one_cluster():
    kernel = StringKernel().fit(STRINGS)
    assert kernel.top_substrings([7] * 6) == {7: []}
    (found,) = kernel.top_substrings(["x"] * 6, n=1, by="weight").values()
    assert [s for s, _ in found] == ["a"]


def test_top_substrings_asked_wrongly():
    kernel = StringKernel().fit(STRINGS)
    with pytest.raises(ValueError, match="of the 6 training strings, got 2"):
        kernel.top_substrings([0, 1])
    with pytest.raises(ValueError, match=r"by must be one of .* got 'size'"):
        kernel.top_substrings(LABELS, by="size")
    for n in (-1, 0, 1.5, True, "2"):
        with pytest.raises(ValueError, match=f"n must be an integer .* got {n!r}"):
            kernel.top_substrings(LABELS, n=n)
    assert len(kernel.top_substrings(LABELS, n=np.int64(1))[0]) == 1
    with pytest.raises(ValueError, match="kind='subsequence' has no features"):
        make("subsequence").fit(STRINGS[:5]).top_substrings(LABELS[:5])
    with pytest.raises(NotFittedError):
        StringKernel().top_substrings(LABELS)


# ---------------------------------------------------------------- scikit-learn


# Those of scikit-learn's checks that give an estimator no numbers to fit.
CHECKS = [
    "check_do_not_raise_errors_in_init_or_set_params",
    "check_estimator_cloneable",
    "check_estimator_repr",
    "check_estimator_tags_renamed",
    "check_get_params_invariance",
    "check_mixin_order",
    "check_no_attributes_set_in_init",
    "check_param_validation",
    "check_parameters_default_constructible",
    "check_set_params",
    "check_transformers_unfitted",
    "check_valid_tag_types",
]


@pytest.mark.parametrize("name", CHECKS)
def test_common(kind, name):
    check = getattr(estimator_checks, name, None)
    if check is None:
        pytest.skip(f"{name} is not in this scikit-learn")
    check("StringKernel", make(kind))


def test_tags():
    tags = get_tags(StringKernel())
    assert tags.input_tags.string
    assert not tags.input_tags.two_d_array


def test_fit_transform_is_fit_then_transform(kind):
    K = make(kind).fit_transform(STRINGS[:5])
    kernel = make(kind)
    assert kernel.fit(STRINGS[:5]) is kernel
    assert_allclose(kernel.transform(STRINGS[:5]), K, rtol=1e-12)
    assert_allclose(kernel.fit(STRINGS[:5]).transform(STRINGS[:5]), K, rtol=1e-12)


def test_clone_and_pickle(kind):
    kernel = make(kind).fit(STRINGS[:5])
    same = pickle.loads(pickle.dumps(kernel))
    assert_array_equal(same.transform(STRINGS[:5]), kernel.transform(STRINGS[:5]))
    with pytest.raises(NotFittedError):
        clone(kernel).transform(STRINGS)


def test_names_and_containers():
    kernel = StringKernel().set_output(transform="pandas")
    frame = kernel.fit_transform(pd.Series(STRINGS, index=[*"uvwxyz"]))
    assert [*frame.columns] == [f"stringkernel{i}" for i in range(6)]
    assert [*frame.columns] == [*kernel.get_feature_names_out()]
    if parse_version(sklearn_version) >= parse_version("1.7"):  # or of frames
        assert [*frame.index] == [*"uvwxyz"]
    with pytest.raises(ValueError, match="lazy kernel, which cannot be pandas"):
        kernel.set_params(lazy=True).transform(STRINGS)


@pytest.mark.parametrize("lazy", [False, True])
@pytest.mark.parametrize("kind", ["boundrange", "subsequence"])
def test_pipeline(kind, lazy):
    model = make_pipeline(
        make(kind, lazy=lazy),
        DiagonalShift(),
        KernelKMeans(2, kernel="precomputed", random_state=0),
    )
    X, labels = STRINGS[:5], LABELS[:5]
    assert adjusted_rand_score(model.fit_predict(X), labels) == 1
    assert_array_equal(model.predict(X), model[-1].labels_)
    assert model.predict(["sesame"]) == model.predict(X)[-1]


def test_pipeline_with_a_normalizer():
    kernel = StringKernel(3, normalize=False, lazy=True)
    model = make_pipeline(kernel, PowerMeanNormalizer(t=1.0)).fit(STRINGS)
    K = substring_kernel(STRINGS, STRINGS, lambda n: float(n <= 3))
    means = np.add.outer(K.diagonal(), K.diagonal()) / 2
    assert_allclose(model.transform(STRINGS).toarray(), K / means)


@pytest.mark.parametrize("lazy", [False, True])
def test_spectral_clustering(lazy):
    clusterer = SpectralClustering(2, kernel="precomputed", random_state=0)
    model = make_pipeline(StringKernel(3, lazy=lazy), clusterer)
    assert adjusted_rand_score(model.fit_predict(STRINGS), LABELS) == 1
    assert_array_equal(model.predict(STRINGS), clusterer.labels_)


def test_grid_search_over_length():
    strings, labels = STRINGS * 3, LABELS * 3
    model = make_pipeline(StringKernel(), SVC(kernel="precomputed"))
    search = GridSearchCV(model, {"stringkernel__length": [1, 3]}, cv=3)
    assert search.fit(strings, labels).best_score_ == 1


def test_grid_search_finds_the_length_that_sees_the_order():
    """Both classes have the same letters: single characters cannot tell them apart."""
    strings = [word * 6 + 9 * end for end in "uvwxyz" for word in ("abcd", "dcba")]
    labels = [0, 1] * 6
    clusterer = make_pipeline(
        StringKernel(kind="spectrum"),
        KernelKMeans(2, kernel="precomputed", random_state=0),
    )
    search = GridSearchCV(
        clusterer,
        {"stringkernel__length": [1, 3]},
        scoring="adjusted_rand_score",
        cv=2,
    )
    search.fit(strings, labels)
    assert search.best_params_ == {"stringkernel__length": 3}
    scores = search.cv_results_["mean_test_score"]
    assert scores[1] == 1 > scores[0]

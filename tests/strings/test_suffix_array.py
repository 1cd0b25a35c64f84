"""Text, words and suffixes against Python's own strings."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import itertools

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from string_oracles import ALPHABETS, random_strings

from sklearn_kernelclust._strings import _suffix_array
from sklearn_kernelclust._strings._suffix_array import (
    Text,
    Words,
    common_prefixes,
    sort_suffixes,
)


def shared(a, b):
    return next(
        (i for i, (p, q) in enumerate(zip(a, b)) if p != q), min(len(a), len(b))
    )


@pytest.fixture(params=ALPHABETS)
def strings(request, seed):
    return random_strings(np.random.RandomState(seed), request.param, 5, 40)


@pytest.fixture(params=[1, 2, 3, 7, 30, 100])
def bound(request):
    return request.param


def sorted_suffixes(strings, bound, apart=False):
    text = Text.of(strings)
    words = Words.of(text, text.alphabet(), min(bound, max(text.longest, 1)))
    owner = text.owner if apart else None
    return text, words, sort_suffixes(words, bound, owner)


def test_text_knows_its_strings():
    text = Text.of(["ab", "", "\ud800é\U0001f600"])
    assert (text.n_strings, text.longest) == (3, 3)
    assert_array_equal(text.owner, [0, 0, 2, 2, 2])
    assert_array_equal(text.left, [2, 1, 3, 2, 1])
    assert_array_equal(text.points, [97, 98, 0xD800, 0xE9, 0x1F600])
    assert text.substring(2, 3) == "\ud800é\U0001f600"


def test_halves_of_a_pair_in_two_strings_stay_two_letters():
    text = Text.of(["\ud83d", "\ude00"])
    assert_array_equal(text.points, [0xD83D, 0xDE00])


def test_alphabet_numbers_letters_in_order_and_others_last():
    alphabet = Text.of(["ca"]).alphabet()
    assert_array_equal(alphabet.encode(Text.of(["abcé"]).points), [1, 3, 2, 3])


def test_too_much_text_is_refused(monkeypatch):
    monkeypatch.setattr(_suffix_array, "MOST_CHARACTERS", 3)
    with pytest.raises(ValueError, match="have 4 characters together, more than the 3"):
        Text.of(["ab", "cd"])


def test_suffixes_are_sorted_and_grouped(strings, bound):
    text, _, found = sorted_suffixes(strings, bound)
    suffixes = [s[i : i + bound] for s in strings for i in range(len(s))]
    assert [suffixes[i] for i in found.order] == sorted(suffixes)
    assert [suffixes[i] for i in found.first] == sorted(set(suffixes))
    assert found.bounds[-1] == len(text.points)


def test_strings_are_kept_apart(strings, bound):
    text, words, found = sorted_suffixes(strings, bound, apart=True)
    suffixes = [
        (k, s[i : i + bound]) for k, s in enumerate(strings) for i in range(len(s))
    ]
    assert [suffixes[i] for i in found.order] == sorted(suffixes)
    first = [suffixes[i] for i in found.first]
    expected = [
        shared(a, b) if k == m else 0 for (k, a), (m, b) in itertools.pairwise(first)
    ]
    prefixes = common_prefixes(found, words, text.owner)
    assert prefixes.tolist() == [0, *expected, 0][: len(first) + 1]


def test_common_prefixes_of_neighbours(strings, bound):
    _, words, found = sorted_suffixes(strings, bound)
    first = sorted({s[i : i + bound] for s in strings for i in range(len(s))})
    expected = [shared(a, b) for a, b in itertools.pairwise(first)]
    assert common_prefixes(found, words).tolist() == [0, *expected, 0][: len(first) + 1]


def test_words_compare_as_their_letters(strings):
    text = Text.of(strings)
    words = Words.of(text, text.alphabet(), 5)
    suffixes = [s[i : i + words.width] for s in strings for i in range(len(s))]
    by_word = np.argsort(words.values, kind="stable")
    assert [suffixes[i] for i in by_word] == sorted(suffixes)
    a, b = by_word[:-1], by_word[1:]
    expected = [shared(suffixes[i], suffixes[j]) for i, j in zip(a, b)]
    differ = words.values[a] ^ words.values[b]
    same = differ == 0
    assert_array_equal(words.common(differ)[~same], np.array(expected)[~same])
    assert_array_equal(words.common(differ)[same], words.width)

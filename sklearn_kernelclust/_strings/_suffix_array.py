"""Strings as numbers, and all their suffixes in alphabetical order.

A suffix ends where its string ends, or after `bound` characters. They are
sorted by words of as many characters as fit into an integer, then by pairs of
ranks of twice the reach each time: numpy sorts, and no loop over characters.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np

from sklearn_kernelclust._utils._cached_property import cached_property

WORD_BITS = 63
MOST_CHARACTERS = 2**31 - 2


@dataclass
class Alphabet:
    """Numbers for letters: 1 to n for known ones, n + 1 for all others.

    0 stands for what comes after the end of a string, so that an end comes
    before every letter.
    """

    letters: np.ndarray

    @property
    def bits(self):
        """Bits that hold the number of a letter."""
        return int(len(self.letters) + 1).bit_length()

    def encode(self, points):
        """Numbers of the letters whose code points are given."""
        n_letters = len(self.letters)
        size = max(points.max(initial=0), self.letters.max(initial=0)) + 1
        table = np.full(size, n_letters + 1, dtype=np.int64)
        table[self.letters] = np.arange(1, n_letters + 1)
        return table[points]


@dataclass
class Text:
    """Strings laid end to end.

    Attributes
    ----------
    points : ndarray of shape (n_characters,)
        Code points.
    starts : ndarray of shape (n_strings + 1,)
        Where each string begins, and where the last one ends.
    """

    points: np.ndarray
    starts: np.ndarray

    @classmethod
    def of(cls, strings):
        """The text of a list of strings; lone surrogates are letters too."""
        lengths = np.fromiter(map(len, strings), dtype=np.int64, count=len(strings))
        starts = np.concatenate([[0], np.cumsum(lengths)])
        if starts[-1] > MOST_CHARACTERS:
            raise ValueError(
                f"The strings have {starts[-1]} characters together, more than the "
                f"{MOST_CHARACTERS} that can be numbered."
            )
        bytes_ = "".join(strings).encode("utf-32-le", "surrogatepass")
        return cls(np.frombuffer(bytes_, dtype="<u4"), starts)

    @property
    def n_strings(self):
        """Number of strings."""
        return len(self.starts) - 1

    @property
    def longest(self):
        """Length of the longest string."""
        return int(np.diff(self.starts).max(initial=0))

    @cached_property
    def owner(self):
        """String that each character belongs to."""
        numbers = np.arange(self.n_strings, dtype=np.int32)
        return np.repeat(numbers, np.diff(self.starts))

    @cached_property
    def left(self):
        """Characters from each one to the end of its string, itself included."""
        ends = np.repeat(self.starts[1:], np.diff(self.starts))
        return (ends - np.arange(len(ends))).astype(np.int32)

    def alphabet(self):
        """The letters that occur, in the order of their code points."""
        occurs = np.zeros(self.points.max(initial=0) + 1, dtype=bool)
        occurs[self.points] = True
        return Alphabet(np.flatnonzero(occurs))

    def substring(self, start, length):
        """Some characters in a row, as a string."""
        points = self.points[start : start + length]
        return points.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")


@dataclass
class Words:
    """As many letters from each place on as fit into one integer.

    Their order is that of the letters; places after the end of a string are 0.
    """

    values: np.ndarray
    left: np.ndarray
    bits: int
    width: int

    @classmethod
    def of(cls, text, alphabet, bound):
        """Words of a text, of no more than `bound` letters."""
        bits, left = alphabet.bits, text.left
        width = min(WORD_BITS // bits, bound)
        words, reach = alphabet.encode(text.points), 1
        while reach < width:
            step = min(reach, width - reach)
            # Of the word that follows, the first `step` letters.
            ahead = further_on(words, reach, left) >> (bits * (reach - step))
            words = words << (bits * step) | ahead
            reach += step
        return cls(words, left, bits, width)

    def at(self, places, offset):
        """Words that begin `offset` characters after some places."""
        inside = offset < self.left[places]
        return np.where(inside, self.values[np.where(inside, places + offset, 0)], 0)

    def common(self, difference):
        """Letters that two words share, from their exclusive or."""
        # Without the bits below the first no conversion rounds up.
        first = difference & ~(difference >> 1)
        n_bits = np.frexp(first.astype(np.float64))[1]
        return self.width - -(-n_bits // self.bits)


@dataclass
class SuffixOrder:
    """Suffixes in alphabetical order; those that are equal form a group.

    Attributes
    ----------
    order : ndarray of shape (n_characters,)
        Where the suffixes begin.
    bounds : ndarray of shape (n_groups + 1,)
        Where the groups begin in `order`, and where the last one ends.
    levels : list of (int, ndarray of shape (n_characters,))
        Reach, and ranks of the suffixes by that many of their letters.
    """

    order: np.ndarray
    bounds: np.ndarray
    levels: list

    @cached_property
    def first(self):
        """A suffix of each group."""
        return self.order[self.bounds[:-1]]


def further_on(values, step, left):
    """What stands `step` characters further on in the same string, else 0."""
    ahead = np.zeros_like(values)
    ahead[:-step] = values[step:]
    ahead[left <= step] = 0
    return ahead


def sort_suffixes(words, bound, apart=None):
    """Order of all suffixes by at most `bound` letters.

    With `apart`, the string of each place, strings are kept apart: suffixes
    of different strings are not compared, and come in the order of strings.
    """
    left, reach = words.left, words.width
    order = np.argsort(words.values).astype(np.int32)
    new = changes(words.values[order])
    if apart is not None:
        order = order[np.argsort(apart[order], kind="stable")]
        new = changes(words.values[order]) | changes(apart[order])
    levels = [(reach, group_ranks(order, new))]
    while reach < bound:
        slots = np.flatnonzero(in_large_group(new) & (left[order] >= reach))
        if not (left[order[slots]] > reach).any():
            break
        step = min(reach, bound - reach)
        refine(order, new, slots, levels[-1][1], step, left)
        reach += step
        levels.append((reach, group_ranks(order, new)))
    bounds = np.append(np.flatnonzero(new), len(order)).astype(np.int32)
    return SuffixOrder(order, bounds, levels)


def changes(values):
    """Marks the places where a value differs from the one before."""
    new = np.ones(len(values), dtype=bool)
    new[1:] = values[1:] != values[:-1]
    return new


def in_large_group(new):
    """Marks the members of groups of more than one."""
    alone = new.copy()
    alone[:-1] &= new[1:]
    return ~alone


def group_ranks(order, new):
    """For each suffix, the slot where its group begins."""
    slots = np.where(new, np.arange(len(order), dtype=np.int32), 0)
    ranks = np.empty_like(order)
    ranks[order] = np.maximum.accumulate(slots)
    return ranks


def refine(order, new, slots, rank, step, left):
    """Sort the suffixes in `slots` within their groups by the ranks ahead."""
    places = order[slots]
    further = left[places] > step
    ahead = np.where(further, rank[np.where(further, places + step, 0)] + 1, 0)
    keys = rank[places].astype(np.int64) * (len(order) + 1) + ahead
    by_key = np.argsort(keys)
    order[slots] = places[by_key]
    new[slots] |= changes(keys[by_key])


def common_prefixes(suffixes, words, apart=None):
    """Letters that each group shares with the one before, 0 at both ends."""
    first = suffixes.first
    prefixes = np.zeros(len(suffixes.bounds), dtype=np.int32)
    if len(first) < 2:
        return prefixes
    values = words.values[first]
    differ = values[1:] ^ values[:-1]
    length = words.common(differ)
    more = np.flatnonzero(differ == 0)
    length[more] = beyond_a_word(first[more], first[more + 1], suffixes, words)
    if apart is not None:
        length[apart[first[1:]] != apart[first[:-1]]] = 0
    prefixes[1:-1] = length
    return prefixes


def beyond_a_word(a, b, suffixes, words):
    """Letters that suffixes share whose first words are equal.

    The ranks tell by halves of the reach whether the letters agree, the words
    tell where in a word they do not.
    """
    limit = np.minimum(words.left[a], words.left[b])
    length = np.zeros(len(a), dtype=np.int32)
    for reach, rank in reversed(suffixes.levels[:-1]):
        inside = length < limit
        here = np.where(inside, length, 0)
        length += reach * (inside & (rank[a + here] == rank[b + here]))
    return length + words.common(words.at(a, length) ^ words.at(b, length))

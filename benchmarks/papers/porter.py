"""Porter's stemmer (Program 14(3), 1980, with his later "bli" and "logi").

Only to prepare raw text as the papers did; lower-case English words.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import cache

# Suffixes and what they turn into where the stem has a measure above zero.
STEP_2 = {
    "ational": "ate",
    "tional": "tion",
    "enci": "ence",
    "anci": "ance",
    "izer": "ize",
    "bli": "ble",
    "alli": "al",
    "entli": "ent",
    "eli": "e",
    "ousli": "ous",
    "ization": "ize",
    "ation": "ate",
    "ator": "ate",
    "alism": "al",
    "iveness": "ive",
    "fulness": "ful",
    "ousness": "ous",
    "aliti": "al",
    "iviti": "ive",
    "biliti": "ble",
    "logi": "log",
}
STEP_3 = {
    "icate": "ic",
    "ative": "",
    "alize": "al",
    "iciti": "ic",
    "ical": "ic",
    "ful": "",
    "ness": "",
}
# Suffixes that go where the stem has a measure above one.
STEP_4 = (
    "al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize"
).split()


@cache
def stem(word):
    """The stem of a word of lower-case letters; others are left as they are."""
    if len(word) <= 2:
        return word
    word = _plural(word)
    word = _past(word)
    if word.endswith("y") and _has_vowel(word[:-1]):
        word = word[:-1] + "i"
    word = _replace(word, STEP_2)
    word = _replace(word, STEP_3)
    word = _drop(word)
    return _tidy(word)


def _plural(word):
    if word.endswith(("sses", "ies")):
        return word[:-2]
    if word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


def _past(word):
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        rest = word.removesuffix(suffix)
        if rest != word:
            return _mended(rest) if _has_vowel(rest) else word
    return word


def _mended(rest):
    """What is left after "ed" or "ing" is gone, made a word again."""
    if rest.endswith(("at", "bl", "iz")):
        return rest + "e"
    if _double_consonant(rest) and rest[-1] not in "lsz":
        return rest[:-1]
    if _measure(rest) == 1 and _short_end(rest):
        return rest + "e"
    return rest


def _replace(word, endings):
    """The longest suffix decides, whether it is replaced or not."""
    suffix = max((s for s in endings if word.endswith(s)), key=len, default=None)
    if suffix is None or _measure(word[: -len(suffix)]) == 0:
        return word
    return word[: -len(suffix)] + endings[suffix]


def _drop(word):
    suffix = max((s for s in STEP_4 if word.endswith(s)), key=len, default=None)
    if suffix is None:
        return word
    rest = word[: -len(suffix)]
    if _measure(rest) <= 1 or (suffix == "ion" and not rest.endswith(("s", "t"))):
        return word
    return rest


def _tidy(word):
    if word.endswith("e"):
        m = _measure(word[:-1])
        if m > 1 or (m == 1 and not _short_end(word[:-1])):
            word = word[:-1]
    if word.endswith("ll") and _measure(word[:-1]) > 1:
        word = word[:-1]
    return word


def _shape(word):
    """V for a vowel, C for a consonant, a letter each."""
    shape = ""
    for letter in word:
        vowel = letter in "aeiou" or (letter == "y" and shape.endswith("C"))
        shape += "V" if vowel else "C"
    return shape


def _measure(word):
    """How often a vowel is followed by a consonant."""
    return _shape(word).count("VC")


def _has_vowel(word):
    return "V" in _shape(word)


def _double_consonant(word):
    return len(word) > 1 and word[-1] == word[-2] and _shape(word)[-1] == "C"


def _short_end(word):
    """Whether it ends with consonant, vowel, consonant other than w, x, y."""
    return _shape(word).endswith("CVC") and word[-1] not in "wxy"

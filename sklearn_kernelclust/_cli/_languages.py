"""Words of other languages: lists of stop words, and scripts without spaces."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import os
import re
from functools import cache
from importlib.resources import files

from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from sklearn_kernelclust._cli._files import Skipped, read_text
from sklearn_kernelclust._cli._reading import BadInputError
from sklearn_kernelclust._cli._words import snippet
from sklearn_kernelclust._utils._warnings import warn_user

# Thai, Lao, Burmese, Khmer, Japanese and Chinese have no spaces between words.
SPACELESS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
)

# Two characters of such a script, overlapping, or a word of any other script.
BIGRAMS = f"(?=([{SPACELESS}]{{2}}|(?<![^\\W{SPACELESS}])[^\\W{SPACELESS}]{{2,}}))"
WORDS = r"(?u)\b\w\w+\b"  # the default of scikit-learn

# Text of this many documents tells the language.
N_SAMPLED = 200


@cache
def stop_word_lists():
    """Stop words by language."""
    text = files(__package__).joinpath("stop_words.txt").read_text("utf-8")
    parts = re.split(r"\[(\w+)\]\n", text)
    lists = {name: frozenset(w.split()) for name, w in zip(parts[1::2], parts[2::2])}
    return {"english": ENGLISH_STOP_WORDS, **lists}


def stop_words(options):
    """Words to ignore: those of a language or of several, of a file, or none."""
    names, lists = options.stop_words.split(","), stop_word_lists()
    if options.stop_words in ("english", "none"):
        return None if options.stop_words == "none" else "english"
    if set(names) <= set(lists):
        return sorted(frozenset().union(*(lists[name] for name in names)))
    if not os.path.lexists(options.stop_words):
        raise BadInputError(
            f"--stop-words {options.stop_words}: there is no such file, and the "
            f"languages are {', '.join(lists)}; or none."
        )
    try:
        return sorted(set(read_text(options.stop_words, options).lower().split()))
    except Skipped as skipped:
        raise BadInputError(f"--stop-words {options.stop_words}: {skipped}.") from None


def token_pattern(texts):
    """What a word is: in scripts without spaces, two characters in a row."""
    sample = "".join(snippet(text, 200) for text in _sampled(texts))
    n_letters = len(re.findall(r"\w", sample))
    n_spaceless = len(re.findall(f"[{SPACELESS}]", sample))
    return BIGRAMS if n_spaceless > n_letters / 10 else WORDS


def warn_of_language(texts, given):
    """Point to the list of stop words of the texts' language, if it is another."""
    language = other_language(texts, given)
    if language is not None:
        warn_user(
            f"The documents look {language.title()}: --stop-words {language} ignores "
            "its most frequent words."
        )


def other_language(texts, given):
    """The language of the texts, None if `given` is right, or nothing is known."""
    lists = stop_word_lists()
    if given not in lists:
        return None
    sample = " ".join(text[:2000] for text in _sampled(texts))
    words = re.findall(WORDS, sample.lower())

    def count(language, other):
        # Without the words of both: "de" and "un" are in the English list.
        return sum(map((lists[language] - lists[other]).__contains__, words))

    likely = max(lists, key=lambda language: count(language, given))
    n_likely, n_given = count(likely, given), count(given, likely)
    return likely if n_likely > max(2 * n_given, len(words) / 8) else None


def _sampled(texts):
    """Texts from everywhere in a list, at most `N_SAMPLED` or a few more."""
    return texts[:: max(len(texts) // N_SAMPLED, 1)]

"""Data sets of the papers by name, prepared as the papers say.

``load(folder, name)`` gives term counts and classes; ``weighted(counts, how)``
gives rows of unit length.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import csv
import gzip
import json
import re
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
import snowballstemmer
from scipy.sparse import csr_array, load_npz
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.preprocessing import StandardScaler, normalize

from benchmarks.papers.stopwords import STOP_WORDS

POLITICS = ("talk.politics.guns", "talk.politics.mideast", "talk.politics.misc")
NEWSGROUPS = {
    "ng17-19": POLITICS,
    "ng3": ("comp.graphics", "sci.space", "talk.politics.mideast"),
    # Of the same size as the paper's ng3, too: which one it was is not known.
    "ng3b": ("comp.sys.mac.hardware", "rec.sport.hockey", "talk.politics.mideast"),
}
# The eight collections of DD, in its order.
DD_SETS = "bbc bbcsport classic3 classic cstr ng17-19 ng3 reviews".split()
# And what may stand for one of them.
STANDS_FOR = {"ng3b": "ng3"}

# Weight of a term: of its count in a document, and of the share n / df of
# documents that have it.
WEIGHTINGS = {
    "(1 + ln tf)(1 + ln(n/df))": (lambda t: 1 + np.log(t), lambda r: 1 + np.log(r)),
    "(1 + ln tf) ln(n/df)": (lambda t: 1 + np.log(t), np.log),
    "tf (1 + ln(n/df))": (lambda t: t, lambda r: 1 + np.log(r)),
    "tf ln(n/df)": (lambda t: t, np.log),
    "(1 + log2 tf)(1 + log10(n/df))": (
        lambda t: 1 + np.log2(t),
        lambda r: 1 + np.log10(r),
    ),
    "log2(1 + tf) log2(n/df)": (lambda t: np.log2(1 + t), np.log2),
}
PORTER = snowballstemmer.stemmer("porter")
# Endings that Porter's program of 1980 leaves and his later versions do not. The
# published vocabularies have the later stems. A vowel and a consonant come before.
LATER_ENDING = re.compile("[aeiouy][^aeiouy].*(bli|logi)$")

DD_WEIGHTING = "(1 + ln tf)(1 + ln(n/df))"
KP_WEIGHTING = "log2(1 + tf) log2(n/df)"


@dataclass
class Collection:
    """Term counts (documents x terms), the class of each document, names of classes."""

    name: str
    counts: csr_array
    labels: np.ndarray
    classes: list
    source: str

    @property
    def n_classes(self):
        return len(self.classes)


def weighted(counts, weighting):
    """Weighted terms in rows of unit length."""
    X = csr_array(counts, dtype=np.float64, copy=True)
    local, of_share = WEIGHTINGS[weighting]
    df = np.bincount(X.indices, minlength=X.shape[1])
    share = X.shape[0] / np.maximum(df, 1)
    X.data = local(X.data) * of_share(share)[X.indices]
    return normalize(X)


@lru_cache(maxsize=4)
def load(folder, name):
    """A collection of documents by the name that the papers give it."""
    make = MAKERS.get(name)
    if make is None:
        raise ValueError(f"Unknown data set {name!r}; known: {', '.join(MAKERS)}.")
    counts, labels, source = make(folder)
    classes, codes = np.unique(np.asarray(labels), return_inverse=True)
    return Collection(name, csr_array(counts), codes, [str(c) for c in classes], source)


# Files


def read_lines(folder, name):
    """Records of ``NAME.jsonl.gz``."""
    with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def read_counts(folder, name):
    """Counts and labels of ``NAME.npz``, ``NAME.labels.txt``."""
    labels = (folder / f"{name}.labels.txt").read_text(encoding="utf-8").splitlines()
    return csr_array(load_npz(folder / f"{name}.npz")), labels


def read_features(folder, name):
    """Standardised features of ``NAME.csv`` without constant ones, and labels."""
    with open(folder / f"{name}.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))[1:]
    X = np.array([row[:-1] for row in rows], dtype=float)
    X = X[:, np.ptp(X, axis=0) > 0]
    return StandardScaler().fit_transform(X), np.array([row[-1] for row in rows])


# From raw text


@cache
def stem(word):
    """Porter's stem of a lower-case word. Words of two letters stay as they are."""
    if len(word) <= 2:
        return word
    stemmed = PORTER.stemWord(word)
    if not LATER_ENDING.search(stemmed):
        return stemmed
    if stemmed.endswith("logi"):
        return stemmed.removesuffix("i")
    return PORTER.stemWord(stemmed.removesuffix("i") + "e")


def terms_of(text):
    """Stems of the words of a text, stop words left out.

    Punctuation within a word is dropped ("high-speed" is one word): on the raw
    text of bbc and bbcsport this gives the published vocabularies but for a few
    words.
    """
    words = (re.sub("[^a-z0-9£]", "", w) for w in re.split(r"[\s,/]+", text.lower()))
    return [stem(w) for w in words if len(w) > 1 and w not in STOP_WORDS]


def words_of(text):
    """Stems of words of three letters or more, as KP's program takes them."""
    words = re.findall("[a-z]{3,}", text.lower())
    return [stem(word) for word in words if word not in STOP_WORDS]


def count_terms(texts, min_df=3, terms=terms_of):
    """Counts of the terms that are in at least `min_df` documents."""
    return CountVectorizer(analyzer=terms, min_df=min_df).fit_transform(texts)


def counted(records, min_df=3):
    """Counts and labels of records that have a term left."""
    counts = csr_array(count_terms([r["text"] for r in records], min_df))
    labels = np.array([r["label"] for r in records])
    kept = np.diff(counts.indptr) > 0
    return counts[kept], labels[kept]


def body(text):
    """A message without its header."""
    return text.partition("\n\n")[2]


def sender_and_subject(text):
    """A message with two lines of its header, as in the release of 18,828 messages."""
    header, _, rest = text.partition("\n\n")
    kept = [h for h in header.splitlines() if h.startswith(("From:", "Subject:"))]
    return "\n".join([*kept, "", rest])


# Makers: folder -> counts, labels, where they come from


def frequent(name):
    """Counts as they were distributed, terms in at least three documents."""

    def make(folder):
        counts, labels = read_counts(folder, name)
        df = np.bincount(counts.indices, minlength=counts.shape[1])
        return counts[:, df >= 3], labels, f"{name}.npz"

    return make


def _newsgroups(name):
    def make(folder):
        records = [
            {"text": r["text"], "label": r["label"]}
            for r in read_lines(folder, "ng20_bydate")
            if r["label"] in NEWSGROUPS[name]
        ]
        return *counted(records), "ng20_bydate.jsonl.gz, stemmed"

    return make


def _classic(without=()):
    def make(folder):
        records = read_lines(folder, "classic4")
        records = [r for r in records if r["label"] not in without]
        return *counted(records), "classic4.jsonl.gz, stemmed"

    return make


MAKERS = {
    "bbc": frequent("bbc"),
    "bbcsport": frequent("bbcsport"),
    "classic3": _classic(without=("cacm",)),
    "classic": _classic(),
    "cstr": frequent("cstr"),
    "ng17-19": _newsgroups("ng17-19"),
    "ng3": _newsgroups("ng3"),
    "ng3b": _newsgroups("ng3b"),
    "reviews": frequent("reviews"),
}

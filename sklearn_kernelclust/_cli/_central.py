"""Central documents of a cluster; of those that are nearly the same, only one."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import re

N_CENTRAL = 3

# Documents are nearly the same if they share so many of their pieces: runs of
# letters of this length, in the first characters.
NEARLY = 0.8
PIECE = 5
COMPARED = 5000

# Documents to look at, so that a cluster of one text costs little.
MOST_CANDIDATES = 50


def central(members, corpus, n=N_CENTRAL):
    """The first members, without those that are nearly the same as an earlier one.

    Parameters
    ----------
    members : list of int
        Documents of a cluster, the most central first.
    corpus : Corpus
        The documents.
    n : int
        The most members to return.
    """
    if not corpus.texts:
        return members[:n]
    chosen = {}
    for i in members[:MOST_CANDIDATES]:
        candidate = pieces(corpus.texts[i])
        if not any(nearly_same(candidate, earlier) for earlier in chosen.values()):
            chosen[i] = candidate
        if len(chosen) == n:
            break
    return list(chosen)


def pieces(text):
    """The runs of letters in a text, whatever is between them."""
    letters = "".join(re.findall(r"\w+", text[:COMPARED].lower()))
    return {letters[i : i + PIECE] for i in range(max(len(letters) - PIECE + 1, 1))}


def nearly_same(a, b):
    """Whether two sets share most of their union."""
    return len(a & b) >= NEARLY * len(a | b)

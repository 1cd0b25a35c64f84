"""What a string kernel remembers of its training strings."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import partial

import numpy as np

from sklearn_kernelclust._gram._chunked import ChunkedGram
from sklearn_kernelclust._gram._factored import FactoredGram, scale_rows
from sklearn_kernelclust._gram._wrappers import inverse_root
from sklearn_kernelclust._strings._matching_statistics import new_features
from sklearn_kernelclust._strings._subsequence_kernel import (
    StringArray,
    scaled_subsequence_kernel,
    subsequence_self_similarities,
)
from sklearn_kernelclust._strings._substring_tree import (
    SubstringTree,
    self_similarities,
)
from sklearn_kernelclust._strings._suffix_array import Text
from sklearn_kernelclust._utils._warnings import warn_user

# Scores that differ by less are ties.
DIGITS = 9

# Multiply-adds that a pair of places in two strings takes as long as, for each
# letter of a subsequence.
CELL = 10


def prefix_weights(longest, *, kind, length, decay, weight):
    """Weight of all prefixes of a string, by its length from 0 to `longest`.

    Of a string that is longer than the last length that weighs something, the
    rest does not matter: the result ends there.
    """
    bounded = kind in {"spectrum", "boundrange"}
    bound = min(length, longest) if bounded else longest
    lengths = np.arange(1, max(bound, 1) + 1)
    values = np.ones(len(lengths))
    if kind == "spectrum":
        values = (lengths == length).astype(np.float64)
    elif kind == "exponential":
        values = float(decay) ** -lengths.astype(np.float64)
    values = values * user_weights(weight, lengths)
    n_used = np.flatnonzero(values)[-1:].sum() + 1
    return np.concatenate([[0.0], np.cumsum(values)])[: n_used + 1]


def user_weights(weight, lengths):
    """The weights that the user wants for some lengths 1, 2, ..."""
    if weight is None:
        return 1.0
    if callable(weight):
        values = np.asarray(weight(lengths), dtype=np.float64)
        if values.shape != lengths.shape:
            raise ValueError(
                f"weight must give a value for each of {len(lengths)} lengths, got "
                f"an array of shape {values.shape}."
            )
    else:
        given = np.asarray(weight, dtype=np.float64)
        if given.ndim != 1:
            raise ValueError(f"weight must be 1D, got an array of shape {given.shape}.")
        values = np.zeros(len(lengths))
        values[: len(given)] = given[: len(lengths)]
    wrong = np.flatnonzero(~((values >= 0) & np.isfinite(values)))
    if len(wrong):
        raise ValueError(
            f"weight must be at least 0 and finite, got {values[wrong[0]]} for "
            f"length {lengths[wrong[0]]}."
        )
    return values


class SubstringModel:
    """Substrings as features.

    Parameters
    ----------
    strings : list of str
    weights : callable
        Weight of all prefixes of a string, from the length of the longest.
    normalize : bool
    """

    def __init__(self, strings, weights, normalize):
        text = Text.of(strings)
        self.tree = SubstringTree.of(text, weights(text.longest))
        self.features = self.tree.features()
        self.similarity = self.plain = self.features.similarity
        self.weights, self.normalize = weights, normalize
        self.features.matrix = self._normalized(self.features.matrix, self.plain)

    def training_gram(self):
        """Gram of the training strings."""
        A, diagonal = self.features.matrix, self._diagonal(self.plain)
        return FactoredGram(A, A, diagonal, diagonal, symmetric=True)

    def new_gram(self, strings):
        """Gram of strings against the training strings."""
        text = Text.of(strings)
        similarity = self_similarities(text, self.weights(text.longest))
        B = new_features(self.tree, self.features, text)
        return FactoredGram(
            self._normalized(B, similarity),
            self.features.matrix,
            self._diagonal(similarity),
            self._diagonal(self.plain),
        )

    def _normalized(self, features, similarity):
        if not self.normalize:
            return features
        return scale_rows(features, inverse_root(similarity))

    def _diagonal(self, similarity):
        return (similarity > 0).astype(np.float64) if self.normalize else similarity

    def top(self, members, n, by):
        """Substrings of some strings, those with the largest scores first."""
        nodes, top = self.tree.columns[1:], []
        scores = SCORES[by](self.features, self.tree.gain(nodes), members)
        longest_first = -self.tree.nodes.depth[nodes]
        for i in np.lexsort((longest_first, -scores.round(DIGITS))):
            if len(top) == n or not scores[i] > 0:
                break
            substring = self.tree.substring(nodes[i])
            if not any(substring in s or s in substring for s, _ in top):
                top.append((substring, float(scores[i])))
        return top


def column_means(A):
    """Means of the columns, of one dimension in all versions of scipy."""
    return np.asarray(A.mean(axis=0)).ravel()


def correlation(features, gain, members):
    """Correlation of the count of each node with being a member.

    0 where there is none, because all strings have as much of it.
    """
    A, share = features.matrix[:, : len(features.gain)], members.mean()
    mean = column_means(A)
    variance = column_means(A.power(2)) - mean**2
    scale = np.sqrt(np.maximum(variance, 0) * share * (1 - share))
    covariance = share * (column_means(A[members]) - mean)
    varies = scale > np.sqrt(np.finfo(np.float64).eps) * mean
    scores = np.divide(covariance, scale, out=np.zeros_like(mean), where=varies)
    return scores[features.feature]


def share_of_similarity(features, gain, members):
    """Part of each node in the mean similarity of two members."""
    squares = column_means(features.matrix[members]) ** 2
    squares /= max(squares.sum(), np.finfo(np.float64).tiny)
    return squares[features.feature] * gain / features.gain[features.feature]


SCORES = {"correlation": correlation, "weight": share_of_similarity}


class SubsequenceModel:
    """The training strings, compared anew each time.

    Parameters
    ----------
    strings : list of str
    length : int
    gap : float
    normalize : bool
    """

    def __init__(self, strings, length, gap, normalize):
        self.strings = StringArray.of(strings)
        self.params = {"length": length, "gap": gap}
        self.normalize = normalize
        self.plain = self._self_similarity(self.strings)
        self.similarity = self.plain * self._letters() ** 2

    def _letters(self):
        """Weight of the letters of a subsequence, which the kernel leaves out.

        It is the same for all pairs and cancels in a normalised kernel, where
        it could only underflow.
        """
        return self.params["gap"] ** self.params["length"]

    def _self_similarity(self, strings):
        """Without the weight of the letters, and set the scale of the strings."""
        plain = subsequence_self_similarities(strings, **self.params)
        constant = np.full(len(plain), self._letters())
        strings.scale = inverse_root(plain) if self.normalize else constant
        return plain

    def training_gram(self):
        """Gram of the training strings."""
        return self._gram(self.strings, self.plain, symmetric=True)

    def new_gram(self, strings):
        """Gram of strings against the training strings."""
        strings = StringArray.of(strings)
        return self._gram(strings, self._self_similarity(strings))

    def _gram(self, strings, plain, symmetric=False):
        kernel = partial(scaled_subsequence_kernel, **self.params)
        n_cells = strings.lengths.mean() * self.strings.lengths.mean()
        return ChunkedGram(
            kernel,
            strings,
            self.strings,
            self._diagonal(plain),
            self._diagonal(self.plain),
            symmetric,
            entry_cost=CELL * self.params["length"] * n_cells,
        )

    def _diagonal(self, plain):
        if self.normalize:
            return (plain > 0).astype(np.float64)
        return plain * self._letters() ** 2


def warn_of_empty(similarity):
    """Tell how many strings have no direction in feature space."""
    n_empty = np.count_nonzero(similarity == 0)
    if n_empty:
        warn_user(
            f"{n_empty} of {len(similarity)} strings have no substring that counts: "
            "their rows of the normalised kernel are 0.",
        )

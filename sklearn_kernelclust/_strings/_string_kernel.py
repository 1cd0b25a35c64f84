"""Strings to kernel matrices."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from collections.abc import Iterable, Mapping, Set
from functools import partial
from numbers import Integral, Real

import numpy as np
from sklearn.utils import column_or_1d
from sklearn.utils.validation import check_is_fitted

from sklearn_kernelclust._kernels._pairwise_kernel import FeatureKernel
from sklearn_kernelclust._strings._models import (
    SCORES,
    SubsequenceModel,
    SubstringModel,
    prefix_weights,
    warn_of_empty,
)
from sklearn_kernelclust._utils._sklearn import Interval, StrOptions


class StringKernel(FeatureKernel):
    """Kernel of strings by the substrings that they share.

    ``k(x, y) = sum of w(|r|) * num_r(x) * num_r(y)`` over all substrings r,
    where num_r counts the occurrences of r [1]_. Documents, log lines or DNA
    are compared as they are, without words, tokens or an alignment.

    Parameters
    ----------
    length : int, default=5
        Length of the substrings, or of the longest ones; `kind` says which.
        Not used by the kinds `"constant"` and `"exponential"`.

    kind : str, default="boundrange"
        Which substrings count, and what they weigh:

        - `"spectrum"`: those of exactly `length` characters, 1;
        - `"boundrange"`: those of 1 to `length` characters, 1;
        - `"constant"`: all, 1;
        - `"exponential"`: all, ``decay ** -|r|``;
        - `"subsequence"`: sequences of `length` characters that need not be
          next to each other, ``gap ** (span in x + span in y)`` [2]_.

    normalize : bool, default=True
        Whether to divide by ``sqrt(k(x, x) * k(y, y))``, so that long strings
        do not count more than short ones.

    weight : callable, array-like or None, default=None
        A further weight by length: a function of an array of lengths, or the
        weights of the lengths 1, 2, ...; lengths beyond the last one weigh
        nothing. Not for the kind `"subsequence"`.

    decay : float, default=1.1
        How fast weights fall with the length for the kind `"exponential"`; at
        least 1, which is the kind `"constant"`.

    gap : float, default=0.5
        Weight of a character that the kind `"subsequence"` steps over: above
        0, and at most 1.

    sentinel : str or None, default=None
        Appended to each string. A newline gives the values of kernlab's
        `stringdot`, which appends one and counts it.

    lazy : bool, default=False
        Whether to hand on a Gram instead of an array: a sparse matrix of
        features, however many strings there are.

    Attributes
    ----------
    self_similarity_ : ndarray of shape (n_samples,)
        k(x, x) of the training strings, before it is normalised.

    See Also
    --------
    PairwiseKernel : Kernels of features.
    DiagonalShift : Against the weight of self-similarities, which are large.

    Notes
    -----
    Characters are code points and are counted as they are: case, white space,
    accents that are characters of their own, and lone surrogates. Strings
    without any substring that counts have a kernel of 0 with all others and
    themselves, and a warning tells their number if the kernel is normalised.

    The suffixes of all strings are sorted once, in O(N log N) for N
    characters; the features are the nodes of their tree, fewer than 2 N, so
    neither depends on `length`. New strings are looked up in the tree: their
    kernel is exact, substrings that no training string has count in k(y, y).
    The kind `"subsequence"` has no such features. A pair of strings takes time
    in proportion to ``length * |x| * |y|``, some 4 ns for each of these (a second
    for two documents of 8,000 characters at ``length=4``), and memory in
    proportion to ``length * min(|x|, |y|)``.

    References
    ----------
    .. [1] C. H. Teo and S. V. N. Vishwanathan, "Fast and Space Efficient String
       Kernels Using Suffix Arrays", ICML 2006.
    .. [2] H. Lodhi et al., "Text Classification Using String Kernels", JMLR 2,
       2002.

    Examples
    --------
    >>> from sklearn_kernelclust import StringKernel
    >>> kernel = StringKernel(length=2, normalize=False)
    >>> kernel.fit_transform(["abab", "ab", "b"])
    array([[13.,  6.,  2.],
           [ 6.,  3.,  1.],
           [ 2.,  1.,  1.]])
    >>> kernel.transform(["bb!"])
    array([[4., 2., 2.]])
    """

    _parameter_constraints: dict = {
        **FeatureKernel._parameter_constraints,
        "length": [Interval(Integral, 1, None, closed="left")],
        "kind": [
            StrOptions(
                {"spectrum", "boundrange", "constant", "exponential", "subsequence"}
            )
        ],
        "normalize": ["boolean"],
        "weight": [callable, "array-like", None],
        "decay": [Interval(Real, 1, None, closed="left")],
        "gap": [Interval(Real, 0, 1, closed="right")],
        "sentinel": [str, None],
    }

    def __init__(
        self,
        length=5,
        *,
        kind="boundrange",
        normalize=True,
        weight=None,
        decay=1.1,
        gap=0.5,
        sentinel=None,
        lazy=False,
    ):
        self.length = length
        self.kind = kind
        self.normalize = normalize
        self.weight = weight
        self.decay = decay
        self.gap = gap
        self.sentinel = sentinel
        self.lazy = lazy

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        return tags

    def top_substrings(self, labels, n=10, *, by="correlation"):
        """Substrings that tell clusters apart, or that hold them together.

        Parameters
        ----------
        labels : array-like of shape (n_samples,)
            Clusters of the training strings.

        n : int, default=10
            Number of substrings of each cluster, at least 1.

        by : {"correlation", "weight"}, default="correlation"
            What to sort by: the correlation of how often a string has the
            substring with being in the cluster, or the part of the substring
            in the mean similarity of two strings of the cluster.

        Returns
        -------
        substrings : dict of lists of (str, float)
            For each label, substrings and what they are sorted by. Of
            substrings that always occur together the longest stands for all,
            of those that contain each other the best; those that only one
            string has are left out. Of ties the longest comes first.

        Examples
        --------
        >>> from sklearn_kernelclust import StringKernel
        >>> drinks = ["tea time", "no tea", "coffee", "toffee"]
        >>> kernel = StringKernel(3, kind="spectrum", normalize=False).fit(drinks)
        >>> kernel.top_substrings([0, 0, 1, 1], n=1)
        {0: [('tea', 1.0)], 1: [('fee', 1.0)]}
        """
        check_is_fitted(self)
        if self.kind == "subsequence":
            raise ValueError("kind='subsequence' has no features to list.")
        if not isinstance(n, Integral) or isinstance(n, bool) or n < 1:
            raise ValueError(f"n must be an integer of at least 1, got {n!r}.")
        if by not in SCORES:
            raise ValueError(f"by must be one of {sorted(SCORES)}, got {by!r}.")
        labels = column_or_1d(labels)
        if len(labels) != len(self.self_similarity_):
            raise ValueError(
                f"labels must be of the {len(self.self_similarity_)} training "
                f"strings, got {len(labels)}."
            )
        return {
            label: self._model.top(labels == label, n, by)
            for label in np.unique(labels).tolist()
        }

    def _fit(self, X):
        strings = check_strings(X, self.sentinel)
        model = self._make_model(strings)
        if not model.plain.any():
            raise ValueError(
                f"No string has a substring that counts for kind={self.kind!r}, "
                f"length={self.length}: the longest of {len(strings)} strings has "
                f"{max(map(len, strings))} characters."
            )
        if self.normalize:
            warn_of_empty(model.plain)
        self._model, self.self_similarity_ = model, model.similarity
        self._n_features_out = len(strings)
        return model

    def _make_model(self, strings):
        if self.kind != "subsequence":
            weights = partial(
                prefix_weights,
                kind=self.kind,
                length=self.length,
                decay=self.decay,
                weight=self.weight,
            )
            return SubstringModel(strings, weights, self.normalize)
        if self.weight is not None:
            raise ValueError(
                "weight is by the length of substrings: kind='subsequence' has one "
                "length only."
            )
        return SubsequenceModel(strings, self.length, self.gap, self.normalize)

    def _fitted_gram(self, model):
        return model.training_gram()

    def _new_gram(self, X):
        gram = self._model.new_gram(check_strings(X, self.sentinel))
        if self._model.normalize:
            warn_of_empty(gram.diagonal())
        return gram


def check_strings(X, sentinel=None):
    """A list of strings, or an error that names what is none."""
    if isinstance(X, (str, bytes)):
        raise ValueError(
            f"A sequence of strings is expected, got a single {type(X).__name__}."
        )
    shape = getattr(X, "shape", None)
    if shape is not None and len(shape) != 1:
        raise ValueError(f"A 1D sequence of strings is expected, got shape {shape}.")
    if not isinstance(X, Iterable) or isinstance(X, (Mapping, Set)):
        raise TypeError(f"A sequence of strings is expected, got {type(X).__name__}.")
    strings = list(X)
    if not strings:
        raise ValueError("At least one string is required, got an empty sequence.")
    for i, string in enumerate(strings):
        if not isinstance(string, str):
            cure = " Decode it first." if isinstance(string, bytes) else ""
            raise TypeError(
                f"All must be strings, but number {i} is of type "
                f"{type(string).__name__}.{cure}"
            )
    return strings if sentinel is None else [s + sentinel for s in strings]

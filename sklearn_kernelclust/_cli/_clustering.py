"""Fit the steps of the pipeline one by one, keeping the kernels between them."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings
from dataclasses import dataclass, field

import numpy as np
from sklearn.pipeline import Pipeline

from sklearn_kernelclust._cli._progress import progress
from sklearn_kernelclust._cli._reading import BadInputError
from sklearn_kernelclust._cli._words import top_features, top_words
from sklearn_kernelclust._utils._warnings import (
    LooksPrecomputedWarning,
    ZeroRowsWarning,
    warn_user,
)
from sklearn_kernelclust.metrics import dominance_ratio


@dataclass
class Kernels:
    """Fitted steps, and the features and kernels that they give.

    Attributes
    ----------
    steps : list of (str, transformer)
        Fitted steps, without the clusterer.
    X : array, sparse matrix or None
        Features; None if a string kernel compares the texts themselves.
    plain, shifted : Gram
        Kernel before and after the shift of its diagonal; the same object if
        there is no shift.
    dominance : tuple of float
        Dominance ratios of `plain` and `shifted`; the second is None if there
        is no shift.
    feature_names : list of str
        Names of the columns of a table of numbers, else empty.
    words : tuple of (sparse matrix, ndarray) or None
        Weights and names of words, where vectors of texts are clustered.
    start : array, sparse matrix, Gram or None
        Input of the steps that a tree fits in each node.
    """

    steps: list
    X: object
    plain: object
    shifted: object
    dominance: tuple
    start: object = None
    words: tuple | None = None
    feature_names: list = field(default_factory=list)

    @property
    def n_words(self):
        """Size of the vocabulary, None if there is none."""
        if self.words is not None:
            return len(self.words[1])
        name, step = self.steps[0]
        return len(step.vocabulary_) if name == "words" else None


@dataclass
class Notes:
    """Collect the warnings of a run, each once."""

    is_text: bool
    texts: list = field(default_factory=list)

    def __enter__(self):
        self._catch = warnings.catch_warnings(record=True)
        self._caught = self._catch.__enter__()
        warnings.simplefilter("always")
        if self.is_text:
            # There may be as many words as documents, and documents without words
            # are counted as such.
            warnings.simplefilter("ignore", LooksPrecomputedWarning)
            warnings.simplefilter("ignore", ZeroRowsWarning)
        return self

    def __exit__(self, *error):
        self._catch.__exit__(*error)
        for warning in self._caught:
            text = str(warning.message)
            if text not in self.texts:
                self.texts.append(text)


def make_kernels(plan, corpus, options=None):
    """Fit all steps except the clusterer."""
    steps, data = [], corpus.texts if corpus.features is None else corpus.features
    with progress("Comparing documents", options=options):
        stages = [data]
        for name, step in [*plan.features, *plan.kernel]:
            data = (
                _fit_words(step, data) if name == "words" else step.fit_transform(data)
            )
            steps.append((name, step))
            stages.append(data)
        has_features = plan.features or corpus.features is not None
        X = stages[len(plan.features)] if has_features else None
        plain, before, after = data, dominance_ratio(data), None
        for name, step in plan.shift(before):
            data = step.fit_transform(data)
            steps.append((name, step))
            # The trace is 0 up to rounding, so the sign of the ratio is arbitrary.
            after = abs(dominance_ratio(data))
        words = _words_beside(plan.describer, corpus.texts)
    start, names = stages[plan.n_once], corpus.feature_names
    return Kernels(steps, X, plain, data, (before, after), start, words, names)


def cluster(plan, kernels, n_clusters, options=None):
    """Fit the clusterer. Return the whole pipeline and the labels."""
    clusterer = plan.clusterer(n_clusters, kernels.shifted is not kernels.plain)
    n_features = len(plan.features)
    steps = kernels.steps[:n_features] if plan.on_features else kernels.steps
    data = kernels.X if plan.on_features else kernels.shifted
    with progress("Clustering", clusterer, options=options):
        clusterer.fit(data)
    return Pipeline([*steps, ("cluster", clusterer)]), np.asarray(clusterer.labels_)


def terms_of(kernels, labels, members=None):
    """Terms that distinguish each cluster; empty if the data has none.

    Parameters
    ----------
    kernels : Kernels
        Kernels of the documents.
    labels : ndarray of int
        Cluster of each document.
    members : ndarray of int or None
        Documents that the clusters are parts of, None for all.
    """
    fitted = dict(kernels.steps)
    rows = slice(None) if members is None else members
    if kernels.words is not None:
        weights, names = kernels.words
        return top_words(weights[rows], names, labels[rows])
    if "words" in fitted:
        names = fitted["words"].get_feature_names_out()
        return top_words(kernels.X[rows], names, labels[rows])
    strings = fitted.get("kernel")
    if hasattr(strings, "top_substrings") and strings.kind != "subsequence":
        substrings = strings.top_substrings(labels, n=8)
        return {c: [repr(text) for text, _ in best] for c, best in substrings.items()}
    if kernels.X is None or "kernel" not in fitted:
        return {}
    if getattr(fitted["kernel"], "kernel", None) == "precomputed":
        return {}
    return top_features(kernels.X[rows], labels[rows], kernels.feature_names)


def _words_beside(describer, texts):
    """Weights and names of the words that describe vectors; None if none do."""
    if describer is None:
        return None
    return describer.fit_transform(texts), describer.get_feature_names_out()


def _fit_words(vectorizer, texts):
    try:
        X = vectorizer.fit_transform(texts)
        n_empty = np.count_nonzero(np.diff(X.indptr) == 0)
        if n_empty:
            warn_user(
                f"{n_empty:,} of {len(texts):,} documents have none of the "
                f"{X.shape[1]:,} words, so they are similar to no other document.",
            )
        return X
    except ValueError as error:
        raise BadInputError(
            f"No words to compare {len(texts)} documents by ({error}). Lower "
            f"--min-df ({vectorizer.min_df}), or use --kernel string:spectrum:3."
        ) from None

"""The choice at one node of a tree: the number of clusters, or no split.

The score of a number of clusters is its mean prediction strength. References without
clusters are scored in the same way, and each number of clusters has to be above them.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from sklearn_kernelclust._model_selection._scores import mean_of_finite

# Spreads of the references that a score has to be above their mean. The highest of
# 128 sets without clusters was 1.5.
SIGNIFICANT = 1.75

# The answer is clear below and above; between, more splits are made.
CLEARLY_NOT, CLEARLY = 1.0, 3.0

# Clusters that are predicted so well are well separated [TW]: of Tibshirani and
# Walther, "Cluster Validation by Prediction Strength", 2005.
STRONG = 0.8

# Clusters of which the dispersion is less than half that of the references, by its
# logarithm, are far apart: they need no other evidence.
FAR_APART = np.log(2)

# Standard errors of a mean score that more splits will hardly change it by.
STANDARD_ERRORS = 2.0

# A smaller spread of the references is rounding.
SMALLEST = 1e-6

# Scores of well separated clusters that differ less are equal.
EQUAL = 0.05


@dataclass
class NodeChoice:
    """Scores of the numbers of clusters at a node, and what was chosen.

    Attributes
    ----------
    k : int
        The chosen number of clusters, 1 if the node is a leaf.
    score, reference : float
        Mean score of `k`, and of the references with `k` clusters; where the node is
        a leaf, those of the first of `ranking`. NaN if nothing was scored. The
        reference is 0 where the score alone showed that the evidence is too little.
    significance : float
        Difference of the two, in spreads of the references.
    evidence : float
        Difference of the two, times ln k and the square root of the share of all
        objects that are in the node.
    ranking : ndarray of int
        Numbers of clusters, the best first.
    n_clusters : ndarray of int
        Numbers of clusters that were scored.
    scores, references, spreads : ndarray of shape (n_candidates,)
        Mean score of each, the mean of the references and their standard deviation.
    n_splits : int
        Number of splits that were scored.
    random_state : int
        Seed of the splits, as `PredictionStrengthK` takes it.
    reason : str
        Why the node is a leaf; "" if it is not.
    """

    k: int = 1
    score: float = np.nan
    reference: float = np.nan
    significance: float = np.nan
    evidence: float = 0.0
    ranking: np.ndarray = field(default_factory=lambda: np.empty(0, np.int64))
    n_clusters: np.ndarray = field(default_factory=lambda: np.empty(0, np.int64))
    scores: np.ndarray = field(default_factory=lambda: np.empty(0))
    references: np.ndarray = field(default_factory=lambda: np.empty(0))
    spreads: np.ndarray = field(default_factory=lambda: np.empty(0))
    n_splits: int = 0
    random_state: int = 0
    reason: str = ""


@dataclass
class Scores:
    """Scores of the candidates at a node, and of the references.

    Attributes
    ----------
    candidates : ndarray of int
        Numbers of clusters.
    values : ndarray of shape (n_candidates, n_splits)
        Scores of the objects on each split; NaN if there is none.
    reference_values : ndarray of shape (n_references, n_candidates, n_splits)
        The same of the references.
    alone : ndarray of shape (n_candidates, n_splits)
        Share of the halves in which a cluster is a single object.
    """

    candidates: np.ndarray
    values: np.ndarray
    reference_values: np.ndarray
    alone: np.ndarray

    @property
    def usable(self):
        """Candidates with a score that is not mostly that of fewer clusters."""
        return ~np.isnan(self.means) & (self.alone.mean(axis=1) <= 0.5)

    @property
    def means(self):
        """Mean score of each candidate."""
        return mean_of_finite(self.values, axis=1)

    @property
    def references(self):
        """Mean score of the references, for each candidate; 0 without references.

        No reference is predicted worse than by chance, but for a little noise.
        """
        if not len(self.reference_values):
            return np.zeros(len(self.candidates))
        return mean_of_finite(mean_of_finite(self.reference_values, axis=2), axis=0)

    @property
    def spreads(self):
        """Standard deviation between the references, for each candidate."""
        means = mean_of_finite(self.reference_values, axis=2)
        if len(means) < 2:
            return np.full(len(self.candidates), np.nan)
        squares = mean_of_finite((means - mean_of_finite(means, axis=0)) ** 2, axis=0)
        return np.sqrt(squares * len(means) / (len(means) - 1))

    def significance(self):
        """How far the scores are above the references, in spreads.

        The spread of a few references may be small by luck: that of the median
        candidate is added to it.
        """
        spreads = self.spreads
        known = spreads[~np.isnan(spreads)]
        typical = np.median(known) if len(known) else np.nan
        excess = self.means - self.references
        spread = np.maximum(spreads + typical, SMALLEST)
        known = self.usable & ~np.isnan(excess + spread)
        return np.where(known, excess / spread, -np.inf)

    def evidence(self):
        """Evidence for each candidate at the root, -inf for those without a score."""
        values = evidence(self.means - self.references, self.candidates)
        return np.where(self.usable & ~np.isnan(values), values, -np.inf)


def evidence(excess, k, share=1.0):
    """Evidence for a split into `k` clusters of a share of all objects.

    A split into more clusters says more, by ln k; and so does one of more objects, by
    the square root, as the error of a mean goes.
    """
    return excess * np.log(k) * np.sqrt(share)


def is_futile(scores, share, least):
    """Whether more splits, or references, would hardly make the evidence enough."""
    if well_separated(scores).any():
        return False
    n_splits = np.maximum((~np.isnan(scores.values)).sum(axis=1), 2)
    squares = (scores.values - scores.means[:, None]) ** 2
    errors = np.sqrt(mean_of_finite(squares, axis=1) / (n_splits - 1))
    most = scores.means + STANDARD_ERRORS * errors - scores.references
    most = evidence(most, scores.candidates, share)
    return bool((most[scores.usable] < least).all())


def is_clear(scores):
    """Whether more splits would hardly change the answer."""
    if well_separated(scores).any():
        return True
    return not CLEARLY_NOT < scores.significance().max() < CLEARLY


def well_separated(scores):
    """Candidates that are predicted so well that only the gap can tell."""
    return scores.usable & (scores.means >= STRONG)


def chosen_row(scores, gap=None):
    """Row of the candidate with the most evidence above its references, -1 if none is.

    And whether its clusters are far apart.

    Parameters
    ----------
    scores : Scores
        Scores at the node.
    gap : tuple of two ndarrays of shape (n_candidates,) or None
        Gap statistics of the candidates and their standard errors, NaN for those that
        are not well separated; None if none is.
    """
    significant = scores.significance() >= SIGNIFICANT
    if gap is not None:
        separated, row = separated_row(scores, significant, gap)
        if row >= 0:
            return row, bool(gap[0][row] >= FAR_APART)
        significant |= separated
    if not significant.any():
        return -1, False
    return int(np.where(significant, scores.evidence(), -np.inf).argmax()), False


def separated_row(scores, significant, gap):
    """Well separated candidates, and the row of the coarsest of them; -1 if none.

    Of several that are predicted equally well, the finer ones are found inside the
    coarser: the smallest number wins, unless the gap rises to the next one.
    """
    values, errors = gap
    strong = well_separated(scores)
    separated = strong & (values > SIGNIFICANT * errors + SMALLEST)
    rows = np.flatnonzero(strong & (separated | significant))
    if not len(rows):
        return separated, -1
    best = scores.means[rows].max()
    equal = [int(row) for row in rows if scores.means[row] >= best - EQUAL]
    for row, following in pairwise(equal):
        is_next = scores.candidates[following] == scores.candidates[row] + 1
        rises = values[following] - errors[following] > values[row]
        if not (is_next and rises):
            return separated, row
    return separated, equal[-1]


def ranked(scores, first=-1):
    """Candidates, the best first; the one chosen leads."""
    order = np.argsort(-scores.evidence(), kind="stable")
    if first >= 0:
        order = np.r_[first, order[order != first]]
    return scores.candidates[order]

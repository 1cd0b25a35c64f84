"""What the tables of PV share: its four methods of choosing k.

D. Greene and P. Cunningham, "Efficient Prediction-Based Validation for Document
Clustering", ECML 2006.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from time import perf_counter, process_time

import numpy as np
from sklearn.pipeline import make_pipeline

from sklearn_kernelclust import DiagonalShift, KernelKMeans, PredictionStrengthK
from sklearn_kernelclust.metrics._agreement import (
    above_chance,
    expected_agreement,
    partition_similarity,
    prediction_strength,
    table_of,
)

METHODS = ["KM-S", "KM-P", "KKM-S", "RED-S"]
# KM-S and KM-P are two views of the same clusterings, so they are made once.
PASSES = {"KM": ["KM-S", "KM-P"], "KKM": ["KKM-S"], "RED": ["RED-S"]}
CANDIDATES = range(2, 11)
# Of KM-P without the correction for chance.
RAW = "KM-P, not corrected"


@dataclass
class Choice:
    """Scores of the numbers of clusters by one method."""

    scores: dict
    errors: dict
    seconds: float
    cpu: float

    @property
    def ranking(self):
        """Numbers of clusters, the best first."""
        return sorted(self.scores, key=lambda k: (-self.scores[k], -k))

    def place(self, k):
        return self.ranking.index(k) + 1


class Recorder:
    """A criterion that notes both criteria of each half it is asked about.

    Not for several processes: each would have its own notes.
    """

    def __init__(self):
        self.values = {k: [] for k in CANDIDATES}

    def __call__(self, labels, predicted):
        table = table_of(labels, predicted)
        strength = float(prediction_strength(table))
        similarity = float(partition_similarity(table))
        n, k = len(labels), len(table)
        self.values[k].append(
            (
                above_chance(strength, expected_agreement(STRENGTH, n, k)),
                above_chance(similarity, expected_agreement(SIMILARITY, n, k)),
                similarity,
            )
        )
        return strength

    def summary(self, column):
        """Means, and their standard errors, for each number of clusters."""
        values = {k: np.array(v)[:, column] for k, v in self.values.items() if v}
        means = {k: float(v.mean()) for k, v in values.items()}
        return means, {k: float(v.std() / np.sqrt(len(v))) for k, v in values.items()}


STRENGTH, SIMILARITY = "prediction-strength", "partition-similarity"


def clusterer(**params):
    """Kernel k-means from random labels, one run, as in the paper."""
    return KernelKMeans(
        **{"kernel": "precomputed", "init": "random", "n_init": 1, **params}
    )


def choose(K, which, n_splits, seed=0):
    """Choices by method, of one of the passes over a cosine kernel."""
    shift = [] if which == "KM" else [DiagonalShift()]
    rate = 4 if which == "RED" else None
    names = [*PASSES[which], RAW] if which == "KM" else PASSES[which]
    found = scored([*shift, clusterer()], K, n_splits, seed, reduction_rate=rate)
    return dict(zip(names, found))


def scored(steps, K, n_splits, seed=0, **params):
    """Choices of a model by both criteria, and by the second without correction."""
    recorder = Recorder()
    search = PredictionStrengthK(
        steps[0] if len(steps) == 1 else make_pipeline(*steps),
        n_clusters=CANDIDATES,
        n_splits=n_splits,
        early_stopping=False,
        criterion=recorder,
        adjust_for_chance=False,
        refit=False,
        random_state=seed,
        **params,
    )
    began, cpu = perf_counter(), process_time()
    search.fit(K)
    spent = perf_counter() - began, process_time() - cpu
    return [Choice(*recorder.summary(column), *spent) for column in range(3)]


def cosine_kernel(X):
    """The kernel of rows of unit length, in float32."""
    X = X.astype(np.float32)
    return (X @ X.T).toarray()

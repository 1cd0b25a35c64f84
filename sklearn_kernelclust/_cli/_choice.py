"""Choose the number of clusters by prediction strength (RED-S)."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np
from sklearn.pipeline import make_pipeline

from sklearn_kernelclust import DiagonalShift, KernelKMeans, PredictionStrengthK
from sklearn_kernelclust._cli._model import DOMINANT, starts
from sklearn_kernelclust._cli._progress import progress
from sklearn_kernelclust._cli._reading import BadInputError

# One prototype for so many documents, if so many are left for each cluster.
# With fewer, a small cluster is missing from one half of many splits.
REDUCTION = 4
PROTOTYPES_PER_CLUSTER = 20

# Larger corpora are sampled to choose k.
MOST_DOCUMENTS = 5000

N_SPLITS = 50
N_STARTS = 3

# Each half of a split needs this many documents per cluster.
DOCUMENTS_PER_CLUSTER = 2


@dataclass
class Choice:
    """The chosen number of clusters, and the candidates.

    Attributes
    ----------
    k : int
        Chosen number of clusters.
    ranking : list of (int, float)
        Candidates and their mean scores, best first.
    chooser : PredictionStrengthK
        The fitted chooser.
    n_documents : int
        Number of documents that k was chosen on.
    """

    k: int
    ranking: list
    chooser: object
    n_documents: int

    @property
    def init(self):
        """How the clusterer of the chooser starts."""
        return self.chooser.estimator[-1].init


def choose(kernels, options):
    """Choose the number of clusters with the best prediction strength.

    Parameters
    ----------
    kernels : Kernels
        Kernels of the documents.
    options : Namespace
        With `k_range`, `seed`, `jobs`, and what `progress` needs.
    """
    n_documents = kernels.plain.shape[0]
    gram = _sample(kernels.plain, options.seed)
    n_prototypes = gram.shape[0] // REDUCTION
    enough = n_prototypes >= PROTOTYPES_PER_CLUSTER * max(options.k_range)
    rate = REDUCTION if enough else None
    candidates = _possible(options.k_range, gram.shape[0] // (rate or 1), n_documents)
    shift = _shift(kernels)
    choosers = [
        _fitted(gram, [*shift, _kmeans(init)], candidates, rate, options)
        for init in starts(shift)
    ]
    chooser = max(choosers, key=lambda chooser: (chooser.best_score_, chooser.best_k_))
    table = chooser.cv_results_
    scores = dict(zip(candidates, table["mean_test_score"].tolist()))
    ranking = [(int(k), scores[int(k)]) for k in chooser.ranking_]
    ranking = [(k, score) for k, score in ranking if not np.isnan(score)]
    return Choice(int(chooser.best_k_), ranking, chooser, gram.shape[0])


def _kmeans(init):
    return KernelKMeans(kernel="precomputed", init=init, n_init=N_STARTS)


def _fitted(gram, steps, candidates, rate, options):
    """A fitted chooser for a pipeline of these steps."""
    chooser = PredictionStrengthK(
        make_pipeline(*steps),
        n_clusters=candidates,
        n_splits=N_SPLITS,
        reduction_rate=rate,
        refit=False,
        n_jobs=options.jobs,
        random_state=options.seed,
    )
    with progress("Choosing the number of clusters", chooser, options=options):
        return chooser.fit(gram)


def _shift(kernels):
    """The shift of the prototypes' kernel (RED-S), if its diagonal dominates."""
    sigma = dict(kernels.steps).get("shift", DiagonalShift()).sigma
    dominates = kernels.dominance[0] > DOMINANT
    shifted = kernels.shifted is not kernels.plain
    return [DiagonalShift(sigma)] if dominates or shifted else []


def _sample(gram, seed):
    """Kernel of a random sample of at most `MOST_DOCUMENTS` documents."""
    n_documents = gram.shape[0]
    if n_documents <= MOST_DOCUMENTS:
        return gram
    rng = np.random.RandomState(seed)
    sample = np.sort(rng.choice(n_documents, MOST_DOCUMENTS, replace=False))
    return gram.restrict(sample, sample)


def _possible(k_range, n_objects, n_documents):
    """Candidates for which half of the objects are enough."""
    most = n_objects // 2 // DOCUMENTS_PER_CLUSTER
    candidates = [k for k in k_range if k <= most]
    if not candidates:
        raise BadInputError(
            f"{n_documents} documents are too few to choose from {k_range[0]} to "
            f"{k_range[-1]} clusters. Give the number: --k N."
        )
    return candidates

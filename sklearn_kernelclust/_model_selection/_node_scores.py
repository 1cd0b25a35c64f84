"""Scores of the numbers of clusters at a node, and of its references.

Splits are spent where they decide: the first rounds are short, and only nodes whose
answer is not clear then get all splits.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from contextlib import closing

import numpy as np
from sklearn.utils.parallel import delayed

from sklearn_kernelclust._model_selection._dispersion import gap_statistic
from sklearn_kernelclust._model_selection._node_choice import (
    Scores,
    is_clear,
    well_separated,
)
from sklearn_kernelclust._model_selection._scores import corrected, mean_of_finite
from sklearn_kernelclust._model_selection._splits import (
    Split,
    batches_of_splits,
    results_in_order,
    score_splits,
)
from sklearn_kernelclust._utils._sklearn import _num_samples

CRITERION = "prediction-strength"

# Splits of the objects alone, and of the first round with references. A reference gets
# one split for so many of the objects.
ALONE_SPLITS, FIRST_SPLITS, REFERENCE_SHARE = 12, 24, 4

# Most splits that are scored together. Nodes are small, and there are many.
MOST_TOGETHER = 24


def score_node(
    setting, candidates, n_splits, seeds, n_jobs=None, on_progress=None, scores=None
):
    """Scores of the candidates on the objects of a node and on references.

    Parameters
    ----------
    setting : tuple
        Clusterer, its parameter, and sources, as `NodeModel.sources` returns them.
    candidates : ndarray of int
        Numbers of clusters.
    n_splits : int
        Most splits. Without references it is the number of splits.
    seeds : sequence of int
        Seed of the splits of each source.
    n_jobs : int or None
        Number of jobs.
    on_progress : callable or None
        Called with the share of the first round that is done.
    scores : Scores or None
        Those of the first splits, if there are any.
    """
    model, param, data = setting
    rounds = [n_splits]
    if len(data.sources) > 1 and n_splits > FIRST_SPLITS:
        rounds = [FIRST_SPLITS, n_splits]
    for n in rounds:
        splits = drawn_splits(data, len(candidates), seeds, scores, n)
        scored = scored_splits(
            model, param, candidates, data, splits, n_jobs, on_progress
        )
        scores = joined(scores, scores_of(scored, splits, candidates, data))
        on_progress = None
        if is_clear(scores):
            break
    return scores


def drawn_splits(data, n_candidates, seeds, scores, n_splits):
    """Splits of all sources, the objects' own first, less those of the scores.

    They are the splits that `PredictionStrengthK` makes with the seed as its
    `random_state`.
    """
    n_samples, splits = n_objects(data), []
    n_done = 0 if scores is None else scores.values.shape[1]
    n_reference_splits = 0 if scores is None else scores.reference_values.shape[2]
    for source, seed in enumerate(seeds[: len(data.sources)]):
        seeds_of_source = np.random.RandomState(seed).randint(2**31 - 1, size=n_splits)
        wanted = slice(n_done, n_splits)
        if source:
            wanted = slice(n_reference_splits, -(-n_splits // REFERENCE_SHARE))
        for split_seed in seeds_of_source[wanted]:
            splits.append(Split.drawn(n_samples, n_candidates, split_seed, source))
    return splits


def n_objects(data):
    """Number of objects of each source."""
    return data.gram.shape[0] if hasattr(data, "gram") else _num_samples(data.X)


def scored_splits(model, param, candidates, data, splits, n_jobs, on_progress):
    """The scores of each split, a list of them for the candidates."""
    batches = batches_of_splits(splits, model, param, data, MOST_TOGETHER)
    how = CRITERION, "raise"
    tasks = [
        delayed(score_splits)(model, param, candidates, data, batch, *how)
        for batch in batches
    ]
    scored = []
    with closing(results_in_order(tasks, n_jobs)) as results:
        for number, scores in enumerate(results, start=1):
            scored += scores
            if on_progress is not None:
                on_progress(number / len(batches))
    return scored


def scores_of(scored, splits, candidates, data):
    """The scores of a round, sorted by source.

    A split on which a half has fewer clusters than asked for is left out: on
    documents without topics that is most often so, and counting it as 0 would make
    their bar too low.
    """
    values = np.array([[score.values for score in scores] for scores in scored])
    values = corrected(values.swapaxes(0, 1), CRITERION, candidates, n_objects(data))
    values = mean_of_finite(values, axis=2)
    sources = np.array([split.source for split in splits])
    blocks = [values[:, sources == s] for s in range(len(data.sources))]
    references = np.empty((0, len(candidates), 0))
    if len(blocks) > 1:
        references = np.array(blocks[1:])
    alone = np.array([[score.alone for score in scores] for scores in scored]).T
    return Scores(candidates, blocks[0], references, alone[:, sources == 0])


def joined(scores, more):
    """Scores of two rounds."""
    if scores is None:
        return more
    reference_values = more.reference_values
    if len(scores.reference_values):
        both = scores.reference_values, reference_values
        reference_values = np.concatenate(both, axis=2)
    return Scores(
        more.candidates,
        np.hstack([scores.values, more.values]),
        reference_values,
        np.hstack([scores.alone, more.alone]),
    )


def gaps_of(scores, setting, seed):
    """Gaps of well separated candidates as `chosen_row` takes them; None if none is."""
    strong = well_separated(scores)
    model, param, data = setting
    if not strong.any() or len(data.sources) < 3:
        return None
    tried = scores.candidates[strong].tolist()
    values, errors = np.full((2, len(strong)), np.nan)
    values[strong], errors[strong] = gap_statistic(model, param, tried, data, seed)
    return values, errors

"""The table of scores of numbers of clusters, and the choice of one of them."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from sklearn.exceptions import FitFailedWarning

from sklearn_kernelclust._model_selection._splits import not_scored
from sklearn_kernelclust._utils._warnings import warn_user
from sklearn_kernelclust.metrics._agreement import above_chance, expected_agreement


def choose(chooser, scored, candidates, n_samples):
    """Scores on each split, their table, the ranking of its rows, and the best row.

    `chooser` is the estimator whose parameters say how.
    """
    values, seconds = values_of(scored, candidates, n_samples)
    raw = scores = of_splits(values, scored)
    if chooser.adjust_for_chance:
        above = corrected(values, chooser.criterion, candidates, n_samples)
        scores = of_splits(above, scored)
    results = results_table(chooser.param_name, candidates, scores, raw, seconds)
    rule = chooser.select, chooser.threshold
    doubtful = doubtful_rows(scored, chooser.criterion)
    unpredicted = mean_over_splits(scored, "unpredicted")
    ranking = ranked(candidates, results, *rule, doubtful, unpredicted)
    warn_of_doubt(candidates, doubtful, ranked(candidates, results, *rule))
    results["rank_test_score"] = np.argsort(ranking) + 1
    return scores, results, ranking, best_row(results, ranking, *rule)


def values_of(scored, candidates, n_samples):
    """Values of shape (n_candidates, n_splits, 2), and seconds per split.

    A number of clusters without a value on more than half of the halves gets
    none at all.
    """
    values = np.array([[score.values for score in scores] for scores in scored])
    seconds = np.array([[score.seconds for score in scores] for scores in scored])
    values = values.swapaxes(0, 1)
    lost = np.isnan(values).mean(axis=(1, 2)) > 0.5
    values[lost] = np.nan
    if lost.any():
        first = np.flatnonzero(lost)[0]
        failed = [scores[first] for scores in scored if scores[first].reason]
        reason = failed[0].reason if failed else "the criterion is NaN"
        error = failed[0].error if failed else None
        message = not_scored(candidates[lost], n_samples, reason)
        if lost.all():
            raise ValueError(message) from error
        warn_user(message, UserWarning if error is None else FitFailedWarning)
    return values, seconds.mean(axis=0)


def corrected(values, criterion, candidates, n_samples):
    """The values corrected for chance, by the size of each half."""
    sizes = n_samples // 2, n_samples - n_samples // 2
    scores = values.copy()
    # Rows without a value need no correction; their k may be too large for one.
    for row in np.flatnonzero(~np.isnan(values).all(axis=(1, 2))):
        k = int(candidates[row])
        chance = {size: expected_agreement(criterion, size, k) for size in set(sizes)}
        scores[row] = above_chance(values[row], [chance[size] for size in sizes])
    return scores


def of_splits(values, scored):
    """Scores of the splits, the means of the values of both halves.

    Where a half has fewer clusters than asked for, the score is 0: if only the
    splits counted on which the clusters are found by luck, too many clusters would
    look perfect. Numbers of clusters without any value keep NaN.
    """
    scores = mean_of_finite(values, axis=2)
    too_few = np.array([[score.too_few for score in scores] for scores in scored]).T
    known = ~np.isnan(scores).all(axis=1, keepdims=True)
    return np.where(too_few & known, 0.0, scores)


def mean_of_finite(values, axis):
    """Mean of the values that are not NaN; NaN if there are none."""
    known = ~np.isnan(values)
    total = np.where(known, values, 0).sum(axis=axis)
    n = known.sum(axis=axis)
    return np.divide(total, n, out=np.full(total.shape, np.nan), where=n > 0)


def results_table(param, candidates, scores, raw, seconds):
    """Means and deviations over the splits, a row for each number of clusters."""
    table = {
        "params": [{param: int(k)} for k in candidates],
        f"param_{param}": candidates,
        "mean_fit_time": seconds,
    }
    for name, values in (("test", scores), ("raw", raw)):
        mean = mean_of_finite(values, axis=1)
        square = mean_of_finite((values - mean[:, None]) ** 2, axis=1)
        table[f"mean_{name}_score"], table[f"std_{name}_score"] = mean, np.sqrt(square)
    return table


def doubtful_rows(scored, criterion):
    """Numbers of clusters whose strength is mostly that of fewer clusters.

    A cluster of one object has no pair, and is left out of the strength: setting
    single objects apart costs nothing and says nothing.
    """
    alone = mean_over_splits(scored, "alone")
    return (alone > 0.5) & (criterion == "prediction-strength")


def mean_over_splits(scored, name):
    """Mean of an attribute of the scores, for each number of clusters."""
    return np.mean([[getattr(score, name) for score in scores] for scores in scored], 0)


def ranked(candidates, results, select, threshold, doubtful=False, unpredicted=None):
    """Rows of the table, the best first, rows without a score last.

    Of equal scores the one wins whose clusters are all predicted on more of the
    halves, then the larger number of clusters: it predicts more. (A few objects of a
    large cluster can be a cluster by themselves and be predicted to be together,
    within the large one.) With a threshold, the rows above it come first, the largest
    number of clusters leading. Doubtful rows come after all others with a score.
    """
    score = results["mean_test_score" if select == "max" else "mean_raw_score"]
    score = rounded(score)
    last = np.where(np.isinf(score), 2, doubtful)
    ties = np.zeros(len(score)) if unpredicted is None else unpredicted
    by_score = np.lexsort((-candidates, ties, -score, last))
    if select == "max":
        return by_score
    above = (score > threshold)[by_score] & (last == 0)[by_score]
    return np.concatenate([np.sort(by_score[above])[::-1], by_score[~above]])


def warn_of_doubt(candidates, doubtful, ranking):
    """Warn if the first of a ranking that knows no doubt is doubtful."""
    if doubtful[ranking[0]]:
        warn_user(
            f"{candidates[doubtful].tolist()} clusters are not chosen: on most halves "
            "one of them is a single object, which predicts nothing. Are there "
            "outliers?"
        )


def best_row(results, ranking, select, threshold):
    """The best row of the table; -1 if no row is above the threshold."""
    best, raw = int(ranking[0]), rounded(results["mean_raw_score"])
    if select == "max" or raw[best] > threshold:
        return best
    warn_user(
        f"No number of clusters has a mean strength above threshold={threshold}, the "
        f"highest is {raw.max():.3g}: best_k_ is 1."
    )
    return -1


def rounded(scores):
    """Scores to compare: equal up to rounding, and NaN below all."""
    return np.where(np.isnan(scores), -np.inf, scores.round(12))

"""Scores of numbers of clusters on many splits, as a table, and the best of them."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_kernelclust._utils._warnings import warn_user
from sklearn_kernelclust.metrics._agreement import above_chance, expected_agreement


def check_candidates(n_clusters):
    """The numbers of clusters, each once, in ascending order."""
    found = np.atleast_1d(np.asarray(n_clusters))
    if found.size == 0:
        raise ValueError("n_clusters must hold at least one number of clusters.")
    if found.ndim != 1 or found.dtype.kind not in "iu":
        raise ValueError(f"n_clusters must hold integers, got {n_clusters!r}.")
    if found.min() < 1:
        raise ValueError(f"n_clusters must be at least 1, got {found.min()}.")
    return np.unique(found).astype(np.int64)


def values_of(scored, candidates, n_samples):
    """Values of shape (n_candidates, n_splits, 2), and seconds a split.

    A number of clusters that has no value on more than half of the halves has
    none at all.
    """
    values = np.array([[s.values for s in of_split] for of_split in scored])
    seconds = np.array([[s.seconds for s in of_split] for of_split in scored])
    values = values.swapaxes(0, 1)
    lost = np.isnan(values).mean(axis=(1, 2)) > 0.5
    values[lost] = np.nan
    if lost.any():
        first = np.flatnonzero(lost)[0]
        reasons = (of_split[first].reason for of_split in scored)
        reason = next(filter(None, reasons), "the criterion is NaN")
        told = (
            f"{candidates[lost].tolist()} clusters could not be scored on halves of "
            f"{n_samples // 2} objects: {reason}"
        )
        if lost.all():
            raise ValueError(told)
        warn_user(told)
    return values, seconds.mean(axis=0)


def corrected(values, criterion, candidates, n_samples):
    """The values above what chance gives, on each of the halves."""
    sizes = n_samples // 2, n_samples - n_samples // 2
    scores = values.copy()
    # What is not known needs no correction, and k may be anything there.
    for row in np.flatnonzero(~np.isnan(values).all(axis=(1, 2))):
        k = int(candidates[row])
        chance = {size: expected_agreement(criterion, size, k) for size in set(sizes)}
        scores[row] = above_chance(values[row], [chance[size] for size in sizes])
    return scores


def mean_of_finite(values, axis):
    """Mean without the NaN, NaN where there is nothing else."""
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


def unfounded(scored, criterion):
    """Numbers of clusters whose strength is mostly that of fewer clusters.

    A cluster of one object has no pair, and is left out of the strength: to set
    apart one object after the other costs nothing, and says nothing.
    """
    alone = np.array([[s.alone for s in of_split] for of_split in scored])
    return (alone.mean(axis=0) > 0.5) & (criterion == "prediction-strength")


def ranked(candidates, results, select, threshold, doubted=False):
    """Rows of the table, the best first; what has no score comes last.

    Of equal scores the larger number of clusters wins: it predicts more. With a
    threshold, those above it come first, the largest number of clusters leading.
    Those that are `doubted` come after all others that have a score.
    """
    score = results["mean_test_score" if select == "max" else "mean_raw_score"]
    score = rounded(score)
    last = np.where(np.isinf(score), 2, doubted)
    by_score = np.lexsort((-candidates, -score, last))
    if select == "max":
        return by_score
    above = (score > threshold)[by_score] & (last == 0)[by_score]
    return np.concatenate([np.sort(by_score[above])[::-1], by_score[~above]])


def ranked_with_care(candidates, results, select, threshold, doubted):
    """The same, with a warning where it is doubt that decides what is best."""
    rule = candidates, results, select, threshold
    ranking = ranked(*rule, doubted)
    if ranking[0] != ranked(*rule)[0]:
        warn_user(
            f"{candidates[doubted].tolist()} clusters are not chosen: on most halves "
            "one of them is a single object, which predicts nothing. Are there "
            "outliers?"
        )
    return ranking


def best_row(results, ranking, select, threshold):
    """The best row of the table; -1 if a threshold is above all."""
    best, raw = int(ranking[0]), rounded(results["mean_raw_score"])
    if select == "max" or raw[best] > threshold:
        return best
    warn_user(
        f"No number of clusters has a mean strength above threshold={threshold}, the "
        f"highest is {raw.max():.3g}: best_k_ is 1."
    )
    return -1


def rounded(scores):
    """Scores that can be compared: equal ones are, and NaN is below all."""
    return np.where(np.isnan(scores), -np.inf, scores.round(12))

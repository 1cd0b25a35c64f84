"""When enough splits were scored: the best number of clusters is settled."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from warnings import catch_warnings, simplefilter

import numpy as np

from sklearn_kernelclust._model_selection._scores import choose, doubtful_rows

# Numbers of splits after which we look, each half as large again as the one before.
LOOKS = [20]
while LOOKS[-1] < 10**6:
    LOOKS.append(3 * LOOKS[-1] // 2)

# How many standard errors a difference of means must have to be clear.
STANDARD_ERRORS = 3.0


def is_settled(chooser, scored, candidates, n_samples):
    """Whether more splits would hardly change the best number of clusters.

    Its scores are compared with those of each other number on the same splits. With
    a threshold, the mean of each number is compared with it.
    """
    with catch_warnings():
        simplefilter("ignore")
        try:
            scores, results, ranking, _ = choose(chooser, scored, candidates, n_samples)
        except ValueError:
            return False
    if chooser.select == "threshold":
        mean, deviation = results["mean_raw_score"], results["std_raw_score"]
        far = np.abs(mean - chooser.threshold) * np.sqrt(len(scored) - 1)
        return bool(np.all((far >= STANDARD_ERRORS * deviation) | np.isnan(mean)))
    # Those that leave objects alone come last, whatever they score.
    doubtful = doubtful_rows(scored, chooser.criterion)
    best, *others = ranking[~doubtful[ranking]] if not doubtful.all() else ranking
    return all(is_clear(scores[best] - scores[row]) for row in others)


def is_clear(difference):
    """Whether paired differences have a mean above 0, or are all 0."""
    known = difference[~np.isnan(difference)]
    if not known.any():
        return True
    error = known.std(ddof=1) / np.sqrt(len(known)) if len(known) > 1 else np.inf
    return bool(known.mean() >= STANDARD_ERRORS * error)

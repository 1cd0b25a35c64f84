"""Compare clusters with known classes, with and without the shift."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from sklearn.metrics import normalized_mutual_info_score

from sklearn_kernelclust import KernelKMeans

N_STARTS = 20


def agreement(classes, labels):
    """Mutual information normalized by the geometric mean, as in the papers."""
    return float(
        normalized_mutual_info_score(classes, labels, average_method="geometric")
    )


def with_and_without_shift(kernels, classes, seed, n_starts=N_STARTS):
    """Mean agreement over random starts, on the shifted and on the plain kernel.

    Each fit has one start. The best of several starts would measure luck as well
    as the kernel.
    """
    n_clusters = len(set(classes))

    def mean(gram):
        scores = []
        for start in range(n_starts):
            model = KernelKMeans(
                n_clusters,
                kernel="precomputed",
                init="random",
                n_init=1,
                random_state=(seed + start) % 2**32,
            )
            scores.append(agreement(classes, model.fit(gram).labels_))
        return float(np.mean(scores))

    return mean(kernels.shifted), mean(kernels.plain)

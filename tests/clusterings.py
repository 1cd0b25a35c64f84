"""What tests of clusterers share."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from sklearn.utils import get_tags

FEATURES = "scikit-learn passes features to pairwise clusterers (its issue 11433)"


def expected_failed_checks(estimator):
    pairwise = get_tags(estimator).input_tags.pairwise
    return {"check_clustering": FEATURES} if pairwise else {}


def same_partition(a, b):
    return len(np.unique(a)) == len(np.unique(np.c_[a, b], axis=0)) == len(np.unique(b))


def spread(n, m, seed):
    """Features with a gap between all leading variances, far from the origin."""
    X = np.random.default_rng(seed).normal(size=(n, m))
    return X * 0.6 ** np.arange(m) + 10

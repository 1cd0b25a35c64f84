"""What is true of KPDDP alone."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from samples import like_negative_identity
from sklearn.exceptions import ConvergenceWarning

from sklearn_kernelclust import KPDDP, DiagonalShift, PairwiseKernel


@pytest.mark.parametrize("seed", range(5))
def test_rounding_makes_no_cut(seed):
    """Of few objects far from the origin, a shift leaves no positive eigenvalue."""
    rng = np.random.default_rng(seed)
    X = np.vstack([rng.normal(size=(10, 3)), rng.normal(size=(10, 3)) + 6]) + 50
    for lazy in (False, True):
        kernel = PairwiseKernel("linear", lazy=lazy).fit_transform(X)
        model = KPDDP(2, kernel="precomputed")
        with pytest.warns(ConvergenceWarning, match="no positive eigenvalue about"):
            model.fit(DiagonalShift().fit_transform(kernel))
        assert model.n_clusters_ == 1


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("weighted", [False, True])
def test_mean_is_no_direction(seed, weighted):
    """Only the mean, which centring takes away, has no negative eigenvalue."""
    K, weight = like_negative_identity(seed, weighted)
    for split in ("sign", "2-means", "optimal-cut"):
        model = KPDDP(4, split=split, kernel="precomputed")
        with pytest.warns(ConvergenceWarning, match="no positive eigenvalue about"):
            model.fit(K, sample_weight=weight)
        assert model.n_clusters_ == 1

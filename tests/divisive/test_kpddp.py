"""What is true of KPDDP alone."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
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

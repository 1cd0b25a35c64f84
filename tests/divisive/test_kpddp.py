"""What is true of KPDDP alone."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from clusterings import same_partition, spread
from numpy.testing import assert_array_equal
from scipy.sparse import coo_matrix, csr_array, csr_matrix, lil_matrix
from sklearn.exceptions import ConvergenceWarning

from sklearn_kernelclust import KPDDP, DiagonalShift, PairwiseKernel


def test_inputs_centred_on_the_node_by_hand(seed):
    X = np.abs(spread(100, 3, seed)) - 9
    model = KPDDP(2, kernel="poly", gamma=0.5, center_inputs=True).fit(X)
    moved = X - X.mean(axis=0)
    K = (0.5 * moved @ moved.T + 1) ** 3
    H = np.eye(100) - 1 / 100
    v = np.linalg.eigh(H @ K @ H)[1][:, -1]
    assert same_partition(model.labels_, v > 0)
    plain = KPDDP(2, kernel="poly", gamma=0.5).fit(X)
    assert plain.tree_.nodes[0].scatter == pytest.approx(model.tree_.nodes[0].scatter)
    assert not np.allclose(
        plain.tree_.nodes[0].cut.directions, model.tree_.nodes[0].cut.directions
    )


@pytest.mark.parametrize("kernel", ["rbf", "laplacian", "linear"])
@pytest.mark.parametrize("kind", [np.asarray, csr_array])
def test_kernels_of_differences_do_not_mind_centred_inputs(kernel, kind, seed):
    X = kind(spread(80, 3, seed))
    plain, centred = (
        KPDDP(6, kernel=kernel, gamma=0.2, center_inputs=c).fit(X)
        for c in (False, True)
    )
    assert same_partition(plain.labels_, centred.labels_)
    assert_array_equal(centred.predict(X), centred.labels_)


@pytest.mark.parametrize("kernel", ["linear", "poly"])
@pytest.mark.parametrize("kind", [csr_array, csr_matrix, coo_matrix, lil_matrix])
def test_sparse_objects_beside_dense_centred_ones(kernel, kind):
    X, new = spread(60, 3, 0), spread(20, 3, 1)
    model = KPDDP(3, kernel=kernel, center_inputs=True).fit(X)
    assert_array_equal(model.predict(kind(new)), model.predict(new))


def test_inputs_that_cannot_be_centred():
    X = spread(20, 3, 0)
    with pytest.raises(ValueError, match=r"center_inputs=True .* needs features"):
        KPDDP(2, kernel="precomputed", center_inputs=True).fit(X @ X.T)
    gram = PairwiseKernel(lazy=True).fit_transform(X)
    with pytest.raises(ValueError, match=r"center_inputs=True .* needs features"):
        KPDDP(2, center_inputs=True).fit(gram)
    with pytest.raises(ValueError, match=r"sparse features dense for kernel='poly'"):
        KPDDP(2, kernel="poly", center_inputs=True).fit(csr_array(X))


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

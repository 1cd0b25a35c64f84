"""The nearest means, and the rule for ties."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import references
from numpy.testing import assert_array_equal

from sklearn_kernelclust._kmeans._assignment import nearest, nearest_together


def test_tie_rule():
    S = np.array(
        [[1.0, 1.0, 1.0], [1.0 + 1e-13, 1.0 + 1e-6, 1.0 - 1e-13], [0.0, 0.0, 0.0]]
    )
    mass, norms, diagonal = np.ones(3), np.zeros(3), np.ones(3)
    assert_array_equal(nearest(S, mass, norms, diagonal, 1e-10), [0, 1, 0])
    labels = np.array([1, 0, 1])
    assert_array_equal(nearest(S, mass, norms, diagonal, 1e-10, labels), [1, 1, 1])
    away = np.array([2, 2, 2])
    assert_array_equal(nearest(S, mass, norms, diagonal, 1e-10, away), [0, 1, 0])


def test_nearest_over_many_blocks(seed):
    rng = np.random.default_rng(seed)
    k, n = 700, 400
    S, mass, norms = rng.normal(size=(k, n)), 1 + rng.random(k), rng.random(k)
    expected = (norms[:, None] - 2 * S / mass[:, None]).argmin(axis=0)
    assert_array_equal(nearest(S, mass, norms, np.zeros(n), 1e-10), expected)


def test_the_own_mean_may_leave_the_object_out(seed):
    rng = np.random.default_rng(seed)
    X, weight, k = rng.normal(size=(40, 3)), 1 + rng.random(40), 4
    labels = np.r_[np.arange(k), rng.integers(0, k - 1, 40 - k)]  # one is alone
    Z = weight[:, None] * (labels[:, None] == np.arange(k))
    S, mass, diagonal = (X @ X.T @ Z).T, Z.sum(axis=0), (X**2).sum(axis=1)
    norms = (S * Z.T).sum(axis=1) / mass**2
    D = references.distances(X, labels, k, weight, leave_one_out=True)
    found = nearest(S, mass, norms, diagonal, 1e-12, labels, weight)
    assert_array_equal(found, D.argmin(axis=1))
    assert found[k - 1] == k - 1


def test_several_runs_are_each_alone(seed):
    rng = np.random.default_rng(seed)
    S, mass = rng.normal(size=(3, 5, 80)), 1 + rng.random((3, 5))
    norms, diagonal = rng.random((3, 5)), rng.random((3, 80))
    labels = rng.integers(0, 5, (3, 80))
    together = nearest_together(list(S), mass, norms, diagonal, 1e-12, labels)
    for r, found in enumerate(together):
        alone = S[r], mass[r], norms[r], diagonal[r], 1e-12, labels[r]
        assert_array_equal(found, nearest(*alone))

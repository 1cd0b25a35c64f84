"""Convergence messages; the fits that bring them about are in test_kernel_kmeans."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest

from sklearn_kernelclust import KernelKMeans
from sklearn_kernelclust._kmeans._convergence_warnings import convergence_messages
from sklearn_kernelclust._kmeans._runs import Run


def messages(algorithm="lloyd", **changes):
    run = Run(0, np.repeat([0, 1, 2, 3], 5), 4)
    run.converged, run.n_reassignments = True, [3, 0]
    vars(run).update(changes)
    model = KernelKMeans(4, algorithm=algorithm, max_iter=2)
    return list(convergence_messages(run, model))


def test_none_where_all_went_well():
    assert messages() == []
    assert messages("split-merge", n_emptied=2) == []


@pytest.mark.parametrize(
    "changes, words",
    [
        ({"labels": np.repeat([0, 1], 10)}, "clusters (2) found smaller than"),
        ({"converged": False, "stopped": True}, "callback after 2 iterations"),
        ({"converged": False}, "did not converge in 2 iterations"),
    ],
)
def test_each_has_its_numbers(changes, words):
    (message,) = messages(**changes)
    assert words in message


def test_collapse():
    labels = np.r_[np.zeros(17, dtype=int), 1, 2, 3]
    (message,) = messages("split-merge", labels=labels, n_emptied=5)
    assert "emptied 5 clusters" in message
    assert "holds 85% of the objects" in message
    assert messages("lloyd", labels=labels, n_emptied=5) == []
    assert messages("split-merge", labels=labels, n_emptied=0) == []


@pytest.mark.parametrize("k, largest", [(2, 0.75), (3, 2 / 3), (5, 0.6), (10, 0.3)])
def test_what_a_collapse_is(k, largest):
    """Three times its share, or of few clusters half of what is beyond its share."""
    model = KernelKMeans(k, algorithm="split-merge")
    for n_in_largest, n_messages in ((300 * largest - 1, 0), (300 * largest + 1, 1)):
        labels = np.arange(300) % (k - 1) + 1
        labels[: round(n_in_largest)] = 0
        run = Run(0, labels, k)
        run.converged, run.n_emptied = True, 1
        assert len(list(convergence_messages(run, model))) == n_messages

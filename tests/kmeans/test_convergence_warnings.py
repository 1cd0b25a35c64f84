"""What a user hears of a run; the fits that bring it about are in
test_kernel_kmeans.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest

from sklearn_kernelclust._kmeans._convergence_warnings import complaints
from sklearn_kernelclust._kmeans._results import Result


def result(**changes):
    labels = np.repeat([0, 1, 2, 3], 5)
    return Result(
        **{
            "labels": labels,
            "members": labels,
            "mass": np.full(4, 5.0),
            "norms": np.ones(4),
            "objective": 1.0,
            "start_objective": 2.0,
            "converged": True,
            "period": 0,
            "n_reassignments": [3, 0],
            **changes,
        }
    )


def heard(algorithm="lloyd", **changes):
    return list(complaints(result(**changes), algorithm, 4, max_iter=2))


def test_nothing_where_all_went_well():
    assert heard() == []
    assert heard("split-merge", n_emptied=2) == []


@pytest.mark.parametrize(
    "changes, words",
    [
        ({"labels": np.repeat([0, 1], 10)}, "clusters (2) found smaller than"),
        ({"converged": False, "stopped": True}, "callback after 2 iterations"),
        ({"converged": False, "period": 3}, "cycle of 3 partitions"),
        ({"converged": False}, "did not converge in 2 iterations"),
        ({"converged": False, "n_reassignments": [0]}, "above that of an earlier"),
    ],
)
def test_each_has_its_numbers(changes, words):
    (message,) = heard(**changes)
    assert words in message


def test_collapse():
    labels = np.r_[np.zeros(17, dtype=int), 1, 2, 3]
    (message,) = heard("split-merge", labels=labels, n_emptied=5)
    assert "emptied 5 clusters" in message
    assert "holds 85% of the objects" in message
    assert heard("lloyd", labels=labels, n_emptied=5) == []
    assert heard("split-merge", labels=labels, n_emptied=0) == []

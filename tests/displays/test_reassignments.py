"""What ReassignmentDisplay shows."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import make_blobs
from sklearn.pipeline import make_pipeline

from sklearn_kernelclust import PDDP, KernelKMeans, PairwiseKernel, ReassignmentDisplay

pytest.importorskip("matplotlib")

X, _ = make_blobs(200, centers=4, cluster_std=3, random_state=0)


def run(seed):
    kmeans = KernelKMeans(
        4, kernel="precomputed", init="random", n_init=1, random_state=seed
    )
    return make_pipeline(PairwiseKernel(), kmeans).fit(X)


def test_counts_of_one_estimator():
    model = run(0)
    display = ReassignmentDisplay.from_estimator(model, name="plain")
    counts = model[-1].n_reassignments_
    assert_array_equal(display.lines_[0].get_ydata(), counts)
    assert_array_equal(display.lines_[0].get_xdata(), np.arange(len(counts)) + 1)
    assert display.lines_[0].get_label() == "plain"
    assert_array_equal(display.plot(n_iter=2).lines_[0].get_ydata(), counts[:2])


def test_a_run_that_has_ended_moves_no_objects():
    runs = [run(seed) for seed in range(5)]
    lengths = [model[-1].n_iter_ for model in runs]
    assert len(set(lengths)) > 1
    display = ReassignmentDisplay.from_estimators({"one": runs[0], "mean": runs})
    mean = display.reassignments["mean"]
    assert len(mean) == max(lengths)
    total = sum(model[-1].n_reassignments_.sum() for model in runs)
    assert_allclose(mean.sum(), total / 5)
    assert [line.get_label() for line in display.lines_] == ["one", "mean"]


def test_who_has_no_counts():
    with pytest.raises(TypeError, match=r"PDDP does not count reassignments"):
        ReassignmentDisplay.from_estimator(PDDP(2).fit(X))
    with pytest.raises(ValueError, match="at least one fitted estimator"):
        ReassignmentDisplay.from_estimators({"none": []})

"""The right number of clusters on sets that nobody could mistake."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import pytest
from separated import separated_set
from sklearn.pipeline import make_pipeline

from sklearn_kernelclust import DiagonalShift, KernelKMeans, PredictionStrengthK

pytestmark = [
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    pytest.mark.filterwarnings("ignore:.*could not be scored"),
    pytest.mark.filterwarnings("ignore:.*clusters are not chosen"),
]


def is_right(number, n_splits, select):
    K, n_clusters, shift = separated_set(number)
    model = KernelKMeans(kernel="precomputed")
    choice = PredictionStrengthK(
        make_pipeline(DiagonalShift(), model) if shift else model,
        n_clusters=range(2, 15),
        n_splits=n_splits,
        select=select,
        refit=False,
        random_state=number,
    )
    return choice.fit(K).best_k_ == n_clusters


@pytest.mark.parametrize("number", [106, 203])  # all of them among the slow tests
def test_separated_sets(number):
    assert is_right(number, 3, "max")


@pytest.mark.slow
@pytest.mark.parametrize("select", ["max", "threshold"])
def test_three_hundred_separated_sets(select):
    assert [i for i in range(300) if not is_right(i, 10, select)] == []

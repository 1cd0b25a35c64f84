"""What holds for all displays."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import subprocess
import sys

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator
from sklearn.cluster import DBSCAN, KMeans
from sklearn.datasets import make_blobs
from sklearn.exceptions import NotFittedError
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from sklearn_kernelclust import (
    PDDP,
    ClusterTreeDisplay,
    DiagonalShift,
    GramDisplay,
    KernelKMeans,
    PairwiseKernel,
    PredictionStrengthDisplay,
    ProjectionDisplay,
    ReassignmentDisplay,
    SpectrumDisplay,
)
from sklearn_kernelclust._displays._base import kernel_of, last_step
from sklearn_kernelclust._gram._base import Gram
from sklearn_kernelclust._gram._checks import as_gram

pytest.importorskip("matplotlib")

X, _ = make_blobs(30, centers=3, random_state=0)
K = rbf_kernel(X, gamma=0.1)


def drawn(ax=None):
    """One display of each kind."""
    tree = PDDP(3).fit(X)
    kmeans = KernelKMeans(3, random_state=0).fit(X)
    return [
        GramDisplay.from_kernel(K, ax=ax),
        GramDisplay.from_estimator(kmeans, X, ax=ax),
        SpectrumDisplay.from_kernel(K, ax=ax),
        SpectrumDisplay.from_estimator(kmeans, X, ax=ax),
        ReassignmentDisplay.from_estimator(kmeans, ax=ax),
        ReassignmentDisplay.from_estimators({"a": kmeans}, ax=ax),
        PredictionStrengthDisplay([2, 3], [0.4, 0.9]).plot(ax=ax),
        ClusterTreeDisplay.from_estimator(tree, ax=ax),
        ProjectionDisplay.from_estimator(tree, X, ax=ax),
    ]


def test_each_display_makes_its_own_figure():
    displays = drawn()
    assert len({id(display.figure_) for display in displays}) == len(displays)
    for display in displays:
        assert display.ax_.figure is display.figure_
        assert display.ax_.get_xlabel() and display.ax_.get_ylabel()


def test_axes_that_are_given_are_used():
    from matplotlib.figure import Figure

    for display in drawn(ax := Figure().subplots()):
        assert display.ax_ is ax
        assert display.figure_ is ax.figure


def test_to_plot_again_draws_the_same_and_computes_nothing(monkeypatch):
    displays = drawn()
    monkeypatch.setattr(Gram, "__matmul__", None)
    for display in displays:
        before = dict(vars(display))
        data = {k: v for k, v in before.items() if not k.endswith("_")}
        assert display.plot() is display
        assert display.ax_ is not before["ax_"]
        for name, value in data.items():
            assert vars(display)[name] is value


@pytest.mark.parametrize(
    "draw",
    [
        lambda model: GramDisplay.from_estimator(model, X),
        lambda model: SpectrumDisplay.from_estimator(model, X),
        lambda model: ReassignmentDisplay.from_estimator(model),
        lambda model: PredictionStrengthDisplay.from_estimator(model),
        lambda model: ClusterTreeDisplay.from_estimator(model),
        lambda model: ProjectionDisplay.from_estimator(model, X),
    ],
)
def test_an_estimator_must_be_fitted(draw):
    for model in (KernelKMeans(), PDDP(), make_pipeline(DiagonalShift(), PDDP())):
        with pytest.raises(NotFittedError):
            draw(model)


def test_without_matplotlib_the_package_works_and_displays_say_what_is_missing():
    program = """
import sys
sys.modules["matplotlib"] = None  # an import of it fails
from sklearn_kernelclust import *
import sklearn_kernelclust
K = [[1.0, 0.5], [0.5, 1.0]]
model = PDDP(1).fit(K)
for draw in (
    lambda: GramDisplay.from_kernel(K),
    lambda: GramDisplay.from_estimator(None, K),
    lambda: SpectrumDisplay.from_kernel(K),
    lambda: SpectrumDisplay.from_estimator(None, K),
    lambda: ReassignmentDisplay.from_estimator(None),
    lambda: ReassignmentDisplay.from_estimators({}),
    lambda: PredictionStrengthDisplay.from_estimator(None),
    lambda: PredictionStrengthDisplay([2], [1.0]).plot(),
    lambda: ClusterTreeDisplay.from_estimator(None),
    lambda: ProjectionDisplay.from_estimator(None, K),
):
    try:
        draw()
    except ImportError as error:
        assert "Display draws with matplotlib, which is not installed" in str(error)
        assert "pip install matplotlib" in str(error)
    else:
        raise AssertionError(draw)
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_what_the_last_step_saw():
    shifted = DiagonalShift().fit_transform(K)
    pipeline = make_pipeline(
        PairwiseKernel("rbf", gamma=0.1),
        DiagonalShift(),
        KernelKMeans(3, kernel="precomputed", algorithm="hartigan", random_state=0),
    ).fit(X)
    clusterer, seen = last_step(pipeline, X)
    assert clusterer is pipeline[-1]
    assert_allclose(kernel_of(clusterer, seen), shifted, atol=1e-12)
    lazy = pipeline.set_params(pairwisekernel__lazy=True).fit(X)
    gram = kernel_of(*last_step(lazy, X))
    assert_allclose(gram.toarray(), shifted, atol=1e-12)


def test_searches_and_pipelines_of_one_step_are_looked_into():
    search = GridSearchCV(
        KernelKMeans(random_state=0), {"n_clusters": [2, 3]}, scoring=lambda m, X: 0
    ).fit(X)
    inner = make_pipeline(search)
    assert last_step(inner.fit(X), X)[0] is inner[-1].best_estimator_
    assert last_step(make_pipeline(PDDP(2)).fit(X), X)[1] is X


def test_kernel_of_features():
    for kind in (np.asarray, csr_array):
        kmeans = KernelKMeans(3, gamma=0.1, random_state=0).fit(kind(X))
        assert_allclose(kernel_of(kmeans, kind(X)).toarray(), K)
        for model in (PDDP(3), KMeans(3), KernelKMeans(3, kernel="linear")):
            gram = kernel_of(model.fit(kind(X)), kind(X))
            assert_allclose(gram.toarray(), X @ X.T)


def test_kernel_of_entries_that_repeat():
    halves, places = np.repeat(X / 2, 2, axis=1).ravel(), np.tile([0, 0, 1, 1], 30)
    repeats = csr_array((halves, places, np.arange(0, 121, 4)), shape=X.shape)
    assert_allclose(kernel_of(PDDP(2).fit(X), repeats).diagonal(), (X**2).sum(axis=1))


def test_a_clusterer_without_a_kernel():
    with pytest.raises(TypeError, match=r"kernel of a DBSCAN .* from_kernel"):
        GramDisplay.from_estimator(DBSCAN().fit(X), X)


def test_only_square_symmetric_kernels():
    with pytest.raises(ValueError, match=r"must be square, got \(30, 2\)"):
        as_gram(X)
    with pytest.raises(ValueError, match=r"must be square, got \(30, 20\)"):
        as_gram(PairwiseKernel(lazy=True).fit_transform(X).restrict(cols=range(20)))
    lopsided = K.copy()
    lopsided[3, 5] += 0.5
    with pytest.raises(ValueError, match=r"K\[3, 5\] and K\[5, 3\] differ by 0.5"):
        as_gram(lopsided)


def test_estimators_of_others_need_not_be_ours():
    class Counting(BaseEstimator):
        def fit(self, X):
            self.n_reassignments_ = np.array([3, 0])
            return self

    display = ReassignmentDisplay.from_estimator(Counting().fit(X))
    assert_allclose(display.reassignments["Counting"], [3, 0])

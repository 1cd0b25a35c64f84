"""Where the kernel of a pipeline is."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.cluster import KMeans
from sklearn.decomposition import KernelPCA
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import KernelCenterer, StandardScaler

from sklearn_kernelclust import (
    DiagonalShift,
    KernelKMeans,
    PairwiseKernel,
    PrototypeReducer,
    SubpolynomialKernel,
)
from sklearn_kernelclust._model_selection._pipeline_steps import Steps

X = np.random.default_rng(0).normal(size=(12, 2))
CLUSTERER = KernelKMeans(2, kernel="precomputed")


@pytest.mark.parametrize(
    "estimator, n_to_kernel, n_on_kernels",
    [
        (CLUSTERER, 0, 0),
        (make_pipeline(DiagonalShift(), CLUSTERER), 0, 1),
        (make_pipeline(SubpolynomialKernel(), DiagonalShift(), CLUSTERER), 0, 2),
        (make_pipeline(KernelCenterer(), CLUSTERER), 0, 1),
        (make_pipeline(DiagonalShift(), "passthrough", CLUSTERER), 0, 1),
        # Kernel PCA takes a kernel, what it gives is none.
        (make_pipeline(KernelPCA(kernel="precomputed"), KMeans()), 0, 0),
        (make_pipeline(PrototypeReducer(), KMeans()), 0, 0),
        (make_pipeline(StandardScaler(), PairwiseKernel(), CLUSTERER), 2, None),
        (
            make_pipeline(make_pipeline(StandardScaler(), PairwiseKernel()), CLUSTERER),
            1,
            None,
        ),
        (
            make_pipeline(
                make_pipeline(DiagonalShift(), SubpolynomialKernel()), CLUSTERER
            ),
            0,
            1,
        ),
        (make_pipeline(StandardScaler(), KMeans()), 0, 0),
    ],
)
def test_where_the_kernel_is(estimator, n_to_kernel, n_on_kernels):
    steps = Steps(estimator, "n_clusters")
    assert steps.n_to_kernel() == n_to_kernel
    if n_on_kernels is not None:
        assert steps.n_on_kernels() == n_on_kernels


def test_names_of_the_parameter():
    pipeline = make_pipeline(DiagonalShift(), CLUSTERER)
    steps = Steps(pipeline, "n_clusters")
    assert steps.param == "kernelkmeans__n_clusters"
    assert isinstance(steps.remaining()[0], Pipeline)
    steps.pop_first(1)
    model, name = steps.remaining()
    assert isinstance(model, KernelKMeans) and name == "n_clusters"
    assert Steps(pipeline, "kernelkmeans__n_init").param == "kernelkmeans__n_init"
    with pytest.raises(ValueError, match="param_name='k' is no parameter of Pipeline"):
        Steps(pipeline, "k")


def test_a_pipeline_within_a_pipeline_is_one_step():
    inner = make_pipeline(SubpolynomialKernel(), DiagonalShift())
    steps = Steps(Pipeline([("a", inner), ("b", CLUSTERER)]), "n_clusters")
    assert steps.takes_kernel()
    assert steps.n_on_kernels() == 1
    assert isinstance(steps.pop_first(1)["a"], Pipeline)
    assert steps.remaining()[1] == "n_clusters"


def test_a_pipeline_as_last_step():
    inner = make_pipeline(SubpolynomialKernel(), CLUSTERER)
    pipeline = Pipeline([("a", DiagonalShift()), ("b", inner)])
    with pytest.raises(ValueError, match="last step 'b' is a pipeline of 2 steps: put"):
        Steps(pipeline, "n_clusters")


def test_steps_before_the_parameter():
    steps = Steps(make_pipeline(StandardScaler(), KMeans()), "n_clusters")
    assert isinstance(steps.pop_before()[0], StandardScaler)
    assert isinstance(steps.remaining()[0], KMeans)
    assert Steps(KMeans(), "n_clusters").pop_before() is None


def test_what_a_pipeline_remembers():
    pipeline = make_pipeline(StandardScaler(), KMeans(), memory="folder")
    assert Steps(pipeline, "n_clusters").remaining()[0].memory == "folder"


def test_first_step_that_is_none():
    assert Steps(make_pipeline("passthrough", CLUSTERER), "n_clusters").takes_kernel()


def test_the_step_of_the_parameter_must_be_there():
    steps = Steps(make_pipeline(PairwiseKernel(), CLUSTERER), "pairwisekernel__degree")
    with pytest.raises(ValueError, match="'pairwisekernel__degree' is that of a step"):
        steps.pop_kernel(X)


def test_the_step_of_the_parameter_is_not_taken_away():
    pipeline = make_pipeline(DiagonalShift(), SubpolynomialKernel(), CLUSTERER)
    assert Steps(pipeline, "subpolynomialkernel__p").n_on_kernels() == 1


@pytest.mark.parametrize("lazy", [False, True])
def test_kernel_from_features(lazy):
    K = rbf_kernel(X, gamma=0.5)
    pipeline = make_pipeline(
        PairwiseKernel("rbf", gamma=0.5, lazy=lazy), DiagonalShift(), CLUSTERER
    )
    steps = Steps(pipeline, "n_clusters")
    gram, as_array = steps.pop_kernel(X)
    assert_allclose(gram.toarray(), K)
    assert as_array is not lazy
    assert steps.n_on_kernels() == 1
    for estimator in (
        KernelKMeans(kernel="rbf", gamma=0.5),
        make_pipeline("passthrough", KernelKMeans(kernel="rbf", gamma=0.5)),
    ):
        steps = Steps(estimator, "n_clusters")
        gram, as_array = steps.pop_kernel(X)
        assert_allclose(gram.toarray(), K)
        assert not as_array
        assert steps.remaining()[0].kernel == "precomputed"
    assert Steps(KMeans(), "n_clusters").pop_kernel(X) is None

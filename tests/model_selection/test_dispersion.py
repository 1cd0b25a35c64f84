"""The gap statistic."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_array
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs

from sklearn_kernelclust import KernelKMeans
from sklearn_kernelclust._gram._checks import as_gram
from sklearn_kernelclust._model_selection._dispersion import (
    explained,
    gap_statistic,
    one_cluster,
)
from sklearn_kernelclust._model_selection._node_data import (
    FeatureSources,
    KernelSources,
)
from sklearn_kernelclust._model_selection._references import boxes
from sklearn_kernelclust._model_selection._splits import Features, Kernel

X, _ = make_blobs(90, centers=[[0, 0], [30, 0], [0, 30]], random_state=0)
REFERENCES = [boxes(X)(np.random.RandomState(seed)) for seed in range(4)]
KS = [2, 3, 4]


def by_definition():
    """Log dispersions of scikit-learn's k-means, relative to one cluster."""

    def logs(X):
        inertias = [KMeans(k, n_init=20, random_state=0).fit(X).inertia_ for k in KS]
        return np.log(inertias) - np.log(len(X) * X.var(axis=0).sum())

    values = np.array([logs(reference) for reference in REFERENCES])
    error = values.std(axis=0, ddof=1) * np.sqrt(1 + 1 / len(values))
    return values.mean(axis=0) - logs(X), error


@pytest.mark.parametrize("kind", ["features", "sparse", "kernels"])
def test_gap_is_that_of_its_definition(kind):
    sets = [X, *REFERENCES]
    model = KMeans()
    if kind == "kernels":
        grams = [as_gram((Z - Z.mean(axis=0)) @ (Z - Z.mean(axis=0)).T) for Z in sets]
        data, model = KernelSources([Kernel(g) for g in grams]), KernelKMeans()
        model.set_params(kernel="precomputed")
    else:
        take = csr_array if kind == "sparse" else np.asarray
        data = FeatureSources([Features(take(Z)) for Z in sets])
    gap, error = gap_statistic(model, "n_clusters", KS, data, seed=0)
    expected, its_error = by_definition()
    # Three starts may end a little above twenty.
    assert_allclose(gap, expected, atol=0.05)
    assert_allclose(error, its_error, atol=0.05)
    assert gap.argmax() == 1


def test_one_cluster_is_the_variance():
    gram = as_gram(X @ X.T)
    assert_allclose(one_cluster(gram), len(X) * X.var(axis=0).sum())
    whole = explained(X @ X.T, np.zeros(len(X)))
    assert_allclose(np.trace(X @ X.T) - whole, one_cluster(gram))


def test_no_dispersion_has_no_gap():
    same = Features(np.ones((20, 2)))
    gap, _ = gap_statistic(
        KMeans(n_init=1), "n_clusters", [1], FeatureSources([same] * 3), seed=0
    )
    assert np.isnan(gap).all()

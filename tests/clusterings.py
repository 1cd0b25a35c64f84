"""What tests of clusterers share."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn import clone, config_context
from sklearn.datasets import make_blobs
from sklearn.pipeline import make_pipeline
from sklearn.utils import get_tags

from sklearn_kernelclust import KernelKMeans, PairwiseKernel

FEATURES = "scikit-learn passes features to pairwise clusterers (its issue 11433)"


def expected_failed_checks(estimator):
    pairwise = get_tags(estimator).input_tags.pairwise
    return {"check_clustering": FEATURES} if pairwise else {}


def run_check(estimator, check):
    """Run a check of scikit-learn, but for one that compares numbers of clusters.

    Signs of eigenvectors and random starts depend on the number of rows, so that
    copies of an object and its weight give the same partition with other numbers.
    ``test_sample_weight.py`` compares partitions.
    """
    if check.func.__name__.startswith("check_sample_weight_equivalence"):
        pytest.skip("the same partition, but other numbers of clusters")
    check(estimator)


def same_partition(a, b):
    return len(np.unique(a)) == len(np.unique(np.c_[a, b], axis=0)) == len(np.unique(b))


def spread(n, m, seed):
    """Features with a gap between all leading variances, far from the origin."""
    X = np.random.default_rng(seed).normal(size=(n, m))
    return X * 0.6 ** np.arange(m) + 10


def four_blobs(seed, dtype=np.float64):
    rng = np.random.RandomState(seed)
    labels = rng.randint(4, size=70 + seed)
    X = 1.5 * rng.standard_normal((70 + seed, 5))
    return (X + 4 * rng.standard_normal((4, 5))[labels]).astype(dtype)


def of_four(cls, **params):
    """Makes a clusterer of four clusters from a seed, with two starts if it has any."""

    def make(seed):
        own = {"random_state": seed, "n_init": 2}
        own = {name: own[name] for name in own if name in cls().get_params()}
        return cls(4, **params, **own)

    return make


def lazily(*steps):
    """Makes kernel k-means after steps that give kernels, from a seed."""
    kmeans = of_four(KernelKMeans)
    return lambda seed: make_pipeline(*map(clone, steps), kmeans(seed))


def last(model):
    """The clusterer at the end of a pipeline, or the model itself."""
    return model[-1] if hasattr(model, "steps") else model


def labels_by_storage(model, X, kernel):
    """Labels of the same objects from features, kernels and Grams in all storages."""
    K = PairwiseKernel(kernel).fit_transform(X)
    model = clone(model).set_params(kernel=kernel)
    yield "features", model.fit(X).labels_
    yield "sparse features", model.fit(csr_array(X)).labels_
    for megabytes in (0.01, 0.1):
        with config_context(working_memory=megabytes):
            yield f"working_memory={megabytes}", model.fit(X).labels_
    model.set_params(kernel="precomputed")
    yield "array", model.fit(K).labels_
    yield "by columns", model.fit(np.asfortranarray(K)).labels_
    yield "sparse kernel", model.fit(csr_array(K)).labels_
    lazy = PairwiseKernel(kernel, lazy=True).fit_transform(X)
    yield "lazy", model.fit(lazy).labels_


def binary_and_blobs(seed):
    """Data with many ties, and data without."""
    rng = np.random.default_rng(seed)
    yield (rng.random((120, 15)) < 0.3).astype(float)
    yield make_blobs(200, 4, centers=6, cluster_std=3, random_state=seed)[0]

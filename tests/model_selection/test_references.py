"""Data without clusters that otherwise look like given data."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from one_topic import documents
from scipy.sparse import csc_array, csr_array
from scipy.sparse import random as random_sparse
from sklearn.feature_extraction.text import TfidfTransformer

from sklearn_kernelclust import KernelKMeans, PairwiseKernel
from sklearn_kernelclust._model_selection._references import (
    boxes,
    documents_of_one_topic,
    kernel_boxes,
    permuted_columns,
    reference_sampler,
)


def drawn(sampler, seed=0):
    return sampler(np.random.RandomState(seed))


@pytest.fixture(scope="module")
def features():
    return np.random.default_rng(0).normal(size=(80, 3)) @ np.diag([3, 1, 0.1]) + 5


def test_documents_keep_lengths_and_frequencies():
    counts = documents(0, n_documents=400, n_terms=50)
    reference = drawn(documents_of_one_topic(counts))
    assert reference.shape == counts.shape
    assert_array_equal(reference.sum(axis=1), counts.sum(axis=1))
    share = counts.sum(axis=0) / counts.sum()
    again = reference.sum(axis=0) / reference.sum()
    # Within five standard deviations of a multinomial.
    assert (np.abs(share - again) <= 5 * np.sqrt(share / counts.sum())).all()


def test_documents_have_no_terms_but_those_of_the_node():
    counts = csr_array([[2, 0, 1, 0], [0, 0, 3, 0], [0, 0, 0, 0]])
    reference = drawn(documents_of_one_topic(counts)).toarray()
    assert_array_equal(reference[:, [1, 3]], 0)
    assert_array_equal(reference.sum(axis=1), [3, 3, 0])
    nothing = drawn(documents_of_one_topic(csr_array((3, 4))))
    assert nothing.nnz == 0


def test_columns_keep_their_values():
    X = csc_array(random_sparse(40, 6, density=0.3, random_state=0))
    reference = drawn(permuted_columns(X)).toarray()
    assert_array_equal(np.sort(reference, axis=0), np.sort(X.toarray(), axis=0))
    assert (reference != X.toarray()).any()
    assert drawn(permuted_columns(csr_array((4, 3)))).nnz == 0


def test_boxes_keep_means_and_variances_along_principal_axes(features):
    """And so the whole covariance, on average over references."""
    references = [drawn(boxes(features), seed) for seed in range(200)]
    for reference in references[:5]:
        assert_allclose(reference.mean(axis=0), features.mean(axis=0))
        assert_allclose(reference.var(axis=0).sum(), features.var(axis=0).sum())
    mean = np.mean([np.cov(reference.T) for reference in references], axis=0)
    assert_allclose(mean, np.cov(features.T), atol=0.1)


def test_boxes_of_one_axis_are_uniform():
    X = np.random.default_rng(0).normal(size=(500, 1))
    reference = np.sort(drawn(boxes(X)).ravel())
    expected = np.linspace(-1, 1, 500) * X.std() * np.sqrt(3) + X.mean()
    assert np.abs(reference - expected).max() < 0.25


def test_boxes_of_a_kernel_are_those_of_its_features(features):
    """The spectrum about the mean is the same, up to the axes' correlation."""
    reference = drawn(kernel_boxes(features @ features.T))
    values = np.linalg.eigvalsh(reference)
    assert np.count_nonzero(values > 1e-8 * values.max()) == 3
    assert_allclose(reference.sum(), (features @ features.T).sum())
    total = np.trace(reference) - reference.sum() / 80
    assert_allclose(total, 80 * features.var(axis=0).sum())


def test_a_constant_diagonal_stays(features):
    K = PairwiseKernel("rbf").fit_transform(features)
    assert_allclose(drawn(kernel_boxes(K)).diagonal(), 1)
    lazy = PairwiseKernel("rbf", lazy=True).fit_transform(features)
    assert_allclose(drawn(kernel_boxes(lazy)), drawn(kernel_boxes(K)), atol=1e-6)


def test_negative_eigenvalues_stay_negative(features):
    K = features @ features.T
    shifted = K - 2 * np.eye(len(K))
    values = np.linalg.eigvalsh(drawn(kernel_boxes(shifted)))
    assert values.min() < -1e-3 < 1e-3 < values.max()


def test_which_reference_is_for_what(features):
    counts = documents(0, n_documents=20, n_terms=9)
    kmeans = KernelKMeans()

    def sampled(X, step=kmeans, is_kernel=False):
        return drawn(reference_sampler(X, step, is_kernel=is_kernel))

    for X, step in [(counts, kmeans), (counts.toarray(), TfidfTransformer())]:
        assert_array_equal(sampled(X, step).sum(axis=1), counts.sum(axis=1))
    weights = csr_array(counts * 0.5)
    columns = np.sort(sampled(weights).toarray(), axis=0)
    assert_array_equal(columns, np.sort(weights.toarray(), axis=0))
    assert sampled(counts.toarray().astype(np.float32)).dtype == np.float32
    assert sampled(features @ features.T, is_kernel=True).shape == (80, 80)


def test_sparse_references_have_small_indices():
    """scikit-learn's clusterers take no others."""
    counts = csr_array(
        np.random.default_rng(0).poisson(0.5, size=(20, 8)).astype(float)
    )
    for draw in (documents_of_one_topic(counts), permuted_columns(counts)):
        X = draw(np.random.RandomState(0))
        assert X.indices.dtype == X.indptr.dtype == np.int32
        assert X.shape == counts.shape

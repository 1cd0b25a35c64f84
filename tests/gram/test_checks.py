"""What users give as a kernel matrix becomes a Gram, or is refused."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.sparse import csr_array

from sklearn_kernelclust import KernelKMeans
from sklearn_kernelclust._gram._checks import as_gram, looks_like_a_kernel

X = np.random.default_rng(0).normal(size=(12, 3))
K = X @ X.T


@pytest.mark.parametrize("kind", [np.asarray, csr_array])
def test_a_gram_of_a_matrix_and_a_gram_as_it_is(kind):
    gram = as_gram(kind(K))
    assert gram.symmetric and as_gram(gram) is gram
    assert_array_equal(gram.toarray(), K)
    assert_array_equal(gram.diagonal(), K.diagonal())
    assert as_gram(kind(K[:5]), training=False).self_similarity is None


def test_not_square():
    for given in (K[:5], as_gram(K).restrict(slice(5))):
        with pytest.raises(ValueError, match=r"must be square, got \(5, 12\)"):
            as_gram(given)


@pytest.mark.parametrize("kind", [np.asarray, csr_array])
def test_the_first_entry_that_is_not_finite_is_named(kind):
    bad = K.copy()
    bad[3, 7] = bad[7, 3] = np.nan
    with pytest.raises(ValueError, match=r"The first is at K\[3, 7\]"):
        KernelKMeans(2, kernel="precomputed").fit(kind(bad))


@pytest.mark.parametrize("shape", [(4,), (2, 2, 2)])
def test_what_is_no_matrix_is_said_first(shape):
    bad = np.full(shape, np.nan)
    with pytest.raises(ValueError, match=r"(Expected 2D array|Found array with dim 3)"):
        KernelKMeans(2, kernel="precomputed").fit(bad)


@pytest.mark.parametrize("dtype", [str, object])
def test_words_are_no_kernel(dtype):
    words = np.array([["a", "b"], ["b", "a"]], dtype)
    with pytest.raises(ValueError, match="could not convert string to float"):
        KernelKMeans(2, kernel="precomputed").fit(words)


def test_new_rows_against_other_training_objects():
    model = KernelKMeans(2, kernel="precomputed", random_state=0).fit(K)
    with pytest.raises(ValueError, match=r"X has 11 features.*expecting 12"):
        model.predict(as_gram(K[:, :11], training=False))


def test_what_looks_like_a_kernel():
    assert looks_like_a_kernel(K)
    assert not looks_like_a_kernel(X)
    assert not looks_like_a_kernel(K + np.triu(np.ones_like(K), 1))
    assert looks_like_a_kernel(K[:3, :3])
    assert not looks_like_a_kernel(K[:2, :2])  # two objects may be so by chance

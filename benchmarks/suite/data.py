"""Data that more than one suite needs."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.sparse import csr_array
from sklearn.feature_extraction.text import TfidfTransformer


def documents(n_samples, n_topics, n_terms=20_000, length=100):
    """TF-IDF of documents with Zipf's law; three words in ten are of the topic."""
    rng = np.random.default_rng(0)
    frequency = 1 / np.arange(1, n_terms + 1)
    shape = (n_samples, length)
    words = rng.choice(n_terms, size=shape, p=frequency / frequency.sum())
    topics = rng.integers(n_topics, size=n_samples)
    terms = np.stack([rng.permutation(n_terms) for _ in range(n_topics)])
    words = np.where(rng.random(shape) < 0.3, terms[topics[:, None], words], words)
    ends = np.arange(0, words.size + 1, length, dtype=np.int32)
    counts = csr_array(
        (np.ones(words.size), words.ravel().astype(np.int32), ends),
        shape=(n_samples, n_terms),
    )
    counts.sum_duplicates()
    return TfidfTransformer(sublinear_tf=True).fit_transform(counts), topics

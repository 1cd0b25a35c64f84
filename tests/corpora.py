"""Made-up documents for tests."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.sparse import csr_array
from sklearn.feature_extraction.text import TfidfTransformer


def documents(n=1000, n_terms=20_000, k=10, length=100, topical=0.15, seed=0):
    """Sparse TF-IDF of Zipfian text, of which a share is drawn from a topic.

    At these settings two documents of a class are hardly more alike than any
    two, and each is some thirty times more like itself.
    """
    rng = np.random.default_rng(seed)
    zipf = 1 / np.arange(1, n_terms + 1)
    y = rng.integers(0, k, n)
    topics = np.stack([rng.permutation(n_terms) for _ in range(k)])
    n_words = rng.poisson(length, n)
    document = np.repeat(np.arange(n), n_words)
    word = rng.choice(n_terms, size=len(document), p=zipf / zipf.sum())
    of_topic = rng.random(len(word)) < topical
    word[of_topic] = topics[y[document[of_topic]], word[of_topic]]
    counts = csr_array((np.ones(len(word)), (document, word)), shape=(n, n_terms))
    return TfidfTransformer(sublinear_tf=True).fit_transform(counts), y

"""
=======================================
Length of the substrings (SK, Figure 1)
=======================================

Figure 1 of Gkotsopoulou and Monge [1]_ follows the variation of information between
clusters and topics as the substrings that a boundrange string kernel counts grow
longer: for kernel k-means, for spectral clustering, and for k-means on TF-IDF, which
knows nothing of substrings. Less is better.

.. [1] Maria Gkotsopoulou and Ricard Monge, "Kernel based methods for text
   clustering".
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import KMeans
from sklearn.feature_extraction.text import TfidfVectorizer

from sklearn_kernelclust import KernelKMeans, SpectralClustering, StringKernel
from sklearn_kernelclust.datasets import load_docstrings
from sklearn_kernelclust.metrics import variation_of_information

# %%
# Three topics, as in the paper: docstrings of three modules, in lower case and
# without what is not a letter.

corpus = load_docstrings()
topics = ["sklearn.cluster", "sklearn.datasets", "sklearn.linear_model"]
chosen = np.isin(corpus.target, [corpus.target_names.index(t) for t in topics])
classes = corpus.target[chosen]
strings = [
    " ".join("".join(c if c.isalpha() else " " for c in text.lower()).split())
    for text, wanted in zip(corpus.data, chosen)
    if wanted
]
print(f"{len(strings)} strings, {sum(map(len, strings))} characters")

# %%
# Ten runs for each length, and for each method.

lengths = [2, 3, 5, 7, 10, 15, 20, 25]


def information(make, X):
    """Variation of information of ten runs."""
    return [
        variation_of_information(classes, make(seed).fit(X).labels_)
        for seed in range(10)
    ]


def kernel_kmeans(seed):
    return KernelKMeans(3, kernel="precomputed", n_init=1, random_state=seed)


def spectral(seed):
    return SpectralClustering(3, kernel="precomputed", n_init=1, random_state=seed)


kernels = [StringKernel(length).fit_transform(strings) for length in lengths]
results = {
    "kernel k-means": [information(kernel_kmeans, K) for K in kernels],
    "spectral clustering": [information(spectral, K) for K in kernels],
}
tfidf = TfidfVectorizer(stop_words="english").fit_transform(strings)
words = information(lambda seed: KMeans(3, n_init=1, random_state=seed), tfidf)

# %%
# The bands reach from the best to the worst run. As in the paper, kernel k-means does
# best at shorter lengths than spectral clustering, which k-means on TF-IDF outdoes.

figure, ax = plt.subplots(figsize=(7, 4), layout="constrained")
for name, runs in results.items():
    ax.plot(lengths, np.mean(runs, axis=1), marker=".", label=name)
    ax.fill_between(lengths, np.min(runs, axis=1), np.max(runs, axis=1), alpha=0.2)
ax.axhline(np.mean(words), color="grey", linestyle="--", label="k-means on TF-IDF")
ax.set(xlabel="length", ylabel="variation of information (nats)")
ax.legend()
plt.show()

"""What Table 1 and Figure 1 of SK share: measures, methods and their runs.

M. Gkotsopoulou and R. Monge, "Kernel based methods for text clustering".
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import lru_cache

import numpy as np
from scipy.optimize import linear_sum_assignment
from sklearn.cluster import KMeans
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics.cluster import contingency_matrix

from benchmarks.papers.data import read_lines
from sklearn_kernelclust import KernelKMeans, SpectralClustering, StringKernel
from sklearn_kernelclust.metrics import variation_of_information

TOPICS = ("crude", "interest", "coffee")
LENGTHS = (2, 5, 7, 10, 12, 15, 20, 25)
N_RUNS = 10
MEASURES = ("VI", "error", "accuracy", "sensitivity", "precision", "recall")
METHODS = ("kernel k-means", "spectral clustering", "k-means on TF-IDF")


def documents(folder):
    """Stemmed texts of the three topics, and their topics."""
    records = read_lines(folder, "r52_stemmed")
    records = [r for r in records if r["label"] in TOPICS]
    return [r["text"] for r in records], [r["label"] for r in records]


def measures(y, labels):
    """The paper's measures, with clusters matched to topics one to one.

    VI in bits: so k-means on TF-IDF comes to the number of the paper.
    """
    table = contingency_matrix(y, labels)
    rows, cols = linear_sum_assignment(-table)
    hits = table[rows, cols]
    recall = (hits / table.sum(axis=1)[rows]).mean()
    precision = (hits / table.sum(axis=0)[cols]).mean()
    vi = variation_of_information(y, labels) / np.log(2)
    accuracy = hits.sum() / len(y)
    values = vi, 1 - accuracy, accuracy, recall, precision, recall
    return np.array(values, dtype=float)


# Methods: objective (0 where there is none) and labels of each run


def kernel_kmeans(K, n_clusters, init="random"):
    model = KernelKMeans(n_clusters, kernel="precomputed", n_init=1, init=init)
    return runs_of(model, K)


def spectral(K, n_clusters):
    model = SpectralClustering(n_clusters, kernel="precomputed", n_init=1)
    return runs_of(model, K)


def kmeans(X, n_clusters):
    return runs_of(KMeans(n_clusters, n_init=1, init="random"), X)


def runs_of(model, X):
    runs = []
    for seed in range(N_RUNS):
        model.set_params(random_state=seed).fit(X)
        runs.append((getattr(model, "inertia_", 0.0), model.labels_))
    return runs


def mean_of(runs, y):
    return np.mean([measures(y, labels) for _, labels in runs], axis=0)


def best_of(runs, y):
    return measures(y, min(runs, key=lambda run: run[0])[1])


@lru_cache(maxsize=1)
def all_runs(folder, lengths):
    """Runs by (method, length); length None for what has none."""
    docs, _ = documents(folder)
    runs = {}
    for length in lengths:
        K = StringKernel(length, sentinel="\n").fit_transform(docs)  # as kernlab
        runs["kernel k-means", length] = kernel_kmeans(K, len(TOPICS))
        runs["spectral clustering", length] = spectral(K, len(TOPICS))
    tfidf = TfidfVectorizer(min_df=0.05).fit_transform(docs)
    runs["k-means on TF-IDF", None] = kmeans(tfidf, len(TOPICS))
    return runs


def lengths_of(quick):
    return LENGTHS[:4] if quick else LENGTHS

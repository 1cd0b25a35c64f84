"""Spectral clustering, kernel-PCA k-means and scikit-learn's: time and NMI.

``python benchmarks/bench_spectral.py`` runs three parts, in minutes; ``--quick``
scales them down to seconds. A ratio is how many times this package is faster.

a. Precomputed dense kernels of 1000, 3000 and 5000 objects.
b. 20,000 sparse documents, factored cosine kernel: this package alone, as
   scikit-learn would need the dense kernel (3 GiB, and copies of it).
c. As a, once, against ``make_pipeline(KernelPCA(), KMeans())`` as it stands: with
   all components, which takes minutes. In a, KernelPCA is told to find k - 1.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings

import numpy as np
from measuring import GIB, clock, in_fresh_process, main, peak_memory, verdict
from scipy.sparse import csr_array
from sklearn.cluster import KMeans
from sklearn.cluster import SpectralClustering as Peer
from sklearn.datasets import make_blobs
from sklearn.decomposition import KernelPCA
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.metrics import normalized_mutual_info_score
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.pipeline import make_pipeline

from sklearn_kernelclust import KernelPCAKMeans, SpectralClustering

K_DENSE, K_TEXT = 10, 20
SPECTRAL, KPCA = "SpectralClustering", "KernelPCAKMeans"

# Peers and what each is compared with; "needed" is where a target is set.
RIVALS = {
    "sklearn SpectralClustering": SPECTRAL,
    "sklearn KernelPCA(), KMeans()": KPCA,
    "sklearn KernelPCA(k - 1), KMeans()": KPCA,
}
NEEDED = {"sklearn SpectralClustering": 2, "sklearn KernelPCA(), KMeans()": 2}


def contestants(k):
    given = {"kernel": "precomputed", "random_state": 0}
    return {
        SPECTRAL: SpectralClustering(k, **given),
        "sklearn SpectralClustering": Peer(k, affinity="precomputed", random_state=0),
        KPCA: KernelPCAKMeans(k, **given),
        "sklearn KernelPCA(k - 1), KMeans()": make_pipeline(
            KernelPCA(k - 1, **given), KMeans(k, n_init=10, random_state=0)
        ),
    }


def all_components(k):
    """scikit-learn's default, beside ours."""
    given = {"kernel": "precomputed", "random_state": 0}
    return {
        KPCA: KernelPCAKMeans(k, **given),
        "sklearn KernelPCA(), KMeans()": make_pipeline(
            KernelPCA(**given), KMeans(k, random_state=0)
        ),
    }


# Part a: dense kernels


def dense(quick):
    rows = []
    for n in (500,) if quick else (1000, 3000, 5000):
        rows += in_fresh_process(dense_runs, n, quick, contestants, 1 if quick else 3)
    return rows


def default(quick):
    n = 300 if quick else 5000
    return in_fresh_process(dense_runs, n, quick, all_components, 1)


def dense_runs(n, quick, contestants, repeats):
    """Each in turn, so that a busy spell hits all; the first turn warms up."""
    warnings.simplefilter("ignore")
    X, y = make_blobs(n, 20, centers=K_DENSE, cluster_std=5.0, random_state=0)
    K = rbf_kernel(X, gamma=1 / (X.shape[1] * X.var()))
    for model in contestants(3).values():
        model.fit_predict(K[:200, :200])
    times, nmi = {}, {}
    for _ in range(repeats):
        for name, model in contestants(K_DENSE).items():
            seconds, labels = clock(model.fit_predict, K)
            times.setdefault(name, []).append(seconds)
            nmi[name] = normalized_mutual_info_score(y, labels)
    return [dense_row(name, n, times, nmi, quick) for name in times]


def dense_row(name, n, times, nmi, quick):
    row = {"what": f"n = {n}, {name}", "seconds": float(np.median(times[name]))}
    row["nmi"] = nmi[name]
    if name in RIVALS:
        own = RIVALS[name]
        row["ratio"] = row["seconds"] / float(np.median(times[own]))
        if n == 5000 and name in NEEDED and not quick:
            no_worse = nmi[own] >= nmi[name] - 0.005
            row["needed"] = f"{NEEDED[name]}x"
            row["verdict"] = verdict(row["ratio"] >= NEEDED[name], no_worse)
    return row


# Part b: sparse text


def text(quick):
    n = 2000 if quick else 20_000
    rows = []
    for estimator in (SpectralClustering, KernelPCAKMeans):
        row = in_fresh_process(text_run, estimator, n)
        if not quick:
            row |= {"needed": "< 1 GiB", "verdict": verdict(row["gib"] < 1)}
        rows.append(row)
    return rows


def text_run(estimator, n):
    X, y = corpus(n)
    model = estimator(K_TEXT, kernel="cosine", random_state=0)
    seconds, labels = clock(model.fit_predict, X)
    return {
        "what": f"n = {n}, {estimator.__name__}",
        "seconds": seconds,
        "nmi": normalized_mutual_info_score(y, labels),
        "gib": peak_memory() / GIB,
    }


def corpus(n, n_terms=20_000, length=100, topical=0.3):
    """TF-IDF of Zipfian text, of which a share is drawn from a topic."""
    rng = np.random.default_rng(0)
    frequency = np.cumsum(1 / np.arange(1, n_terms + 1))
    lengths = rng.poisson(length, n)
    drawn = rng.random(lengths.sum()) * frequency[-1]
    words = np.searchsorted(frequency, drawn).clip(max=n_terms - 1)
    y = rng.integers(K_TEXT, size=n)
    terms = np.stack([rng.permutation(n_terms) for _ in range(K_TEXT)])
    special = np.flatnonzero(rng.random(len(words)) < topical)
    words[special] = terms[np.repeat(y, lengths)[special], words[special]]
    ends = np.concatenate([[0], np.cumsum(lengths)])
    counts = csr_array((np.ones(len(words)), words, ends), shape=(n, n_terms))
    counts.sum_duplicates()
    return TfidfTransformer(sublinear_tf=True).fit_transform(counts), y


PARTS = {
    "a": (dense, "Precomputed kernel, k = 10"),
    "b": (text, "Sparse text, k = 20"),
    "c": (default, "All components, k = 10"),
}


if __name__ == "__main__":
    main(__doc__, PARTS)

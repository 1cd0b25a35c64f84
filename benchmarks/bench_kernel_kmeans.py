"""Kernel k-means and its peers: same data, same start, same iteration limit.

``python benchmarks/bench_kernel_kmeans.py`` runs three parts, in minutes;
``--quick`` scales all of them down to seconds. Peers that are not installed are
skipped, and a line says so. A ratio is how many times this package is faster.

a. Precomputed kernel: this package, a plain loop, tslearn, KKMeans.
b. Sparse text, cosine kernel: this package, scikit-learn's KMeans.
c. RBF from features, where the kernel would take 40 GB: this package alone.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import io
import warnings
from contextlib import redirect_stdout

import numpy as np
from measuring import (
    GIB,
    clock,
    in_fresh_process,
    installed,
    main,
    median_time,
    peak_memory,
    skipped,
    verdict,
)
from scipy.sparse import csr_array
from sklearn import config_context
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.pairwise import rbf_kernel

from sklearn_kernelclust import KernelKMeans
from sklearn_kernelclust.metrics import kernel_inertia

OURS = "this package"
MAX_ITER = 300

# How many times faster than each this package has to be, by number of clusters.
FASTER = {
    ("plain K @ Z loop", 20): 4,
    ("plain K @ Z loop", 100): 10,
    ("KKMeans, Elkan", 20): 6,
    ("tslearn", 20): 20,
}

ABOUT = {
    OURS: "KernelKMeans from the same random labels; five starts, run one by one",
    "plain K @ Z loop": "one product of K with the dense indicator an iteration",
    "KKMeans, Elkan": (
        "its Lloyd does not run on NumPy 2; it takes features, so K and the start are "
        "handed to it through its methods kernel_wrapper and _init_labels, and no "
        "kernel evaluation is timed; an empty cluster gets a random object"
    ),
    "tslearn": (
        "draws the same start from its random_state, leaves the norms of the means out "
        "of the distance, and tries another start when a cluster runs empty"
    ),
}


# Part a: a precomputed kernel


def precomputed(quick):
    """Time to convergence and objective, from the same random labels."""
    return in_fresh_process(precomputed_runs, quick)


def precomputed_runs(quick):
    n, n_starts = (800, 2) if quick else (5000, 5)
    X, _ = make_blobs(n, 20, centers=20, cluster_std=6.0, random_state=0)
    K = rbf_kernel(X, gamma=1 / (X.shape[1] * X.var()))
    warm_up()
    rows = []
    for name in contestants():
        print(f"  {name}: {ABOUT[name]}", flush=True)
    for k in (20,) if quick else (20, 100):
        rows += compare(K, k, n_starts, quick)
    return rows


def compare(K, k, n_starts, quick):
    """All contestants from each start in turn, so that a busy spell hits all."""
    runs = {name: [] for name in contestants()}
    for seed in range(n_starts):
        start = np.random.RandomState(seed).randint(k, size=len(K))
        for name, fit in contestants().items():
            seconds, (labels, n_iter) = median_time(fit, K, k, start, seed)
            # A peer that gave up has labels, but of no run to convergence.
            inertia = kernel_inertia(K, labels) if n_iter else np.inf
            runs[name].append((seconds, n_iter, inertia, labels))
    return [row_of(name, k, runs, quick) for name in runs]


def contestants():
    """Functions of (K, k, start, seed) that give labels and iterations."""
    found = {OURS: ours, "plain K @ Z loop": plain}
    if installed("KKMeans"):
        found["KKMeans, Elkan"] = kkmeans
    if installed("tslearn"):
        found["tslearn"] = tslearn
    return found


def ours(K, k, start, seed):
    model = KernelKMeans(k, kernel="precomputed", init=start, max_iter=MAX_ITER)
    model.fit(K)
    return model.labels_, model.n_iter_


def plain(K, k, start, seed):
    """Lloyd with one product an iteration; the farthest object fills a gap."""
    every, labels, diagonal, n_iter = np.arange(len(K)), start, K.diagonal(), 0
    while n_iter < MAX_ITER:
        n_iter += 1
        Z = np.zeros((len(K), k), K.dtype)
        Z[every, labels] = 1
        S, size = K @ Z, np.bincount(labels, minlength=k)
        within = np.bincount(labels, weights=S[every, labels], minlength=k)
        mass = np.maximum(size, 1)
        D = np.where(size > 0, within / mass**2, np.inf) - 2 * S / mass
        new = D.argmin(axis=1)
        empty = np.flatnonzero(np.bincount(new, minlength=k) == 0)
        if len(empty):
            farthest = np.argsort(-diagonal - D[every, new])
            new[farthest[: len(empty)]] = empty
        if (new == labels).all():
            break
        labels = new
    return labels, n_iter


def kkmeans(K, k, start, seed):
    """The Cython package KKMeans, with K and the start put in its way."""
    from KKMeans import KKMeans

    class Handed(KKMeans):
        n_iter = 0

        def kernel_wrapper(self, X, Y=None):
            return K

        def _init_labels(self, X, kernel_matrix):
            return start.copy()

        def _measure_iter(self, *args):
            self.n_iter += 1
            return super()._measure_iter(*args)

    model = Handed(k, n_init=1, max_iter=MAX_ITER, tol=0, rng=0, algorithm="elkan")
    with redirect_stdout(io.StringIO()):
        model.fit(K[:, :1])
    return model.labels_, model.n_iter


def tslearn(K, k, start, seed):
    """Of tslearn; `start` is what it draws first from a random state `seed`."""
    from tslearn.clustering import KernelKMeans as Peer

    model = Peer(k, kernel="precomputed", max_iter=MAX_ITER, random_state=seed)
    model.fit(K)
    return model.labels_, model.n_iter_


def warm_up():
    """Imports and first calls are not what is timed."""
    warnings.simplefilter("ignore")  # of the peers, about their own code
    start = np.arange(200) % 3
    for fit in contestants().values():
        fit(np.eye(200)[start] @ np.eye(200)[start].T, 3, start, 0)


def row_of(name, k, runs, quick):
    """What the runs of one contestant come to, against this package."""
    seconds, n_iter, inertia, labels = zip(*runs[name])
    own_seconds, _, own_inertia, own_labels = zip(*runs[OURS])
    row = {"what": name, "k": k, "seconds": float(np.median(seconds))}
    if not any(n_iter):
        return row | {"note": "gave up on every start, as a cluster ran empty"}
    row |= {
        "iterations": float(np.median(n_iter)),
        "ms_per_iteration": 1e3 * sum(seconds) / sum(n_iter),
        "inertia": float(min(inertia)),
        "mean_inertia": float(np.mean([i for i in inertia if i < np.inf])),
    }
    if name == OURS:
        return row
    row["ratio"] = float(np.median(np.divide(seconds, own_seconds)))
    row["note"] = same_labels(labels, own_labels)
    needed = FASTER.get((name, k))
    if needed and not quick:
        row["needed"] = f"{needed}x"
        no_worse = min(own_inertia) <= min(inertia) * (1 + 1e-9)
        row["verdict"] = verdict(row["ratio"] >= needed, no_worse)
    return row


def same_labels(theirs, ours):
    same = sum(np.array_equal(a, b) for a, b in zip(theirs, ours))
    return f"our labels in {same} of {len(ours)} runs"


# Part b: sparse text


def text(quick):
    """An iteration of ours against one of scikit-learn's, and our peak memory.

    The time of an iteration is that of a run to convergence over its number of
    iterations, so all that happens once (checks, norms, the first product)
    counts. The difference of two runs that end at different max_iter would
    flatter us: a run that is cut short spends up to two more products on means
    that give its labels back, and a long run has mostly cheap, late iterations.
    """
    n, k = (10_000 if quick else 100_000), 20
    alone = in_fresh_process(text_alone, n, k)
    timed = in_fresh_process(text_runs, n, k, 1 if quick else 3)
    peak = {
        "what": "peak memory of the process, corpus included",
        "k": k,
        "gib": alone / GIB,
    }
    if not quick:
        ratio = timed[1]["ratio"]
        timed[1] |= {"needed": "1.5x", "verdict": verdict(ratio >= 1.5)}
        peak |= {"needed": "< 1.5 GiB", "verdict": verdict(alone < 1.5 * GIB)}
    return [*timed, peak]


def text_alone(n, k):
    fit_text(corpus(n), k, np.random.RandomState(0).randint(k, size=n))
    return peak_memory()


def text_runs(n, k, repeats):
    X, start = corpus(n), np.random.RandomState(0).randint(k, size=n)
    Z = csr_array((np.ones(n), start, np.arange(n + 1)), shape=(n, k))
    means = (Z.T @ X).toarray() / np.bincount(start, minlength=k)[:, None]
    fits = {OURS: (fit_text, start), "sklearn KMeans, lloyd": (fit_sklearn, means)}
    times, models = {name: [] for name in fits}, {}
    for _ in range(repeats):
        for name, (fit, begin) in fits.items():
            seconds, models[name] = clock(fit, X, k, begin)
            times[name].append(seconds)
    own, peer = (text_row(name, k, times[name], models[name]) for name in fits)
    agreement = adjusted_rand_score(*(m.labels_ for m in models.values()))
    peer["ratio"] = peer["ms_per_iteration"] / own["ms_per_iteration"]
    peer["note"] = (
        "ratio of the times of an iteration; starts from the means of the same labels; "
        f"adjusted Rand index to our labels {agreement:.4f}"
    )
    return [own, peer]


def text_row(name, k, times, model):
    seconds = float(np.median(times))
    return {
        "what": name,
        "k": k,
        "seconds": seconds,
        "iterations": int(model.n_iter_),
        "ms_per_iteration": 1e3 * seconds / model.n_iter_,
        "inertia": float(model.inertia_),
    }


def fit_text(X, k, start):
    return KernelKMeans(k, kernel="cosine", init=start, max_iter=MAX_ITER).fit(X)


def fit_sklearn(X, k, means):
    model = KMeans(k, init=means, n_init=1, max_iter=MAX_ITER, tol=0, algorithm="lloyd")
    return model.fit(X)


def corpus(n, n_terms=50_000, n_topics=20, length=100):
    """TF-IDF of documents whose words follow Zipf's law.

    Three words in ten are drawn from the topic of the document, which has the
    same frequencies on other terms.
    """
    rng = np.random.default_rng(0)
    lengths = rng.poisson(length, n)
    total = lengths.sum()
    frequency = np.cumsum(1 / np.arange(1, n_terms + 1))
    drawn = rng.random(total, dtype=np.float32) * np.float32(frequency[-1])
    words = np.searchsorted(frequency.astype(np.float32), drawn)
    words = words.clip(max=n_terms - 1).astype(np.int32)
    terms = np.stack([rng.permutation(n_terms) for _ in range(n_topics)])
    special = np.flatnonzero(rng.random(total, dtype=np.float32) < 0.3)
    topic = np.repeat(rng.integers(n_topics, size=n), lengths)[special]
    words[special] = terms[topic, words[special]]
    ends = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    counts = csr_array((np.ones(total), words, ends), shape=(n, n_terms))
    counts.sum_duplicates()
    return TfidfTransformer(sublinear_tf=True).fit_transform(counts)


# Part c: RBF from features


def features(quick):
    """Exact, to convergence, with a kernel that is never stored."""
    row, checked = in_fresh_process(features_alone, 5_000 if quick else 100_000, 10)
    converged = row.pop("converged")
    row["note"] = (
        f"converged: {converged}; {checked[0]} of {checked[1]} objects taken at random "
        "are at the nearest mean by a float64 kernel"
    )
    if not quick:
        exact = converged and checked[0] >= 0.998 * checked[1]
        row |= {"needed": "< 1 GiB", "verdict": verdict(row["gib"] < 1, exact)}
    return [row]


def features_alone(n, k):
    X, _ = make_blobs(n, 50, centers=k, cluster_std=8.0, random_state=0)
    X = X.astype(np.float32)
    model = KernelKMeans(k, gamma="scale", n_init=1, max_iter=MAX_ITER, random_state=0)
    # So that the small kernel of --quick is not stored either.
    with config_context(working_memory=64):
        seconds, model = clock(model.fit, X)
    row = {
        "what": f"{OURS}, one k-means++ start",
        "k": k,
        "seconds": seconds,
        "iterations": model.n_iter_,
        "ms_per_iteration": 1e3 * seconds / model.n_iter_,
        "inertia": model.inertia_,
        "gib": peak_memory() / GIB,
        "converged": model.converged_,
    }
    return row, nearest_of_sample(model, X)


def nearest_of_sample(model, X, size=500):
    """How many of some objects are where a float64 kernel wants them."""
    sample = np.random.RandomState(0).permutation(len(X))[:size]
    K = rbf_kernel(X[sample].astype(float), X.astype(float), gamma=model.gamma_)
    counts = np.bincount(model.labels_)
    Z = csr_array((1 / counts[model.labels_], model.labels_, np.arange(len(X) + 1)))
    D = model.center_norms_ - 2 * (K @ Z)
    best = D.argmin(axis=1) == model.labels_[sample]
    return int(best.sum()), len(sample)


PARTS = {
    "a": (precomputed, "Precomputed float64 RBF kernel of overlapping blobs"),
    "b": (text, "Sparse TF-IDF, cosine kernel, never formed"),
    "c": (features, "RBF from float32 features, in tiles, never stored"),
}


if __name__ == "__main__":
    main(__doc__, PARTS, skipped("KKMeans", "tslearn"))

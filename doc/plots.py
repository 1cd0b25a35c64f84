"""Pictures of the guide: ``.. plot:: plots.py NAME`` calls the function NAME."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import csv
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import ListedColormap
from sklearn.cluster import KMeans
from sklearn.datasets import load_wine, make_blobs, make_circles, make_moons
from sklearn.decomposition import PCA
from sklearn.feature_extraction.text import TfidfTransformer, TfidfVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_kernelclust import (
    KPDDP,
    PDDP,
    BisectingKernelKMeans,
    ClusterTreeDisplay,
    DiagonalShift,
    DistanceKernel,
    EmpiricalKernelMap,
    GramDisplay,
    KernelKMeans,
    KernelPCAKMeans,
    LocalScalingKernel,
    PairwiseKernel,
    PowerMeanNormalizer,
    PredictionStrengthDisplay,
    PredictionStrengthK,
    PredictionStrengthTree,
    ProjectionDisplay,
    ReassignmentDisplay,
    SpectralClustering,
    SpectrumDisplay,
    StringKernel,
    SubpolynomialKernel,
)
from sklearn_kernelclust.datasets import load_docstrings
from sklearn_kernelclust.metrics import dominance_ratio

COLORS = ListedColormap(plt.get_cmap("tab10").colors)
TFIDF = {"stop_words": "english", "min_df": 2, "sublinear_tf": True}


def panels(n_columns, size, n_rows=1):
    """A figure of several axes."""
    return plt.subplots(n_rows, n_columns, figsize=size, layout="constrained")


def scatter(ax, X, labels, title):
    """Points in the colors of their clusters, without ticks."""
    ax.scatter(*X.T, c=labels % 10, s=8, cmap=COLORS, vmin=0, vmax=10)
    ax.set(title=title, xticks=[], yticks=[])


def docstring_kernel(min_documents=27):
    """Cosine kernel of the larger classes of the docstrings, and their classes."""
    corpus = load_docstrings(min_documents=min_documents)
    tfidf = make_pipeline(TfidfVectorizer(**TFIDF), PairwiseKernel("cosine"))
    return tfidf.fit_transform(corpus.data), corpus


def text():
    """A kernel of documents before and after DSM, and what k-means does on both."""
    K, corpus = docstring_kernel()
    k = len(corpus.target_names)
    shifted = make_pipeline(DiagonalShift(), EmpiricalKernelMap()).fit_transform(K)
    _, axes = panels(3, (10, 3.1))
    models = {}
    for ax, kernel, name in zip(axes, (K, shifted), ("cosine", "after DSM")):
        model = KernelKMeans(k, kernel="precomputed", init="random", random_state=0)
        models[name] = model.fit(kernel)
        GramDisplay.from_kernel(kernel, corpus.target, ax=ax, diagonal=True)
        ax.set_title(f"{name}: dominance ratio {dominance_ratio(kernel):.1f}")
    ReassignmentDisplay.from_estimators(models, ax=axes[2])


def strings():
    """The kernel of log lines, with the clusters that it has."""
    lines = [
        *("GET /index.html 200", "GET /about.html 200", "GET /index.html 404"),
        *("login failed for root", "login failed for admin", "login ok for admin"),
        *("disk sda1 is full", "disk sdb1 is full", "disk sdb2 is 90% full"),
    ]
    K = StringKernel(4).fit_transform(lines)
    tree = KPDDP(3, kernel="precomputed").fit(K)
    order = np.argsort(tree.labels_, kind="stable")
    _, ax = panels(1, (7.6, 4.2))
    image = ax.imshow(K[np.ix_(order, order)], cmap="magma", vmin=0, vmax=1)
    ax.set_yticks(range(len(lines)), [lines[i] for i in order], family="monospace")
    ax.set(xticks=[], title="StringKernel(4): similarity of log lines, by cluster")
    for end in np.flatnonzero(np.diff(tree.labels_[order])) + 0.5:
        ax.axhline(end, color="white", lw=1)
        ax.axvline(end, color="white", lw=1)
    plt.colorbar(image, ax=ax, shrink=0.8)


def tables():
    """Compact clusters by kernel k-means, rings by spectral clustering."""
    X, _ = load_wine(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    labels = KernelKMeans(3, random_state=0).fit_predict(X)
    _, axes = panels(3, (10, 3.2))
    scatter(axes[0], PCA(2).fit_transform(X), labels, "wine: KernelKMeans(3)")
    rings, _ = make_circles(300, noise=0.03, factor=0.4, random_state=0)
    compact = KernelKMeans(2, random_state=0).fit_predict(rings)
    scatter(axes[1], rings, compact, "rings: KernelKMeans(2)")
    K = LocalScalingKernel().fit_transform(rings)
    model = SpectralClustering(2, kernel="precomputed", random_state=0)
    scatter(axes[2], rings, model.fit_predict(K), "rings: SpectralClustering(2)")


def edit_distance(s, t):
    """The least number of characters to insert, delete or replace."""
    row = list(range(len(t) + 1))
    for i, a in enumerate(s, 1):
        corner, row[0] = row[0], i
        for j, b in enumerate(t, 1):
            least = min(row[j] + 1, row[j - 1] + 1, corner + (a != b))
            corner, row[j] = row[j], least
    return row[-1]


def distances():
    """A matrix of edit distances, and the kernel that it becomes."""
    words = ["kitten", "mitten", "sitting", "knitting", "saturday", "saturdays"]
    words += ["sunday", "monday"]
    D = np.array([[edit_distance(s, t) for t in words] for s in words])
    K = DistanceKernel("precomputed").fit_transform(D)
    _, axes = panels(2, (8.4, 3.6))
    shown = (D, "viridis_r", "edit distances"), (K, "magma", "DistanceKernel")
    for ax, (matrix, cmap, title) in zip(axes, shown):
        image = ax.imshow(matrix, cmap=cmap)
        ax.set_yticks(range(len(words)), words)
        ax.set(xticks=[], title=title)
        plt.colorbar(image, ax=ax, shrink=0.85)


def large():
    """Memory of a stored kernel and of a factored one."""
    n = np.logspace(3, 6, 50)
    _, ax = panels(1, (6.4, 3.6))
    ax.loglog(n, 8 * n**2, label="kernel matrix, float64")
    ax.loglog(n, 4 * n**2, label="kernel matrix, float32")
    ax.loglog(n, 12 * 84 * n, label="factored: documents of 84 terms")
    for size, name in ((16 * 2**30, "a laptop, 16 GiB"), (2**40, "a server, 1 TiB")):
        ax.axhline(size, color="0.5", lw=0.8, ls=":")
        ax.text(n[-1], size * 1.2, name, color="0.4", fontsize=8, ha="right")
    ax.set(xlabel="objects", ylabel="bytes", title="What a kernel takes")
    ax.legend(frameon=False)


def gpu():
    """The table of the page as bars."""
    names = ["stored, 50,000", "rbf, 100,000", "DSM, 100,000", "KPDDP", "spectral"]
    device, host = [0.054, 0.33, 0.68, 0.30, 0.36], [4.2, 24.3, 8.1, 5.9, 5.5]
    _, ax = panels(1, (6.4, 3.0))
    place = np.arange(len(names))
    bars = ax.barh(place + 0.2, host, 0.38, label="16 CPU cores")
    ax.bar_label(bars, [f" {h / d:.0f} times" for d, h in zip(device, host)])
    ax.barh(place - 0.2, device, 0.38, label="one H200")
    ax.set_yticks(place, names)
    ax.set(xscale="log", xlim=(0.05, 300), xlabel="seconds (log scale)")
    ax.legend(frameon=False)


def topic_counts(n_topics=4):
    """Counts of words in documents of a few topics."""
    rng = np.random.default_rng(0)
    topics = rng.dirichlet(np.full(400, 0.1), size=n_topics)
    words = 0.5 * topics + 0.5 * rng.dirichlet(np.full(400, 0.5))
    return np.array([rng.multinomial(40, words[i % n_topics]) for i in range(400)])


def choosing_k():
    """Prediction strength where the choice is clear, and where it is not."""
    _, axes = panels(2, (9, 3.2))
    X = TfidfTransformer().fit_transform(topic_counts())
    noise = np.random.default_rng(0).normal(size=(400, 5))
    for ax, data, title in zip(axes, (X, noise), ("four topics", "no clusters")):
        choice = PredictionStrengthK(
            KernelKMeans(kernel="linear"),
            n_clusters=range(2, 8),
            n_splits=20,
            random_state=0,
        ).fit(data)
        PredictionStrengthDisplay.from_estimator(choice, ax=ax)
        ax.set(title=title, ylim=(-0.1, 1.1))


def tree_of_clusters():
    """The tree of topics and subtopics."""
    rng = np.random.default_rng(0)
    common, *topics = rng.dirichlet(np.full(300, 0.2), size=3)
    subtopics = rng.dirichlet(np.full(300, 0.1), size=(2, 3))
    counts = [
        rng.multinomial(
            60, 0.3 * common + 0.4 * topics[i % 2] + 0.3 * subtopics[i % 2, i % 3]
        )
        for i in range(300)
    ]
    model = make_pipeline(
        TfidfTransformer(sublinear_tf=True),
        PairwiseKernel("cosine", lazy=True),
        DiagonalShift(),
        EmpiricalKernelMap(),
        KernelKMeans(kernel="precomputed", init="random"),
    )
    tree = PredictionStrengthTree(model, n_clusters=range(2, 6), random_state=0)
    _, ax = panels(1, (6.8, 3.4))
    ClusterTreeDisplay.from_estimator(tree.fit(np.array(counts)), ax=ax)


def coming_from():
    """k-means of scikit-learn beside methods of this package."""
    moons = make_moons(300, noise=0.05, random_state=0)[0]
    rings = make_circles(300, noise=0.04, factor=0.4, random_state=0)[0]
    _, axes = panels(4, (11, 2.9))
    for left, right, X in zip(axes[::2], axes[1::2], (moons, rings)):
        plain = KMeans(2, n_init=10, random_state=0).fit_predict(X)
        scatter(left, X, plain, "sklearn: KMeans(2)")
        K = LocalScalingKernel().fit_transform(X)
        model = SpectralClustering(2, kernel="precomputed", random_state=0)
        scatter(right, X, model.fit_predict(K), "here: SpectralClustering(2)")


def embeddings():
    """Vectors of documents of five topics: their kernel, and the choice of k."""
    rng = np.random.RandomState(0)
    topics = rng.normal(size=(5, 384))
    vectors = topics[np.arange(300) % 5] + 2 * rng.normal(size=(300, 384))
    choice = PredictionStrengthK(
        KernelKMeans(kernel="cosine"),
        n_clusters=range(2, 11),
        n_splits=20,
        random_state=0,
    ).fit(vectors)
    _, axes = panels(2, (9, 3.4))
    K = PairwiseKernel("cosine").fit_transform(vectors)
    GramDisplay.from_kernel(K, choice.labels_, ax=axes[0], cmap="magma")
    PredictionStrengthDisplay.from_estimator(choice, ax=axes[1])


def shapes():
    """The clusterers on five sets of points in the plane."""
    n, rng = 300, np.random.RandomState(0)
    blobs = make_blobs(n, centers=3, random_state=8)[0]
    stretched = blobs @ [[0.6, -0.6], [-0.4, 0.8]]
    sets = {
        "blobs": (blobs, 3),
        "stretched": (stretched, 3),
        "moons": (make_moons(n, noise=0.05, random_state=0)[0], 2),
        "rings": (make_circles(n, noise=0.04, factor=0.5, random_state=0)[0], 2),
        "nothing": (rng.rand(n, 2), 3),
    }
    seed = {"random_state": 0}
    makers = {
        "sklearn KMeans": lambda k: KMeans(k, n_init=10, **seed),
        "KernelKMeans": lambda k: KernelKMeans(k, **seed),
        "Bisecting\nKernelKMeans": lambda k: BisectingKernelKMeans(k, **seed),
        "PDDP": lambda k: PDDP(k, split="2-means"),
        "KPDDP": lambda k: KPDDP(k, split="2-means"),
        "KernelPCAKMeans": lambda k: KernelPCAKMeans(k, **seed),
        "Spectral, rbf": lambda k: SpectralClustering(k, **seed),
        "Spectral,\nneighbors": lambda k: SpectralClustering(
            k, kernel="nearest_neighbors", **seed
        ),
    }
    _, axes = panels(len(makers), (13, 8.2), len(sets))
    for row, (name, (X, k)) in zip(axes, sets.items()):
        X = StandardScaler().fit_transform(X)
        for ax, (method, make) in zip(row, makers.items()):
            scatter(ax, X, make(k).fit(X).labels_, method if name == "blobs" else "")
        row[0].set_ylabel(name)


def methods():
    """NMI and time of every method, from the results of the benchmark."""
    path = Path("methods_results.csv")  # Sphinx draws in the folder of this file
    with path.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["nmi"]]
    names = list(dict.fromkeys(row["method"] for row in rows))[::-1]
    kinds = list(dict.fromkeys(row["kind"] for row in rows))
    _, axes = panels(2, (10, 4.6))
    for kind in kinds:
        score = [_mean(rows, "nmi", method=name, kind=kind) for name in names]
        axes[0].plot(score, names, "o", ms=7, alpha=0.8, label=kind)
    axes[0].set(title="mean NMI with the classes", xlim=(0, 1))
    axes[0].legend(frameon=False, loc="lower right")
    seconds = [_mean(rows, "cpu_seconds", method=name) for name in names]
    axes[1].barh(names, seconds, color=["C7" if "sk" in n else "C0" for n in names])
    axes[1].set(title="mean CPU seconds", yticks=[])
    for ax in axes:
        ax.grid(axis="x", alpha=0.3)


def _mean(rows, column, **given):
    chosen = [row for row in rows if all(row[k] == v for k, v in given.items())]
    return np.mean([float(row[column]) for row in chosen])


def kernels():
    """What p, t and sigma do to a kernel of documents."""
    K, _ = docstring_kernel(20)
    _, axes = panels(3, (10, 3.1))
    powers = np.linspace(0.3, 1, 8)
    ratios = [dominance_ratio(SubpolynomialKernel(p).fit_transform(K)) for p in powers]
    axes[0].plot(powers, ratios, "o-")
    axes[0].set(xlabel="p", title="SubpolynomialKernel: dominance ratio")
    lengths = np.linspace(1, 5, 50)
    X = np.column_stack([lengths, np.zeros(50)])
    for t in (0, 1, 3, np.inf):
        row = PowerMeanNormalizer(t).fit_transform(X)[0]
        axes[1].plot(lengths, row, label=f"t = {t:g}")
    axes[1].set(xlabel="length", title="PowerMeanNormalizer: k(x, cx)")
    axes[1].legend(frameon=False)
    for name, kernel in (("K", K), ("shifted", DiagonalShift().fit_transform(K))):
        SpectrumDisplay.from_kernel(kernel, name=name, ax=axes[2])
    axes[2].set_title("DiagonalShift: eigenvalues")


def divisive():
    """Where a node is cut, and the tree of all cuts."""
    rng = np.random.default_rng(0)
    X = np.vstack(
        [
            rng.normal([0, 0], 1, (200, 2)),
            rng.normal([7, 0], 1, (40, 2)),
            rng.normal([7, 5], 1, (40, 2)),
        ]
    )
    model = PDDP(3, split="optimal-cut").fit(X)
    _, axes = panels(3, (10, 3.1))
    scatter(axes[0], X, model.labels_, "PDDP(3)")
    ProjectionDisplay.from_estimator(model, X, ax=axes[1])
    ClusterTreeDisplay.from_estimator(model, ax=axes[2])


def spectral():
    """Moons, and the eigenvectors that part them."""
    X, _ = make_moons(400, noise=0.05, random_state=0)
    K = LocalScalingKernel().fit_transform(X)
    model = SpectralClustering(2, kernel="precomputed", random_state=0).fit(K)
    _, axes = panels(3, (10, 3.1))
    compact = KernelKMeans(2, random_state=0).fit_predict(X)
    scatter(axes[0], X, compact, "KernelKMeans(2)")
    scatter(axes[1], X, model.labels_, "SpectralClustering(2)")
    vector = model.embedding_[:, -1]
    order = np.argsort(vector)
    axes[2].scatter(range(400), vector[order], c=model.labels_[order], s=6, cmap=COLORS,
                    vmin=0, vmax=10)  # fmt: skip
    axes[2].set(title="the eigenvector, sorted", xlabel="object")


def displays():
    """All six displays."""
    corpus = load_docstrings(min_documents=20)
    X = TfidfVectorizer(**TFIDF).fit_transform(corpus.data)
    K = PairwiseKernel("cosine").fit_transform(X)
    k = len(corpus.target_names)
    kmeans = KernelKMeans(
        k, kernel="precomputed", algorithm="hartigan", random_state=0
    ).fit(K)
    tree = PDDP(k, split="optimal-cut").fit(X)
    choice = PredictionStrengthK(
        make_pipeline(DiagonalShift(), KernelKMeans(kernel="precomputed")),
        n_clusters=range(2, 9),
        n_splits=10,
        random_state=0,
    ).fit(K)
    _, axes = panels(3, (11, 6.4), 2)
    GramDisplay.from_kernel(K, kmeans.labels_, ax=axes[0, 0], cmap="magma")
    SpectrumDisplay.from_kernel(K, ax=axes[0, 1])
    random = {"kernel": "precomputed", "init": "random", "random_state": 0}
    runs = {
        "plain": KernelKMeans(k, **random).fit(K),
        "shifted": KernelKMeans(k, **random).fit(DiagonalShift().fit_transform(K)),
    }
    ReassignmentDisplay.from_estimators(runs, ax=axes[0, 2])
    PredictionStrengthDisplay.from_estimator(choice, ax=axes[1, 0])
    ClusterTreeDisplay.from_estimator(
        tree, ax=axes[1, 1], leaf_names=list(map(str, range(k)))
    )
    ProjectionDisplay.from_estimator(tree, X, ax=axes[1, 2])
    names = "Gram Spectrum Reassignment PredictionStrength ClusterTree Projection"
    for ax, name in zip(axes.ravel(), names.split()):
        ax.set_title(f"{name}Display")

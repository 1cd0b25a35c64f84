"""
================================
Cluster by a matrix of distances
================================

A metric is often easier to find than a kernel: edit distance for words, dynamic time
warping for series, Jaccard for sets. ``DistanceKernel`` turns distances into a kernel,
and new objects are placed by their distances to the training objects.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# Series of different pace
# ------------------------
# Three shapes, each stretched at random in time. Point by point, two series of the same
# shape are far from each other. Dynamic time warping compares them after the best
# alignment.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.decomposition import KernelPCA
from sklearn.metrics import adjusted_rand_score, pairwise_distances
from sklearn.pipeline import make_pipeline

from sklearn_kernelclust import DistanceKernel, KernelKMeans

SHAPES = [
    lambda t: np.sin(2 * np.pi * t),
    lambda t: np.sign(np.sin(2 * np.pi * t)),
    lambda t: 4 * np.abs(t - 0.5) - 1,
]


def make_series(n, rng, length=40):
    """Series of three shapes, and which shape each has."""
    shapes = rng.integers(3, size=n)
    t = np.linspace(0, 1, length)
    stretch = np.exp(rng.normal(0, 0.35, size=n))
    X = np.array([SHAPES[s](t**p) for s, p in zip(shapes, stretch)])
    return X + rng.normal(0, 0.1, X.shape), shapes


def warping_distance(x, y):
    """Distance of two series after the best alignment in time."""
    cost = np.abs(x[:, None] - y)
    total = np.full((len(x) + 1, len(y) + 1), np.inf)
    total[0, 0] = 0
    for i in range(len(x)):
        for j in range(len(y)):
            before = min(total[i, j], total[i, j + 1], total[i + 1, j])
            total[i + 1, j + 1] = cost[i, j] + before
    return total[-1, -1]


rng = np.random.default_rng(0)
X, y = make_series(60, rng)
D = pairwise_distances(X, metric=warping_distance)
euclidean = pairwise_distances(X)

# %%
# The pipeline takes the matrix
# -----------------------------
# The width of the kernel is the median distance.

model = make_pipeline(
    DistanceKernel("precomputed"),
    KernelKMeans(3, kernel="precomputed", random_state=0),
)
scores = {}
for name, distances in [("Euclidean", euclidean), ("warping", D)]:
    scores[name] = adjusted_rand_score(y, model.fit_predict(distances))
    print(f"{name:9}: adjusted Rand index {scores[name]:.2f}")

# %%
# New series
# ----------
# Their rows are distances to the training series.

new, y_new = make_series(20, rng)
labels = model.predict(pairwise_distances(new, X, metric=warping_distance))
print(f"New series: adjusted Rand index {adjusted_rand_score(y_new, labels):.2f}")

# %%
# A map
# -----
# ``kind="centered"`` gives the inner products that the distances come from. Their
# principal components are classical multidimensional scaling.

fig, axes = plt.subplots(1, 3, figsize=(11, 3.4), layout="constrained")
for s, color in enumerate(["C0", "C1", "C2"]):
    axes[0].plot(X[y == s][:4].T, color=color, alpha=0.7)
axes[0].set_title("Series of three shapes")
for ax, (name, distances) in zip(axes[1:], [("Euclidean", euclidean), ("warping", D)]):
    K = DistanceKernel("precomputed", kind="centered").fit_transform(distances)
    places = KernelPCA(2, kernel="precomputed").fit_transform(K)
    ax.scatter(*places.T, c=[f"C{s}" for s in y])
    ax.set_title(f"Map by {name} distance\nadjusted Rand index {scores[name]:.2f}")
plt.show()

"""
==========================
Search over p, t and sigma
==========================

How a kernel is normalised (order ``t``), flattened (power ``p``) and shifted
(``sigma``) are parameters of steps of a ``Pipeline``, so ``GridSearchCV``
searches over them: with labels, without, from features, and on a kernel matrix.
The neutral elements of the grid are ``p=1`` and ``sigma=0``.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# Features and pipeline
# ---------------------
# The rows of TF-IDF weights are not scaled to unit length here (``norm=None``),
# so that the order of the normalisation makes a difference.

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics import make_scorer, normalized_mutual_info_score, silhouette_score
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.pipeline import Pipeline

from sklearn_kernelclust import (
    DiagonalShift,
    KernelKMeans,
    PowerMeanNormalizer,
    SubpolynomialKernel,
)
from sklearn_kernelclust.datasets import load_docstrings

corpus = load_docstrings()
n_clusters = len(corpus.target_names)
tfidf = TfidfVectorizer(stop_words="english", min_df=2, sublinear_tf=True, norm=None)
X = tfidf.fit_transform(corpus.data)

pipeline = Pipeline(
    [
        ("normalizer", PowerMeanNormalizer()),
        ("subpoly", SubpolynomialKernel()),
        ("shift", DiagonalShift()),
        (
            "cluster",
            KernelKMeans(n_clusters, kernel="precomputed", n_init=3, random_state=0),
        ),
    ]
)
grid = {
    "normalizer__t": [0, 1, np.inf],
    "subpoly__p": [0.6, 0.8, 1],
    "shift__sigma": [0, "zero-trace"],
}

# The documents come class by class, so they are shuffled before they are split.
folds = KFold(3, shuffle=True, random_state=0)

# %%
# With labels
# -----------
# Each candidate is fitted on two thirds of the documents and assigns the others
# to its clusters; the score compares these clusters with the classes.

agreement = make_scorer(normalized_mutual_info_score, average_method="geometric")
with_labels = GridSearchCV(pipeline, grid, scoring=agreement, cv=folds)
with_labels.fit(X, corpus.target)
print("With labels:", with_labels.best_params_)
print(f"NMI of held-out documents: {with_labels.best_score_:.3f}")

# %%
# Without labels
# --------------
# The objectives of different kernels cannot be compared, so ``KernelKMeans.score``
# is of no use here. What can be compared is a score that looks at the clusters
# in one space for all, such as the silhouette by the cosine of the features.


def silhouette(model, X, y=None):
    """Silhouette of the clusters of new documents; -1 for a single cluster."""
    labels = model.predict(X)
    if len(np.unique(labels)) == 1:
        return -1.0
    return silhouette_score(X, labels, metric="cosine")


without_labels = GridSearchCV(pipeline, grid, scoring=silhouette, cv=folds).fit(X)
print("Without labels:", without_labels.best_params_)
best = without_labels.best_index_
agreements = with_labels.cv_results_["mean_test_score"]
print(
    f"NMI of that choice: {agreements[best]:.3f}, of the worst: {agreements.min():.3f}"
)

# %%
# On a kernel matrix
# ------------------
# Steps that take kernels say so, and ``GridSearchCV`` slices rows and columns.
# A block of new rows does not hold their self-similarities, which the
# normaliser needs; here it is done before the search, with the best ``t``.

K = PowerMeanNormalizer(t=with_labels.best_params_["normalizer__t"]).fit_transform(X)
kernel_grid = {name: grid[name] for name in ("subpoly__p", "shift__sigma")}
on_kernel = GridSearchCV(pipeline[1:], kernel_grid, scoring=agreement, cv=folds)
on_kernel.fit(K, corpus.target)
print("On a kernel matrix:", on_kernel.best_params_)
print(f"NMI of held-out documents: {on_kernel.best_score_:.3f}")

# %%
# The grid as a picture
# ---------------------
# Without matplotlib there is none.

try:
    import matplotlib.pyplot as plt
except ImportError:
    print("Install matplotlib to see the picture.")
else:
    candidates = with_labels.cv_results_["params"]
    figure, axes = plt.subplots(1, 2, figsize=(8, 3.5), sharey=True)
    for ax, sigma in zip(axes, grid["shift__sigma"]):
        for t in grid["normalizer__t"]:
            scores = [
                score
                for score, params in zip(agreements, candidates)
                if params["shift__sigma"] == sigma and params["normalizer__t"] == t
            ]
            ax.plot(grid["subpoly__p"], scores, marker="o", label=f"t = {t}")
        ax.set(title=f"sigma = {sigma}", xlabel="p")
    axes[0].set_ylabel("NMI of held-out documents")
    axes[0].legend()
    plt.show()

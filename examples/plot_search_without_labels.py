"""
=====================
Search without labels
=====================

The objectives of kernel k-means on different kernels cannot be compared, so
without labels a search over kernels has nothing to go by. What can be compared is
how well clusters found on one part of the documents predict those found on the
rest: ``prediction_strength_scorer``, corrected for chance, so that it compares
numbers of clusters too. Here ``GridSearchCV`` searches with it over the order ``t``
of the normalisation, the power ``p``, the shift ``sigma`` and ``n_clusters``
together.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# Features and pipeline
# ---------------------
# Documents are docstrings from five modules of scikit-learn. Words of more than
# three in ten of them, which say how docstrings are written, are left out. Rows of
# TF-IDF weights are not scaled to unit length, so that ``t`` makes a difference.

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics import normalized_mutual_info_score
from sklearn.model_selection import GridSearchCV, ShuffleSplit
from sklearn.pipeline import Pipeline

from sklearn_kernelclust import (
    DiagonalShift,
    KernelKMeans,
    PowerMeanNormalizer,
    SubpolynomialKernel,
)
from sklearn_kernelclust.datasets import load_docstrings
from sklearn_kernelclust.metrics import prediction_strength_scorer

corpus = load_docstrings()
names = ["cluster", "datasets", "linear_model", "metrics", "model_selection"]
wanted = [corpus.target_names.index(f"sklearn.{name}") for name in names]
chosen = np.flatnonzero(np.isin(corpus.target, wanted))
y = corpus.target[chosen]
tfidf = TfidfVectorizer(
    stop_words="english", min_df=3, max_df=0.3, sublinear_tf=True, norm=None
)
X = tfidf.fit_transform([corpus.data[i] for i in chosen])

pipeline = Pipeline(
    [
        ("normalizer", PowerMeanNormalizer()),
        ("subpoly", SubpolynomialKernel()),
        ("shift", DiagonalShift()),
        ("cluster", KernelKMeans(kernel="precomputed", n_init=3, random_state=0)),
    ]
)
# Of equal scores a search takes the first, so the larger numbers come first.
numbers = [8, 6, 5, 4, 3, 2]
grid = {
    "normalizer__t": [0, 1],
    "subpoly__p": [0.6, 1],
    "shift__sigma": [0, "zero-trace"],
    "cluster__n_clusters": numbers,
}

# %%
# The search
# ----------
# Halves, as in the paper. Each candidate is fitted on one of them; a copy of it
# clusters the other, and is compared with what the first predicts. No label is
# used.

halves = ShuffleSplit(4, test_size=0.5, random_state=0)
search = GridSearchCV(pipeline, grid, scoring=prediction_strength_scorer, cv=halves)
search.fit(X)
candidates, strength = (
    search.cv_results_["params"],
    search.cv_results_["mean_test_score"],
)
print("Picked without labels:", search.best_params_)
print(f"Strength above chance: {search.best_score_:.2f}")

# %%
# What the pick is worth
# ----------------------
# Now with the classes: the agreement that each candidate reaches on all documents.

agreements = np.array(
    [
        normalized_mutual_info_score(
            y,
            pipeline.set_params(**params).fit_predict(X),
            average_method="geometric",
        )
        for params in candidates
    ]
)
picked, best = search.best_index_, agreements.argmax()
print(f"NMI of the pick: {agreements[picked]:.2f}")
print(f"Best in the grid: {agreements[best]:.2f}, of {candidates[best]}")
print(f"Median: {np.median(agreements):.2f}, worst: {agreements.min():.2f}")

# %%
# Few clusters are easier to predict than many, and what predicts itself best need
# not be what the modules are: the strongest pick may have fewer clusters than there
# are modules. Someone who wants more of them takes the strongest of that number.

of_number = {
    k: [i for i, params in enumerate(candidates) if params["cluster__n_clusters"] == k]
    for k in numbers
}
print("clusters  strength  NMI of the pick  best NMI  median NMI")
for k, rows in sorted(of_number.items()):
    top = max(rows, key=lambda i: strength[i])
    print(
        f"{k:8d}  {strength[top]:8.2f}  {agreements[top]:15.2f}"
        f"  {agreements[rows].max():8.2f}  {np.median(agreements[rows]):10.2f}"
    )

# %%
# The grid as a picture
# ---------------------
# Without matplotlib there is none.

try:
    import matplotlib.pyplot as plt
except ImportError:
    print("Install matplotlib to see the picture.")
else:
    figure, axes = plt.subplots(figsize=(6, 4))
    ks = [params["cluster__n_clusters"] for params in candidates]
    points = axes.scatter(strength, agreements, c=ks, cmap="viridis")
    axes.plot(strength[picked], agreements[picked], "rs", mfc="none", ms=12)
    axes.set(xlabel="prediction strength above chance", ylabel="NMI with the modules")
    figure.colorbar(points, label="n_clusters")
    plt.show()

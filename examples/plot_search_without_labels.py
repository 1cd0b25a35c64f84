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
# Documents are the docstrings of scikit-learn, and classes are its modules. Rows of
# TF-IDF weights are not scaled to unit length, so that ``t`` makes a difference.

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
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
tfidf = TfidfVectorizer(stop_words="english", min_df=2, sublinear_tf=True, norm=None)
X = tfidf.fit_transform(corpus.data)

pipeline = Pipeline(
    [
        ("normalizer", PowerMeanNormalizer()),
        ("subpoly", SubpolynomialKernel()),
        ("shift", DiagonalShift()),
        ("cluster", KernelKMeans(kernel="precomputed", n_init=5, random_state=0)),
    ]
)
grid = {
    "normalizer__t": [0, 1],
    "subpoly__p": [0.6, 0.8, 1],
    "shift__sigma": [0, "zero-trace"],
    "cluster__n_clusters": [2, 4, 6, 8, 10],
}

# %%
# The search
# ----------
# Halves, as in the paper. Each candidate is fitted on one of them; a copy of it
# clusters the other, and is compared with what the first predicts. No label is
# used. Shifted kernels are indefinite, and runs on them may end in a cycle.

warnings.simplefilter("ignore", ConvergenceWarning)
halves = ShuffleSplit(3, test_size=0.5, random_state=0)
search = GridSearchCV(pipeline, grid, scoring=prediction_strength_scorer, cv=halves)
search.fit(X)
print("Picked without labels:", search.best_params_)
print(f"Strength above chance: {search.best_score_:.3f}")

# %%
# What the pick is worth
# ----------------------
# Now with the classes: the agreement that each candidate reaches on all documents.

candidates = search.cv_results_["params"]
agreements = np.array(
    [
        normalized_mutual_info_score(
            corpus.target,
            pipeline.set_params(**params).fit_predict(X),
            average_method="geometric",
        )
        for params in candidates
    ]
)
picked, best = search.best_index_, agreements.argmax()
above = np.mean(agreements <= agreements[picked])
print(f"NMI of the pick: {agreements[picked]:.3f}")
print(f"Best in the grid: {agreements[best]:.3f}, of {candidates[best]}")
print(f"Median: {np.median(agreements):.3f}, worst: {agreements.min():.3f}")
print(f"The pick is as good as {100 * above:.0f} % of the grid or better.")

# %%
# The grid as a picture
# ---------------------
# Without matplotlib there is none.

try:
    import matplotlib.pyplot as plt
except ImportError:
    print("Install matplotlib to see the picture.")
else:
    strength = search.cv_results_["mean_test_score"]
    ks = [params["cluster__n_clusters"] for params in candidates]
    figure, axes = plt.subplots(figsize=(6, 4))
    points = axes.scatter(strength, agreements, c=ks, cmap="viridis")
    axes.plot(strength[picked], agreements[picked], "rs", mfc="none", ms=12)
    axes.set(xlabel="prediction strength above chance", ylabel="NMI with the classes")
    figure.colorbar(points, label="n_clusters")
    plt.show()

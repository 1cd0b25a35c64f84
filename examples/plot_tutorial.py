"""
===============================
Tutorial: from texts to a model
===============================

From raw texts to a model that is searched for, validated, described and saved. The
texts are docstrings from five modules of scikit-learn. The modules are what we hope to
find; nothing but the last check is told of them.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# Texts
# -----
# Any list of strings. A quarter of the texts is set aside: no step before the
# validation sees it.

import os
import tempfile

import joblib
import matplotlib.pyplot as plt
import numpy as np
from sklearn.base import clone
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics import normalized_mutual_info_score
from sklearn.model_selection import GridSearchCV, ShuffleSplit, train_test_split
from sklearn.pipeline import Pipeline

from sklearn_kernelclust import (
    DiagonalShift,
    GramDisplay,
    KernelKMeans,
    PairwiseKernel,
    PredictionStrengthDisplay,
    PredictionStrengthK,
    SubpolynomialKernel,
)
from sklearn_kernelclust.datasets import load_docstrings
from sklearn_kernelclust.metrics import (
    dominance_ratio,
    matched_confusion_matrix,
    prediction_strength_score,
    prediction_strength_scorer,
)

corpus = load_docstrings()
names = ["cluster", "datasets", "linear_model", "metrics", "model_selection"]
wanted = [corpus.target_names.index(f"sklearn.{name}") for name in names]
chosen = np.flatnonzero(np.isin(corpus.target, wanted))
texts = [corpus.data[i] for i in chosen]
modules = np.searchsorted(wanted, corpus.target[chosen])
texts, new_texts, modules, new_modules = train_test_split(
    texts, modules, test_size=1 / 4, random_state=0
)
print(f"{len(texts)} texts, {len(new_texts)} set aside")

# %%
# A kernel, and a look at it
# --------------------------
# Weights of words, then their cosine. A document is far more similar to itself than to
# others: the dominance ratio says how much. Above 5 or so, k-means hardly moves from
# where it starts, and the diagonal has to be treated (:doc:`/kernels`).

tfidf = TfidfVectorizer(stop_words="english", min_df=3, max_df=0.3, sublinear_tf=True)
X = tfidf.fit_transform(texts)
K = PairwiseKernel("cosine").fit_transform(X)
print(f"dominance ratio {dominance_ratio(K):.1f}")

# %%
# How many clusters
# -----------------
# The texts are split into halves many times. Where the clusters of one half predict
# those of the other, their number suits the data.

pipeline = Pipeline(
    [
        ("kernel", PairwiseKernel("cosine", lazy=True)),
        ("power", SubpolynomialKernel(p=1)),  # 1 changes nothing
        ("shift", DiagonalShift()),
        ("cluster", KernelKMeans(kernel="precomputed", init="random", n_init=5)),
    ]
)
choice = PredictionStrengthK(
    pipeline, n_clusters=range(2, 10), n_splits=40, random_state=0
).fit(X)
display = PredictionStrengthDisplay.from_estimator(choice)
print(f"best first: {choice.ranking_[:4]}")

# %%
# Search
# ------
# The other parameters, together with the number of clusters and without labels: how
# well do the clusters of one part of the texts predict those of the rest? Objectives
# of different kernels could not be compared.

search = GridSearchCV(
    pipeline.set_params(cluster__random_state=0),
    {
        "power__p": [0.6, 1],
        "shift__sigma": [0, "zero-trace"],
        "cluster__n_clusters": [7, 6, 5, 4, 3],
    },
    scoring=prediction_strength_scorer,
    cv=ShuffleSplit(10, test_size=0.5, random_state=0),
).fit(X)
best = search.best_params_
print(f"best: {best}, score {search.best_score_:.2f}")

# %%
# The model, from texts to clusters
# ---------------------------------
# One pipeline with the best parameters. ``lazy=True`` never forms the kernel matrix:
# with ``p=1``, 100,000 texts would fit.

model = Pipeline([("words", tfidf), *pipeline.steps])
model.set_params(**best, cluster__n_init=10)
labels = model.fit_predict(texts)
display = GramDisplay.from_estimator(model, texts, cmap="magma")

# %%
# Validation
# ----------
# On the texts set aside: the model predicts their clusters, and a second model is
# fitted to them. If the clusters are there, the two agree.

predicted = model.predict(new_texts)
second = clone(model).fit(new_texts)
strength = prediction_strength_score(second[-1].labels_, predicted)
print(f"prediction strength on new texts {strength:.2f}")

# %%
# This once, classes are known. NMI with the modules, of the training texts and of the
# new ones, and which cluster is which module:

for name, known, found in (
    ("training", modules, labels),
    ("new", new_modules, predicted),
):
    nmi = normalized_mutual_info_score(known, found)
    print(f"{name} texts: NMI {nmi:.2f}")
matrix = matched_confusion_matrix(new_modules, predicted)
_, ax = plt.subplots(figsize=(6, 4.5), layout="constrained")
ax.imshow(matrix, cmap="Blues")
for (i, j), n_texts in np.ndenumerate(matrix):
    color = "white" if n_texts > matrix.max() / 2 else "black"
    ax.text(j, i, n_texts or "", ha="center", va="center", color=color)
ax.set_yticks(range(len(names)), names)
_ = ax.set(xlabel="cluster", ylabel="module", title="new texts")

# %%
# What the clusters are about
# ---------------------------
# The words with the largest mean weight beyond the average of all texts.

words = tfidf.get_feature_names_out()
for c in np.unique(labels):
    beyond = X[labels == c].mean(axis=0) - X.mean(axis=0)
    top = np.asarray(beyond).ravel().argsort()[::-1][:6]
    print(f"cluster {c}, {np.sum(labels == c):3} texts: {', '.join(words[top])}")

# %%
# Save and load
# -------------
# Loading such a file can run code: load only files that you trust.

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "model.joblib")
    joblib.dump(model, path)
    loaded = joblib.load(path)
print(loaded.predict(["Fit a sparse linear model by coordinate descent."]))

# %%
# The command line does most of this for a folder of texts, with topics within topics
# and a page to look at: ``kernelclust FOLDER --out result`` (:doc:`/command_line`).

plt.show()

"""
=================================================
Two halves that predict each other (PV, Figure 1)
=================================================

Figure 1 of Greene and Cunningham [1]_ shows documents of two topics, split into two
halves, each clustered on its own. With two clusters the halves agree, and one predicts
the other. With three they do not. This is how prediction strength chooses the number
of clusters.

.. [1] D. Greene and P. Cunningham, "Efficient Prediction-Based Validation for
   Document Clustering", ECML 2006.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import matplotlib.pyplot as plt
import numpy as np
from sklearn.decomposition import KernelPCA
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.pipeline import make_pipeline

from sklearn_kernelclust import (
    DiagonalShift,
    KernelKMeans,
    PairwiseKernel,
    PredictionStrengthDisplay,
    PredictionStrengthK,
)
from sklearn_kernelclust.datasets import load_docstrings
from sklearn_kernelclust.metrics import prediction_strength_score

# %%
# Two topics: docstrings of two modules.

corpus = load_docstrings()
topics = ["sklearn.metrics", "sklearn.linear_model"]
chosen = np.isin(corpus.target, [corpus.target_names.index(t) for t in topics])
documents = np.array(corpus.data, dtype=object)[chosen]
tfidf = TfidfVectorizer(stop_words="english", min_df=2, sublinear_tf=True)
K = make_pipeline(tfidf, PairwiseKernel("cosine")).fit_transform(documents)
shifted = DiagonalShift().fit_transform(K)
components = KernelPCA(2, kernel="precomputed").fit_transform(K)

# %%
# One split, on the first two principal components. Each half is clustered, and the
# first half predicts the clusters of the second by its nearest means. The strength is
# the share of pairs within a cluster that are predicted to be together, in the worst
# of the clusters.

order = np.random.default_rng(0).permutation(len(K))
train, test = np.array_split(order, 2)
figure, axes = plt.subplots(2, 2, figsize=(9, 7), sharex=True, sharey=True)
for (left, right), k in zip(axes, (2, 3)):
    kmeans = KernelKMeans(k, kernel="precomputed", init="random", random_state=0)
    first = kmeans.fit(shifted[np.ix_(train, train)]).labels_
    predicted = kmeans.predict(shifted[np.ix_(test, train)])
    second = kmeans.fit_predict(shifted[np.ix_(test, test)])
    strength = prediction_strength_score(second, predicted)
    left.scatter(*components[train].T, c=first, cmap="tab10", vmax=9, s=15)
    right.scatter(*components[test].T, c=second, cmap="tab10", vmax=9, s=15)
    left.set_title(f"first half, k = {k}")
    right.set_title(f"second half, k = {k}: strength {strength:.2f}")
figure.tight_layout()
plt.show()

# %%
# All numbers from 2 to 6, over twenty splits, corrected for what chance would give.

choice = PredictionStrengthK(
    make_pipeline(DiagonalShift(), KernelKMeans(kernel="precomputed", init="random")),
    n_clusters=range(2, 7),
    n_splits=20,
    random_state=0,
).fit(K)
PredictionStrengthDisplay.from_estimator(choice)
plt.show()
print("Numbers of clusters, the best first:", choice.ranking_)

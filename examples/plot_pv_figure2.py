"""
==============================================
Prototypes for documents (PV, Figures 2 and 3)
==============================================

Figure 2 of Greene and Cunningham [1]_ compares a kernel with two smaller ones: of
prototypes of documents drawn at random, and of prototypes taken evenly from the
densest to the thinnest regions. A prototype is the mean of a document and its nearest
neighbours. Figure 3 is what they are for: the kernel is reduced to prototypes, shifted,
and split, again and again, to choose the number of clusters.

.. [1] D. Greene and P. Cunningham, "Efficient Prediction-Based Validation for
   Document Clustering", ECML 2006.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from time import perf_counter

import matplotlib.pyplot as plt
import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.pipeline import make_pipeline

from sklearn_kernelclust import (
    DiagonalShift,
    GramDisplay,
    KernelKMeans,
    PairwiseKernel,
    PredictionStrengthDisplay,
    PredictionStrengthK,
    PrototypeReducer,
)
from sklearn_kernelclust.datasets import load_docstrings

corpus = load_docstrings()
X = TfidfVectorizer(stop_words="english", min_df=2, sublinear_tf=True).fit_transform(
    corpus.data
)
K = PairwiseKernel("cosine").fit_transform(X)

# %%
# Three kernels
# -------------
# On two classes, one more than twice as large as the other. ``PrototypeReducer`` ranks
# neighbourhoods by their compactness, the mean similarity within, and takes every
# fourth. For comparison, the same number of neighbourhoods at random.

topics = ["metrics", "linear_model"]
numbers = [corpus.target_names.index(f"sklearn.{topic}") for topic in topics]
chosen = np.flatnonzero(np.isin(corpus.target, numbers))
names = np.array([topics[numbers.index(c)] for c in corpus.target[chosen]])
part = K[np.ix_(chosen, chosen)]
reducer = PrototypeReducer(reduction_rate=4).fit(part)
drawn = np.random.default_rng(1).choice(len(part), len(reducer.prototypes_), False)
means = np.zeros((len(drawn), len(part)))
np.put_along_axis(means, reducer.neighborhoods_[drawn], 1 / 6, axis=1)

figure, axes = plt.subplots(1, 3, figsize=(13, 4), layout="constrained")
for ax, title, kernel, classes in (
    (axes[0], "all documents", part, names),
    (axes[1], "prototypes, at random", means @ part @ means.T, names[drawn]),
    (
        axes[2],
        "prototypes, by density",
        reducer.reduced_gram_,
        names[reducer.prototypes_],
    ),
):
    GramDisplay.from_kernel(kernel, classes, ax=ax)
    share = np.mean(classes == "linear_model")
    ax.set_title(f"{title}: {share:.0%} linear_model")
plt.show()

# %%
# Drawn at random, the share of a class is a matter of luck:

shares = [
    np.mean(
        np.random.default_rng(seed).permutation(names)[: len(drawn)] == "linear_model"
    )
    for seed in range(1000)
]
print(f"linear_model in 1000 random draws: {min(shares):.0%} to {max(shares):.0%}")

# %%
# What they are for
# -----------------
# Prediction strength of all documents, and of prototypes: ``reduction_rate`` is all
# that it takes. The kernel that is split and clustered is 16 times smaller. With 500
# documents that saves little time yet; with thousands it does. Neither finds as many
# clusters as there are modules: the clearest division of these documents is into two.

models = {}
for name, rate in (("all documents", None), ("prototypes", 4)):
    start = perf_counter()
    models[name] = PredictionStrengthK(
        make_pipeline(
            DiagonalShift(), KernelKMeans(kernel="precomputed", init="random", n_init=3)
        ),
        n_clusters=range(2, 11),
        n_splits=10,
        reduction_rate=rate,
        refit=False,
        random_state=0,
    ).fit(K)
    print(f"{name}: {perf_counter() - start:.1f} s, {models[name].ranking_[:3]} lead")

figure, axes = plt.subplots(1, 2, figsize=(10, 4), sharey=True, layout="constrained")
for ax, (name, model) in zip(axes, models.items()):
    PredictionStrengthDisplay.from_estimator(model, ax=ax)
    ax.set_title(name)
plt.show()

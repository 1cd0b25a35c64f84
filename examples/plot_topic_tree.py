"""
====================
Topics within topics
====================

How many topics are there? One number for a whole collection is most often small,
because coarse splits are the most stable. :class:`~sklearn_kernelclust.\
PredictionStrengthTree` splits the documents into as many topics as are predicted best,
goes on inside each of them, and stops where a split is predicted no better than in
documents of the same words without topics.

The documents are scikit-learn's own docstrings; the modules that they are in are the
classes to be found.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# The tree
# --------
# From texts to clusters. All steps after the counting of words are fitted inside each
# node.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics import normalized_mutual_info_score
from sklearn.pipeline import make_pipeline

from sklearn_kernelclust import (
    ClusterTreeDisplay,
    DiagonalShift,
    EmpiricalKernelMap,
    KernelKMeans,
    PairwiseKernel,
    PredictionStrengthTree,
)
from sklearn_kernelclust.datasets import load_docstrings

corpus = load_docstrings()
model = make_pipeline(
    TfidfVectorizer(sublinear_tf=True, stop_words="english"),
    PairwiseKernel("cosine", lazy=True),
    DiagonalShift(),
    EmpiricalKernelMap(),
    KernelKMeans(kernel="precomputed", init="random"),
)
tree = PredictionStrengthTree(model, max_depth=2, random_state=0).fit(corpus.data)
nmi = normalized_mutual_info_score(corpus.target, tree.labels_)
n_classes = len(corpus.target_names)
print(f"{tree.n_leaves_} leaves, NMI {nmi:.2f} with the {n_classes} classes")

# %%
# Names
# -----
# A topic is named by the two words that occur in the largest share of its documents,
# compared with all documents.

words = TfidfVectorizer(stop_words="english", binary=True, use_idf=False, norm=None)
occurs = words.fit_transform(corpus.data)
names, share = words.get_feature_names_out(), np.asarray(occurs.mean(axis=0)).ravel()


def name_of(node):
    members = tree.tree_.members(node)
    more = np.asarray(occurs[members].mean(axis=0)).ravel() - share
    return " ".join(names[more.argsort()[::-1][:2]])


# %%
# The picture
# -----------
# Each branch has the score of its split, with that of the references in brackets. The
# higher, the more evidence there is for the split.

_, ax = plt.subplots(figsize=(9, 8), layout="constrained")
nodes = tree.tree_.leaves()
leaf_names = [f"{name_of(i)} ({tree.tree_.nodes[i].size})" for i in nodes]
ClusterTreeDisplay.from_estimator(
    tree, leaf_names=leaf_names, ax=ax, orientation="left"
)
ax.set_title("Topics of scikit-learn's docstrings")
plt.show()

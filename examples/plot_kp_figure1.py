"""
=================================================
Where to cut a principal component (KP, Figure 1)
=================================================

Figure 1 of Zeimpekis and Gallopoulos [1]_ is a histogram of documents projected on
their first principal component. PDDP cuts it at 0, the mean; a better place is where
2-means of the projections has its optimum (``split="projection-cut"``), or 2-means
of the documents themselves (``"optimal-cut"``).

.. [1] D. Zeimpekis and E. Gallopoulos, "Principal Direction Divisive Partitioning
   with Kernels and k-Means Steering", in Survey of Text Mining II, Springer 2008.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import matplotlib.pyplot as plt
import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from sklearn_kernelclust import PDDP, ClusterTreeDisplay, ProjectionDisplay
from sklearn_kernelclust.datasets import load_docstrings

corpus = load_docstrings()
tfidf = TfidfVectorizer(stop_words="english", min_df=2, sublinear_tf=True)
X = tfidf.fit_transform(corpus.data)

# %%
# The same projections with three cuts, and the objective that each comes to. On these
# documents the differences are small: the mean is not far from the best place.

figure, axes = plt.subplots(
    1, 3, figsize=(12, 3.5), sharey=True, sharex=True, layout="constrained"
)
for ax, split in zip(axes, ("sign", "projection-cut", "optimal-cut")):
    model = PDDP(n_clusters=2, split=split).fit(X)
    ProjectionDisplay.from_estimator(model, X, ax=ax)
    ax.set_title(f"{split}: objective {model.inertia_:.1f}")
plt.show()

# %%
# All cuts make a tree. Each node is at the height of its scatter, and a cluster is
# named by the terms with the largest weights in its mean.

model = PDDP(n_clusters=8, split="optimal-cut").fit(X)
terms = tfidf.get_feature_names_out()


def name(cluster):
    """Size and leading terms of a cluster."""
    weights = np.asarray(X[model.labels_ == cluster].mean(axis=0)).ravel()
    leading = " ".join(terms[weights.argsort()[:-5:-1]])
    return f"{leading} ({(model.labels_ == cluster).sum()})"


figure, ax = plt.subplots(figsize=(9, 4), layout="constrained")
ClusterTreeDisplay.from_estimator(
    model, leaf_names=[name(c) for c in range(8)], orientation="left", ax=ax
)
plt.show()

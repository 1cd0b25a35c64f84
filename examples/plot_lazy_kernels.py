"""
=============================
A lazy kernel in scikit-learn
=============================

A lazy kernel is never formed by this package. To numpy and scikit-learn it is an array:
an estimator that takes ``"precomputed"`` kernels takes it too, and forms the matrix
then.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# The kernel
# ----------
# The cosine of the words of 498 docstrings, in a factored form.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import SpectralClustering
from sklearn.decomposition import KernelPCA
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics import normalized_mutual_info_score, silhouette_score
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

from sklearn_kernelclust import KernelKMeans, PairwiseKernel
from sklearn_kernelclust.datasets import load_docstrings
from sklearn_kernelclust.metrics import kernel_silhouette_score

corpus = load_docstrings()
y, n_clusters = corpus.target, len(corpus.target_names)
gram = make_pipeline(
    TfidfVectorizer(stop_words="english", min_df=2, sublinear_tf=True),
    PairwiseKernel("cosine", lazy=True),
).fit_transform(corpus.data)
print(gram)
print("An entry:", gram[0, 1].round(3), " a part:", gram[:10, :10])

# %%
# A classifier, with cross-validation
# -----------------------------------
# Cross-validation takes rows and columns of the kernel, which stay lazy until they
# reach the classifier.

accuracy = cross_val_score(SVC(kernel="precomputed", C=10), gram, y, cv=3).mean()
print(f"SVC: accuracy {accuracy:.2f}")

# %%
# Clusterers of both packages
# ---------------------------

ours = KernelKMeans(n_clusters, kernel="precomputed", random_state=0).fit(gram)
theirs = SpectralClustering(n_clusters, affinity="precomputed", random_state=0).fit(
    gram
)
for model in (ours, theirs):
    nmi = normalized_mutual_info_score(y, model.labels_)
    print(f"{type(model).__name__:18} NMI {nmi:.2f}")

# %%
# Silhouettes
# -----------
# scikit-learn wants distances, which need the whole matrix. Squared distances come from
# sums over clusters, and the kernel stays lazy. The two agree.

squared = np.maximum(2 - 2 * np.asarray(gram), 0)
np.fill_diagonal(squared, 0)
print(f"{silhouette_score(squared, ours.labels_, metric='precomputed'):.4f}")
print(f"{kernel_silhouette_score(gram, ours.labels_):.4f}")

# %%
# A picture
# ---------

places = KernelPCA(2, kernel="precomputed").fit_transform(gram)
fig, ax = plt.subplots(figsize=(6, 4), layout="constrained")
for module in ("cluster", "linear_model", "metrics", "datasets"):
    inside = y == corpus.target_names.index(f"sklearn.{module}")
    ax.scatter(*places[inside].T, s=12, label=module)
ax.set_title("Kernel principal components of docstrings")
ax.legend()
plt.show()

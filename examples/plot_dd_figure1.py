"""
===================================
A dominated diagonal (DD, Figure 1)
===================================

Figure 1 of Greene and Cunningham [1]_ is a picture of a kernel matrix of documents
of which one sees little more than the diagonal: a document is far more similar to
itself than to any other. The dominance ratio, the mean self-similarity over the mean
similarity of two documents, is 16.5 there.

.. [1] D. Greene and P. Cunningham, "Practical Solutions to the Problem of
   Diagonal Dominance in Kernel Document Clustering", ICML 2006.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import matplotlib.pyplot as plt
from sklearn.feature_extraction.text import TfidfVectorizer

from sklearn_kernelclust import DiagonalShift, GramDisplay, PairwiseKernel
from sklearn_kernelclust.datasets import load_docstrings
from sklearn_kernelclust.metrics import dominance_ratio

corpus = load_docstrings()
X = TfidfVectorizer(stop_words="english", min_df=2).fit_transform(corpus.data)
K = PairwiseKernel("cosine").fit_transform(X)
print(f"{len(K)} documents, dominance ratio {dominance_ratio(K):.1f}")

# %%
# All entries, then only those off the diagonal, with the colours of their own range.
# The documents are ordered by class, so that what is similar makes blocks. These are
# what clustering has to find, and what the diagonal drowns.

classes = [corpus.target_names[c].removeprefix("sklearn.") for c in corpus.target]
figure, (left, right) = plt.subplots(1, 2, figsize=(12, 5), layout="constrained")
GramDisplay.from_kernel(K, classes, diagonal=True, ax=left)
left.set_title("all entries")
GramDisplay.from_kernel(K, classes, ax=right)
right.set_title("without the diagonal")
plt.show()

# %%
# A shift takes the diagonal away, and leaves the blocks as they are. The mean of the
# self-similarities is 0 afterwards, and so is the dominance ratio.

shifted = DiagonalShift().fit_transform(K)
print(f"Dominance ratio after the shift: {abs(dominance_ratio(shifted)):.1f}")

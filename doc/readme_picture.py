"""Draw the picture of README.rst: ``python doc/readme_picture.py``."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from PIL import Image
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.pipeline import make_pipeline

from sklearn_kernelclust import DiagonalShift, GramDisplay, KernelKMeans, PairwiseKernel
from sklearn_kernelclust.datasets import load_docstrings

N_CLUSTERS = 17

documents = np.array(load_docstrings().data, dtype=object)
documents = documents[np.random.default_rng(0).permutation(len(documents))]
tfidf = TfidfVectorizer(stop_words="english", min_df=2, max_df=0.3, sublinear_tf=True)
model = make_pipeline(
    tfidf,
    PairwiseKernel("cosine"),
    DiagonalShift(),
    KernelKMeans(
        N_CLUSTERS, kernel="precomputed", algorithm="hartigan", random_state=0
    ),
).fit(documents)
labels = model[-1].labels_
X, terms = tfidf.transform(documents), tfidf.get_feature_names_out()


def name(cluster):
    """The three terms that set a cluster apart from the others."""
    inside = labels == cluster
    weights = X[inside].mean(axis=0) - X[~inside].mean(axis=0)
    return ", ".join(terms[np.asarray(weights).ravel().argsort()[:-4:-1]])


names = np.array([name(c) for c in range(N_CLUSTERS)])
figure, (left, right) = plt.subplots(1, 2, figsize=(9.6, 3.6), layout="constrained")
K = model[:2].transform(documents)
style = {"colorbar": False, "cmap": "magma", "max_size": 166, "vmin": 0, "vmax": 0.35}
GramDisplay.from_kernel(K, ax=left, **style)
left.set(title=f"{len(documents)} documents, as they come", xlabel="", ylabel="")
GramDisplay.from_kernel(K, names[labels], ax=right, **style)
right.set(title="by the clusters found", xlabel="", ylabel="")
right.yaxis.tick_right()
for ax in (left, right):
    ax.set_xticks([])
left.set_yticks([])

# Few colours make a small file.
figure.canvas.draw()
picture = Image.fromarray(np.asarray(figure.canvas.buffer_rgba())).convert("RGB")
picture.quantize(48).save(Path(__file__).with_name("readme.png"), optimize=True)

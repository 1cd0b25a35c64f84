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


def cluster(documents):
    """A pipeline fitted on the documents."""
    tfidf = TfidfVectorizer(
        stop_words="english", min_df=2, max_df=0.3, sublinear_tf=True
    )
    kmeans = KernelKMeans(
        N_CLUSTERS, kernel="precomputed", algorithm="hartigan", random_state=0
    )
    kernel = PairwiseKernel("cosine")
    return make_pipeline(tfidf, kernel, DiagonalShift(), kmeans).fit(documents)


def top_terms(X, inside, terms):
    """The three terms that distinguish a cluster from the others."""
    weights = X[inside].mean(axis=0) - X[~inside].mean(axis=0)
    return ", ".join(terms[np.asarray(weights).ravel().argsort()[:-4:-1]])


def draw(K, names):
    """The kernel in file order and ordered by cluster, as a figure."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.6, 3.6), layout="constrained")
    style = {"cmap": "magma", "max_size": 166, "vmin": 0, "vmax": 0.35}
    GramDisplay.from_kernel(K, ax=left, colorbar=False, **style)
    left.set(title=f"{len(K)} documents, as they come", xlabel="", ylabel="")
    GramDisplay.from_kernel(K, names, ax=right, colorbar=False, **style)
    right.set(title="by the clusters found", xlabel="", ylabel="")
    right.yaxis.tick_right()
    for ax in (left, right):
        ax.set_xticks([])
    left.set_yticks([])
    return figure


def main():
    documents = np.array(load_docstrings().data, dtype=object)
    documents = documents[np.random.default_rng(0).permutation(len(documents))]
    model = cluster(documents)
    tfidf, labels = model[0], model[-1].labels_
    X, terms = tfidf.transform(documents), tfidf.get_feature_names_out()
    names = [top_terms(X, labels == c, terms) for c in range(N_CLUSTERS)]
    figure = draw(model[:2].transform(documents), np.array(names)[labels])
    figure.canvas.draw()
    picture = Image.fromarray(np.asarray(figure.canvas.buffer_rgba())).convert("RGB")
    # Few colors make a small file.
    picture.quantize(48).save(Path(__file__).with_name("readme.png"), optimize=True)


if __name__ == "__main__":  # pytest looks for doctests here and must not draw
    main()

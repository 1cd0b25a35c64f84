"""Fits of kernel k-means on all splits together against those of the estimator."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from sklearn.datasets import make_blobs

from sklearn_kernelclust import KernelKMeans
from sklearn_kernelclust._gram._stored import DenseGram
from sklearn_kernelclust._model_selection._kernel_splits import labels_of_kernel_kmeans
from sklearn_kernelclust._model_selection._splits import Kernel, Split


def test_labels_are_those_of_the_estimator():
    X = make_blobs(41, 3, centers=4, cluster_std=2, random_state=0)[0]
    K, candidates = X @ X.T, [2, 5]
    splits = [Split.drawn(len(K), len(candidates), seed) for seed in (0, 1)]
    model = KernelKMeans(kernel="precomputed", n_init=2)
    data = Kernel(DenseGram.training(K))
    found = labels_of_kernel_kmeans(model, candidates, data, splits)
    for split, (labels, predicted) in zip(splits, found):
        a, b = split.halves
        for row, k in enumerate(candidates):
            first, second = (
                KernelKMeans(k, kernel="precomputed", n_init=2, random_state=int(seed))
                for seed in split.seeds[row]
            )
            assert np.array_equal(first.fit_predict(K[np.ix_(a, a)]), labels[row][0])
            assert np.array_equal(second.fit_predict(K[np.ix_(b, b)]), labels[row][1])
            assert np.array_equal(second.predict(K[np.ix_(a, b)]), predicted[row][0])
            assert np.array_equal(first.predict(K[np.ix_(b, a)]), predicted[row][1])

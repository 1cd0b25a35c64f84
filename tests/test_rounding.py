"""Labels do not depend on how products are rounded: data full of ties."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from itertools import product

import numpy as np
import pytest
from another_machine import rounded_otherwise
from numpy.testing import assert_array_equal
from sklearn.base import clone

from sklearn_kernelclust import (
    KPDDP,
    BisectingKernelKMeans,
    KernelKMeans,
    KernelPCAKMeans,
    PredictionStrengthK,
    SpectralClustering,
)
from sklearn_kernelclust._divisive._splitters import SPLITS
from sklearn_kernelclust._gram._base import Gram
from sklearn_kernelclust._spectral._label_assignment import ASSIGNMENTS

DATA = {
    "few integers": lambda rng: rng.randint(0, 3, (30, 3)),
    "zeros and ones": lambda rng: rng.randint(0, 2, (40, 6)),
    "a grid": lambda rng: rng.permutation([*product(range(6), range(6))]),
    "copies": lambda rng: np.repeat(rng.uniform(size=(9, 2)), 4, axis=0),
}
KMEANS = {"n_clusters": 4, "n_init": 2, "random_state": 0}
ALGORITHMS = ("lloyd", "hartigan", "split-merge")
LAPLACIANS = ("symmetric", "random-walk", "unnormalized")
MODELS = [
    *(KernelKMeans(**KMEANS, algorithm=algorithm) for algorithm in ALGORITHMS),
    *(KernelKMeans(**KMEANS, init="random", algorithm=name) for name in ALGORITHMS),
    BisectingKernelKMeans(**KMEANS),
    BisectingKernelKMeans(**KMEANS, init="random"),
    *(KPDDP(4, split=split) for split in SPLITS),
    KPDDP(4, n_components=2),
    KernelPCAKMeans(**KMEANS),
    PredictionStrengthK(
        KernelKMeans(n_init=2), n_clusters=[2, 3], n_splits=3, random_state=0
    ),
    *(
        SpectralClustering(**KMEANS, laplacian=laplacian, assign_labels=assignment)
        for laplacian, assignment in product(LAPLACIANS, ASSIGNMENTS)
    ),
]


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("kernel", ["rbf", "linear", "cosine"])
def test_labels_do_not_depend_on_rounding(kernel, data, first_seed, monkeypatch):
    X = 1.0 + DATA[data](np.random.RandomState(first_seed))
    models = [clone(model) for model in MODELS]
    for model in models:
        model.get_params().get("estimator", model).set_params(kernel=kernel)
    expected = [model.fit(X).labels_ for model in models]
    monkeypatch.setattr(Gram, "__matmul__", rounded_otherwise(Gram.__matmul__))
    for model, labels in zip(models, expected):
        assert_array_equal(model.predict(X), labels, err_msg=repr(model))
        assert_array_equal(clone(model).fit_predict(X), labels, err_msg=repr(model))

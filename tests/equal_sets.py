"""Data and pipelines that tests of equalities share."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import cache

import numpy as np
from sklearn import clone
from sklearn.datasets import (
    load_breast_cancer,
    load_digits,
    load_iris,
    load_wine,
    make_blobs,
)
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.pipeline import make_pipeline

from sklearn_kernelclust import (
    KPDDP,
    PDDP,
    BisectingKernelKMeans,
    DiagonalShift,
    EmpiricalKernelMap,
    KernelKMeans,
    KernelPCAKMeans,
    LocalScalingKernel,
    PairwiseKernel,
    PowerMeanNormalizer,
    SpectralClustering,
    SubpolynomialKernel,
)
from sklearn_kernelclust.datasets import load_docstrings


@cache
def texts():
    return load_docstrings().data[::6]


@cache
def data():
    """Features of 60 to 120 objects, by name."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 4))
    sets = {
        "iris": load_iris().data[::2],
        "wine": load_wine().data[::2],
        "breast cancer": load_breast_cancer().data[::5],
        "digits": load_digits().data[:90],
        "docstrings": TfidfVectorizer().fit_transform(texts()).toarray(),
        "duplicates": np.repeat(X, 2, axis=0)[rng.permutation(80)],
        "scaled copies": np.vstack([X, 3 * X, 0.1 * X[:20]]),
        "zero rows": np.vstack([X, np.zeros((12, 4)), X + 2]),
        "integers": rng.integers(-2, 3, size=(80, 3)).astype(float),
        "far blobs": 100 * make_blobs(90, 4, centers=5, random_state=0)[0],
        "offset": rng.normal(size=(80, 3)) + 1e6,
    }
    for X in sets.values():
        X.flags.writeable = False
    return sets


KERNELS = {
    "linear": PairwiseKernel("linear"),
    "cosine": PairwiseKernel("cosine"),
    "rbf": PairwiseKernel("rbf"),
    "scaled rbf": PairwiseKernel("rbf", gamma="scale"),
    "laplacian": PairwiseKernel("laplacian", gamma="scale"),
    "poly": PairwiseKernel("poly", gamma="scale", degree=2),
    "local scaling": LocalScalingKernel(),
    "power mean": PowerMeanNormalizer(1.0, kernel="rbf"),
}
TRANSFORMS = {
    "nothing": [],
    "shift": [DiagonalShift()],
    "power": [SubpolynomialKernel()],
    "map": [EmpiricalKernelMap()],
    "plain map": [EmpiricalKernelMap(normalize=False)],
    "shift, map": [DiagonalShift(), EmpiricalKernelMap()],
    "power, map": [SubpolynomialKernel(), EmpiricalKernelMap()],
    "shift, power": [DiagonalShift(), SubpolynomialKernel()],
    "small shift, map, shift": [
        DiagonalShift(-0.1),
        EmpiricalKernelMap(),
        DiagonalShift(),
    ],
    "map, power, shift": [
        EmpiricalKernelMap(),
        SubpolynomialKernel(0.3),
        DiagonalShift(),
    ],
    "maximum": [PowerMeanNormalizer(np.inf, kernel="precomputed")],
    "cosine, shift, map": [
        PowerMeanNormalizer(kernel="precomputed"),
        DiagonalShift(),
        EmpiricalKernelMap(),
    ],
}
STARTS = {"n_init": 3, "random_state": 0}
CLUSTERERS = {
    "lloyd": KernelKMeans(4, **STARTS),
    "split-merge": KernelKMeans(4, algorithm="split-merge", **STARTS),
    "hartigan": KernelKMeans(4, algorithm="hartigan", **STARTS),
    "bisecting": BisectingKernelKMeans(4, **STARTS),
    "KPDDP": KPDDP(4),
    "KPDDP 2-means": KPDDP(4, split="2-means"),
    "KPDDP optimal": KPDDP(4, split="optimal-cut"),
    "kernel PCA": KernelPCAKMeans(4, **STARTS),
    "spectral": SpectralClustering(4, **STARTS),
    "spectral symmetric": SpectralClustering(4, laplacian="symmetric", **STARTS),
}

FEATURE_CLUSTERERS = CLUSTERERS | {
    "PDDP": PDDP(4),
    "PDDP plane": PDDP(4, n_components=2),
    "PDDP optimal": PDDP(4, split="optimal-cut"),
}
FEATURE_KERNELS = ["linear", "cosine", "rbf", "laplacian", "poly"]


def transforms(kernel, steps, lazy=False):
    """A pipeline from features to a kernel."""
    first = clone(KERNELS[kernel]).set_params(lazy=lazy)
    return clone(make_pipeline(first, *TRANSFORMS[steps]))

"""Kernel transforms, on arrays and on lazy Grams."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from sklearn.metrics import normalized_mutual_info_score
from sklearn.pipeline import make_pipeline

from sklearn_kernelclust import (
    DiagonalShift,
    EmpiricalKernelMap,
    KernelKMeans,
    LocalScalingKernel,
    PairwiseKernel,
    PowerMeanNormalizer,
    SubpolynomialKernel,
)
from suite.data import documents

TRANSFORMS = {
    "shift": DiagonalShift(),
    "subpolynomial": SubpolynomialKernel(),
    "empirical map": EmpiricalKernelMap(),
    "power mean": PowerMeanNormalizer(t=1.0, kernel="precomputed"),
}


class ArraySuite:
    param_names = ["transform", "n_samples"]
    params = (list(TRANSFORMS), [1_000, 3_000])

    def setup(self, transform, n_samples):
        X, _ = documents(n_samples, 10)
        self.K = (X @ X.T).toarray()
        self.transform = TRANSFORMS[transform]

    def time_fit_transform(self, *params):
        self.transform.fit_transform(self.K)

    peakmem_fit_transform = time_fit_transform


class FeaturesSuite:
    param_names = ["transform"]
    params = (["rbf", "power mean", "local scaling"],)

    def setup(self, transform):
        self.X = np.random.RandomState(0).standard_normal((3_000, 50))
        self.transform = {
            "rbf": PairwiseKernel("rbf"),
            "power mean": PowerMeanNormalizer(t=1.0),
            "local scaling": LocalScalingKernel(),
        }[transform]

    def time_fit_transform(self, *params):
        self.transform.fit_transform(self.X)

    peakmem_fit_transform = time_fit_transform


class LazyPipelineSuite:
    param_names = ["transform", "n_samples"]
    params = (["shift", "empirical map"], [1_000, 8_000])

    def setup(self, transform, n_samples):
        self.X, self.y = documents(n_samples, 10)
        cluster = KernelKMeans(10, init="random", n_init=3, random_state=0)
        kernel = PairwiseKernel("cosine", lazy=True)
        self.pipeline = make_pipeline(kernel, TRANSFORMS[transform], cluster)

    def time_fit(self, *params):
        self.pipeline.fit(self.X)

    peakmem_fit = time_fit

    def track_nmi(self, *params):
        labels = self.pipeline.fit_predict(self.X)
        return normalized_mutual_info_score(self.y, labels)

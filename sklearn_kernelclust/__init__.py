"""Clustering with kernels, in the manner of scikit-learn."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_kernelclust import metrics
from sklearn_kernelclust._bisecting_kernel_kmeans import BisectingKernelKMeans
from sklearn_kernelclust._feature_kernels import PairwiseKernel
from sklearn_kernelclust._kernel_kmeans import KernelKMeans
from sklearn_kernelclust._kernel_pca_kmeans import KernelPCAKMeans
from sklearn_kernelclust._kernel_transforms import (
    DiagonalShift,
    EmpiricalKernelMap,
    SubpolynomialKernel,
)
from sklearn_kernelclust._kpddp import KPDDP
from sklearn_kernelclust._local_scaling import LocalScalingKernel
from sklearn_kernelclust._pddp import PDDP
from sklearn_kernelclust._power_mean import PowerMeanNormalizer
from sklearn_kernelclust._prediction_strength import PredictionStrengthK
from sklearn_kernelclust._prototypes import PrototypeReducer
from sklearn_kernelclust._spectral import SpectralClustering
from sklearn_kernelclust._string_kernels import StringKernel

__all__ = [
    "KPDDP",
    "PDDP",
    "BisectingKernelKMeans",
    "DiagonalShift",
    "EmpiricalKernelMap",
    "KernelKMeans",
    "KernelPCAKMeans",
    "LocalScalingKernel",
    "PairwiseKernel",
    "PowerMeanNormalizer",
    "PredictionStrengthK",
    "PrototypeReducer",
    "SpectralClustering",
    "StringKernel",
    "SubpolynomialKernel",
    "metrics",
]
__version__ = "0.1.0.dev0"

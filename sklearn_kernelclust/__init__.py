"""Clustering with kernels, in the manner of scikit-learn."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_kernelclust import metrics
from sklearn_kernelclust._bisecting_kernel_kmeans import BisectingKernelKMeans
from sklearn_kernelclust._display_gram import GramDisplay
from sklearn_kernelclust._display_prediction_strength import PredictionStrengthDisplay
from sklearn_kernelclust._display_projection import ProjectionDisplay
from sklearn_kernelclust._display_reassignments import ReassignmentDisplay
from sklearn_kernelclust._display_spectrum import SpectrumDisplay
from sklearn_kernelclust._display_tree import ClusterTreeDisplay
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
    "ClusterTreeDisplay",
    "DiagonalShift",
    "EmpiricalKernelMap",
    "GramDisplay",
    "KernelKMeans",
    "KernelPCAKMeans",
    "LocalScalingKernel",
    "PairwiseKernel",
    "PowerMeanNormalizer",
    "PredictionStrengthDisplay",
    "PredictionStrengthK",
    "ProjectionDisplay",
    "PrototypeReducer",
    "ReassignmentDisplay",
    "SpectralClustering",
    "SpectrumDisplay",
    "StringKernel",
    "SubpolynomialKernel",
    "metrics",
]
__version__ = "0.1.0.dev0"

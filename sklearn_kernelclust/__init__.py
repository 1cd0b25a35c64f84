"""Kernel clustering for scikit-learn users."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_kernelclust import datasets, gram, metrics
from sklearn_kernelclust._displays._gram import GramDisplay
from sklearn_kernelclust._displays._prediction_strength import PredictionStrengthDisplay
from sklearn_kernelclust._displays._projection import ProjectionDisplay
from sklearn_kernelclust._displays._reassignments import ReassignmentDisplay
from sklearn_kernelclust._displays._spectrum import SpectrumDisplay
from sklearn_kernelclust._displays._tree import ClusterTreeDisplay
from sklearn_kernelclust._divisive._bisecting_kernel_kmeans import BisectingKernelKMeans
from sklearn_kernelclust._divisive._kpddp import KPDDP
from sklearn_kernelclust._divisive._pddp import PDDP
from sklearn_kernelclust._kernels._distance_kernel import DistanceKernel
from sklearn_kernelclust._kernels._kernel_union import KernelUnion
from sklearn_kernelclust._kernels._local_scaling import LocalScalingKernel
from sklearn_kernelclust._kernels._pairwise_kernel import PairwiseKernel
from sklearn_kernelclust._kernels._power_mean import PowerMeanNormalizer
from sklearn_kernelclust._kernels._transforms import (
    DiagonalShift,
    EmpiricalKernelMap,
    SubpolynomialKernel,
)
from sklearn_kernelclust._kmeans._kernel_kmeans import KernelKMeans
from sklearn_kernelclust._model_selection._inductive import InductiveClusterer
from sklearn_kernelclust._model_selection._prediction_strength import (
    PredictionStrengthK,
)
from sklearn_kernelclust._model_selection._prediction_strength_tree import (
    PredictionStrengthTree,
)
from sklearn_kernelclust._model_selection._prototypes import PrototypeReducer
from sklearn_kernelclust._spectral._kernel_pca_kmeans import KernelPCAKMeans
from sklearn_kernelclust._spectral._spectral_clustering import SpectralClustering
from sklearn_kernelclust._strings._string_kernel import StringKernel

__all__ = [
    "KPDDP",
    "PDDP",
    "BisectingKernelKMeans",
    "ClusterTreeDisplay",
    "DiagonalShift",
    "DistanceKernel",
    "EmpiricalKernelMap",
    "GramDisplay",
    "InductiveClusterer",
    "KernelKMeans",
    "KernelPCAKMeans",
    "KernelUnion",
    "LocalScalingKernel",
    "PairwiseKernel",
    "PowerMeanNormalizer",
    "PredictionStrengthDisplay",
    "PredictionStrengthK",
    "PredictionStrengthTree",
    "ProjectionDisplay",
    "PrototypeReducer",
    "ReassignmentDisplay",
    "SpectralClustering",
    "SpectrumDisplay",
    "StringKernel",
    "SubpolynomialKernel",
    "datasets",
    "gram",
    "metrics",
]
__version__ = "0.1.0.dev0"

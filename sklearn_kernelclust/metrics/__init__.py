"""Measures of kernels and of partitions."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_kernelclust.metrics._kernel import dominance_ratio, kernel_inertia
from sklearn_kernelclust.metrics._partition import (
    average_nmi,
    conditional_entropy_score,
    matched_confusion_matrix,
    recall_rate,
    variation_of_information,
)
from sklearn_kernelclust.metrics._prediction import (
    partition_similarity_score,
    prediction_strength_score,
    prediction_strength_scorer,
)
from sklearn_kernelclust.metrics._silhouette import (
    kernel_silhouette_samples,
    kernel_silhouette_score,
)

__all__ = [
    "average_nmi",
    "conditional_entropy_score",
    "dominance_ratio",
    "kernel_inertia",
    "kernel_silhouette_samples",
    "kernel_silhouette_score",
    "matched_confusion_matrix",
    "partition_similarity_score",
    "prediction_strength_score",
    "prediction_strength_scorer",
    "recall_rate",
    "variation_of_information",
]

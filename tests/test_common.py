"""Every estimator through scikit-learn's own checks."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import clusterings
import pytest
from sklearn.utils import estimator_checks
from sklearn.utils.estimator_checks import parametrize_with_checks

import sklearn_kernelclust
from sklearn_kernelclust import (
    KPDDP,
    PDDP,
    BisectingKernelKMeans,
    DiagonalShift,
    DistanceKernel,
    EmpiricalKernelMap,
    InductiveClusterer,
    KernelKMeans,
    KernelPCAKMeans,
    KernelUnion,
    LocalScalingKernel,
    PairwiseKernel,
    PowerMeanNormalizer,
    PredictionStrengthK,
    PredictionStrengthTree,
    PrototypeReducer,
    SpectralClustering,
    StringKernel,
    SubpolynomialKernel,
)

TRANSFORMERS = [
    DiagonalShift(),
    DiagonalShift(sigma=1.0),
    DistanceKernel(),
    DistanceKernel("cosine", kind="laplacian"),
    DistanceKernel("cityblock", kind="centered"),
    EmpiricalKernelMap(),
    EmpiricalKernelMap(normalize=False),
    KernelUnion([("rbf", PairwiseKernel("rbf")), ("linear", PairwiseKernel())]),
    KernelUnion([("rbf", PairwiseKernel("rbf"))], combine="product"),
    LocalScalingKernel(),
    LocalScalingKernel(metric="cosine"),
    PairwiseKernel(),
    PairwiseKernel(kernel="rbf"),
    PairwiseKernel(kernel="precomputed"),
    PowerMeanNormalizer(),
    PowerMeanNormalizer(t=1.0, kernel="rbf"),
    PowerMeanNormalizer(t=1.0, kernel="precomputed"),
    SubpolynomialKernel(),
]
CLUSTERERS = [
    KernelKMeans(n_init=2),
    KernelKMeans(n_init=2, kernel="linear", algorithm="split-merge"),
    KernelKMeans(n_init=2, algorithm="hartigan"),
    KernelKMeans(n_init=2, kernel="precomputed"),
    KernelKMeans(n_init=2, kernel="precomputed", algorithm="split-merge"),
    KernelKMeans(n_init=2, kernel="precomputed", algorithm="hartigan"),
]

# Their checks are in tests of their own; checks of output and names are here.
OTHERS = [
    BisectingKernelKMeans(n_init=2),
    KPDDP(),
    KernelPCAKMeans(n_init=2),
    PDDP(),
    PrototypeReducer(),
    SpectralClustering(n_init=2),
]
# StringKernel takes strings, which these checks do not have; the others need a
# clusterer and transform nothing.
WITHOUT_OUTPUT_CHECKS = {
    StringKernel,
    InductiveClusterer,
    PredictionStrengthK,
    PredictionStrengthTree,
}

# What these checks do on purpose: names on one side only, duplicates, one
# iteration too few, objects without a direction.
pytestmark = [
    pytest.mark.filterwarnings("ignore:X does not have valid feature names"),
    pytest.mark.filterwarnings("ignore:X has feature names"),
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    pytest.mark.filterwarnings("ignore:.*objects have self-similarity 0"),
]

SEEDS = "the seeds depend on the number of samples, as in scikit-learn's KMeans"
NEGATIVE = "of kernels only a negative diagonal is refused, which the check makes"
UNKNOWN = "k(y, y) of new rows is not in a precomputed block of a linear kernel"


def expected_failed_checks(estimator):
    failed = {}
    if isinstance(estimator, KernelKMeans):
        weights = "check_sample_weight_equivalence_on_{}_data"
        failed |= {weights.format(kind): SEEDS for kind in ("dense", "sparse")}
        failed |= clusterings.expected_failed_checks(estimator)
    if isinstance(estimator, PowerMeanNormalizer) and estimator.kernel == "precomputed":
        failed["check_fit_idempotent"] = UNKNOWN
        failed["check_positive_only_tag_during_fit"] = NEGATIVE
    return failed


@parametrize_with_checks(
    TRANSFORMERS + CLUSTERERS, expected_failed_checks=expected_failed_checks
)
def test_estimators(estimator, check):
    check(estimator)


CHECKS = [
    "check_dataframe_column_names_consistency",
    "check_inplace_ensure_writeable",
]
# Of what has transform.
OUTPUT_CHECKS = [
    "check_get_feature_names_out_error",
    "check_global_output_transform_pandas",
    "check_global_set_output_transform_polars",
    "check_set_output_transform",
    "check_set_output_transform_pandas",
    "check_set_output_transform_polars",
    "check_transformer_get_feature_names_out",
    "check_transformer_get_feature_names_out_pandas",
]
# Of each class the first: names hardly depend on parameters.
FIRST = {type(e): e for e in reversed(TRANSFORMERS + CLUSTERERS + OTHERS)}


@pytest.mark.parametrize(
    "estimator, name",
    [
        pytest.param(
            estimator,
            name,
            id=f"{estimator!r}-{name}",
            marks=[pytest.mark.slow] * (estimator is not FIRST[type(estimator)]),
        )
        for estimator in TRANSFORMERS + CLUSTERERS + OTHERS
        for name in CHECKS + OUTPUT_CHECKS * hasattr(estimator, "transform")
    ],
)
def test_output_and_names(estimator, name):
    check = getattr(estimator_checks, name, None)
    if check is None:
        pytest.skip(f"{name} is not in this scikit-learn")
    check(type(estimator).__name__, estimator)


def test_every_estimator_is_checked():
    public = [getattr(sklearn_kernelclust, n) for n in sklearn_kernelclust.__all__]
    estimators = {c for c in public if hasattr(c, "fit")}
    checked = set(map(type, TRANSFORMERS + CLUSTERERS + OTHERS))
    assert checked | WITHOUT_OUTPUT_CHECKS == estimators

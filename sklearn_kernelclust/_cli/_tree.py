"""Grow a tree of topics."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn.base import clone
from sklearn.pipeline import Pipeline

from sklearn_kernelclust import EmpiricalKernelMap, PredictionStrengthTree
from sklearn_kernelclust._cli._progress import progress


def grow(plan, kernels, options):
    """Fit the tree. Return the whole pipeline, whose last step it is.

    Parameters
    ----------
    plan : Plan
        The steps that the options ask for.
    kernels : Kernels
        Kernels of the documents.
    options : Namespace
        With `k_range`, `depth`, `seed`, `jobs`, and what `progress` needs.
    """
    shifted = kernels.shifted is not kernels.plain
    steps = [(name, clone(step)) for name, step in kernels.steps[plan.n_once :]]
    if shifted:
        steps.append(("map", EmpiricalKernelMap()))
    steps.append(("cluster", plan.clusterer(2, shifted)))
    tree = PredictionStrengthTree(
        Pipeline(steps),
        n_clusters=list(options.k_range),
        max_depth=options.depth,
        n_jobs=options.jobs,
        random_state=options.seed,
    )
    with progress("Finding topics", tree, options=options):
        tree.fit(kernels.start)
    return Pipeline([*kernels.steps[: plan.n_once], ("tree", tree)])

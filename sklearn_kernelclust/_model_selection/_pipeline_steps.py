"""From a pipeline and its input to what is split: the kernel, or the features."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from collections.abc import Iterator

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags

from sklearn_kernelclust._gram._base import Gram
from sklearn_kernelclust._gram._checks import as_gram, check_kernel
from sklearn_kernelclust._kernels._base import KernelMatrixMixin, KernelMixin
from sklearn_kernelclust._kernels._metric import check_distances
from sklearn_kernelclust._kmeans._kernel_kmeans import KernelKMeans
from sklearn_kernelclust._model_selection._prototypes import PrototypeReducer
from sklearn_kernelclust._model_selection._splits import (
    Features,
    Kernel,
    Transformed,
)
from sklearn_kernelclust._utils._sklearn import _num_samples, check_params
from sklearn_kernelclust._utils._validation import refuse_dask

# About as many columns as all splits multiply the kernel of one by.
COLUMNS = 20


class Steps:
    """The steps of a pipeline, or a single estimator, and one of its parameters.

    A pipeline within the pipeline counts as one step. The last step cannot be a
    pipeline: its kernel would not be found.

    Parameters
    ----------
    estimator : estimator object
        It is cloned.
    param : str
        Name of the parameter. If the pipeline has none of this name, it is a
        parameter of the last step.
    """

    def __init__(self, estimator, param):
        estimator = clone(estimator)
        self.steps, self.memory = [("", estimator)], None
        if isinstance(estimator, Pipeline):
            skipped = "passthrough", None
            self.steps = [step for step in estimator.steps if step[1] not in skipped]
            self.memory = estimator.memory
            check_flat(self.steps)
        self.param = self._full_name(estimator, param)

    def _full_name(self, estimator, param):
        names = estimator.get_params(deep=True)
        last = self.steps[-1][0]
        inner = f"estimator__{param}"  # of an InductiveClusterer
        for name in (param, f"{last}__{param}", inner, f"{last}__{inner}"):
            if name in names:
                return name
        raise ValueError(
            f"param_name={param!r} is no parameter of {type(estimator).__name__}; it "
            f"has {', '.join(sorted(name for name in names if '__' not in name))}."
        )

    def takes_kernel(self):
        """Whether the first step takes a kernel matrix."""
        return takes_kernel(self.steps[0][1])

    def pop_first(self, n):
        """Remove the first `n` steps and return them as one transformer."""
        removed, self.steps = self.steps[:n], self.steps[n:]
        self._check_owner()
        return Pipeline(removed, memory=self.memory)

    def pop_before(self):
        """Remove the steps before the parameter's own; None if there are none.

        No value of the parameter changes what they do.
        """
        n = [name for name, _ in self.steps].index(self._check_owner())
        return self.pop_first(n) if n else None

    def pop_kernel(self, X):
        """Remove the steps that make a kernel of X, and return their result.

        Returns the Gram and whether it was an array, or None if no step makes a
        kernel.
        """
        n = self.n_to_kernel()
        if n:
            K = self.pop_first(n).fit_transform(X)
            return as_gram(K), not isinstance(K, Gram)
        name, last = self.steps[-1]
        if not isinstance(last, KernelMixin) or takes_kernel(last):
            return None
        check_params(last)
        if len(self.steps) > 1:
            X = self.pop_first(len(self.steps) - 1).fit_transform(X)
        gram, _ = last._training_gram(X)
        self.steps = [(name, clone(last).set_params(kernel="precomputed"))]
        return gram, False

    def remaining(self):
        """The remaining steps as one estimator, and the name of its parameter."""
        owner = self._check_owner()
        if len(self.steps) > 1:
            return Pipeline(self.steps, memory=self.memory), self.param
        return self.steps[0][1], self.param.removeprefix(f"{owner}__")

    def n_to_kernel(self):
        """Number of steps before the first that takes a kernel; 0 if none does."""
        for i, (_, step) in enumerate(self.steps):
            if takes_kernel(step):
                return i
        return 0

    def n_on_kernels(self):
        """Number of steps from kernel to kernel, before the parameter's own."""
        n, owner = 0, self._owner()
        while n < len(self.steps) - 1 and self.steps[n][0] != owner:
            if not (
                takes_kernel(self.steps[n + 1][1])
                or is_kernel_transform(self.steps[n][1])
            ):
                break
            n += 1
        return n

    def _owner(self):
        """Name of the step that has the parameter, None if it was removed."""
        for name, _ in self.steps:
            if not name or self.param.startswith(f"{name}__"):
                return name
        return None

    def _check_owner(self):
        owner = self._owner()
        if owner is None:
            raise ValueError(
                f"The parameter {self.param!r} is that of a step before the kernel, "
                "which is fitted once: only later steps can be tried with several "
                "values."
            )
        return owner


def check_flat(steps):
    """Refuse a pipeline as last step of a pipeline."""
    name, last = steps[-1]
    if isinstance(last, Pipeline):
        raise ValueError(
            f"The last step {name!r} is a pipeline of {len(last.steps)} steps: put "
            "these into the outer pipeline instead."
        )


def takes_kernel(step):
    """Whether a step expects a kernel matrix."""
    return get_tags(step).input_tags.pairwise


def takes_distances(step):
    """Whether a step expects a matrix of distances, itself or for its clusterer."""
    params = step.get_params(deep=False)
    if hasattr(params.get("estimator"), "get_params"):
        params = params["estimator"].get_params(deep=False)
    metric = params.get("metric")
    return isinstance(metric, str) and metric == "precomputed"


def refuse_distances(step, what):
    """Refuse a step that expects distances where only a kernel can be used."""
    if takes_distances(step):
        raise ValueError(
            f"{what} takes a kernel, and {type(step).__name__} with "
            "metric='precomputed' takes distances: make a kernel of them first, with "
            "DistanceKernel('precomputed').fit_transform(D)."
        )


def is_kernel_transform(step):
    """Whether a step of this package turns a kernel into a kernel."""
    return isinstance(step, KernelMatrixMixin) and not isinstance(
        step, PrototypeReducer
    )


def prepared(chooser, X):
    """The model, its parameter, the data to split, and the number of objects.

    Steps that make a kernel of X, or transform it, are fitted here on all objects.
    """
    steps = Steps(chooser.estimator, chooser.param_name)
    gram = as_array = None
    if steps.takes_kernel() or isinstance(X, Gram):
        gram, as_array = given_kernel(chooser, steps.steps[0][1], X)
    elif chooser.reduction_rate is not None or type(chooser.estimator) is KernelKMeans:
        gram, as_array = kernel_of(chooser, steps, X)
    if gram is None:
        data, n_samples = Features(X), _num_samples(X)
    else:
        data = transformed_kernel(chooser, steps, gram, as_array)
        n_samples = data.gram.shape[0]
    check_n_samples(chooser, n_samples)
    before = steps.pop_before()
    data = data if before is None else Transformed(data, before)
    return *steps.remaining(), data, n_samples


def given_kernel(chooser, step, X):
    """The kernel or the distances that X is, and whether it is an array."""
    if chooser.reduction_rate is not None:
        refuse_distances(step, f"reduction_rate={chooser.reduction_rate}")
    if takes_distances(step):
        return check_distances(chooser, X, reset=True), not isinstance(X, Gram)
    # Sparse input is refused now, not by the refit after all the work.
    sparse = "csr" if get_tags(chooser).input_tags.sparse else False
    gram = check_kernel(chooser, X, reset=True, accept_sparse=sparse)
    return gram, not isinstance(X, Gram)


def transformed_kernel(chooser, steps, gram, as_array):
    """The kernel, of prototypes if asked for, after the steps on kernels."""
    if chooser.reduction_rate is not None:
        rate, n_neighbors = chooser.reduction_rate, chooser.n_neighbors
        reducer = PrototypeReducer(rate, n_neighbors=n_neighbors)
        gram = reducer.fit(gram).reduced_gram_
    n = steps.n_on_kernels()
    if n:
        K = gram.toarray() if as_array else gram
        gram = as_gram(steps.pop_first(n).fit_transform(K))
    return Kernel(gram.stored(COLUMNS), as_array)


def kernel_of(chooser, steps, X):
    """The kernel that the steps make of X, and whether it was an array."""
    kernel = steps.pop_kernel(X)
    if kernel is None:
        raise ValueError(
            f"reduction_rate={chooser.reduction_rate} needs a kernel, and "
            f"{type(chooser.estimator).__name__} has none: pass a kernel matrix, put "
            "a PairwiseKernel in front, or use reduction_rate=None."
        )
    return kernel


def check_candidates(n_clusters):
    """The numbers of clusters, each once, in ascending order."""
    candidates = np.atleast_1d(np.asarray(n_clusters))
    if candidates.size == 0:
        raise ValueError("n_clusters must hold at least one number of clusters.")
    if candidates.ndim != 1 or candidates.dtype.kind not in "iu":
        raise ValueError(f"n_clusters must hold integers, got {n_clusters!r}.")
    if candidates.min() < 1:
        raise ValueError(f"n_clusters must be at least 1, got {candidates.min()}.")
    return np.unique(candidates).astype(np.int64)


def check_not_iterator(X):
    """Refuse an iterator: the work would use it up, and the refit find nothing.

    And a dask array, whose rows nobody can take at random without much traffic.
    """
    refuse_dask("Prediction strength", X)
    if isinstance(X, Iterator):
        raise TypeError(
            f"X is a {type(X).__name__}, which can be read only once: pass list(X)."
        )


def check_predicts(estimator):
    """Refuse a clusterer that cannot predict, and name some that can."""
    if not hasattr(estimator, "predict"):
        raise TypeError(
            "Prediction strength predicts one half by the other, and "
            f"{type(estimator).__name__} has no predict. To give it one, use "
            f"InductiveClusterer({type(estimator).__name__}(...)); or take a clusterer "
            "that has it, such as KernelKMeans, SpectralClustering of this package, or "
            "KMeans."
        )


def check_n_samples(chooser, n_samples):
    """Refuse fewer objects than make two halves of two."""
    if n_samples < 4:
        raise ValueError(
            f"Two halves need at least 4 objects, got n_samples={n_samples}"
            f"{' prototypes' if chooser.reduction_rate else ''}."
        )

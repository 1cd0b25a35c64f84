"""Objects of the nodes of a tree, and the model that is fitted inside each node."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np
from scipy.sparse import issparse
from sklearn.base import clone
from sklearn.feature_extraction.text import (
    CountVectorizer,
    TfidfTransformer,
    TfidfVectorizer,
)
from sklearn.pipeline import Pipeline

from sklearn_kernelclust._gram._base import Gram
from sklearn_kernelclust._gram._checks import as_gram
from sklearn_kernelclust._gram._stored import DenseGram
from sklearn_kernelclust._kmeans._kernel_kmeans import KernelKMeans
from sklearn_kernelclust._model_selection._pipeline_steps import (
    Steps,
    refuse_distances,
    takes_kernel,
)
from sklearn_kernelclust._model_selection._references import reference_sampler
from sklearn_kernelclust._model_selection._splits import (
    Features,
    Kernel,
    seeded,
)
from sklearn_kernelclust._utils._sklearn import _num_samples, _safe_indexing


class Objects:
    """Training objects, or new ones: anything that can be indexed by row.

    Parameters
    ----------
    X : array-like, sparse matrix, sequence or Gram
        Features, texts, or similarities to the training objects.
    is_kernel : bool
        Whether the columns of `X` are training objects.
    """

    def __init__(self, X, *, is_kernel):
        # Not every sparse format can be indexed.
        self.X = X.tocsr() if issparse(X) else X
        self.is_kernel = is_kernel or isinstance(X, Gram)
        if self.is_kernel and not hasattr(X, "shape"):
            self.X = np.asarray(X)
        n_columns = self.X.shape[1] if self.is_kernel else None
        self.shape = _num_samples(X), n_columns

    def restrict(self, rows, columns):
        """Some of the objects, for a model of the training objects `columns`."""
        if isinstance(self.X, Gram):
            return self.X.restrict(rows, columns)
        X = self.X
        if not isinstance(rows, slice):
            X = _safe_indexing(X, rows)
        if not self.is_kernel or len(columns) == self.shape[1]:
            return X
        return _safe_indexing(X, columns, axis=1)


class FeatureSources(Features):
    """Several sets of features; a split says which of them it is of."""

    def __init__(self, sources):
        super().__init__(sources[0].X)
        self.sources = sources

    def halves(self, split):
        """Both halves to fit on, and both as input to the other's `predict`."""
        return self.sources[split.source].halves(split)


class KernelSources(Kernel):
    """Several Grams of one size; a split says which of them it is of."""

    def __init__(self, sources):
        super().__init__(sources[0].gram, sources[0].as_array)
        self.sources = sources

    def halves(self, split):
        """Both halves to fit on, and both as input to the other's `predict`."""
        return self.sources[split.source].halves(split)

    def grams(self, split):
        """The same as Grams, whatever users gave."""
        return self.sources[split.source].grams(split)


def taken_apart(estimator):
    """What counts the terms of texts, and the estimator that takes the counts.

    The terms are counted once for all nodes; their weights differ from node to node.

    Returns
    -------
    counter : transformer or None
        None if the estimator is no pipeline that begins with a vectorizer.
    estimator : estimator object
        The remaining steps.
    """
    if not isinstance(estimator, Pipeline) or len(estimator.steps) < 2:
        return None, estimator
    (name, first), *rest = estimator.steps
    if type(first) is CountVectorizer:
        return clone(first), Pipeline(rest, memory=estimator.memory)
    if type(first) is not TfidfVectorizer:
        return None, estimator
    counting, weighting = CountVectorizer(), TfidfTransformer()
    params = first.get_params()
    for step in (counting, weighting):
        step.set_params(**{n: params[n] for n in step.get_params() if n != "dtype"})
    return counting, Pipeline([(name, weighting), *rest], memory=estimator.memory)


@dataclass
class NodeModel:
    """The estimator of the nodes, and how to score it.

    Attributes
    ----------
    estimator : estimator object
        Clusterer or pipeline; it is cloned.
    param_name : str
        Name of the number of clusters, as in `PredictionStrengthK`.
    n_init : int or None
        Number of starts while it is scored; None for its own.
    """

    estimator: object
    param_name: str
    n_init: int | None

    def __post_init__(self):
        first = Steps(self.estimator, self.param_name).steps[0][1]
        refuse_distances(first, "A tree")

    def fitted(self, X, k, seed):
        """A model of `k` clusters."""
        model = seeded(clone(self.estimator), seed, only_unset=True)
        model.set_params(**{Steps(self.estimator, self.param_name).param: k})
        with np.errstate(divide="ignore"):  # by 0 documents that have a term
            model.fit(X)
        ignore_unknown_terms(model)
        return model

    def sources(self, X, n_references, draw, seeds):
        """The clusterer, its parameter, and what it is scored on.

        Parameters
        ----------
        X : array-like, sparse matrix, sequence or Gram
            Objects of a node.
        n_references : int
            Number of references.
        draw : callable or None
            ``draw(X, rng)`` draws a reference; None for one that suits the data.
        seeds : sequence of int
            Seed of the steps before the clusterer, then those of the references.

        Returns
        -------
        model : estimator object
        param : str
        sources : KernelSources or FeatureSources
            The objects, then the references, after the steps before the clusterer,
            which are fitted on each of them.
        """
        steps = Steps(self.estimator, self.param_name)
        inputs = [as_numbers(steps, X)]
        if n_references:
            inputs += references(steps, X, inputs[0], n_references, draw, seeds[1:])
        before = steps.pop_before()
        if before is not None:
            seeded(before, seeds[0])
            inputs = [clone(before).fit_transform(X) for X in inputs]
        model, param = steps.remaining()
        if self.n_init is not None and "n_init" in model.get_params():
            model.set_params(n_init=self.n_init)
        return as_sources(model, param, inputs)


def ignore_unknown_terms(model):
    """Give no weight to terms that no document of a fitted model has.

    Without `smooth_idf` it would be infinite: a part of the documents has not all
    terms, and a new document may have one that only other parts have.
    """
    for step in model.get_params(deep=True).values():
        if isinstance(step, TfidfTransformer) and hasattr(step, "idf_"):
            step.idf_[np.isinf(step.idf_)] = 0


def as_numbers(steps, X):
    """X after as many steps as make numbers of it; these steps are removed."""
    while not (isinstance(X, Gram) or is_numeric(X)) and len(steps.steps) > 1:
        X = steps.pop_first(1).fit_transform(X)
    return X


def is_numeric(X):
    """Whether X is a matrix of numbers."""
    if issparse(X):
        return True
    return is_matrix(X) and np.asarray(X).dtype.kind in "fiub"


def is_matrix(X):
    """Whether X has two dimensions."""
    try:
        return np.ndim(X) == 2
    except ValueError:  # lists of different lengths
        return False


def references(steps, given, numbers, n_references, draw, seeds):
    """References of the numbers that the first steps make of the given objects."""
    if draw is None:
        first = steps.steps[0][1]
        is_kernel = isinstance(numbers, Gram) or takes_kernel(first)
        if not (is_kernel or is_matrix(numbers)):
            raise TypeError(
                f"References cannot be drawn of objects for {type(first).__name__}, "
                "only of numbers and kernels: put the kernel in front, as "
                "make_pipeline(PairwiseKernel(...), KernelKMeans(kernel="
                "'precomputed')), or draw them by a callable threshold."
            )
        sampler = reference_sampler(numbers, first, is_kernel=is_kernel)
    else:
        sampler = checked(draw, numbers)
    return [sampler(np.random.RandomState(seed)) for seed in seeds[:n_references]]


def checked(draw, X):
    """A sampler of the user's own, whose references have as many objects."""

    def sampler(rng):
        reference = draw(X, rng)
        n_drawn, n_samples = _num_samples(reference), _num_samples(X)
        if n_drawn != n_samples:
            raise ValueError(
                f"threshold drew a reference of {n_drawn} objects for {n_samples}: it "
                "must return as many as it is given."
            )
        return reference

    return sampler


def as_sources(model, param, inputs):
    """Kernels where there are any; those of k-means are evaluated once."""
    if type(model) is KernelKMeans and param == "n_clusters":
        grams = [clone(model)._training_gram(X)[0] for X in inputs]
        model = clone(model).set_params(kernel="precomputed")
        return model, param, KernelSources([Kernel(stored(gram)) for gram in grams])
    if isinstance(inputs[0], Gram) or takes_kernel(model):
        as_array = not isinstance(inputs[0], Gram)
        kernels = [Kernel(as_gram(K), as_array) for K in inputs]
        return model, param, KernelSources(kernels)
    return model, param, FeatureSources([Features(X) for X in inputs])


def stored(gram):
    """The Gram as an array: the objects of a node that are scored are few."""
    diagonal = gram.diagonal()
    return DenseGram(gram.toarray(), diagonal, diagonal, symmetric=True)

"""Dispersion within the clusters, against that of data without clusters.

This is the gap statistic. Two groups far apart on a line are predicted perfectly, but
so are the halves of a line without a gap: prediction strength cannot tell these two
apart, and the dispersion can.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.sparse import issparse
from sklearn.base import clone

from sklearn_kernelclust._gram._cluster_sums import indicator
from sklearn_kernelclust._kmeans._batched_fits import fit_each_k
from sklearn_kernelclust._model_selection._splits import (
    Kernel,
    clustered,
    seeded,
    share_products,
)
from sklearn_kernelclust._utils._threads import one_openmp_thread

# Number of starts, of estimators that have starts.
N_STARTS = 3

# A dispersion that is smaller, relative to that of one cluster, is rounding.
SMALLEST = 1e-12


def gap_statistic(model, param, candidates, data, seed):
    """Gaps of the numbers of clusters, and their standard errors.

    Parameters
    ----------
    model : estimator object
        Clusterer.
    param : str
        Name of the number of clusters.
    candidates : sequence of int
        Numbers of clusters.
    data : KernelSources or FeatureSources
        The data, then the references.
    seed : int
        Of all fits.

    Returns
    -------
    gap, error : ndarray of shape (n_candidates,)
        The gap is the mean log dispersion of the references less that of the data,
        relative to one cluster. NaN where a dispersion is not positive, as on some
        indefinite kernels.
    """
    if "n_init" in model.get_params():
        model = clone(model).set_params(n_init=N_STARTS)
    if share_products(model, param, data):
        shares = _shares_of_kernels(model, candidates, data, seed)
    else:
        models = [clone(model).set_params(**{param: k}) for k in candidates]
        with one_openmp_thread():
            shares = [_shares(models, source, seed) for source in data.sources]
    logs = np.log(np.maximum(shares, SMALLEST))
    n_references = len(logs) - 1
    error = logs[1:].std(axis=0, ddof=1) * np.sqrt(1 + 1 / n_references)
    return logs[1:].mean(axis=0) - logs[0], error


def _shares_of_kernels(model, candidates, data, seed):
    """Share of the dispersion that is left in clusters, a row for each source."""
    grams = [source.gram for source in data.sources]
    seeds = np.full((len(grams), len(candidates)), seed)
    fits = fit_each_k(model, list(candidates), grams, seeds)
    left = np.array([[run.objective for run in runs] for runs in fits])
    return relative(left, np.array([[one_cluster(gram)] for gram in grams]))


def one_cluster(gram):
    """Squared distances of all objects to their mean, summed."""
    total = (gram @ np.ones((gram.shape[0], 1))).sum()
    return float(gram.diagonal().sum() - total / gram.shape[0])


def relative(left, whole):
    """Share of the dispersion that is left, NaN if there is none to begin with."""
    shares = np.full(np.shape(left), np.nan)
    return np.divide(left, whole, out=shares, where=whole > 0)


def _shares(models, source, seed):
    """The same for one source, and clusterers of any kind."""
    if isinstance(source, Kernel):
        X = K = source.gram.toarray()
    else:
        X = source.X
        K = X @ X.T if issparse(X) else np.asarray(X) @ np.asarray(X).T
        K = K.toarray() if issparse(K) else K
    partitions = [clustered(seeded(clone(model), seed), X) for model in models]
    one, *each = (explained(K, labels) for labels in (np.zeros(len(K)), *partitions))
    trace = K.diagonal().sum()
    return relative(trace - np.array(each), np.full(len(each), trace - one))


def explained(K, labels):
    """Squared norms of the means of the clusters, times their sizes, summed."""
    _, labels = np.unique(labels, return_inverse=True)
    sizes = np.bincount(labels)
    Z = indicator(labels, np.ones(len(labels)), len(sizes))
    return float(((Z.T @ (K @ Z)).diagonal() / sizes).sum())

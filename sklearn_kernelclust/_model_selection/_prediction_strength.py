"""Choosing the number of clusters by how well it predicts itself."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from numbers import Integral, Real
from warnings import catch_warnings, simplefilter

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin, MetaEstimatorMixin, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state, get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted

from sklearn_kernelclust._gram._base import Gram
from sklearn_kernelclust._gram._checks import as_gram, check_kernel
from sklearn_kernelclust._kmeans._kernel_kmeans import KernelKMeans
from sklearn_kernelclust._model_selection._pipeline_steps import Steps
from sklearn_kernelclust._model_selection._prototypes import PrototypeReducer
from sklearn_kernelclust._model_selection._scores import (
    best_row,
    check_candidates,
    corrected,
    mean_of_finite,
    ranked_with_care,
    results_table,
    unfounded,
    values_of,
)
from sklearn_kernelclust._model_selection._splits import (
    Features,
    Kernel,
    Split,
    Transformed,
    clustered,
    held,
    score_split,
    seeded,
)
from sklearn_kernelclust._utils._sklearn import (
    CallbackSupportMixin,
    HasMethods,
    Interval,
    Progress,
    StrOptions,
    _fit_context,
    _num_samples,
)
from sklearn_kernelclust._utils._validation import all_or_nothing
from sklearn_kernelclust.metrics._agreement import CRITERIA

# A tuple, as scikit-learn wants it of a default.
CANDIDATES = tuple(range(2, 11))


def _best_has(method):
    """Whether the model that was chosen, or is to be, has a method."""

    def check(self):
        if not self.refit:
            raise AttributeError(
                f"{method} needs the model of the best k, and refit=False keeps none."
            )
        getattr(getattr(self, "best_estimator_", self.estimator), method)
        return True

    return check


class PredictionStrengthK(
    CallbackSupportMixin, MetaEstimatorMixin, ClusterMixin, BaseEstimator
):
    """Choose the number of clusters by prediction strength.

    The objects are split into two halves, again and again. Each half is
    clustered, and its clusters are predicted by the model of the other half. A
    number of clusters that suits the data is one that both halves agree on
    [1]_, [2]_. On a kernel, prototypes can stand in for the objects, which
    makes it many times faster [2]_.

    Parameters
    ----------
    estimator : estimator object
        A clusterer with `predict`: of this package, of scikit-learn, or a
        `Pipeline` that ends in one.

    n_clusters : array-like of int or int, default=range(2, 11)
        The numbers of clusters to choose from; a single one is only scored.

    n_splits : int, default=200
        How often the objects are split. Both directions of a split count.

    criterion : {"prediction-strength", "partition-similarity"} or callable, \
            default="prediction-strength"
        How the clusters of a half are compared with what the other half
        predicts. `"prediction-strength"`: of all pairs of objects in a
        cluster, the share that is predicted to be together, in the worst
        cluster. `"partition-similarity"`: the share of objects that agree
        when clusters are matched to each other at best. A callable gets the
        clusters and the predictions, and gives a number that is 1 at best.

    adjust_for_chance : bool, default=True
        Whether `scores_` are corrected by what random partitions of as many
        objects into as many clusters would have: 0 is chance, 1 is perfect.

    select : {"max", "threshold"}, default="max"
        `"max"` is the number of clusters with the best mean score [2]_.
        `"threshold"` is the largest whose mean, not corrected for chance, is
        above `threshold`, and 1 if there is none [1]_.

    threshold : float, default=0.8
        For ``select="threshold"``.

    reduction_rate : int or None, default=None
        Take one prototype for so many objects, see :class:`PrototypeReducer`;
        4 is a good rate. None takes the objects. Needs a kernel: a kernel
        matrix or a Gram as X, a clusterer with a kernel of its own, or a
        `Pipeline` with a step that makes one.

    n_neighbors : int, default=5
        Neighbours in the neighbourhood of a prototype.

    param_name : str, default="n_clusters"
        Name of the parameter, such as `"n_components"` for
        :class:`~sklearn.mixture.GaussianMixture`. Of a `Pipeline` it is that
        of the last step, or a name like `"step__n_clusters"`.

    refit : bool, default=True
        Whether to fit a model with the best k on all objects.

    n_jobs : int or None, default=None
        Splits that are worked on at a time, by joblib. The results do not
        depend on it.

    random_state : int, RandomState instance or None, default=None
        Determines the splits, and the starts on the halves: random states of
        the estimator itself are replaced there, and in the refit where they
        are None.

    Attributes
    ----------
    best_k_ : int
        The number of clusters that was chosen.

    ranking_ : ndarray of shape (n_candidates,)
        The numbers of clusters, the best first.

    scores_ : ndarray of shape (n_candidates, `n_splits`)
        Score of each number of clusters on each split, the mean of its two
        directions. NaN if there is none.

    cv_results_ : dict of ndarrays
        A table with a row for each number of clusters: `params`,
        `param_<param_name>`, `mean_test_score`, `std_test_score` and
        `rank_test_score` of `scores_`, `mean_raw_score` and `std_raw_score`
        without the correction for chance, and `mean_fit_time` in seconds a
        split (where all numbers share the work, in proportion to k).

    best_index_ : int
        Row of `best_k_` in the table, -1 if 1 was chosen for want of a better.

    best_score_ : float
        Mean score of `best_k_`, NaN if 1 was chosen for want of a better.

    best_params_ : dict
        The parameter of the best model.

    best_estimator_ : estimator object
        The model of the best k, fitted on all objects. Not there if
        ``refit=False``, as the two below.

    labels_ : ndarray of shape (n_samples,)
        Its clusters.

    n_splits_ : int
        Number of splits, fewer than `n_splits` if a callback ended the work.

    n_features_in_ : int
        Number of features seen during fit, if the model knows it.

    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of features seen during fit, if the model knows them.

    See Also
    --------
    PrototypeReducer : The reduction alone.
    sklearn_kernelclust.metrics.prediction_strength_scorer : For searches over
        other parameters.

    Notes
    -----
    A cluster of a single object has no pair to predict and is left out of the
    minimum; 0 if no cluster has a pair. Numbers of clusters that leave such an
    object alone on most halves come after all others in the ranking, as their
    strength is that of fewer clusters. A half on which fewer clusters are
    found than asked for, or that has not two objects for each, has no score. A
    number of clusters without a score on more than half of its halves gets NaN,
    with a warning, and is not chosen.

    On a kernel, the steps of a `Pipeline` that turn kernels into kernels are
    fitted once on the whole (reduced) kernel, which is then split. From
    features the whole pipeline is fitted on each half (what comes before the
    clusterer once for all numbers of clusters), unless prototypes are asked
    for: then all that comes before the kernel is fitted once. A
    :class:`KernelKMeans` evaluates its kernel once on all objects.

    Cost: for :class:`KernelKMeans` each split gathers the kernel once, and all
    numbers of clusters and all their starts share every product with it:
    objects that several partitions do not tell apart are summed once. A kernel
    that fits `working_memory` (:func:`sklearn.set_config`) is held as an array;
    in memory are then, beside it, the copies of several splits if they fit 256
    MB, or else of one, by each of the jobs. Any other clusterer is fitted twice
    for each number of clusters and split.

    References
    ----------
    .. [1] R. Tibshirani and G. Walther, "Cluster Validation by Prediction
       Strength", Journal of Computational and Graphical Statistics 14, 2005.
    .. [2] D. Greene and P. Cunningham, "Efficient Prediction-Based Validation
       for Document Clustering", ECML 2006.

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> from sklearn_kernelclust import KernelKMeans, PredictionStrengthK
    >>> X, _ = make_blobs(200, centers=3, cluster_std=0.5, random_state=4)
    >>> choice = PredictionStrengthK(
    ...     KernelKMeans(kernel="linear"), n_clusters=range(2, 6), n_splits=10,
    ...     random_state=0,
    ... ).fit(X)
    >>> choice.best_k_
    3
    >>> choice.ranking_
    array([3, 2, 5, 4])
    >>> choice.predict(X[:3])
    array([2, 2, 0])
    """

    _parameter_constraints: dict = {
        "estimator": [HasMethods(["fit"])],
        "n_clusters": ["array-like", Integral],
        "n_splits": [Interval(Integral, 1, None, closed="left")],
        "criterion": [StrOptions(set(CRITERIA)), callable],
        "adjust_for_chance": ["boolean"],
        "select": [StrOptions({"max", "threshold"})],
        "threshold": [Interval(Real, None, None, closed="neither")],
        "reduction_rate": [Interval(Integral, 1, None, closed="left"), None],
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "param_name": [str],
        "refit": ["boolean"],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        estimator,
        *,
        n_clusters=CANDIDATES,
        n_splits=200,
        criterion="prediction-strength",
        adjust_for_chance=True,
        select="max",
        threshold=0.8,
        reduction_rate=None,
        n_neighbors=5,
        param_name="n_clusters",
        refit=True,
        n_jobs=None,
        random_state=None,
    ):
        self.estimator = estimator
        self.n_clusters = n_clusters
        self.n_splits = n_splits
        self.criterion = criterion
        self.adjust_for_chance = adjust_for_chance
        self.select = select
        self.threshold = threshold
        self.reduction_rate = reduction_rate
        self.n_neighbors = n_neighbors
        self.param_name = param_name
        self.refit = refit
        self.n_jobs = n_jobs
        self.random_state = random_state

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self.estimator).input_tags
        return tags

    @_fit_context(prefer_skip_nested_validation=False)
    @all_or_nothing
    def fit(self, X, y=None):
        """Score all numbers of clusters, choose one, and fit its model.

        Parameters
        ----------
        X : array-like, sparse matrix, sequence or Gram
            What the estimator takes: features, a kernel matrix, documents.

        y : Ignored
            Not used, present for API consistency by convention.

        Returns
        -------
        self : object
            Fitted estimator.
        """
        self._forget()
        check_predicts(self.estimator)
        candidates = check_candidates(self.n_clusters)
        rng = check_random_state(self.random_state)
        seeds = rng.randint(2**31 - 1, size=self.n_splits + 1)

        scored, n_samples = self._scored(X, y, candidates, seeds[:-1])
        values, seconds = values_of(scored, candidates, n_samples)
        raw = scores = mean_of_finite(values, axis=2)
        if self.adjust_for_chance:
            above = corrected(values, self.criterion, candidates, n_samples)
            scores = mean_of_finite(above, axis=2)
        results = results_table(self.param_name, candidates, scores, raw, seconds)
        rule = candidates, results, self.select, self.threshold
        ranking = ranked_with_care(*rule, unfounded(scored, self.criterion))
        results["rank_test_score"] = np.argsort(ranking) + 1
        index = best_row(results, ranking, self.select, self.threshold)
        best_k = int(candidates[index]) if index >= 0 else 1
        if self.refit:
            refitted, labels = self._refitted(X, best_k, seeds[-1])

        self.best_k_, self.best_index_ = best_k, index
        self.best_score_ = results["mean_test_score"][index] if index >= 0 else np.nan
        self.best_params_ = {self.param_name: best_k}
        self.ranking_ = candidates[ranking]
        self.scores_, self.cv_results_ = scores, results
        self.n_splits_ = scores.shape[1]
        if self.refit:
            self.best_estimator_, self.labels_ = refitted, labels
            for name in ("n_features_in_", "feature_names_in_"):
                if hasattr(refitted, name):
                    setattr(self, name, getattr(refitted, name))
        return self

    @available_if(_best_has("predict"))
    def predict(self, X):
        """Clusters of new objects, by the model of the best k.

        Parameters
        ----------
        X : array-like, sparse matrix, sequence or Gram
            New objects, as the estimator takes them.

        Returns
        -------
        labels : ndarray of shape (n_samples,)
            Index of the cluster each object belongs to.
        """
        check_is_fitted(self)
        return self.best_estimator_.predict(X)

    @available_if(_best_has("score"))
    def score(self, X, y=None):
        """Score of objects, by the model of the best k.

        Parameters
        ----------
        X : array-like, sparse matrix, sequence or Gram
            Objects, as the estimator takes them.

        y : array-like of shape (n_samples,), default=None
            Passed to the model, which may not use it.

        Returns
        -------
        score : float
            What the model calls its score; for k-means, minus the objective.
        """
        check_is_fitted(self)
        return self.best_estimator_.score(X, y)

    def _forget(self):
        """What not every fit has must not be left of an earlier one."""
        fitted = "best_estimator_", "labels_", "n_features_in_", "feature_names_in_"
        for name in fitted:
            vars(self).pop(name, None)

    def _prepared(self, X):
        """What is split, and the model that is fitted on its halves."""
        steps = Steps(self.estimator, self.param_name)
        if steps.takes_kernel() or isinstance(X, Gram):
            # Refused now, not by the refit when all the work is done.
            sparse = "csr" if get_tags(self).input_tags.sparse else False
            gram = check_kernel(self, X, reset=True, accept_sparse=sparse)
            as_array = not isinstance(X, Gram)
        elif self.reduction_rate is not None or type(self.estimator) is KernelKMeans:
            gram, as_array = self._kernel_on_the_way(steps, X)
        else:
            return *model_and_data(steps, Features(X)), _num_samples(X)
        if self.reduction_rate is not None:
            reducer = PrototypeReducer(
                self.reduction_rate, n_neighbors=self.n_neighbors
            )
            gram = reducer.fit(gram).reduced_gram_
        n = steps.n_on_kernels()
        if n:
            K = gram.toarray() if as_array else gram
            gram = as_gram(steps.first(n).fit_transform(K))
        return *model_and_data(steps, Kernel(held(gram), as_array)), gram.shape[0]

    def _kernel_on_the_way(self, steps, X):
        made = steps.kernel_of(X)
        if made is None:
            raise ValueError(
                f"reduction_rate={self.reduction_rate} needs a kernel, and "
                f"{type(self.estimator).__name__} has none: pass a kernel matrix, put "
                "a PairwiseKernel in front, or use reduction_rate=None."
            )
        return made

    def _scored(self, X, y, candidates, seeds):
        """A list of scores, one for each number of clusters, for each split.

        And the number of objects, or prototypes, that were split.
        """
        model, param, data, n_samples = self._prepared(X)
        if n_samples < 4:
            raise ValueError(
                f"Two halves need at least 4 objects, got n_samples={n_samples}"
                f"{' prototypes' if self.reduction_rate else ''}."
            )
        splits = [Split.drawn(n_samples, len(candidates), seed) for seed in seeds]
        progress = Progress(self, X, y, len(splits))
        scored = []
        with catch_warnings():
            # What it means is told once, at the end: a half without a score.
            simplefilter("ignore", ConvergenceWarning)
            work = Parallel(n_jobs=self.n_jobs, return_as="generator")(
                delayed(score_split)(
                    model, param, candidates, data, split, self.criterion
                )
                for split in splits
            )
            for scores in work:
                scored.append(scores)
                if progress.step("split"):
                    break
        progress.end()
        return scored, n_samples

    def _refitted(self, X, k, seed):
        """A model of `k` clusters of all objects, and their labels."""
        model = seeded(clone(self.estimator), seed, only_unset=True)
        model.set_params(**{Steps(self.estimator, self.param_name).param: k})
        return model, clustered(model, X)


def model_and_data(steps, data):
    """The model, its parameter, and the data as they come to it."""
    before = steps.before_param()
    return *steps.rest(), data if before is None else Transformed(data, before)


def check_predicts(estimator):
    """Refuse a clusterer that cannot predict, and name one that can."""
    if not hasattr(estimator, "predict"):
        raise TypeError(
            f"PredictionStrengthK predicts one half by the other, and "
            f"{type(estimator).__name__} has no predict. Use a clusterer that has it, "
            "such as KernelKMeans, SpectralClustering of this package, or KMeans."
        )

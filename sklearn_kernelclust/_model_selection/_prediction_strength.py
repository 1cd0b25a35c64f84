"""Choosing the number of clusters by how well it predicts itself."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from contextlib import closing
from itertools import chain
from numbers import Integral, Real
from warnings import catch_warnings, filterwarnings, simplefilter

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin, MetaEstimatorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state, get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from sklearn_kernelclust._model_selection._early_stopping import LOOKS, is_settled
from sklearn_kernelclust._model_selection._fit_params import (
    RoutingMixin,
    refitted,
    with_fit_params,
)
from sklearn_kernelclust._model_selection._pipeline_steps import (
    check_candidates,
    check_not_iterator,
    check_predicts,
    prepared,
)
from sklearn_kernelclust._model_selection._scores import choose
from sklearn_kernelclust._model_selection._splits import (
    check_any_scored,
    results_in_order,
    split_tasks,
)
from sklearn_kernelclust._utils._sklearn import (
    CallbackSupportMixin,
    HasMethods,
    Interval,
    Progress,
    StrOptions,
    _fit_context,
)
from sklearn_kernelclust._utils._validation import all_or_nothing, best_has
from sklearn_kernelclust.metrics._agreement import CRITERIA

# A tuple, because scikit-learn wants defaults that cannot change.
CANDIDATES = tuple(range(2, 11))

# Attributes that not every fit sets.
REFITTED = "best_estimator_", "labels_", "n_features_in_", "feature_names_in_"


class PredictionStrengthK(
    RoutingMixin, CallbackSupportMixin, MetaEstimatorMixin, ClusterMixin, BaseEstimator
):
    """Choose the number of clusters by prediction strength.

    The objects are split into two random halves, many times. Both halves are
    clustered, and the model of each half predicts the clusters of the other. The
    number of clusters that suits the data is the one on which the halves agree
    [1]_, [2]_. On a kernel, prototypes can replace the objects: faster [2]_.

    Parameters
    ----------
    estimator : estimator object
        A clusterer with `predict`, of this package or of scikit-learn, or a
        `Pipeline` that ends in one. A pipeline as the last step of a pipeline is
        refused.

    n_clusters : array-like of int or int, default=range(2, 11)
        Numbers of clusters to choose from. A single number is only scored.

    n_splits : int, default=200
        Number of splits, at most. Both directions of a split count.

    early_stopping : bool, default=True
        Whether to stop when the best number is settled: from 20 splits on, when its
        mean score is three standard errors above all others, whose order may still
        change, or, with a threshold, when all means are so far from it.

    criterion : {"prediction-strength", "partition-similarity"} or callable, \
            default="prediction-strength"
        Agreement of the clusters of a half with those that the other half
        predicts. `"prediction-strength"`: the share of the pairs of objects in a
        cluster that are predicted to be together, for the worst cluster.
        `"partition-similarity"`: the share of objects that agree when clusters
        are matched in the best way. A callable takes the clusters and the
        predictions and returns a number, 1 for perfect agreement.

    adjust_for_chance : bool, default=True
        Whether `scores_` are corrected by the mean over random partitions of as
        many objects into as many clusters: 0 is chance, 1 perfect.

    select : {"max", "threshold"}, default="max"
        `"max"` chooses the number of clusters with the best mean score [2]_; of
        equal scores the largest number. `"threshold"` chooses the largest number
        whose mean, not corrected for chance, is above `threshold`, and 1 if there
        is none [1]_.

    threshold : float, default=0.8
        For ``select="threshold"``.

    reduction_rate : int or None, default=None
        Number of objects for each prototype, see :class:`PrototypeReducer`; 4 is a
        good rate if each cluster keeps 10 prototypes or more. None uses the
        objects. Needs a kernel: a kernel matrix or a Gram as X, a clusterer with a
        kernel, or a `Pipeline` with a step that makes one.

    n_neighbors : int, default=5
        Number of neighbors of a prototype.

    param_name : str, default="n_clusters"
        Name of the parameter to choose, such as `"n_components"` for
        :class:`~sklearn.mixture.GaussianMixture`. In a `Pipeline` it is that of
        the last step, or a name like `"step__n_clusters"`.

    refit : bool, default=True
        Whether to fit a model with the best k on all objects.

    error_score : "raise" or np.nan, default=np.nan
        What to do if the estimator raises a `ValueError` on a half. `"raise"`
        raises it at once; NaN gives the number of clusters no score there. If
        nothing can be scored, a `ValueError` is raised from the estimator's first.
        Other exceptions are always raised.

    n_jobs : int or None, default=None
        Number of splits worked on in parallel, by any backend of joblib. The
        results do not depend on it.

    random_state : int, RandomState instance or None, default=None
        Determines the splits and the random states of the models: on the halves,
        random states of the estimator are replaced; in the refit, only those that
        are None.

    Attributes
    ----------
    best_k_ : int
        The chosen number of clusters.

    ranking_ : ndarray of shape (n_candidates,)
        Numbers of clusters, the best first.

    scores_ : ndarray of shape (n_candidates, `n_splits_`)
        Score of each number of clusters on each split, the mean of its two
        directions; 0 if a half has fewer clusters, NaN if there is no score.

    cv_results_ : dict of ndarrays
        A table with a row for each number of clusters: `params`,
        `param_<param_name>`, `mean_test_score`, `std_test_score` and
        `rank_test_score` of `scores_`, `mean_raw_score` and `std_raw_score`
        without the correction for chance, and `mean_fit_time` in seconds per
        split (where all numbers share the work, in proportion to k).

    best_index_ : int
        Row of `best_k_` in the table; -1 if no candidate passed the threshold.
        Then `best_k_` is 1 and has no row: check the sign before indexing.

    best_score_ : float
        Mean score of `best_k_`; NaN if no candidate passed the threshold.

    best_params_ : dict
        The parameter of the best model.

    best_estimator_ : estimator object
        The model of the best k, fitted on all objects. Only if ``refit=True``.

    labels_ : ndarray of shape (n_samples,)
        Its labels. Only if ``refit=True``.

    n_splits_ : int
        Number of splits that were scored.

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
    minimum; the strength is 0 if no cluster has a pair. Numbers of clusters that
    leave an object alone on most halves come after all others in the ranking,
    because their strength is that of fewer clusters. A split on which a half has
    fewer clusters than asked for is not compared, and counts as 0. A number of
    clusters that cannot be compared on more than half of the splits, or has fewer
    than two objects for each cluster of a half, gets NaN, with a warning, and is
    not chosen.

    On a kernel, the steps of a `Pipeline` that turn kernels into kernels are
    fitted once on the whole (reduced) kernel, which is then split. From features
    the whole pipeline is fitted on each half (the steps before the clusterer once
    for all numbers of clusters). With prototypes, all steps before the kernel are
    fitted once. A :class:`KernelKMeans` evaluates its kernel once on all objects.

    Cost: with :class:`KernelKMeans`, all numbers of clusters and all starts share
    each product with the kernel, and plain fits of scikit-learn's ``KMeans`` their
    steps. Others, subclasses too, are fitted twice for each k and split. A kernel
    that fits `working_memory` (:func:`sklearn.set_config`) is stored as an array; each
    job also holds the copies of one split, or of several that fit 64 MB together.

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
        "early_stopping": ["boolean"],
        "criterion": [StrOptions(set(CRITERIA)), callable],
        "adjust_for_chance": ["boolean"],
        "select": [StrOptions({"max", "threshold"})],
        "threshold": [Interval(Real, None, None, closed="neither")],
        "reduction_rate": [Interval(Integral, 1, None, closed="left"), None],
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "param_name": [str],
        "refit": ["boolean"],
        "error_score": [StrOptions({"raise"}), "nan"],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        estimator,
        *,
        n_clusters=CANDIDATES,
        n_splits=200,
        early_stopping=True,
        criterion="prediction-strength",
        adjust_for_chance=True,
        select="max",
        threshold=0.8,
        reduction_rate=None,
        n_neighbors=5,
        param_name="n_clusters",
        refit=True,
        error_score=np.nan,
        n_jobs=None,
        random_state=None,
    ):
        self.estimator = estimator
        self.n_clusters = n_clusters
        self.n_splits = n_splits
        self.early_stopping = early_stopping
        self.criterion = criterion
        self.adjust_for_chance = adjust_for_chance
        self.select = select
        self.threshold = threshold
        self.reduction_rate = reduction_rate
        self.n_neighbors = n_neighbors
        self.param_name = param_name
        self.refit = refit
        self.error_score = error_score
        self.n_jobs = n_jobs
        self.random_state = random_state

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self.estimator).input_tags
        return tags

    @_fit_context(prefer_skip_nested_validation=False)
    @all_or_nothing
    def fit(self, X, y=None, **params):
        """Score all numbers of clusters, choose one, and fit its model.

        Parameters
        ----------
        X : array-like, sparse matrix, sequence or Gram
            Input of the estimator: features, a kernel matrix, documents.

        y : Ignored
            Not used, present for API consistency by convention.

        **params : dict
            Parameters of the estimator's `fit`, such as ``sample_weight``.

        Returns
        -------
        self : object
            Fitted estimator.
        """
        params = params and self._fit_params(params)["estimator"]
        for name in REFITTED:
            vars(self).pop(name, None)
        check_predicts(self.estimator)
        check_not_iterator(X)
        candidates = check_candidates(self.n_clusters)
        rng = check_random_state(self.random_state)
        seeds = rng.randint(2**31 - 1, size=self.n_splits + 1)

        scored, n_samples = self._scored(X, y, candidates, seeds[:-1], params)
        check_any_scored(scored, candidates, n_samples)
        scores, results, ranking, index = choose(self, scored, candidates, n_samples)
        best_k = int(candidates[index]) if index >= 0 else 1
        if self.refit:
            model, labels = refitted(self, X, best_k, seeds[-1], params)

        self.best_k_, self.best_index_ = best_k, index
        self.best_score_ = results["mean_test_score"][index] if index >= 0 else np.nan
        self.best_params_ = {self.param_name: best_k}
        self.ranking_ = candidates[ranking]
        self.scores_, self.cv_results_ = scores, results
        self.n_splits_ = scores.shape[1]
        if self.refit:
            self.best_estimator_, self.labels_ = model, labels
            for name in REFITTED[2:]:
                if hasattr(model, name):
                    setattr(self, name, getattr(model, name))
        return self

    @available_if(best_has("predict"))
    def predict(self, X):
        """Predict the clusters of new objects by the model of the best k.

        Parameters
        ----------
        X : array-like, sparse matrix, sequence or Gram
            New objects, as the estimator takes them.

        Returns
        -------
        labels : ndarray of shape (n_samples,)
            Index of the cluster of each object.
        """
        check_is_fitted(self)
        return self.best_estimator_.predict(X)

    @available_if(best_has("score"))
    def score(self, X, y=None):
        """Score of objects by the model of the best k.

        Parameters
        ----------
        X : array-like, sparse matrix, sequence or Gram
            Objects, as the estimator takes them.

        y : array-like of shape (n_samples,), default=None
            Passed to the model, which may not use it.

        Returns
        -------
        score : float
            The model's score; for k-means, minus the objective.
        """
        check_is_fitted(self)
        return self.best_estimator_.score(X, y)

    def _scored(self, X, y, candidates, seeds, params):
        """For each split the score of each number of clusters; how many were split."""
        model, param, data, n = prepared(self, X)
        if params:
            data = with_fit_params(self, model, data, params, n)
        setting = model, param, candidates, data
        tasks = split_tasks(n, seeds, setting, self.criterion, self.error_score)
        progress, scored = Progress(self, X, y, len(seeds)), []
        # Closed at once if the work is interrupted: no worker goes on.
        with catch_warnings(), closing(results_in_order(tasks, self.n_jobs)) as results:
            # One warning at the end says which numbers have no score.
            simplefilter("ignore", ConvergenceWarning)
            # Of joblib, on tasks that are left undone.
            filterwarnings("ignore", "[0-9]+ tasks ")
            for scores in chain.from_iterable(results):
                scored.append(scores)
                look = len(scored) in LOOKS and self.early_stopping
                settled = look and is_settled(self, scored, candidates, n)
                if progress.step("split") or settled:
                    break
        progress.end()
        return scored, n

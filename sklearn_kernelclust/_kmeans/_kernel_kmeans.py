"""Kernel k-means."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from numbers import Integral

import numpy as np
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    ClusterMixin,
    TransformerMixin,
)
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from sklearn_kernelclust._gram._base import Gram
from sklearn_kernelclust._gram._training_rows import TrainingRows
from sklearn_kernelclust._kernels._base import FitPredictMixin, OriginFreeKernelMixin
from sklearn_kernelclust._kmeans._assignment import nearest
from sklearn_kernelclust._kmeans._cluster_sums import indicator
from sklearn_kernelclust._kmeans._convergence_warnings import complaints
from sklearn_kernelclust._kmeans._hartigan import run_one_by_one
from sklearn_kernelclust._kmeans._lloyd import run_batch
from sklearn_kernelclust._kmeans._results import first_of_the_best
from sklearn_kernelclust._kmeans._runs import Problem
from sklearn_kernelclust._kmeans._seeding import (
    check_init,
    generators,
    plus_plus_starts,
    random_labels,
)
from sklearn_kernelclust._linalg._spectrum_checks import check_some_positive
from sklearn_kernelclust._utils._sklearn import (
    CallbackSupportMixin,
    Interval,
    Progress,
    StrOptions,
    _check_sample_weight,
    _fit_context,
)
from sklearn_kernelclust._utils._threads import batches
from sklearn_kernelclust._utils._validation import (
    STARTS,
    all_or_nothing,
    check_features,
    check_n_clusters,
)
from sklearn_kernelclust._utils._warnings import warn_user

# Memory for the sums of all starts that run in step.
SUMS_BYTES = 2**27


class KernelKMeans(
    FitPredictMixin,
    CallbackSupportMixin,
    OriginFreeKernelMixin,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
    ClusterMixin,
    BaseEstimator,
):
    """K-means in the feature space of a kernel.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters.

    kernel : str or callable, default="rbf"
        A kernel of :func:`sklearn.metrics.pairwise.pairwise_kernels`,
        `"precomputed"`, or a callable ``kernel(X, Y)`` that returns the whole
        block. Linear and cosine kernels are never formed; others are stored if
        they fit `working_memory` (:func:`sklearn.set_config`), else evaluated
        in tiles as often as they are needed, about twice in a whole run.

    gamma : float, "scale" or None, default=None
        Coefficient of the rbf, polynomial, sigmoid, laplacian and chi2
        kernels. None is ``1 / n_features`` (1 for chi2), `"scale"` is
        ``1 / (n_features * X.var())``.

    degree : int, default=3
        Degree of the polynomial kernel.

    coef0 : float, default=1
        Independent term of the polynomial and sigmoid kernels.

    kernel_params : dict or None, default=None
        Keyword arguments of a callable kernel.

    algorithm : {"lloyd", "split-merge", "hartigan"}, default="lloyd"
        `"lloyd"` assigns all objects to the nearest mean, then moves the
        means. `"split-merge"` is the same, but an object is left out of the
        mean of its own cluster, so that a large self-similarity does not hold
        it there [1]_. `"hartigan"` moves one object at a time by the exact
        change of the objective: it ends on any symmetric kernel, and a
        diagonal shift makes no difference to it.

    init : {"k-means++", "random"} or array-like of shape (n_samples,), \
            default="k-means++"
        Where to start: from seeds far from each other in feature space, from
        random labels, or from the labels given (then there is one run).

    n_init : int, default=10
        Number of starts, of which the best is kept. They run in step and
        share their products with the kernel.

    max_iter : int, default=100
        Most iterations of a run.

    max_oscillations : int, default=5
        A run ends after that many returns to an earlier partition. Only an
        indefinite kernel, or `"split-merge"`, can bring one about. What
        follows the first return is known: it is counted, not computed.

    random_state : int, RandomState instance or None, default=None
        Determines the starts.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Cluster of each object.

    inertia_ : float
        Weighted sum of squared distances of the objects to the mean of their
        cluster in feature space, the objective of `labels_`.

    n_iter_ : int
        Iterations of the best run.

    converged_ : bool
        Whether the best run ended at a fixed point: not in a cycle, and not by
        `max_iter`.

    n_reassignments_ : ndarray of shape (`n_iter_`,)
        How many objects changed their cluster in each iteration.

    dual_coef_ : sparse array of shape (n_samples, n_clusters)
        The means as weighted sums of the training objects.

    center_norms_ : ndarray of shape (n_clusters,)
        Squared norms of the means in feature space.

    X_fit_ : ndarray or sparse matrix of shape (n_samples, n_features) or None
        Training features, a copy of the model's own; None if a kernel was given.

    gamma_ : float or None
        Value of `gamma` used.

    n_features_in_ : int
        Number of features seen during fit (of columns of a kernel).

    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of features seen during fit, if all are strings.

    See Also
    --------
    DiagonalShift : Cure for a kernel whose diagonal is so large that no object
        moves.
    sklearn.cluster.KMeans : K-means on features.

    Notes
    -----
    After the first product only the columns of the objects that moved are
    needed: a run to convergence costs two to five passes over the kernel, not
    one an iteration. Memory on top of the kernel is O(n_samples * n_clusters)
    for each start that runs in step; no copy of a precomputed kernel is made.

    Ties: an object stays where it is if that is as near as any other (within
    a relative 1e-10, 1e-5 for a float32 kernel), else the lowest index wins.
    New objects go to the nearest mean; at a fixed point ``predict(X)`` of the
    training objects is `labels_`. On an indefinite kernel (any zero-trace shift
    makes one) a run may fall into a cycle; then the best partition seen is
    kept, `converged_` is False and a `ConvergenceWarning` says so.

    Empty clusters get the object farthest from its own mean. If there are
    fewer distinct objects than clusters, there are fewer clusters, with a
    warning.

    References
    ----------
    .. [1] D. Greene and P. Cunningham, "Practical Solutions to the Problem of
       Diagonal Dominance in Kernel Document Clustering", ICML 2006.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_kernelclust import KernelKMeans
    >>> X = np.array([[0, 0], [0, 1], [1, 0], [8, 8], [8, 9], [9, 8]])
    >>> model = KernelKMeans(n_clusters=2, kernel="linear", random_state=0).fit(X)
    >>> model.labels_
    array([0, 0, 0, 1, 1, 1])
    >>> model.predict([[0, 2], [7, 7]])
    array([0, 1])
    >>> round(model.inertia_, 4)
    2.6667
    """

    _parameter_constraints: dict = {
        **FitPredictMixin._parameter_constraints,
        **OriginFreeKernelMixin._parameter_constraints,
        **STARTS,
        "algorithm": [StrOptions({"lloyd", "split-merge", "hartigan"})],
        "init": [StrOptions({"k-means++", "random"}), "array-like"],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "max_oscillations": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        n_clusters=8,
        *,
        kernel="rbf",
        gamma=None,
        degree=3,
        coef0=1,
        kernel_params=None,
        algorithm="lloyd",
        init="k-means++",
        n_init=10,
        max_iter=100,
        max_oscillations=5,
        random_state=None,
    ):
        self.n_clusters = n_clusters
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.algorithm = algorithm
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.max_oscillations = max_oscillations
        self.random_state = random_state

    @_fit_context(prefer_skip_nested_validation=True)
    @all_or_nothing
    def fit(self, X, y=None, sample_weight=None):
        """Compute the clustering.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or Gram
            Features, or the kernel matrix if ``kernel="precomputed"``.

        y : Ignored
            Not used, present for API consistency by convention.

        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the objects; all equal by default.

        Returns
        -------
        self : object
            Fitted estimator.
        """
        gram, kernel = self._training_gram(X)
        weight = check_weight(sample_weight, gram.shape[0])
        start = self._given_start(gram.shape[0])
        problem = self._problem(gram, weight / weight.max())
        seeds = check_random_state(self.random_state).randint(
            np.iinfo(np.int32).max, size=self.n_init
        )

        starts = [start] if start is not None else self._starts(problem, seeds)
        n_batches = len(self._batches(problem, len(starts)))
        progress = Progress(self, X, y, self.max_iter * n_batches)
        results = self._runs(problem, starts, progress.step)
        progress.end()
        best = first_of_the_best(results, problem)
        means = self._means(problem, best)
        rows = None if kernel is not None else TrainingRows(gram, unless_constant=True)

        for complaint in complaints(
            best, self.algorithm, self.n_clusters, self.max_iter
        ):
            warn_user(complaint, ConvergenceWarning)
        self.labels_, self.dual_coef_, self.center_norms_ = means
        self.inertia_ = float(best.objective * weight.max())
        self.converged_ = best.converged
        self.n_reassignments_ = np.array(best.n_reassignments)
        self.n_iter_ = len(self.n_reassignments_)
        self._remember(kernel)
        self._means_fit = None if kernel is None else kernel.means(self.dual_coef_)
        self._rows, self._tie = rows, problem.tie
        self._typical = gram.diagonal().mean()  # k(x, x) where it is unknown
        self._n_features_out = len(self.center_norms_)
        return self

    def transform(self, X):
        """Distances of the objects to the means, in feature space.

        A precomputed block of new rows does not say their self-similarities;
        where the training objects differ in theirs, the mean stands in for
        those of new objects. That shifts the squared distances of an object by
        the same amount and leaves their order alone.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or Gram
            As for `predict`.

        Returns
        -------
        distances : ndarray of shape (n_samples, n_clusters)
            Distances; zero where an indefinite kernel gives a negative square.
        """
        check_is_fitted(self)
        S, diagonal = self._similarities(X)
        squared = np.where(np.isnan(diagonal), self._typical, diagonal)[:, None]
        squared = squared + self.center_norms_ - 2 * S.T
        return np.sqrt(np.maximum(squared, 0)).astype(diagonal.dtype)

    def score(self, X, y=None, sample_weight=None):
        """Negative objective of X: minus the sum of squared distances.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or Gram
            As for `predict`.

        y : Ignored
            Not used, present for API consistency by convention.

        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the objects; all equal by default.

        Returns
        -------
        score : float
            Larger is better, for one kernel: scores of different kernels
            cannot be compared.
        """
        check_is_fitted(self)
        S, diagonal = self._similarities(X)
        weight = check_weight(sample_weight, len(diagonal))
        closest = self._nearest(S, diagonal)
        rest = self.center_norms_[closest] - 2 * S[closest, np.arange(len(closest))]
        known = np.where(np.isnan(diagonal), self._typical, diagonal)
        return -float(weight @ (known + rest))

    def predict(self, X):
        """Cluster of the nearest mean, for each object.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or Gram
            New objects: their features, or a Gram of them and the training
            objects, or the matrix of these similarities if
            ``kernel="precomputed"``.

        Returns
        -------
        labels : ndarray of shape (n_samples,)
            Index of the cluster each object belongs to.
        """
        check_is_fitted(self)
        return self._nearest(*self._similarities(X))

    def _problem(self, gram, weight):
        """What is to be solved, after the checks that need all of the input."""
        check_n_clusters(self, gram.shape[0])
        check_some_positive(gram)
        return Problem(
            gram.stored(),
            self.n_clusters,
            weight,
            leave_one_out=self.algorithm == "split-merge",
        )

    def _given_start(self, n_samples):
        if isinstance(self.init, str):
            return None
        return check_init(self.init, n_samples, self.n_clusters)

    def _starts(self, problem, seeds, rng=None):
        """Labels to start from, one array for each run."""
        rngs = generators(seeds, rng)
        if self.init == "random":
            n_samples = len(problem.weight)
            return [random_labels(n_samples, problem.n_clusters, rng) for rng in rngs]
        return plus_plus_starts(problem, rngs)

    def _runs(self, problem, starts, on_iteration, n_clusters=None, problems=None):
        """Results of all starts, as many in step as the memory for sums allows.

        Numbers of clusters and problems of the runs, if they differ: see
        `run_batch`.
        """
        if self.algorithm == "hartigan":
            return [
                run_one_by_one(problem, start, self.max_iter, on_iteration)
                for start in starts
            ]
        limits = self.max_iter, self.max_oscillations
        results = []
        for batch in self._batches(problem, len(starts)):
            own = [each and each[batch] for each in (n_clusters, problems)]
            results += run_batch(problem, starts[batch], *limits, on_iteration, *own)
        return results

    def _batches(self, problem, n_runs):
        """Which runs go in step."""
        each = 8 * len(problem.weight) * problem.n_clusters
        alone = self.algorithm == "hartigan"
        return batches(n_runs, 1 if alone else max(SUMS_BYTES // each, 1))

    def _means(self, problem, result):
        """Consecutive labels, and the means of those clusters that have objects."""
        kept, labels = np.unique(result.labels, return_inverse=True)
        weight = (
            problem.weight / np.where(result.mass > 0, result.mass, 1)[result.members]
        )
        coef = indicator(result.members, weight, problem.n_clusters)[:, kept]
        return labels, coef, result.norms[kept]

    def _similarities(self, X):
        """Similarities to the means, a row for each, and k(x, x), NaN if unknown."""
        if self._kernel is None or isinstance(X, Gram):
            gram = self._new_gram(X)
            S, diagonal = gram @ self.dual_coef_, gram.self_similarity
            if diagonal is None:
                diagonal = self._rows.self_similarity(gram)
        else:
            X = check_features(self, X, reset=False)
            means = self._means_fit
            S, diagonal = self._kernel.similarities(X, self.dual_coef_, means)
        return np.ascontiguousarray(S.T, dtype=np.float64), diagonal

    def _nearest(self, S, diagonal):
        # How near is a tie goes by the self-similarity. Of new objects in a
        # precomputed block it is unknown, and only the distances count.
        ones = np.ones(len(self.center_norms_))
        known = np.nan_to_num(diagonal, nan=0.0)
        return nearest(S, ones, self.center_norms_, known, self._tie)


def check_weight(sample_weight, n_samples):
    """Weights of the objects: not negative, and not all zero."""
    weight = _check_sample_weight(
        sample_weight,
        np.empty((n_samples, 1)),
        dtype=np.float64,
        ensure_non_negative=True,
    )
    if not weight.any():
        raise ValueError("Sample weights must contain at least one non-zero number.")
    return weight

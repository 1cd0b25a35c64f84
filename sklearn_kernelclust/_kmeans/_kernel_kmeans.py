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
from sklearn_kernelclust._kernels._base import (
    OriginFreeKernelMixin,
    WeightedFitPredictMixin,
)
from sklearn_kernelclust._kernels._lazy_predict import predicted_later
from sklearn_kernelclust._kernels._objects import Objects, check_objects
from sklearn_kernelclust._kernels._own_features import with_own_features
from sklearn_kernelclust._kmeans._convergence_warnings import convergence_messages
from sklearn_kernelclust._kmeans._means import Means, block_predictor
from sklearn_kernelclust._kmeans._runs import Problem, stored_for
from sklearn_kernelclust._kmeans._seeding import start_of
from sklearn_kernelclust._kmeans._solve import (
    best_run,
    draw_starts,
    limits_of,
    run_batches,
    solve,
)
from sklearn_kernelclust._linalg._spectrum_checks import check_some_positive
from sklearn_kernelclust._utils._arrays import like_input
from sklearn_kernelclust._utils._block_checks import NEW_ROWS
from sklearn_kernelclust._utils._sklearn import (
    CallbackSupportMixin,
    HasMethods,
    Interval,
    Progress,
    StrOptions,
)
from sklearn_kernelclust._utils._validation import (
    STARTS,
    check_features,
    check_n_clusters,
    check_weight,
)
from sklearn_kernelclust._utils._warnings import warn_user


class KernelKMeans(
    WeightedFitPredictMixin,
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
        block. Linear and cosine kernels are formed of few sparse objects only;
        others are stored if they fit `working_memory` (:func:`sklearn.set_config`),
        else evaluated in tiles as often as needed, about twice in a whole run.

    gamma : float, "scale" or None, default="scale"
        Coefficient of the rbf, polynomial, sigmoid, laplacian and chi2
        kernels. `"scale"` is ``1 / (n_features * X.var())``, with the standard
        deviation for laplacian and the mean for chi2: no unit of measurement
        makes a difference. None is ``1 / n_features`` (1 for chi2).

    degree : int, default=3
        Degree of the polynomial kernel.

    coef0 : float, default=1
        Independent term of the polynomial and sigmoid kernels.

    kernel_params : dict or None, default=None
        Keyword arguments of a callable kernel.

    algorithm : {"lloyd", "split-merge", "hartigan"}, default="lloyd"
        `"lloyd"` assigns all objects to the nearest mean, then moves the means.
        `"split-merge"` leaves an object out of the mean of its own cluster, so
        that a large self-similarity does not hold it there [1]_. `"hartigan"`
        goes by the exact change of the objective: it moves all objects at once
        while that lowers the objective, then one at a time. A diagonal shift
        makes no difference to it.

    init : {"k-means++", "random"}, clusterer or array-like of shape (n_samples,), \
            default="k-means++"
        Where to start: from seeds far from each other in feature space, from
        random labels, from the labels of another clusterer such as ``KPDDP()``, or
        from the labels given (then there is one run). A clusterer is cloned and gets
        `n_clusters`; one of this package that takes kernels is fitted on the same
        kernel, another on X.

    n_init : int, default=10
        Number of starts, of which the best is kept. Their runs share products
        with the kernel.

    max_iter : int, default=100
        Most iterations of a run.

    max_oscillations : int, default=5
        After that many returns to an earlier partition a run is finished by
        single moves from the best partition it met. Only an indefinite kernel,
        or `"split-merge"`, leads to returns. The laps after the first return are
        known: they count in `n_iter_`, but are not computed.

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
        Iterations of the best run: steps that assign all objects, and sweeps
        of single moves.

    converged_ : bool
        Whether the best run ended at a partition that no step, or no single
        move, changes. False only after `max_iter` iterations, or if a callback
        stopped the run.

    medoids_ : ndarray of shape (n_clusters,)
        Of each cluster, the index of the object nearest to the mean of the cluster.

    n_reassignments_ : ndarray of shape (`n_iter_`,)
        How many objects changed their cluster in each iteration.

    dual_coef_ : sparse array of shape (n_samples, n_clusters)
        The means as weighted sums of the training objects.

    center_norms_ : ndarray of shape (n_clusters,)
        Squared norms of the means in feature space.

    shift_ : float
        Smallest shift s of the diagonal, ``K + s * diag(1 / sample_weight)``,
        under which each training object is nearest to the mean of its own
        cluster. 0 on a positive semi-definite kernel, unless `"split-merge"`
        ended elsewhere. See the Notes.

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
    DiagonalShift : Cure for a diagonal so large that no object moves.
    sklearn.cluster.KMeans : K-means on features.

    Notes
    -----
    After the first product only the columns of the objects that moved are
    needed: a run to convergence costs two to five passes over the kernel. Memory
    on top of the kernel is O(n_samples * n_clusters) for each of the runs that
    share products; a precomputed kernel is not copied.

    Ties: an object stays where it is if that is as near as any other, else the
    lowest index wins. Two squared distances d tie if they differ by less than 1e-12
    (5e-6 in float32) times ``|k(x, x)| + |d - k(x, x)|``.

    On an indefinite kernel (any zero-trace shift makes one) Lloyd's steps may
    return to an earlier partition, or end above one. Single moves then finish the
    run from the best partition it met; they always end. There an object need not
    be nearest to its own mean. Shifting the diagonal by `shift_` makes it so, and
    changes the objective of all partitions into as many clusters by the same
    amount. `predict`, `transform` and `score` work in the shifted kernel, with the
    shift on the own entry of training objects. So ``predict(X)`` of the training
    objects is `labels_`. New objects go to the nearest mean.

    Empty clusters get the object farthest from its own mean. With fewer distinct
    objects than clusters there are fewer, and a warning.

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
        **WeightedFitPredictMixin._parameter_constraints,
        **OriginFreeKernelMixin._parameter_constraints,
        **STARTS,
        "algorithm": [StrOptions({"lloyd", "split-merge", "hartigan"})],
        "init": [
            StrOptions({"k-means++", "random"}),
            HasMethods(["fit_predict"]),
            "array-like",
        ],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "max_oscillations": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        n_clusters=8,
        *,
        kernel="rbf",
        gamma="scale",
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

    def _fit(self, X, y, sample_weight=None):
        gram, kernel = self._training_gram(X, copy=None)
        weight = check_weight(sample_weight, gram.shape[0])
        check_n_clusters(self, gram.shape[0])
        check_some_positive(gram)
        weight, scale = weight / weight.max(), float(weight.max())
        problem = Problem(stored_for(gram, self.n_clusters, self.n_init), weight)
        starts = self._starts(X, gram, problem)
        batches = run_batches(problem.n_samples, len(starts), self.n_clusters)
        progress = Progress(self, X, y, self.max_iter * len(batches))
        limits = limits_of(self) | {"on_iteration": progress.step}
        runs = solve(problem, starts, self.n_clusters, medoids=True, **limits)
        best = best_run(problem, runs)
        progress.end()
        means = Means(problem, best)
        rows = None if kernel else TrainingRows(gram, unless_constant=not means.shifted)
        for message in convergence_messages(best, self):
            warn_user(message, ConvergenceWarning)
        self.labels_, self.medoids_ = means.labels, means.medoids
        self.dual_coef_, self.center_norms_ = means.coef, means.norms
        self.shift_, self.inertia_ = scale * best.shift, scale * best.objective
        self.n_reassignments_ = np.array(best.n_reassignments)
        self.n_iter_, self.converged_ = best.n_iter, best.converged
        self._means, self._means_fit = means, kernel and kernel.means(means.coef)
        self._rows = rows
        self._remember(with_own_features(kernel, X))
        self._n_features_out = len(self.center_norms_)

    def transform(self, X):
        """Distances of the objects to the means, in feature space.

        A precomputed block of new rows does not say their self-similarities;
        where the training objects differ in theirs, the mean stands in for
        those of new objects. That shifts the squared distances of an object by
        the same amount and leaves their order alone. So does an indefinite
        kernel whose squared distances would be negative: those of the object
        are shifted by one constant, so that the smallest is zero.

        On a kernel with a `shift_` the distance of a training object to the mean
        of its own cluster is that in the kernel itself; distances to the other
        means have the shift added.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or Gram
            As for `predict`.

        Returns
        -------
        distances : ndarray of shape (n_samples, n_clusters)
            Distances. The smallest of a row is that to the cluster that
            `predict` gives.
        """
        check_is_fitted(self)
        S, self_similarity, index = self._similarities(X)
        distances = self._means.distances(S, self_similarity, index)
        return like_input(distances.astype(self_similarity.dtype), X)

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
            Larger is better, for one kernel: those of others cannot be compared.
        """
        check_is_fitted(self)
        similarities = self._similarities(X)
        squared, labels = self._means.squared_distances(*similarities)
        weight = check_weight(sample_weight, len(labels))
        return -float(weight @ squared[np.arange(len(labels)), labels])

    def predict(self, X):
        """Cluster of the nearest mean, for each object.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features) or Gram
            New objects: their features, a Gram of them and the training objects, or
            the matrix of these similarities if ``kernel="precomputed"``.

        Returns
        -------
        labels : ndarray of shape (n_samples,)
            Index of the cluster each object belongs to; lazy of a dask array.
        """
        check_is_fitted(self)
        return predicted_later(self, X) if hasattr(X, "dask") else self._predict_now(X)

    def _predict_now(self, X):
        labels = self._means.nearest(*self._similarities(X))
        return labels if isinstance(X, np.ndarray) else like_input(labels, X)

    def _starts(self, X, gram, problem):
        rng = check_random_state(self.random_state)
        seeds = rng.randint(np.iinfo(np.int32).max, size=self.n_init)
        init = start_of(self, X, gram, seeds[0])
        return draw_starts(problem, self.n_clusters, init, seeds)

    def _block_predictor(self):
        return block_predictor(self) or super()._block_predictor()

    def _similarities(self, X):
        """Similarities to the means, k(x, x) of the objects, and which they are.

        NaN where k(x, x) is unknown; None for the third if nobody needs to know.
        """
        shifted, index = self._means.shifted, None
        if self._kernel is None or isinstance(X, Gram):
            gram = self._new_gram(X)
            S, self_similarity = gram @ self.dual_coef_, gram.self_similarity
            if self_similarity is None:
                self_similarity = self._rows.self_similarity(gram)
            if shifted:
                index = self._rows.match(gram)
        else:
            of_objects = isinstance(self._kernel.X, Objects)
            X = check_objects(X) if of_objects else check_features(self, X, **NEW_ROWS)
            coef, means = self.dual_coef_, self._means_fit
            S, self_similarity = self._kernel.similarities(X, coef, means)
            if shifted:
                index = self._kernel.training_index(X)
        return np.ascontiguousarray(S.T, dtype=np.float64), self_similarity, index

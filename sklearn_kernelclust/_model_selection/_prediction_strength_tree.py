"""A cluster tree that chooses the number of clusters at each node, or to stop."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from numbers import Integral, Real

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin, MetaEstimatorMixin, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_mutual_info_score
from sklearn.utils import check_random_state, get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from sklearn_kernelclust._gram._base import Gram
from sklearn_kernelclust._gram._checks import check_kernel
from sklearn_kernelclust._model_selection._node_data import (
    NodeModel,
    Objects,
    taken_apart,
)
from sklearn_kernelclust._model_selection._pipeline_steps import (
    Steps,
    check_not_iterator,
    check_predicts,
)
from sklearn_kernelclust._model_selection._tree_growth import (
    Rule,
    StepwiseProgress,
    grow,
)
from sklearn_kernelclust._model_selection._tree_views import TreeViewsMixin
from sklearn_kernelclust._utils._sklearn import (
    CallbackSupportMixin,
    HasMethods,
    Interval,
    StrOptions,
    _fit_context,
)
from sklearn_kernelclust._utils._validation import all_or_nothing
from sklearn_kernelclust._utils._warnings import warn_user

# A tuple, because scikit-learn wants defaults that cannot change.
CANDIDATES = tuple(range(2, 11))

# Why there is no score.
KERNEL = (
    "score grows a tree of the new objects, and of these a kernel has only the "
    "similarities to the training objects. Fit a pipeline from features, with "
    "PairwiseKernel in front."
)

# Attributes that not every fit sets.
OPTIONAL = "n_features_in_", "feature_names_in_"


def takes_features(tree):
    """Whether a tree of new objects can be grown: not from a kernel matrix."""
    if get_tags(tree.estimator).input_tags.pairwise:
        raise AttributeError(KERNEL)
    return True


class PredictionStrengthTree(
    TreeViewsMixin,
    CallbackSupportMixin,
    MetaEstimatorMixin,
    ClusterMixin,
    BaseEstimator,
):
    """Clusters within clusters, without being told how many.

    At each node of a tree, prediction strength chooses the number of clusters [1]_,
    and the node is split if the score is above what the same model reaches on
    references of the same size without clusters. Else the node is a leaf. The steps of
    a `Pipeline` are fitted inside each node: weights of terms within a topic tell its
    subtopics apart.

    Parameters
    ----------
    estimator : estimator object
        A clusterer with `predict`, of this package or of scikit-learn, or a
        `Pipeline` that ends in one and begins at texts, counts, features or a kernel.
        Terms of texts are counted once, by a `CountVectorizer` or `TfidfVectorizer`
        in front; all other steps are fitted in each node.

    n_clusters : array-like of int or int, default=range(2, 11)
        Numbers of clusters to choose from at each node.

    n_splits : int, default=48
        Most splits of the objects of a node. Where the answer is clear, fewer are
        made.

    threshold : "reference", float or callable, default="reference"
        What a score has to be above. `"reference"`: scores of references without
        clusters, see the Notes. A number is a fixed bar. A callable
        ``threshold(X, random_state)`` draws references of your own: as many objects
        as `X` has, of the same kind.

    n_references : int, default=8
        Number of references at each node.

    min_evidence : float, default=0.5
        Evidence that the split of a part needs, as a share of e min(e, 1), where e is
        the evidence for the first split. The evidence is the excess of the score over
        the references, times ln k and the square root of the share of all objects
        that are in the node. 0 splits wherever the excess is significant, and finds
        small clusters far down.

    min_samples_split : int, default=16
        A node with fewer objects is a leaf.

    max_depth : int or None, default=None
        Greatest depth of a leaf; that of the root is 0.

    max_samples : int, default=700
        In a larger node, a random sample of so many objects is scored. The split
        itself is made with all of them.

    n_init : int or None, default=1
        Number of starts while the estimator is scored, if it has a parameter of that
        name. None uses its own. Splits are always made with its own.

    param_name : str, default="n_clusters"
        Name of the number of clusters, as in :class:`PredictionStrengthK`.

    n_jobs : int or None, default=None
        Number of nodes, or of splits at the root, worked on in parallel. The tree
        does not depend on it.

    random_state : int, RandomState instance or None, default=None
        Determines references, splits and the random states of the models: those that
        are scored get new ones, in the models of the nodes only those that are None.

    Attributes
    ----------
    tree_ : ClusterTree
        The tree. ``tree_.nodes[i].choice`` has what was found at node i: `k` (1 at a
        leaf), `score`, `reference`, `significance`, `evidence`, `ranking` of the
        numbers of clusters with their `scores` and `references`, `n_splits`, and the
        `reason` why a leaf is one. ``tree_.members(i)`` are its objects.

    labels_ : ndarray of shape (n_samples,)
        Leaf of each object; leaves are numbered from left to right.

    n_leaves_ : int
        Number of leaves.

    children_ : ndarray of shape (n_leaves - 1, 2)
        Clusters that are joined, as in scikit-learn's hierarchical clusterers: those
        below `n_leaves_` are leaves, and row i makes cluster ``n_leaves_ + i``.

    depth_ : int
        Depth of the deepest leaf.

    n_features_in_ : int
        Number of features seen during fit, if the model knows it.

    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of features seen during fit, if the model knows them.

    See Also
    --------
    PredictionStrengthK : One number of clusters for all objects.
    ClusterTreeDisplay : Picture of the tree.

    Notes
    -----
    References have what the data have, but for clusters. Counts of terms, in sparse
    matrices of whole numbers or in front of a `TfidfTransformer`: documents of the
    same lengths, with terms drawn from the one distribution of all. Other sparse
    features: each feature permuted on its own. Dense features and kernels: objects
    uniform along the principal axes, with the variances of the data.

    A score counts as above the references if it exceeds their mean by 1.75 times the
    sum of their spread and that of the median number of clusters. Two
    groups on a line are predicted perfectly, but so are two halves of a line without
    a gap. Clusters with a score of 0.8 or more are therefore also compared by their
    dispersion, by the gap statistic [2]_. Of several numbers of well separated
    clusters the smallest wins, unless the gap rises to the next one: the others are
    found inside.

    On text, use ``init="random"``, as seeds far from each other are outliers, with
    `DiagonalShift` and `EmpiricalKernelMap`, as self-similarities dominate the kernel
    (the pipeline below).

    Cost: each node needs ``2 * (n_splits + n_references * n_splits / 4)`` fits on
    halves of at most `max_samples` objects for all numbers of clusters, with 24 splits
    where the answer is clear. :class:`KernelKMeans` fits them together, other
    clusterers one by one.

    References
    ----------
    .. [1] R. Tibshirani and G. Walther, "Cluster Validation by Prediction
       Strength", Journal of Computational and Graphical Statistics 14, 2005.
    .. [2] R. Tibshirani, G. Walther and T. Hastie, "Estimating the number of
       clusters in a data set via the gap statistic", Journal of the Royal
       Statistical Society B 63, 2001.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import make_blobs
    >>> from sklearn_kernelclust import KernelKMeans, PredictionStrengthTree
    >>> centers = [[0, 0], [0, 9], [50, 0], [50, 9], [58, 5]]
    >>> X, _ = make_blobs(150, centers=centers, random_state=0)
    >>> tree = PredictionStrengthTree(KernelKMeans(kernel="linear"), random_state=0)
    >>> tree.fit(X).n_leaves_
    5
    >>> np.bincount(tree.labels_at(1))
    array([90, 60])
    >>> tree.predict([[0, 8], [59, 5]])
    array([4, 1])
    >>> root = tree.tree_.nodes[0].choice
    >>> root.k, round(root.score, 2)
    (2, 1.0)

    Topics within topics of texts::

        make_pipeline(
            TfidfVectorizer(sublinear_tf=True, stop_words="english"),
            PairwiseKernel("cosine", lazy=True),
            DiagonalShift(),
            EmpiricalKernelMap(),
            KernelKMeans(kernel="precomputed", init="random"),
        )
    """

    _parameter_constraints: dict = {
        "estimator": [HasMethods(["fit"])],
        "n_clusters": ["array-like", Integral],
        "n_splits": [Interval(Integral, 1, None, closed="left")],
        "threshold": [
            StrOptions({"reference"}),
            Interval(Real, None, None, closed="neither"),
            callable,
        ],
        "n_references": [Interval(Integral, 2, None, closed="left")],
        "min_evidence": [Interval(Real, 0, None, closed="left")],
        "min_samples_split": [Interval(Integral, 4, None, closed="left")],
        "max_depth": [Interval(Integral, 0, None, closed="left"), None],
        "max_samples": [Interval(Integral, 16, None, closed="left")],
        "n_init": [Interval(Integral, 1, None, closed="left"), None],
        "param_name": [str],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        estimator,
        *,
        n_clusters=CANDIDATES,
        n_splits=48,
        threshold="reference",
        n_references=8,
        min_evidence=0.5,
        min_samples_split=16,
        max_depth=None,
        max_samples=700,
        n_init=1,
        param_name="n_clusters",
        n_jobs=None,
        random_state=None,
    ):
        self.estimator = estimator
        self.n_clusters = n_clusters
        self.n_splits = n_splits
        self.threshold = threshold
        self.n_references = n_references
        self.min_evidence = min_evidence
        self.min_samples_split = min_samples_split
        self.max_depth = max_depth
        self.max_samples = max_samples
        self.n_init = n_init
        self.param_name = param_name
        self.n_jobs = n_jobs
        self.random_state = random_state

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self.estimator).input_tags
        return tags

    @_fit_context(prefer_skip_nested_validation=False)
    @all_or_nothing
    def fit(self, X, y=None):
        """Grow the tree.

        Parameters
        ----------
        X : array-like, sparse matrix, sequence or Gram
            Input of the estimator: texts, counts, features, a kernel matrix.

        y : Ignored
            Not used, present for API consistency by convention.

        Returns
        -------
        self : object
            Fitted estimator.
        """
        for name in OPTIONAL:
            vars(self).pop(name, None)
        check_predicts(self.estimator)
        check_not_iterator(X)
        rule = Rule.of(self)
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        counter, estimator = taken_apart(self.estimator)
        model = NodeModel(estimator, self.param_name, self.n_init)
        objects = self._objects(X if counter is None else counter.fit_transform(X))

        progress = StepwiseProgress(self, X, y)
        tree = grow(objects, model, rule, seed, self.n_jobs, progress)
        root = tree.nodes[0].cut
        # A model of one cluster checks the input, of this fit and of `predict`.
        whole = model.fitted(objects.X, 1, seed) if root is None else root.model
        progress.end()

        warn_if_stopped(progress, tree)
        self.tree_, self.labels_ = tree, tree.labels()
        self.n_leaves_, self.depth_ = tree.n_leaves, max(tree.depths())
        self.children_ = tree.linkage()[:, :2].astype(int)
        self._counter, self._whole = counter, whole
        known = OPTIONAL if counter is None else ()
        vars(self).update({n: getattr(whole, n) for n in known if hasattr(whole, n)})
        return self

    def predict(self, X):
        """Leaves of new objects, down the tree by the models of its nodes.

        Parameters
        ----------
        X : array-like, sparse matrix, sequence or Gram
            New objects, as the estimator takes them: of a kernel, their
            similarities to all training objects.

        Returns
        -------
        labels : ndarray of shape (n_samples,)
            Leaf of each object. Training objects go to theirs.
        """
        check_is_fitted(self)
        check_not_iterator(X)
        if self._counter is not None:
            X = self._counter.transform(X)
        if not self.tree_.splits:
            return np.zeros_like(self._whole.predict(X), dtype=np.intp)
        return self.tree_.route(Objects(X, is_kernel=self.tree_.dual))

    @available_if(takes_features)
    def score(self, X, y=None):
        """How well the tree predicts the leaves of a tree of other objects.

        A clone is fitted on `X`, and its leaves are compared with those that this
        tree predicts. Scores of different kernels and parameters can be compared.

        Parameters
        ----------
        X : array-like, sparse matrix or sequence
            Other objects than those of the fit.

        y : Ignored
            Not used, present for API consistency by convention.

        Returns
        -------
        score : float
            Adjusted mutual information: 1 at best, about 0 by chance. 0 if one of
            the trees has a single leaf, which predicts nothing.
        """
        check_is_fitted(self)
        if self.tree_.dual:
            raise ValueError(KERNEL)
        own = clone(self).fit(X).labels_
        predicted = self.predict(X)
        if min(len(np.unique(own)), self.n_leaves_) == 1:
            return 0.0
        return float(adjusted_mutual_info_score(own, predicted))

    def _objects(self, X):
        """The training objects; a kernel is checked here."""
        is_kernel = Steps(self.estimator, self.param_name).takes_kernel()
        if is_kernel or isinstance(X, Gram):
            sparse = "csr" if get_tags(self).input_tags.sparse else False
            check_kernel(self, X, reset=True, accept_sparse=sparse)
        return Objects(X, is_kernel=is_kernel)


def warn_if_stopped(progress, tree):
    """Warn of a tree that is not finished."""
    if progress.stopped:
        warn_user(
            f"A callback stopped the fit: the tree has {tree.n_leaves} leaves, which "
            "may be split further.",
            ConvergenceWarning,
        )

"""Splitters: from the objects of a node to the cut that separates them."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from contextlib import nullcontext
from functools import cache

import numpy as np
from sklearn.utils.extmath import safe_sparse_dot

from sklearn_kernelclust._divisive._cuts import (
    Gaps,
    inner_sums_of_prefixes,
    inner_sums_on_line,
    orthant_cut,
)
from sklearn_kernelclust._divisive._two_means_cut import (
    centered_problem,
    two_means,
    two_means_as_they_are,
)
from sklearn_kernelclust._gram._base import take
from sklearn_kernelclust._gram._distributed_leaves import gram_of_rows, part_of
from sklearn_kernelclust._gram._tiles import WORTH_A_THREAD
from sklearn_kernelclust._gram._weighted_center import (
    are_mean,
    shares,
    weighted_centered,
    weighted_products,
    weighted_total,
)
from sklearn_kernelclust._gram._wrappers import CenteredGram
from sklearn_kernelclust._kmeans._solve import draw_starts
from sklearn_kernelclust._linalg._eigenpairs import leading_eigenpairs
from sklearn_kernelclust._linalg._spectrum_checks import spectrum_floor
from sklearn_kernelclust._utils._threads import blas_threads
from sklearn_kernelclust._utils._tolerances import FLOAT64, PROJECTION_TIE

# No node gets more children than this, or their numbers would overflow.
MOST_CHILDREN = 2**31

SPLITS = ("sign", "2-means", "optimal-cut", "optimal-cut-2-means", "projection-cut")

# A difference must not be smaller than what it is taken of by more than this, or
# it is computed from centred features: it keeps 12 digits.
LOSS = 1e3

# Residual of a direction, relative to its eigenvalue, that no cut feels.
TOL = 1e-8


class Objects:
    """The members of a node, and their scatter.

    Parameters
    ----------
    gram : Gram
        Of the members.
    weight : ndarray of shape (n_members,) or None
        Their weights; 1 by default.

    Attributes
    ----------
    scatter : float
        Sum of squared distances of the members to their mean, times their weights.
    center : ndarray or None
        Their mean, of dense features in float64 without weights that need no centring.
    """

    def __init__(self, gram, weight=None):
        self.gram, self.weight, self.centered = gram, weight, None
        self.center = self.scatter = None
        A = gram.factor()
        if A is not None and A.dtype == FLOAT64 and weight is None and len(A) > 1:
            center = np.ones(len(A)) @ A / len(A)
            self.scatter = scatter_of(gram.diagonal(), center)
        if self.scatter is not None:
            self.center = center
            return
        centered_gram = weighted_centered(gram, weight)
        # The centred Gram of a factor holds a copy of the features: drop it.
        # Else it holds only the means of the rows.
        self.centered = centered_gram if gram.factor() is None else None
        self.scatter = scatter(gram, centered_gram, weight)

    def __len__(self):
        return self.gram.shape[0]

    def threads(self):
        """A context with one thread of BLAS where more would wait for each other.

        Products of few features take less time than a thread takes to wake up.
        """
        A = self.gram.factor()
        few = isinstance(A, np.ndarray) and A.size < WORTH_A_THREAD
        return blas_threads(1) if few else nullcontext()

    @property
    def mass(self):
        """Weights of the members."""
        return np.ones(len(self)) if self.weight is None else self.weight

    @property
    def shares(self):
        """Share of each member in the mean of the node."""
        return shares(self.weight, len(self))

    @property
    def counted(self):
        """Which members have a weight."""
        return slice(None) if self.weight is None else np.flatnonzero(self.weight)

    def mean(self, values):
        """Mean of what each member has, in float64."""
        if self.weight is None:
            return values.mean(axis=0, dtype=np.float64)
        return self.shares @ values.astype(np.float64)

    def prepared(self, store=True):
        """The Gram and the centred Gram, stored where that saves work.

        Few products do not pay for an array of those of features: `store` is False.
        """
        if self.centered is None:
            centered_gram = weighted_centered(self.gram, self.weight)
            return self.gram, centered_gram.stored() if store else centered_gram
        gram, means = self.gram.stored(), self.centered.row_means
        return gram, CenteredGram(gram, means, means, self.centered.mean)

    def parts(self, sides):
        """The members of each side, given by their indices."""
        return [self.part(index) for index in sides]

    def principal(self, k, prepared):
        """Functionals of the leading principal components, None if there are none."""
        gram, centered_gram = prepared()
        weights = principal_weights(gram, centered_gram, k, self.weight)
        return None if weights is None else self.functionals(gram, weights)


class KernelObjects(Objects):
    """The members of a node in the feature space of a kernel."""

    dual = True

    def part(self, index):
        """The members with these indices."""
        return KernelObjects(self.gram.restrict(index, index), take(self.weight, index))

    def functionals(self, gram, weights):
        """Directions as weights of the members, values of the members, their size."""
        directions, size = self.directions(weights)
        return directions, gram @ weights, size

    def directions(self, weights):
        """The weights themselves, and the size of values."""
        return weights, np.abs(self.gram.diagonal()).max() * np.abs(weights).sum(axis=0)


class FeatureObjects(Objects):
    """The members of a node in the space of their features.

    Parameters
    ----------
    X : array, CSR matrix or RowBlocks
    weight : ndarray of shape (n_members,) or None
    """

    dual = False

    def __init__(self, X, weight=None):
        self.X = X
        super().__init__(gram_of_rows(X), weight)

    def part(self, index):
        """The members with these indices."""
        return FeatureObjects(part_of(self.X, index), take(self.weight, index))

    def functionals(self, gram, weights):
        """Directions as weights of the features, values of the members, their size."""
        directions = safe_sparse_dot(self.X.T, weights, dense_output=True)
        values = safe_sparse_dot(self.X, directions, dense_output=True)
        longest = np.sqrt(self.gram.diagonal().max())
        return directions, values, longest * np.linalg.norm(directions, axis=0)


def scatter(gram, centered_gram, weight=None):
    """Sum of squared distances of the objects to their mean, times their weights.

    Without weights it is ``trace(K) - e'Ke / n``, the trace of the centred Gram, and
    0 where that is only rounding.
    """
    if gram.shape[0] < 2:
        return 0.0
    total = weighted_total(centered_gram.diagonal(), weight)
    if gram.factor() is None:
        size = weighted_total(np.abs(gram.diagonal()), weight)
        if abs(total) <= spectrum_floor(gram.shape[0], gram.dtype, size):
            return 0.0
    return total


def scatter_of(squares, mean):
    """Scatter of objects with these squared lengths, None if that costs digits."""
    total = float(squares.sum())
    scatter = total - len(squares) * float(mean @ mean)
    return scatter if total <= LOSS * scatter else None


class PrincipalSplitter:
    """Cut a node along its leading principal components, as PDDP(l) does.

    Parameters
    ----------
    n_components : int
        The number l of components: a node gets up to 2^l children.
    split : str
        One of `SPLITS`.
    max_iter : int
        Maximum number of iterations of k-means.
    exact : bool
        Whether to use fewer components where there would be too many children.
    """

    def __init__(self, n_components, split, max_iter, *, exact=True):
        self.n_components, self.max_iter = n_components, max_iter
        self.split, self.exact = split, exact
        self.place = split.removesuffix("-2-means").removesuffix("2-means") or "sign"

    def __call__(self, objects, most_children):
        """The cut and the child of each member; None if no cut separates them."""
        most = int(most_children) if self.exact else MOST_CHILDREN
        n_components = min(self.n_components, most.bit_length() - 1)
        prepared = cache(objects.prepared)
        functionals = objects.principal(n_components, prepared)
        if functionals is None:
            return None
        directions, values, size = functionals
        offset = objects.mean(values)
        values = values - offset
        rounding = PROJECTION_TIE[np.dtype(directions.dtype)] * size
        gaps = [Gaps(v[objects.counted], r) for v, r in zip(values.T, rounding)]
        kept = [j for j, g in enumerate(gaps) if g.any]
        if not kept:
            return None
        thresholds = np.array(
            [self.threshold(gaps[j], objects, prepared) for j in kept]
        )
        cut, side = orthant_cut(
            directions[:, kept], offset[kept], values[:, kept], thresholds
        )
        if not self.split.endswith("2-means"):
            return cut, side
        return two_means(objects, *prepared(), [side], self.max_iter)

    def threshold(self, gaps, objects, prepared):
        """Value at which one direction is cut."""
        if self.place == "sign":
            return gaps.at(0.0)
        mass = None
        if objects.weight is not None:
            weight = objects.weight[objects.counted]
            mass = weight[gaps.order]
        if self.place == "projection-cut":
            return gaps.best(inner_sums_on_line(gaps.sorted, mass), mass)
        centered_gram = prepared()[1]
        if mass is not None:
            counted = centered_gram.restrict(objects.counted, objects.counted)
            centered_gram = counted.scaled(weight, weight)
        return gaps.best(inner_sums_of_prefixes(centered_gram, gaps.order), mass)


class SeededSplitter:
    """Cut a node by kernel 2-means from seeds, the best of several starts.

    Parameters
    ----------
    init : {"k-means++", "random"}
    n_init, max_iter : int
    rng : RandomState
        Seeds are drawn from it at each cut.
    """

    def __init__(self, init, n_init, max_iter, rng):
        self.init, self.n_init, self.max_iter = init, n_init, max_iter
        self.rng, self.seeded = rng, np.random.RandomState()  # anew for each start

    def __call__(self, objects, most_children):
        """The cut and the side of each member; None if all are one object."""
        seeds = self.rng.randint(np.iinfo(np.int32).max, size=self.n_init)
        if self.init == "random":
            result = two_means_as_they_are(objects, seeds, self.seeded, self.max_iter)
            if result is not None:
                return result
        gram, centered_gram = objects.prepared(store=False)
        problem = centered_problem(gram, centered_gram, objects.weight)
        starts = draw_starts(problem, 2, self.init, seeds, self.seeded)
        return two_means(objects, gram, centered_gram, starts, self.max_iter, problem)


def principal_weights(gram, centered_gram, k, weight=None):
    """Weights of the members in each of the leading principal components.

    The components have length 1 in feature space; eigenvalues that are only
    rounding have none. None if there is not a single one.
    """
    n, dtype = centered_gram.shape[0], centered_gram.dtype
    floor = 0.0
    if gram.factor() is None:  # else the factor was centered, not the products
        # A shift may leave the diagonal much smaller than what rounding goes by.
        size = max(np.abs(gram.diagonal()).max(), np.abs(centered_gram.row_means).max())
        floor = spectrum_floor(n, dtype, size)
    products = weighted_products(centered_gram, weight)
    floor *= 1.0 if weight is None else float(weight.max())
    if np.abs(products.diagonal()).max() <= floor:
        return None
    values, vectors = leading_eigenpairs(products, k, noise=10 * floor, tol=TOL)
    floor = max(floor, spectrum_floor(n, dtype, values[0]), 0.0)
    kept = (values > floor) & ~are_mean(vectors, weight)
    values, vectors = values[kept], vectors[:, kept]
    if len(values) == 0:
        return None
    weights = vectors / np.sqrt(values)
    if weight is None:
        return weights - weights.mean(axis=0)
    weights *= np.sqrt(weight)[:, None].astype(dtype)
    rest = np.outer(shares(weight, n), weights.sum(axis=0))
    return weights - rest.astype(dtype)

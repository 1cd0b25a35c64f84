"""Members of a node with dense features: their moments instead of centred copies.

The scatter matrix of the larger child of a node is that of the node, less that of
the smaller child, less what lies between their means. So only smaller children are
multiplied out.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np

from sklearn_kernelclust._divisive._splitters import (
    LOSS,
    TOL,
    FeatureObjects,
    scatter_of,
)
from sklearn_kernelclust._gram._factored import FactoredGram
from sklearn_kernelclust._linalg._eigenpairs import pairs_of_scatter_matrix
from sklearn_kernelclust._linalg._eigenspaces import random_directions, sign_rule
from sklearn_kernelclust._linalg._spectrum_checks import spectrum_floor
from sklearn_kernelclust._utils._cached_property import cached_property

# With more features, or fewer objects than features, products with the features
# cost less than their scatter matrix.
MOST_FEATURES = 1000

# Squares keep all digits where the scatter is between this and its inverse.
LEAST = 1e-200


@dataclass
class ScatterMatrix:
    """Scatter about the mean, and the size of the numbers it is a difference of."""

    matrix: np.ndarray
    size: float

    def less(self, part, between, weight):
        """That of the rest, where the means are the vector `between` apart."""
        matrix = self.matrix - part.matrix
        matrix -= np.outer(weight * between, between)
        return ScatterMatrix(matrix, self.size + part.size)


class DenseObjects(FeatureObjects):
    """The members of a node in the space of few dense features, without weights.

    Parameters
    ----------
    features : ndarray
        Those of all objects.
    norms : ndarray of shape (n_members,) or None
        Squared lengths of the rows of the members, in float64 (if they were
        computed in float32, they are computed again).
    index : ndarray of shape (n_members,) or None
        Rows of the members; all by default.
    mean : ndarray or None
        Mean of the members, in float64.
    """

    weight = centered = None

    def __init__(self, features, norms=None, index=None, mean=None):
        if norms is None or norms.dtype != np.float64:
            norms = np.einsum("ij,ij->i", features, features, dtype=np.float64)
        if mean is None:
            mean = features.mean(axis=0, dtype=np.float64)
        self.features, self.norms, self.index = features, norms, index
        self.center, self.difference = mean, None
        self.scatter = self._scatter()

    def __len__(self):
        return len(self.norms)

    @cached_property
    def X(self):
        """Features of the members."""
        return self.features if self.index is None else self.features[self.index]

    @property
    def gram(self):
        """Their inner products, which are not formed."""
        norms = self.norms.astype(self.X.dtype)
        return FactoredGram(self.X, self.X, norms, symmetric=True)

    def parts(self, sides):
        """The members of each side; the larger of two refers to the smaller."""
        sums = [self._sum_of(index) for index in sides[:-1]]
        sums.append(len(self) * self.center - np.sum(sums, axis=0))
        rows = [i if self.index is None else self.index[i] for i in sides]
        parts = [
            DenseObjects(self.features, self.norms[i], r, s / len(i))
            for i, r, s in zip(sides, rows, sums)
        ]
        if len(parts) == 2 and "scatter_matrix" in vars(self):
            small, large = sorted(parts, key=len)
            large.difference = self.scatter_matrix, small
        return parts

    def _sum_of(self, index):
        """Sum of the features of the members with these indices."""
        chosen = np.zeros(len(self))
        chosen[index] = 1
        return chosen @ self.X

    def _scatter(self):
        """Sum of squared distances to the mean."""
        if len(self) < 2:
            return 0.0
        scatter = scatter_of(self.norms, self.center)
        if scatter is not None:
            return scatter
        X = self._centered()
        return float(np.vdot(X, X))

    def _centered(self):
        X = self.X.astype(np.float64, copy=False)
        return X - X.mean(axis=0)

    @cached_property
    def scatter_matrix(self):
        """The scatter matrix, by the cheapest way that costs few digits."""
        if self.difference is not None:
            whole, small = self.difference
            self.difference = None
            weight = len(self) * len(small) / (len(self) + len(small))
            between = self.center - small.center
            result = whole.less(small.scatter_matrix, between, weight)
            if result.size <= LOSS * self.scatter:
                return result
        total = float(self.norms.sum())
        if total > LOSS * self.scatter:
            X = self._centered()
            return ScatterMatrix(X.T @ X, self.scatter)
        X = self.X.astype(np.float64, copy=False)
        matrix = X.T @ X
        matrix -= np.outer(len(self) * self.center, self.center)
        return ScatterMatrix(matrix, total)

    def principal(self, k, prepared):
        """Functionals of the leading principal components, None if there are none."""
        n, m = len(self), self.features.shape[1]
        if m > min(MOST_FEATURES, n // 2) or not LEAST < self.scatter < 1 / LEAST:
            return super().principal(k, prepared)
        matrix, dtype = self.scatter_matrix.matrix, self.X.dtype
        values, vectors = pairs_of_scatter_matrix(matrix, k, self._inner, tol=TOL)
        floor = max(n * np.finfo(dtype).eps, spectrum_floor(n, dtype, 1)) * values[0]
        directions = vectors[:, values > floor].astype(dtype)
        projections = self.X @ directions
        signs = sign_rule(projections - (self.center @ directions).astype(dtype))
        size = np.sqrt(self.norms.max()) * np.linalg.norm(directions, axis=0)
        return directions * signs, projections * signs, size

    def _inner(self, count):
        """Random directions of the members, in the space of the features."""
        random = random_directions(len(self), count)
        return self.X.T @ (random - random.mean(axis=0))

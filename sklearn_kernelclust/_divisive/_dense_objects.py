"""Members of a node with dense features: their moments instead of centred copies.

With few features the scatter matrix gives the principal components. That of the
larger child of a node is that of the node, less that of the smaller child, less what
lies between their means. So only smaller children are multiplied out. Few members
have a small matrix of products, of which their children take a part. Where both are
many, the features themselves are multiplied, a few rows at a time.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from functools import partial

import numpy as np

from sklearn_kernelclust._divisive._splitters import (
    LOSS,
    TOL,
    FeatureObjects,
    scatter_of,
)
from sklearn_kernelclust._gram._factored import FactoredGram
from sklearn_kernelclust._gram._stored import gather
from sklearn_kernelclust._linalg._eigenpairs import (
    pairs_of_array,
    pairs_of_scatter_matrix,
)
from sklearn_kernelclust._linalg._eigenspaces import random_directions, sign_rule
from sklearn_kernelclust._linalg._spectrum_checks import spectrum_floor
from sklearn_kernelclust._utils._cached_property import cached_property
from sklearn_kernelclust._utils._threads import batches, n_threads
from sklearn_kernelclust._utils._tolerances import FLOAT64

# Up to this many features, or members, a matrix of their products costs less than two
# dozen products of the features with a vector.
SMALL = 500

# The same up to more features, of so many times as many members: only the smaller
# child of a node is multiplied out.
MOST_FEATURES, TALL = 1000, 4

# Rows of so many bytes stay in a core's cache while they are used; rows that threads
# share are more, or the threads would mostly wait for each other.
BLOCK_BYTES, SHARED_BYTES = 2**19, 2**22

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


class ImplicitScatterMatrix:
    """The scatter matrix as its products with vectors.

    Parameters
    ----------
    X : ndarray of shape (n_members, n_features)
    mean : ndarray of shape (n_features,)
    """

    def __init__(self, X, mean):
        self.X, self.mean, self.dtype = X, mean, X.dtype
        self.shape = X.shape[1], X.shape[1]

    def __matmul__(self, Z):
        offset, product = self.mean @ Z, np.zeros(Z.shape)
        for _, block in blocks_of(self.X):
            product += block.T @ (block @ Z - offset)
        return product


def blocks_of(X, index=None):
    """Slices, and the rows that `index` has there, in memory that is used again."""
    n_bytes = BLOCK_BYTES if n_threads() == 1 else SHARED_BYTES
    height = max(n_bytes // (X.shape[1] * X.itemsize), 1)
    if index is None:
        yield from ((rows, X[rows]) for rows in batches(len(X), height))
        return
    taken = np.empty((min(height, len(index)), X.shape[1]), X.dtype)
    for rows in batches(len(index), height):
        block = taken[: rows.stop - rows.start]
        # Without a mode, it would be taken to another place first.
        yield rows, np.take(X, index[rows], axis=0, out=block, mode="clip")


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
        rows = [i if self.index is None else self.index[i] for i in sides]
        largest = max(range(len(sides)), key=lambda s: len(sides[s]))
        sums = [0 if s == largest else self._sum_of(r) for s, r in enumerate(rows)]
        sums[largest] = len(self) * self.center - sum(sums)
        parts = [
            DenseObjects(self.features, self.norms[i], r, s / len(i))
            for i, r, s in zip(sides, rows, sums)
        ]
        if len(parts) == 2 and "scatter_matrix" in vars(self):
            small, large = sorted(parts, key=len)
            large.difference = self.scatter_matrix, small
        if "products" in vars(self):
            for part, i in zip(parts, sides):
                part.products = gather(self.products, i, i)
        return parts

    def _sum_of(self, rows):
        """Sum of rows of the features, in float64."""
        blocks = (block for _, block in blocks_of(self.features, rows))
        return sum(np.ones(len(block)) @ block for block in blocks)

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
        matrix = np.outer(-len(self) * self.center, self.center)
        for _, block in blocks_of(self.features, self.index):
            block = block.astype(np.float64, copy=False)
            matrix += block.T @ block
        return ScatterMatrix(matrix, total)

    @cached_property
    def products(self):
        """Those of all pairs of members, in float64."""
        X = self.X.astype(np.float64, copy=False)
        return X @ X.T

    def principal(self, k, prepared):
        """Functionals of the leading principal components, None if there are none."""
        pairs = self._pairs(k) if LEAST < self.scatter < 1 / LEAST else None
        if pairs is None:
            return super().principal(k, prepared)
        (values, vectors), n, dtype = pairs, len(self), self.features.dtype
        floor = max(n * np.finfo(dtype).eps, spectrum_floor(n, dtype, 1)) * values[0]
        directions = vectors[:, values > floor].astype(dtype)
        projections = self._projections(directions)
        signs = sign_rule(projections - (self.center @ directions).astype(dtype))
        size = np.sqrt(self.norms.max()) * np.linalg.norm(directions, axis=0)
        return directions * signs, projections * signs, size

    @np.errstate(invalid="ignore")  # kernels of OpenBLAS flag what they do not use
    def _projections(self, directions):
        """Products of the members with directions, finite as both are."""
        if "X" in vars(self):
            return self.X @ directions
        result = np.empty((len(self), directions.shape[1]), directions.dtype)
        for rows, block in blocks_of(self.features, self.index):
            np.matmul(block, directions, out=result[rows])
        return result

    def _pairs(self, k):
        """Eigenpairs of the scatter matrix; None if they need a centred copy."""
        n, m = len(self), self.features.shape[1]
        if m <= min(SMALL, n) or m <= min(MOST_FEATURES, n // TALL):
            matrix = self.scatter_matrix.matrix
            return pairs_of_scatter_matrix(matrix, k, self._inner, tol=TOL)
        if self.norms.sum() > LOSS * self.scatter:
            return None
        if n <= SMALL:
            return self._pairs_of_products(k)
        if self.features.dtype != FLOAT64:
            return None
        matrix = ImplicitScatterMatrix(self.X, self.center)
        return pairs_of_scatter_matrix(matrix, k, self._inner, tol=TOL)

    def _pairs_of_products(self, k):
        """The same from the centred products of the members."""
        means = self.products.mean(axis=0)
        matrix = self.products - means
        matrix -= (means - means.mean())[:, None]
        random = partial(random_directions, len(self))
        values, vectors = pairs_of_array(matrix, k, random, tol=TOL)
        positive = values > 0
        vectors = vectors[:, positive] / np.sqrt(values[positive])
        return values[positive], self.X.T @ (vectors - vectors.mean(axis=0))

    def _inner(self, count):
        """Random directions of the members, in the space of the features."""
        random = random_directions(len(self), count)
        return self.X.T @ (random - random.mean(axis=0))

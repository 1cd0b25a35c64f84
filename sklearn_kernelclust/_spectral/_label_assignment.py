"""From an embedding to labels: three rules, which also label new rows."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from contextlib import nullcontext

import numpy as np
import scipy.linalg
from sklearn import config_context
from sklearn.cluster import KMeans
from sklearn.preprocessing import normalize

from sklearn_kernelclust._spectral._starts import PlusPlus
from sklearn_kernelclust._utils._threads import openmp
from sklearn_kernelclust._utils._tolerances import EMBEDDING_TIE

# Coordinates times centres below which threads of k-means mostly wait for each other.
WORTH_A_THREAD = 2**22


class NearestCenter:
    """Each row gets the label of the nearest centre."""

    def __init__(self, centers):
        self.centers = centers

    def squared_distances(self, E):
        """Squared distances of all rows to all centres."""
        return np.stack([_squares(E - center) for center in self.centers], axis=1)

    def scores(self, E):
        """Minus the distances to the centres, and the size of the terms."""
        size = np.sqrt(np.maximum(_squares(E), _squares(self.centers).max()))
        return -np.sqrt(self.squared_distances(E)), size

    def part(self, kept):
        """The rule with a subset of the centres."""
        return NearestCenter(self.centers[kept])


class LargestCoordinate:
    """Each row gets the label of its largest coordinate after a rotation."""

    def __init__(self, rotation, either_sign=False):
        self.rotation, self.either_sign = rotation, either_sign

    def scores(self, E):
        """Coordinates or their absolute values, and the size of the terms."""
        rotated = E @ self.rotation
        return np.abs(rotated) if self.either_sign else rotated, np.sqrt(_squares(E))

    def part(self, kept):
        """The rule with a subset of the axes."""
        return LargestCoordinate(self.rotation[:, kept], self.either_sign)


def _squares(E):
    return np.einsum("ij,ij->i", E, E)


def labels_by(rule, E):
    """Label of the largest score; ties go to the lowest label."""
    return first_largest(*rule.scores(E))


def first_largest(scores, size):
    """Place of the first score that only rounding tells from the largest, by row."""
    tie = EMBEDDING_TIE[np.dtype(scores.dtype)] * np.asarray(size)
    return (scores >= scores.max(axis=-1, keepdims=True) - tie[..., None]).argmax(-1)


def without_empty(rule, E):
    """Labels without gaps, and the rule without the clusters that are empty."""
    kept, labels = np.unique(labels_by(rule, E), return_inverse=True)
    return labels, rule.part(kept)


def cluster_means(E, labels):
    """Mean of the rows of each cluster."""
    sums = [np.bincount(labels, weights=column) for column in E.T]
    return (np.column_stack(sums) / np.bincount(labels)[:, None]).astype(E.dtype)


def squared_distances(E, centers, labels):
    """Squared distance of each row to the centre of its own cluster."""
    return _squares(E - centers[labels])


def kmeans(E, k, n_init, rng, weight=None):
    """Nearest centre, with the centres of scikit-learn's k-means.

    It has no rule for ties. On a grid much coarser than rounding, the same embedding
    has the same ties on every machine and in every storage.
    """
    few = E.size * k < WORTH_A_THREAD
    # Of a numpy array scikit-learn need not ask for its namespace, again and again.
    no_dispatch = config_context(array_api_dispatch=False)
    with no_dispatch, openmp().limit(limits=1) if few else nullcontext():
        init = PlusPlus(n_init, weight)
        model = KMeans(k, init=init, n_init=n_init, random_state=rng)
        model.fit(on_grid(E), sample_weight=weight)
    return NearestCenter(model.cluster_centers_)


def on_grid(E):
    """Coordinates without their last digits, which are rounding."""
    unit = EMBEDDING_TIE[np.dtype(E.dtype)] * float(np.abs(E).max(initial=0))
    if unit == 0:
        return E
    unit = 2.0 ** np.ceil(np.log2(unit))
    return (np.round(E / unit) * unit).astype(E.dtype)


def cluster_qr(E, k=None, n_init=None, rng=None):
    """Largest coordinate, with axes from a pivoted QR decomposition [1]_.

    The pivots are nearly orthogonal rows, one for each cluster; the rotation maps
    them to the axes as nearly as a rotation can. There is no random start.

    .. [1] A. Damle, V. Minden and L. Ying, "Simple, direct and efficient
       multi-way spectral clustering", Information and Inference 8(1), 2019.
    """
    left, _, right = scipy.linalg.svd(E[pivots(on_grid(E))].T)
    return LargestCoordinate(left @ right, either_sign=True)


def pivots(E):
    """Rows of a pivoted QR decomposition of ``E.T``, by a rule for ties.

    Each is the first of the longest rows, without their parts along earlier ones.
    """
    rest, rows = E.copy(), []
    for _ in range(E.shape[1]):
        squares = _squares(rest)
        rows.append(first_largest(squares, squares.max()))
        axis = rest[rows[-1]]
        length = np.linalg.norm(axis)
        if length > 0:
            rest -= np.outer(rest @ axis, axis) / length**2
    return rows


def discretize(E, k=None, n_init=10, rng=None, max_iter=30):
    """Largest coordinate, with the best axes of `n_init` random starts [1]_.

    Labels and the rotation that fits them best are computed in turn.

    .. [1] S. X. Yu and J. Shi, "Multiclass Spectral Clustering", ICCV 2003.
    """
    unit = normalize(on_grid(E))
    starts = rng.randint(len(E), size=n_init)
    agreements, rotations = zip(*(_discretized(unit, i, max_iter) for i in starts))
    best = first_largest(np.array(agreements), len(E))
    return LargestCoordinate(rotations[best])


def _discretized(unit, start, max_iter):
    """Agreement of rows and axes, and the rotation, of one start."""
    rotation, agreement = _spread_rows(unit, start), -np.inf
    for _ in range(max_iter):
        labels = first_largest(unit @ rotation, np.ones(len(unit)))
        sums = np.zeros_like(rotation)
        np.add.at(sums, labels, unit)
        left, singular, right = scipy.linalg.svd(sums)
        if singular.sum() <= agreement * (1 + 1e-10):
            break
        agreement, rotation = singular.sum(), (left @ right).T
    return agreement, rotation


def _spread_rows(unit, start):
    """Pick rows greedily, each as orthogonal as possible to those picked before."""
    k = unit.shape[1]
    rotation = np.zeros((k, k), unit.dtype)
    overlap, i = np.zeros(len(unit), unit.dtype), start
    for j in range(k):
        rotation[:, j] = unit[i]
        overlap += np.abs(unit @ unit[i])
        i = first_largest(-overlap, k)
    return rotation


ASSIGNMENTS = {"cluster_qr": cluster_qr, "discretize": discretize, "kmeans": kmeans}

"""Slow, obvious versions of the algorithms, written from the papers."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

TIE = 1e-12


class Emptied(Exception):
    """A cluster lost its last object: the references have no repair."""


def means(X, labels, k, weight):
    if not all(weight[labels == c].sum() > 0 for c in range(k)):
        raise Emptied
    return [
        np.average(X[labels == c], axis=0, weights=weight[labels == c])
        for c in range(k)
    ]


def squared(x):
    return float(x @ x)


def distances(X, labels, k, weight, leave_one_out):
    """Squared distances to explicit means, without the object itself on demand."""
    centers = means(X, labels, k, weight)
    D = np.array([[squared(x - c) for c in centers] for x in X])
    if leave_one_out:
        for i, a in enumerate(labels):
            rest = (labels == a) & (np.arange(len(X)) != i)
            if weight[rest].sum() > 0:
                center = np.average(X[rest], axis=0, weights=weight[rest])
                D[i, a] = squared(X[i] - center)
            else:
                D[i, a] = -1e300
    return D


def assign(D, sizes, labels=None):
    """The tie rule: stay if that is as near as any, else the lowest index."""
    new = np.empty(len(D), dtype=int)
    for i, d in enumerate(D):
        limit = d.min() + TIE * (2 * sizes[i] + abs(d.min()))
        near = np.flatnonzero(d <= limit)
        stays = labels is not None and d[labels[i]] <= limit
        new[i] = labels[i] if stays else near[0]
    return new


def lloyd(X, labels, k, weight=None, leave_one_out=False, max_iter=100):
    """Batch k-means; the labels after each iteration, the start first."""
    weight = np.ones(len(X)) if weight is None else weight
    sizes = [squared(x) for x in X]
    path = [labels]
    for _ in range(max_iter):
        D = distances(X, labels, k, weight, leave_one_out)
        new = assign(D, sizes, labels)
        if (new == labels).all() and not leave_one_out:
            new = assign(D, sizes)
        path.append(new)
        if (new == labels).all() or any((new == p).all() for p in path[:-1]):
            break
        labels = new
    return path


def objective(X, labels, weight=None):
    weight = np.ones(len(X)) if weight is None else weight
    total = 0.0
    for c in np.unique(labels):
        inside = labels == c
        if weight[inside].sum() > 0:
            center = np.average(X[inside], axis=0, weights=weight[inside])
            total += sum(
                w * squared(x - center) for x, w in zip(X[inside], weight[inside])
            )
    return total


def kernel_objective(K, labels):
    """Of any symmetric matrix, by the definition."""
    total = np.trace(K)
    for c in np.unique(labels):
        inside = np.flatnonzero(labels == c)
        total -= K[np.ix_(inside, inside)].sum() / len(inside)
    return total


def best_single_move(K, labels, k):
    """Change of the objective by the best move of one object, by trying all."""
    start, best = kernel_objective(K, labels), 0.0
    for i in range(len(K)):
        if np.count_nonzero(labels == labels[i]) == 1:
            continue
        for c in range(k):
            other = labels.copy()
            other[i] = c
            best = min(best, kernel_objective(K, other) - start)
    return best

"""Where runs start: seeds far from each other, or random labels."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_kernelclust._kmeans._assignment import BLOCK
from sklearn_kernelclust._utils._threads import batches
from sklearn_kernelclust._utils._warnings import warn_user


def generators(seeds, rng=None):
    """A generator for each seed in turn.

    It is always the same, seeded anew, for a hundredth of the cost of a new one.
    """
    rng = rng or np.random.RandomState()
    for seed in seeds:
        rng.seed(seed)
        yield rng


def random_labels(n_samples, n_clusters, rng):
    """Each object in a random cluster, none of them empty."""
    labels = rng.randint(n_clusters, size=n_samples).astype(np.intp)
    labels[rng.permutation(n_samples)[:n_clusters]] = np.arange(n_clusters)
    return labels


def plus_plus_starts(problem, rngs):
    """Clusters of the nearest seed, for k-means++ seeds in feature space.

    There is a start for each generator. Each seed is the best of 2 + log(k)
    drawn with a probability in proportion to weight times squared distance to
    the nearest seed so far. With fewer distinct objects than clusters there are
    fewer seeds. Cost: as many rows of the kernel as are drawn.
    """
    weight, shape = problem.weight, (problem.n_clusters - 1, n_trials(problem))
    p = weight / weight.sum()
    # All that is random first: a generator may be the one before, seeded anew.
    drawn = [(rng.choice(len(p), p=p), rng.uniform(size=shape)) for rng in rngs]
    starts = []
    for some in batches(len(drawn), max(BLOCK // (shape[1] * len(p)), 1)):
        first, uniform = map(np.array, zip(*drawn[some]))
        starts += list(_plus_plus(problem, first, uniform))
    return starts


def n_trials(problem):
    """How many objects are tried as the next seed."""
    return 2 + int(np.log(problem.n_clusters))


def _plus_plus(problem, first, uniform):
    """Labels from a first seed and uniform numbers, a row for each start."""
    weight, closest = problem.weight, distances_to(problem, first)
    labels = np.zeros(closest.shape, dtype=np.intp)
    for c in range(1, problem.n_clusters):
        cumulated = np.cumsum(weight * closest, axis=1)
        # Else there are no more objects without a seed at their place.
        going = np.flatnonzero(cumulated[:, -1] > 0)
        if not len(going):
            break
        near = closest[going]
        tried = drawn_by(cumulated[going], uniform[going, c - 1])
        distances = distances_to(problem, tried.ravel()).reshape(*tried.shape, -1)
        np.minimum(distances, near[:, None], out=distances)
        best = (distances @ weight).argmin(axis=1)
        closest[going] = distances[np.arange(len(going)), best]
        labels[going] = np.where(closest[going] < near, c, labels[going])
    return labels


def drawn_by(cumulated, uniform):
    """Objects drawn by uniform numbers, from cumulated weights, row by row."""
    drawn = np.empty(uniform.shape, dtype=np.intp)
    for place, sums, u in zip(drawn, cumulated, uniform):
        # Not beyond the last object that has a weight, where rounding might lead.
        last = np.searchsorted(sums, sums[-1])
        place[:] = np.searchsorted(sums, u * sums[-1]).clip(max=last)
    return drawn


def distances_to(problem, seeds):
    """Squared distances of all objects to each seed, zero where only rounding is.

    On an indefinite kernel some would be negative. The smallest shift of the
    diagonal that prevents it adds the same to all but the seed itself, and
    changes the objective of no partition relative to another.
    """
    diagonal = problem.diagonal
    own = diagonal[seeds][:, None]
    d = np.multiply(problem.similarities(seeds), -2.0, dtype=np.float64)
    d += diagonal + own
    rounding = np.abs(diagonal) + np.abs(own)
    rounding *= problem.tie
    np.putmask(d, np.abs(d) <= rounding, 0)
    lowest = d.min(axis=1, keepdims=True)
    if lowest.min() < 0:
        d -= np.minimum(lowest, 0)
    d[np.arange(len(seeds)), seeds] = 0
    return d


def check_init(init, n_samples, n_clusters):
    """Initial labels given by the user."""
    labels = np.asarray(init)
    if labels.shape != (n_samples,):
        raise ValueError(
            f"init must hold one label for each object: expected shape "
            f"({n_samples},), got {labels.shape}."
        )
    if labels.dtype.kind not in "iu":
        raise ValueError(f"init must hold integer labels, got type {labels.dtype}.")
    if labels.min() < 0 or labels.max() >= n_clusters:
        raise ValueError(
            f"init must hold labels in 0..{n_clusters - 1}, got labels from "
            f"{labels.min()} to {labels.max()}."
        )
    missing = np.setdiff1d(np.arange(n_clusters), labels)
    if len(missing):
        warn_user(
            f"init leaves {len(missing)} of {n_clusters} clusters empty (the first is "
            f"{missing[0]}); they get the objects farthest from their means.",
        )
    return labels.astype(np.intp)

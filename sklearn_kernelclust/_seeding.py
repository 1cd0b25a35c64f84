"""Where runs start: seeds far from each other, or random labels."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_kernelclust._warn import warn_user


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


def plus_plus_labels(problem, rng):
    """Clusters of the nearest seed, for k-means++ seeds in feature space.

    Each seed is the best of 2 + log(k) drawn with a probability in proportion
    to weight times squared distance to the nearest seed so far. With fewer
    distinct objects than clusters there are fewer seeds. Cost: as many rows of
    the kernel as are drawn.
    """
    weight, k = problem.weight, problem.n_clusters
    n_trials = 2 + int(np.log(k))
    first = rng.choice(len(weight), p=weight / weight.sum())
    closest = distances_to(problem, np.array([first]))[0]
    labels = np.zeros(len(weight), dtype=np.intp)
    for c in range(1, k):
        potential = weight * closest
        if not potential.sum() > 0:
            break
        cumulated = np.cumsum(potential)
        drawn = np.searchsorted(cumulated, rng.uniform(size=n_trials) * cumulated[-1])
        drawn = drawn.clip(max=np.flatnonzero(potential)[-1])
        distances = np.minimum(distances_to(problem, drawn), closest)
        best = (distances @ weight).argmin()
        labels[distances[best] < closest] = c
        closest = distances[best]
    return labels


def distances_to(problem, seeds):
    """Squared distances of all objects to each seed, zero where only rounding is.

    On an indefinite kernel some would be negative. The smallest shift of the
    diagonal that prevents it adds the same to all but the seed itself, and
    changes the objective of no partition relative to another.
    """
    diagonal = problem.diagonal
    K = problem.similarities(seeds).astype(np.float64)
    d = diagonal + diagonal[seeds][:, None] - 2 * K
    rounding = problem.tie * (np.abs(diagonal) + np.abs(diagonal[seeds][:, None]))
    d[np.abs(d) <= rounding] = 0
    d -= np.minimum(d.min(axis=1, keepdims=True), 0)
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

"""Where runs start: seeds far from each other, or random labels."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from sklearn.base import clone

from sklearn_kernelclust._gram._assignment import BLOCK
from sklearn_kernelclust._kernels._base import KernelMixin
from sklearn_kernelclust._utils._arrays import on_host
from sklearn_kernelclust._utils._threads import batches
from sklearn_kernelclust._utils._tolerances import DISTANCE_TIE, FLOAT64
from sklearn_kernelclust._utils._validation import refuse_dask
from sklearn_kernelclust._utils._warnings import warn_user

# Also for float32, whose entries say more of small similarities than of sums.
TIE = DISTANCE_TIE[FLOAT64]


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


def plus_plus_starts(problem, n_clusters, rngs, blocks=None):
    """Clusters of the nearest seed, for k-means++ seeds in feature space.

    There is a start for each generator. Each seed is the best of 2 + log(k)
    drawn with a probability in proportion to weight times squared distance to
    the nearest seed so far. With fewer distinct objects than clusters there are
    fewer seeds. Cost: as many rows of the kernel as are drawn. `blocks` says which
    problem of a `ProblemStack` each start is for.
    """
    weight, n_trials = problem.weight, 2 + int(np.log(n_clusters))
    n_drawn, shares = (n_clusters - 1) * n_trials, np.cumsum(weight / weight.sum())
    # All that is random first: a generator may be the one before, seeded anew.
    drawn = np.array([rng.uniform(size=1 + n_drawn) for rng in rngs])
    # As `rng.choice` does it, which takes as long for one as this for all.
    first = np.searchsorted(shares / shares[-1], drawn[:, 0], side="right")
    uniform = drawn[:, 1:].reshape(len(drawn), n_clusters - 1, n_trials)
    blocks = np.zeros(len(drawn), np.intp) if blocks is None else blocks
    starts = []
    for batch in batches(len(drawn), max(BLOCK // (n_trials * len(weight)), 1)):
        drawn_here = blocks[batch], first[batch], uniform[batch]
        starts += list(_plus_plus(problem, *drawn_here))
    return starts


def _plus_plus(problem, blocks, first, uniform):
    """Labels from a first seed and uniform numbers, a row for each start.

    Rounding decides nothing: an object keeps its seed unless another is nearer
    by more than a tie, and of tried seeds that are equally good the first is
    taken.
    """
    weight, closest = problem.weight, distances_to(problem, first, blocks)
    labels = np.zeros(closest.shape, dtype=np.intp)
    sizes = np.abs(problem.diagonals)[blocks]
    tie, weighted = TIE * problem.loss, weight * sizes
    ties = tie * sizes
    for c in range(1, uniform.shape[1] + 1):
        cumulated = np.cumsum(weight * closest, axis=1)
        # Without a potential, all objects are at the place of a seed.
        rows = np.flatnonzero(cumulated[:, -1] > 0)
        if not len(rows):
            break
        rows = slice(None) if len(rows) == len(closest) else rows  # not a copy
        near = closest[rows]
        tried = drawn_by(cumulated[rows], uniform[rows, c - 1])
        places = np.repeat(blocks[rows], tried.shape[1])
        distances = distances_to(problem, tried.ravel(), places)
        distances = distances.reshape(*tried.shape, -1)
        np.minimum(distances, near[:, None], out=distances)
        scale = np.einsum("ij,ij->i", near > 0, weighted[rows])
        best = first_smallest(distances @ weight, 0.1 * tie, scale)
        nearest = distances[np.arange(len(near)), best]
        far = near - ties[rows]
        far -= tie * near
        labels[rows] = np.where(nearest < far, c, labels[rows])
        closest[rows] = nearest
    return labels


def first_smallest(values, tie, scale):
    """In each row the place of the first value that ties with the smallest.

    A tie is relative to the value and to the scale of its row.
    """
    smallest = values.min(axis=1, keepdims=True)
    return (values <= smallest + tie * (smallest + scale[:, None])).argmax(axis=1)


def drawn_by(cumulated, uniform):
    """Objects drawn by uniform numbers, from cumulated weights, row by row."""
    drawn = np.empty(uniform.shape, dtype=np.intp)
    for place, sums, u in zip(drawn, cumulated, uniform):
        # Not beyond the last object that has a weight, where rounding might lead.
        last = sums.searchsorted(sums[-1])
        np.minimum(sums.searchsorted(u * sums[-1]), last, out=place)
    return drawn


def distances_to(problem, seeds, blocks=None):
    """Squared distances of all objects to each seed, zero where only rounding is.

    On an indefinite kernel some would be negative. The smallest shift of the
    diagonal that prevents it adds the same to all but the seed itself, and
    changes the objective of no partition relative to another.
    """
    blocks = np.zeros(len(seeds), np.intp) if blocks is None else blocks
    diagonal = problem.diagonals
    seed_diagonal = diagonal[blocks, seeds][:, None]
    diagonal = diagonal if len(diagonal) == 1 else diagonal[blocks]
    similarities = problem.similarities(seeds, blocks)
    d = np.multiply(similarities, -2.0, dtype=np.float64)
    d += diagonal + seed_diagonal
    own, sizes = (np.arange(len(seeds)), seeds), np.abs(diagonal)
    d[own] = np.inf
    if not d.min() > problem.tie * (sizes.max() + np.abs(seed_diagonal).max()):
        rounding = sizes + np.abs(seed_diagonal)
        rounding *= problem.tie
        np.putmask(d, np.abs(d) <= rounding, 0)
        lowest = d.min(axis=1, keepdims=True)
        if lowest.min() < 0:
            d -= np.minimum(lowest, 0)
    d[own] = 0
    return d


def check_init(init, n_samples, n_clusters):
    """Initial labels given by the user."""
    labels = np.asarray(on_host(init))
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


def start_of(model, X, gram, seed):
    """What `init` of a model says; of a clusterer, the labels that it gives.

    One of this package is fitted on the kernel of the model, any other on X.
    """
    if not hasattr(model.init, "fit_predict"):
        return model.init
    clusterer = clone(model.init)
    params = clusterer.get_params()
    if "n_clusters" in params:
        clusterer.set_params(n_clusters=model.n_clusters)
    if "random_state" in params and params["random_state"] is None:
        clusterer.set_params(random_state=seed)
    of_kernel = isinstance(clusterer, KernelMixin)
    if type(clusterer).__module__.startswith("sklearn."):
        refuse_dask(f"init={type(clusterer).__name__}()", X, "init=PDDP()")
    labels = on_host(clusterer.fit_predict(gram if of_kernel else on_host(X)))
    if np.min(labels) < 0:
        raise ValueError(
            f"init={type(clusterer).__name__} leaves {np.count_nonzero(labels < 0)} "
            "objects without a cluster: a start needs one for each."
        )
    return labels

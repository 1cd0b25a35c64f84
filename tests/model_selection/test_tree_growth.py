"""Growing a tree, against a slow recursive version."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from one_topic import nested_blobs
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score

from sklearn_kernelclust import (
    KernelKMeans,
    PredictionStrengthK,
    PredictionStrengthTree,
)
from sklearn_kernelclust._model_selection._references import boxes
from sklearn_kernelclust._model_selection._tree_growth import derived_seed

pytestmark = pytest.mark.filterwarnings("ignore:.*clusters are not chosen")

KMEANS = KernelKMeans(kernel="linear", n_init=3)
KS, N_SPLITS, N_REFERENCES = [2, 3, 4, 5], 16, 4


def scores_by_hand(X, n_splits, seed):
    """Mean score of each number of clusters that has six objects for each."""
    return PredictionStrengthK(
        clone(KMEANS).set_params(n_init=1),
        n_clusters=[k for k in KS if 6 * k <= len(X)],
        n_splits=n_splits,
        refit=False,
        random_state=seed,
    ).fit(X)


def recursive_leaves(X, members, path, seed, root_evidence=None):
    """Leaves as lists of objects, from left to right."""
    seed_here, here = derived_seed(seed, *path), X[members]
    if len(here) < 16:
        return [members]
    own = scores_by_hand(here, N_SPLITS, seed_here)
    bars = []
    for r in range(N_REFERENCES):
        seed_of_reference = derived_seed(seed_here, r)
        reference = boxes(here)(np.random.RandomState(seed_of_reference))
        scored = scores_by_hand(reference, N_SPLITS // 4, seed_of_reference)
        bars.append(scored.scores_.mean(axis=1))
    spread = np.std(bars, axis=0, ddof=1)
    excess = own.scores_.mean(axis=1) - np.mean(bars, axis=0)
    significant = excess / (spread + np.median(spread)) >= 1.75
    assert not (own.scores_.mean(axis=1) >= 0.8).any()  # no need of the gap
    ks = own.cv_results_["param_n_clusters"]
    best = np.where(significant, excess * np.log(ks), -np.inf).argmax()
    evidence = excess[best] * np.log(ks[best]) * np.sqrt(len(here) / len(X))
    least = 0
    if root_evidence is not None:
        least = 0.5 * root_evidence * min(root_evidence, 1)
    if not significant.any() or evidence < least:
        return [members]
    model = clone(KMEANS).set_params(n_clusters=int(ks[best]), random_state=seed_here)
    labels = model.fit_predict(here)
    leaves = []
    for child in range(labels.max() + 1):
        facts = X, members[labels == child], (*path, child), seed
        leaves += recursive_leaves(*facts, root_evidence or evidence)
    return leaves


# Of these blobs no number of clusters is scored 0.8 or more.
OVERLAPPING = 1, 2, 3, 5, 6, 10, 14, 15


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in OVERLAPPING)]
)
def test_the_tree_is_that_of_a_recursive_version(seed):
    """On clusters that overlap: the gap statistic is not asked for."""
    X, _ = make_blobs(160, 8, centers=4, cluster_std=4.5, random_state=seed)
    tree = PredictionStrengthTree(
        KMEANS,
        n_clusters=KS,
        n_splits=N_SPLITS,
        n_references=N_REFERENCES,
        random_state=seed,
    ).fit(X)
    first = int(np.random.RandomState(seed).randint(2**31 - 1))
    leaves = recursive_leaves(X, np.arange(len(X)), (), first)
    labels = np.empty(len(X), int)
    for label, members in enumerate(leaves):
        labels[members] = label
    assert_array_equal(tree.labels_, labels)


def test_parts_with_little_to_tell_need_no_references():
    """After twelve splits their scores alone are too low."""
    X, _, _ = nested_blobs(0, n_per_blob=20)
    n_drawn = []

    def counted(X, rng):
        n_drawn.append(len(X))
        return boxes(X)(rng)

    params = {"n_references": 3, "n_clusters": [2, 3], "random_state": 0}
    tree = PredictionStrengthTree(KMEANS, threshold=counted, min_evidence=3, **params)
    choices = [node.choice for node in tree.fit(X).tree_.nodes]
    futile = [choice for choice in choices if choice.n_splits == 12]
    assert futile
    for choice in futile:
        assert choice.k == 1 and choice.reference == 0
        assert choice.reason.startswith("evidence below")
    others = [choice for choice in choices if choice.n_splits > 12]
    assert len(n_drawn) == 3 * len(others)


def test_seeds_differ_from_place_to_place():
    places = [(), (0,), (1,), (0, 0), (0, 1), (1, 0)]
    seeds = {derived_seed(7, *place) for place in places}
    assert len(seeds) == len(places)
    assert derived_seed(7, 0, 1) == derived_seed(7, 0, 1) < 2**31


def test_a_sample_decides_for_a_large_node():
    X, blob, group = nested_blobs(1, n_per_blob=100)
    params = {"n_clusters": KS, "n_splits": 12, "n_references": 4, "random_state": 0}
    tree = PredictionStrengthTree(KMEANS, max_samples=150, **params).fit(X)
    assert adjusted_rand_score(blob, tree.labels_) == 1
    assert adjusted_rand_score(group, tree.labels_at(1)) == 1


def test_a_part_that_cannot_be_clustered_is_a_leaf():
    """The model refuses what is left in a node; at the root that is an error."""

    class Refuses(KernelKMeans):
        def fit(self, X, y=None, sample_weight=None):
            if len(X) < n_refused:
                raise ValueError(f"{len(X)} objects are too few for me.")
            return super().fit(X)

    X, _, _ = nested_blobs(0, n_per_blob=20)
    params = {"n_clusters": [3], "n_splits": 2, "n_references": 2, "random_state": 0}
    # Halves of all objects are enough, those of a child are not.
    n_refused = len(X) // 2
    tree = PredictionStrengthTree(Refuses(kernel="linear"), **params).fit(X)
    assert tree.n_leaves_ == 3
    reasons = [tree.tree_.nodes[i].choice.reason for i in tree.tree_.leaves()]
    assert all(reason.endswith("objects are too few for me.") for reason in reasons)
    n_refused = len(X)
    with pytest.raises(ValueError, match="objects are too few for me"):
        PredictionStrengthTree(Refuses(kernel="linear"), **params).fit(X)

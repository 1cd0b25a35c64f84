"""Growing a tree: each node is scored, then split or left as it is."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from contextlib import closing
from dataclasses import dataclass, fields, replace
from warnings import catch_warnings, simplefilter

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils.parallel import delayed

from sklearn_kernelclust._divisive._tree import ClusterTree
from sklearn_kernelclust._model_selection._node_choice import (
    NodeChoice,
    chosen_row,
    evidence,
    is_futile,
    ranked,
)
from sklearn_kernelclust._model_selection._node_scores import (
    ALONE_SPLITS,
    gaps_of,
    score_node,
)
from sklearn_kernelclust._model_selection._pipeline_steps import check_candidates
from sklearn_kernelclust._model_selection._splits import results_in_order
from sklearn_kernelclust._utils._sklearn import Progress, _num_samples

# Share of the progress that the root is, whose objects are scored first.
ROOT_SHARE = 0.3

# Steps of the progress that callbacks see.
PROGRESS = 100

# Candidates have so many objects for each cluster.
OBJECTS_PER_CLUSTER = 6


@dataclass
class Rule:
    """When a node is split. The attributes are parameters of the estimator.

    Attributes
    ----------
    candidates : ndarray of int
        Numbers of clusters.
    bar : float or None
        Score that is needed; None if references decide.
    draw : callable or None
        Draws references, if not those that suit the data.
    """

    candidates: np.ndarray
    bar: float | None
    draw: object
    n_splits: int
    n_references: int
    min_evidence: float
    min_samples_split: int
    max_depth: int | None
    max_samples: int

    @classmethod
    def of(cls, estimator):
        """The rule of a `PredictionStrengthTree`."""
        candidates = check_candidates(estimator.n_clusters)
        # One cluster is what a node is that no other number splits.
        candidates = candidates[candidates > 1]
        bar = draw = None
        if callable(estimator.threshold):
            draw = estimator.threshold
        elif not isinstance(estimator.threshold, str):
            bar = float(estimator.threshold)
        names = [field.name for field in fields(cls)][3:]
        return cls(candidates, bar, draw, *(getattr(estimator, n) for n in names))


@dataclass
class NodeCut:
    """The model of a node, and its clusters: one for each child."""

    model: object
    clusters: np.ndarray

    def side(self, X):
        """Child that each object goes to."""
        return np.searchsorted(self.clusters, self.model.predict(X))


class StepwiseProgress:
    """Reports shares of the work to callbacks, in steps of one in a hundred."""

    def __init__(self, estimator, X, y):
        self._progress, self._n_done = Progress(estimator, X, y, PROGRESS), 0

    def __call__(self, share):
        while self._n_done < int(PROGRESS * min(share, 1.0)):
            self._n_done += 1
            self._progress.step("node")
        return self._progress.stopped

    def end(self):
        """Report that the fit is done."""
        self._progress.end()

    @property
    def stopped(self):
        """Whether a callback has asked to stop."""
        return self._progress.stopped


def grow(objects, model, rule, seed, n_jobs, on_progress):
    """Grow a tree, level by level.

    Parameters
    ----------
    objects : Objects
        Training objects.
    model : NodeModel
        The model of each node.
    rule : Rule
        When a node is split.
    seed : int
        Seeds of the nodes are derived from it and from their places in the tree.
    n_jobs : int or None
        Number of jobs, over nodes, or over splits where there are fewer nodes.
    on_progress : callable
        Called with the share of the work that is done; growing stops if it returns
        True.

    Returns
    -------
    tree : ClusterTree
    """
    n_samples = objects.shape[0]
    tree = ClusterTree(n_samples, None, dual=objects.is_kernel)
    level, depth, n_settled, stopped = [(0, ())], 0, 0, False
    while level and not stopped:
        nodes, level = level, []
        tasks = [task_of(tree, node, path, objects, rule, seed) for node, path in nodes]
        results = examined(tasks, model, rule, n_jobs, on_progress)
        for (node, path), (choice, cut, side) in zip(nodes, results):
            tree.nodes[node].choice = choice
            if cut is None:
                n_settled += tree.nodes[node].size
            else:
                children = tree.split(node, cut, side)
                level += [(c, (*path, place)) for place, c in enumerate(children)]
            rest = (1 - ROOT_SHARE) * n_settled / max(n_samples, 1)
            stopped |= on_progress(ROOT_SHARE + rest)
        depth += 1
    for node, _ in level:
        tree.nodes[node].choice = NodeChoice(reason="a callback stopped the fit")
    tree.number_leaves()
    return tree


@dataclass
class Task:
    """A node to examine.

    Attributes
    ----------
    X : array-like, sparse matrix, sequence or Gram
        Its objects.
    scored : array-like, sparse matrix, sequence or Gram
        Those of them that are scored.
    share : float
        Share of all objects that are in the node.
    least : float
        Evidence that a split needs.
    depth : int
    seed : int
    """

    X: object
    scored: object
    share: float
    least: float
    depth: int
    seed: int


def task_of(tree, node, path, objects, rule, seed):
    """The task of a node at a place in the tree."""
    members, n_samples = tree.members(node), objects.shape[0]
    seed = derived_seed(seed, *path)
    sample = members
    if len(members) > rule.max_samples:
        rng = np.random.RandomState(seed)
        sample = np.sort(rng.choice(members, rule.max_samples, replace=False))
    root = tree.nodes[0].choice
    return Task(
        objects.restrict(members if path else slice(None), members),
        objects.restrict(sample, sample),
        len(members) / max(n_samples, 1),
        0.0 if root is None else rule.min_evidence * least_share(root) * root.evidence,
        len(path),
        seed,
    )


def least_share(root):
    """Share of the evidence at the root that `min_evidence` is relative to.

    Below a first split that predicts little there is more to find than below one that
    predicts nearly everything.
    """
    return min(root.evidence, 1.0)


def derived_seed(seed, *path):
    """A seed for a place in the tree, or for a part of the work there."""
    sequence = np.random.SeedSequence(seed, spawn_key=path)
    return int(sequence.generate_state(1)[0] >> 1)


def examined(tasks, model, rule, n_jobs, on_progress):
    """The results of all tasks, in order, each as soon as it is there."""
    if len(tasks) < effective_n_jobs(n_jobs) or len(tasks) == 1:
        for task in tasks:
            on_root = None
            if task.depth == 0:
                on_root = lambda share: on_progress(ROOT_SHARE * share)  # noqa: E731
            yield examine(task, model, rule, n_jobs, on_root)
        return
    calls = [delayed(examine)(task, model, rule) for task in tasks]
    with closing(results_in_order(calls, n_jobs)) as results:
        yield from results


def examine(task, model, rule, n_jobs=None, on_progress=None):
    """Choose at a node, and split it.

    Returns
    -------
    choice : NodeChoice
    cut : NodeCut or None
        None if the node is a leaf.
    side : ndarray of int or None
        Child of each object.
    """
    try:
        choice = choose(task, model, rule, n_jobs, on_progress)
        if choice.k == 1:
            return choice, None, None
        fitted = model.fitted(task.X, choice.k, task.seed)
    except ValueError as error:
        # What the model refuses at the root is wrong with the input. A part of it may
        # have too little left to cluster, such as documents without any term.
        if task.depth == 0:
            raise
        return NodeChoice(random_state=task.seed, reason=str(error)), None, None
    clusters, side = np.unique(fitted.predict(task.X), return_inverse=True)
    if len(clusters) == 1:
        return leaf(choice, "the model found one cluster"), None, None
    return choice, NodeCut(fitted, clusters), side


def leaf(choice, reason):
    """The same scores at a node that is not split."""
    return replace(choice, k=1, evidence=0.0, reason=reason)


def choose(task, model, rule, n_jobs=None, on_progress=None):
    """Choose the number of clusters at a node, 1 if it is not to be split."""
    n_samples, candidates = _num_samples(task.scored), rule.candidates
    possible = candidates[candidates * OBJECTS_PER_CLUSTER <= n_samples]
    unscored = NodeChoice(random_state=task.seed)
    if rule.max_depth is not None and task.depth >= rule.max_depth:
        return replace(unscored, reason=f"max_depth={rule.max_depth}")
    if n_samples < rule.min_samples_split or not len(possible):
        return replace(unscored, reason=f"{n_samples} objects are too few")
    with catch_warnings():
        # They are about halves of the objects, or about references.
        simplefilter("ignore")
        scores, gap = scored(task, model, possible, rule, n_jobs, on_progress)
    if rule.bar is None:
        row, far_apart = chosen_row(scores, gap)
    else:
        row, far_apart = row_above(scores, rule.bar), True
    choice = choice_of(task, scores, row)
    too_little = rule.bar is None and not len(scores.reference_values)
    if row < 0 and not too_little:
        return leaf(choice, "no number of clusters stands out")
    if too_little or not (far_apart or choice.evidence >= task.least):
        return leaf(choice, f"evidence below {task.least:.3g}")
    return choice


def choice_of(task, scores, row):
    """The record of a choice; without a row, of the best that was not good enough."""
    ranking = ranked(scores, row)
    k = int(ranking[0])
    best = int(np.flatnonzero(scores.candidates == k)[0])
    excess = scores.means[best] - scores.references[best]
    return NodeChoice(
        k=k,
        score=float(scores.means[best]),
        reference=float(scores.references[best]),
        significance=float(scores.significance()[best]),
        evidence=float(evidence(excess, k, task.share)),
        ranking=ranking,
        n_clusters=scores.candidates,
        scores=scores.means,
        references=scores.references,
        spreads=scores.spreads,
        n_splits=scores.values.shape[1],
        random_state=task.seed,
    )


def scored(task, model, candidates, rule, n_jobs, on_progress):
    """Scores of the candidates at a node, and the gaps of well separated ones.

    Where a part of the objects has little to tell, their scores alone show it, and no
    reference is needed.
    """
    n_references = rule.n_references if rule.bar is None else 0
    seeds = [task.seed, *(derived_seed(task.seed, r) for r in range(n_references))]
    scores = None
    if n_references and task.least > 0 and rule.n_splits > ALONE_SPLITS:
        setting = model.sources(task.scored, 0, None, seeds)
        scores = score_node(setting, candidates, ALONE_SPLITS, seeds, n_jobs)
        if is_futile(scores, task.share, task.least):
            return scores, None
    setting = model.sources(task.scored, n_references, rule.draw, seeds)
    more = n_jobs, on_progress, scores
    scores = score_node(setting, candidates, rule.n_splits, seeds, *more)
    return scores, gaps_of(scores, setting, task.seed)


def row_above(scores, bar):
    """Row of the highest score, of the largest k if several are; -1 if not above."""
    means = np.where(scores.usable, scores.means.round(12), -np.inf)
    best = int(len(means) - 1 - means[::-1].argmax())
    return best if means[best] > bar else -1

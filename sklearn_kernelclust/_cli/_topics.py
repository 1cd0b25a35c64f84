"""Describe a tree of topics: words that set a topic apart from its siblings."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, field

import numpy as np

from sklearn_kernelclust._cli._clustering import terms_of
from sklearn_kernelclust._cli._words import Cluster, squared_distances


@dataclass
class Topic(Cluster):
    """Description of a topic: a node of the tree.

    Attributes
    ----------
    number : str
        Place in the tree, such as ``2.1``: siblings are numbered from 1 on, the
        largest first. Empty for the root, which has all documents.
    parent : Topic or None
        The topic that it is a part of.
    children : list of Topic
        Its parts, the largest first.
    choice : NodeChoice
        Scores of the numbers of parts, and what was chosen.
    distances : list of float
        Distances of the members to their mean, ascending.
    """

    number: str = ""
    parent: object = field(default=None, repr=False)
    children: list = field(default_factory=list, repr=False)
    choice: object = field(default=None, repr=False)
    distances: list = field(default_factory=list, repr=False)

    @property
    def depth(self):
        """Number of topics that it is inside of; that of the root is 0."""
        return 0 if self.parent is None else self.parent.depth + 1

    @property
    def name(self):
        """Its first words, or its number if it has none."""
        return ", ".join(self.terms[:3]) or f"Topic {self.number}"

    @property
    def path(self):
        """The topics from the first level down to this one."""
        return [] if self.parent is None else [*self.parent.path, self]

    @property
    def siblings(self):
        """The other parts of its parent."""
        parts = [] if self.parent is None else self.parent.children
        return [part for part in parts if part is not self]

    def walk(self):
        """Yield this topic and all below it, each before its parts."""
        stack = [self]
        while stack:
            topic = stack.pop()
            yield topic
            stack.extend(reversed(topic.children))

    def leaves(self):
        """The topics at the lowest level."""
        return [topic for topic in self.walk() if not topic.children]


def describe_tree(model, kernels):
    """Describe the topics of a fitted `PredictionStrengthTree`; returns the root."""
    tree = model.tree_
    topics = [Topic(node.label, [], [], choice=node.choice) for node in tree.nodes]
    for depth in range(model.depth_ + 1):
        nodes = tree.leaves_at(depth)
        squared = squared_distances(kernels.plain, tree.partition(nodes))
        for i in nodes:
            _set_members(topics[i], tree.members(i), squared, kernels.plain)
    for i in tree.splits:
        parts = [topics[child] for child in tree.nodes[i].children]
        for part, terms in zip(parts, terms_of_parts(tree, i, kernels)):
            part.parent, part.terms = topics[i], terms
        topics[i].children = sorted(parts, key=lambda part: -part.size)
    for topic in topics[0].walk():
        for place, part in enumerate(topic.children, 1):
            part.number = f"{topic.number}.{place}".lstrip(".")
    return topics[0]


def terms_of_parts(tree, i, kernels):
    """For each part of node `i` the terms that set it apart from the others."""
    members, children = tree.members(i), tree.nodes[i].children
    side = np.full(len(tree.order), len(children))
    for place, child in enumerate(children):
        side[tree.members(child)] = place
    terms = terms_of(kernels, side, members)
    return [terms.get(place, []) for place in range(len(children))]


def _set_members(topic, members, squared, gram):
    """Sort the members of a topic, the nearest to its mean first."""
    # A document without words may be the nearest, but is not typical.
    empty = gram.diagonal()[members] == 0
    order = np.lexsort((squared[members], empty))
    topic.members = members[order].tolist()
    topic.distances = np.sqrt(squared[members][order]).tolist()

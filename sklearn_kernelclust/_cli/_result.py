"""The result of a run, for the screen, the report and the files."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, field
from math import isnan


@dataclass
class Result:
    """Result of a run.

    Attributes
    ----------
    corpus : Corpus
        The documents.
    plan : Plan
        The pipeline that the options ask for.
    kernels : Kernels
        Kernels of the documents.
    choice : Choice or None
        Choice of the number of clusters, None if it was given.
    model : Pipeline
        Fitted pipeline, from documents to clusters.
    labels : ndarray of int
        Cluster of each document.
    clusters : list of Cluster
        Description of each cluster.
    root : Topic or None
        The topic of all documents, with those below it, if there is a tree.
    agreement : float or None
        NMI with the known classes.
    notes : list of str
        Warnings.
    """

    corpus: object
    plan: object
    kernels: object
    choice: object
    model: object
    labels: object
    clusters: list
    root: object = None
    agreement: float | None = None
    notes: list = field(default_factory=list)

    @property
    def clusterer(self):
        """The last step of the model."""
        return self.model[-1]

    def facts(self):
        """Yield names and values for the head of the report."""
        before, after = self.kernels.dominance
        shifted = "not shifted" if after is None else f"{after:.2f} after the shift"
        yield "Read", f"{len(self.corpus):,} from {self.corpus.source}"
        if self.kernels.n_words:
            yield "Words", f"{self.kernels.n_words:,}"
        if self.corpus.skipped:
            yield "Skipped", f"{len(self.corpus.skipped):,}"
        yield "Kernel", self.plan.words
        yield "Dominance ratio", f"{before:.2f}; {shifted}"
        yield "Method", self.plan.method
        if self.root is None:
            yield "Clusters", self._how_many()
        else:
            yield "Topics", topics_in_words(self.root)
        if self.agreement is not None:
            yield "NMI with the known classes", f"{self.agreement:.3f}"

    def _how_many(self):
        n_clusters = f"{len(self.clusters):,}"
        if self.choice is None:
            return n_clusters
        (_, score), *others = self.choice.ranking
        then = ", ".join(f"{k} ({score:.2f})" for k, score in others[:3])
        return f"{n_clusters}, prediction strength {score:.2f}; then {then or 'none'}"


def topics_in_words(root):
    """How many topics there are, and how well they are predicted."""
    choice, n_topics, n_leaves = root.choice, len(root.children), len(root.leaves())
    scores = f"{choice.score:.2f} against {choice.reference:.2f}"
    if n_topics:
        lowest = f", {n_leaves:,} at the lowest level" if n_leaves > n_topics else ""
        return (
            f"{n_topics:,}{lowest}. Prediction strength {scores} for documents without "
            "topics."
        )
    if len(choice.ranking) and isnan(choice.score):
        return (
            "none. Halves of the documents have no two clusters: many may be the same."
        )
    if len(choice.ranking):
        return (
            "no number of topics stands out. Prediction strength of "
            f"{choice.ranking[0]} topics is {scores} for documents without topics."
        )
    return f"no number of topics stands out, because {choice.reason}."

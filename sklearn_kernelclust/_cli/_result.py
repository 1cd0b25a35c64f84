"""What was found, for the screen, the page and the files."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, field


@dataclass
class Result:
    """All that is known at the end of a run.

    Attributes
    ----------
    corpus : Corpus
        What was read.
    plan : Plan
        What was asked for.
    kernels : Kernels
        How the documents compare.
    choice : Choice or None
        How many clusters there are, None if that was given.
    model : Pipeline
        From documents to clusters, fitted.
    labels : ndarray of int
        Cluster of each document.
    clusters : list of Cluster
        The same for people.
    agreement : float or None
        With known classes.
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
    agreement: float | None = None
    notes: list = field(default_factory=list)

    @property
    def clusterer(self):
        """The last step of the model."""
        return self.model[-1]

    def facts(self):
        """Names and values, for the head of the page."""
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
        yield "Clusters", self._how_many()
        if self.agreement is not None:
            yield "NMI with the known classes", f"{self.agreement:.3f}"

    def _how_many(self):
        found = f"{len(self.clusters):,}"
        if self.choice is None:
            return found
        (_, score), *others = self.choice.ranking
        then = ", ".join(f"{k} ({score:.2f})" for k, score in others[:3])
        return f"{found}, prediction strength {score:.2f}; then {then or 'none'}"

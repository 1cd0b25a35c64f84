"""Print results. The screen may be a pipe, closed, or limited to ASCII."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import os
import sys
import textwrap

from sklearn_kernelclust._cli._central import central
from sklearn_kernelclust._cli._result import topics_in_words
from sklearn_kernelclust._cli._words import snippet

WIDTH = 88

# Words of a topic.
N_WORDS = 5

# Topics shown without --verbose, but for those of the first level.
N_TOPICS = 60

# Skipped files shown without --verbose.
N_SKIPPED = 3


class Screen:
    """Prints the results.

    Parameters
    ----------
    quiet : bool
        Print nothing.
    keep_on : bool
        Whether to go on if the reader goes away (``| head``).
    verbose : bool
        Show long lists in full.
    """

    def __init__(self, quiet, keep_on, verbose=False):
        self.quiet, self.keep_on, self.verbose = quiet, keep_on, verbose
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                # Escape what the terminal cannot show.
                stream.reconfigure(errors="backslashreplace")

    def say(self, text="", *, indent=0, hang=None):
        """Print a wrapped paragraph; lines after the first are indented by `hang`."""
        if self.quiet:
            return
        later = " " * (indent if hang is None else hang)
        lines = textwrap.wrap(
            text,
            WIDTH,
            initial_indent=" " * indent,
            subsequent_indent=later,
            break_long_words=False,
            break_on_hyphens=False,
        )
        self.line("\n".join(lines))

    def line(self, text):
        """Print a line without wrapping it."""
        if self.quiet:
            return
        try:
            print(text, flush=True)
        except BrokenPipeError:
            self._reader_is_gone()

    def _reader_is_gone(self):
        # Otherwise Python prints an error when it flushes stdout at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        self.quiet = True
        if not self.keep_on:
            raise SystemExit(0)


def show_reading(screen, corpus, n_terms):
    """Show what was read, and what was skipped."""
    words = f", {n_terms:,} words" if n_terms else ""
    what = things(len(corpus), corpus)
    screen.say(f"Read {what} from {printable(corpus.source)}{words}.")
    if corpus.skipped:
        screen.say(f"Skipped {len(corpus.skipped):,}:")
    shown = corpus.skipped[: None if screen.verbose else N_SKIPPED]
    for name, reason in shown:
        screen.line(f"  {printable(name)}: {printable(reason)}")
    if len(shown) < len(corpus.skipped):
        n_more = len(corpus.skipped) - len(shown)
        screen.line(f"  and {n_more:,} more (-v shows them; --out lists them)")


def show_dominance(screen, words, before, after):
    """Show the kernel and its dominance ratio before and after the shift."""
    screen.say(f"Kernel: {words}.")
    shifted = "not shifted" if after is None else f"{after:.2f} after the shift"
    screen.say(f"Dominance ratio: {before:.2f}; {shifted}.")


def show_choice(screen, choice, n_documents):
    """Show the chosen number of clusters and the next best."""
    (k, score), *others = choice.ranking
    then = ", ".join(f"k = {k} ({score:.2f})" for k, score in others[:3])
    screen.say(
        f"Number of clusters: k = {k}, with prediction strength {score:.2f} (1 is "
        "perfect, 0 is chance)" + (f"; then {then}." if then else ".")
    )
    if choice.n_documents < n_documents:
        screen.say(
            f"It was chosen on a random sample of {choice.n_documents:,} documents.",
            indent=2,
        )


def show_clusters(screen, clusters, corpus):
    """Show size, terms and central documents of each cluster."""
    for cluster in clusters:
        screen.line("")
        screen.line(f"Cluster {cluster.label}: {things(cluster.size, corpus)}")
        if cluster.terms:
            screen.say(", ".join(map(printable, cluster.terms)), indent=2)
        for i in central(cluster.members, corpus):
            screen.line(f"  - {title(corpus, i)}")


def show_topics(screen, root, corpus):
    """Show the topics with their parts: size, words and one central document."""
    screen.say(f"Topics: {topics_in_words(root)}")
    topics = list(root.walk())[1:]
    depth = float("inf") if screen.verbose else shown_depth(topics)
    for topic in topics:
        if topic.depth == 1:
            screen.line("")
        if topic.depth <= depth:
            show_topic(screen, topic, corpus)
    n_hidden = sum(topic.depth > depth for topic in topics)
    if n_hidden:
        screen.line("")
        screen.say(f"And {n_hidden:,} subtopics (-v shows them; --out writes them).")


def shown_depth(topics):
    """The lowest level whose topics, with those above, are not too many."""
    depths = sorted(topic.depth for topic in topics)
    fits = len(depths) <= N_TOPICS
    return max(depths, default=1) if fits else max(depths[N_TOPICS] - 1, 1)


def show_topic(screen, topic, corpus):
    """Show number, words and size of a topic, and one central document."""
    words = ", ".join(map(printable, topic.terms[:N_WORDS]))
    head = f"{topic.number}  {words}".rstrip()
    indent = 2 * (topic.depth - 1)
    hang = indent + len(topic.number) + 2
    screen.say(f"{head} ({topic.size:,})", indent=indent, hang=hang)
    name = title(corpus, topic.members[0], WIDTH - hang)
    screen.line(f"{' ' * hang}- {name}")


def show_agreement(screen, n_classes, score):
    """Show the agreement with the known classes."""
    screen.say(f"NMI with the {n_classes:,} known classes: {score:.3f}.")


def show_shift(screen, n_classes, n_starts, shifted, plain):
    """Show the agreement with and without the shift."""
    screen.say(
        f"The same for {n_classes:,} clusters, mean of {n_starts} random starts: "
        f"{shifted:.3f} with the shift of the diagonal, {plain:.3f} without."
    )


def things(n, corpus):
    """A number of documents, or of objects if there are no texts."""
    noun = "document" if corpus.texts or corpus.features is None else "object"
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def title(corpus, i, width=WIDTH):
    """Name and beginning of a document, on one line."""
    name = printable(corpus.short_name(i))
    if not corpus.texts:
        return name
    beginning = printable(snippet(corpus.texts[i], width - 4))
    if beginning.startswith(name.removesuffix("...")[: width - 10]):
        return beginning
    room = max(width - len(name) - 6, 30)
    return f"{name}: {printable(snippet(corpus.texts[i], room))}"


def printable(text):
    r"""Escape characters that are not printable; undecoded bytes as ``\xff``."""
    return "".join(c if c.isprintable() else _escaped(c) for c in text)


def _escaped(c):
    if "\udc80" <= c <= "\udcff":
        return f"\\x{ord(c) - 0xDC00:02x}"
    return c.encode("unicode_escape").decode("ascii")

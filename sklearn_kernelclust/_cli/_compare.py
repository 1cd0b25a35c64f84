"""``kernelclust compare``: how much the topics of two runs agree."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import csv
import os
import re
from collections import Counter
from dataclasses import dataclass

import numpy as np
from sklearn.metrics import adjusted_rand_score

from sklearn_kernelclust._cli._comparison import agreement
from sklearn_kernelclust._cli._output import prepare, table, write_all
from sklearn_kernelclust._cli._reading import BadInputError
from sklearn_kernelclust._cli._screen import Screen, printable

TOPICS = re.compile(r"(topic_\d+|cluster)_*")

# Parts of a topic that are shown.
N_PARTS = 6


@dataclass
class Run:
    """The result of an earlier run.

    Attributes
    ----------
    folder : str
        Its folder.
    topics : dict of tuple to str
        Topic of each document. The key identifies the document.
    """

    folder: str
    topics: dict


@dataclass
class Overlap:
    """Which topics of two runs share documents.

    Attributes
    ----------
    names : tuple of list of str
        Topics of each run.
    counts : ndarray of shape (n_topics, n_topics)
        Number of documents that a topic of the first run (row) shares with one
        of the second run (column).
    """

    names: tuple
    counts: object

    @property
    def T(self):
        """The same, with the second run first."""
        return Overlap(self.names[::-1], self.counts.T)

    def parts(self, i):
        """Topics of the second run with most of their documents in topic `i`."""
        share = self.counts[i] / self.counts.sum(axis=0)
        parts = np.flatnonzero(share > 0.5)
        return parts[np.argsort(-self.counts[i, parts], kind="stable")].tolist()

    def splits(self):
        """Topics of the first run that are several of the second, with these."""
        parts = {i: self.parts(i) for i in range(len(self.names[0]))}
        return {i: js for i, js in parts.items() if len(js) > 1}

    def same(self):
        """Pairs of topics that have most of their documents in common."""
        pairs = [(i, self.parts(i)) for i in range(len(self.names[0]))]
        alone = [(i, parts[0]) for i, parts in pairs if len(parts) == 1]
        return [(i, j) for i, j in alone if self.T.parts(j) == [i]]


def compare(options):
    """Compare two runs, and show how they agree."""
    screen = Screen(quiet=False, keep_on=options.out is not None)
    runs = [
        load_run(os.fspath(folder), options.level)
        for folder in (options.run_A, options.run_B)
    ]
    keys = [key for key in runs[0].topics if key in runs[1].topics]
    if not keys:
        raise BadInputError(
            f"No document is in both {runs[0].folder} and {runs[1].folder}. They are "
            "matched by path and row as in labels.csv, or by --id-column if both runs "
            "had one."
        )
    labels = [[run.topics[key] for key in keys] for run in runs]
    overlap = overlap_of(*labels)
    show_runs(screen, runs, len(keys))
    show_scores(screen, *labels)
    show_overlap(screen, overlap)
    if options.out is not None:
        folder, name = os.path.split(os.path.abspath(options.out))
        prepare(folder)
        write_all(folder, {name: overlap_table(overlap)})


def load_run(folder, level=None):
    """Read the topics of a run from its ``labels.csv``."""
    path = os.path.join(folder, "labels.csv") if os.path.isdir(folder) else folder
    csv.field_size_limit(2**31 - 1)
    try:
        with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
            header, *rows = csv.reader(file)
            first, last = topic_columns(header)
    except (OSError, ValueError, csv.Error):
        raise BadInputError(
            f"{folder} is no result of kernelclust: give a folder that --out wrote."
        ) from None
    end = last if level is None else min(first + level, last)
    n_key = 2 if header[0].startswith("path") and header[1].startswith("row") else 1
    is_cluster = header[first].startswith("cluster")
    topics, counts = {}, Counter()
    for row in rows:
        key = tuple(row[:n_key])
        counts[key] += 1
        # A topic that is divided no further has empty cells below its level.
        levels = [cell for cell in row[first:end] if cell]
        words = ", ".join(row[last].split(", ")[:3]) if is_cluster else ""
        topics[*key, counts[key]] = f"{''.join(levels[-1:])} {words}".strip()
    return Run(folder, topics)


def topic_columns(header):
    """First and last column of the topics: between the title and their words."""
    last = max(j for j, name in enumerate(header) if re.fullmatch("words_*", name))
    first = last
    while TOPICS.fullmatch(header[first - 1]):
        first -= 1
    if first == last:
        raise ValueError("no topics")
    return first, last


def overlap_of(a, b):
    """The `Overlap` of two lists of topics, the largest topic first."""
    names = tuple(list(dict(Counter(sorted(x)).most_common())) for x in (a, b))
    place = [{name: i for i, name in enumerate(topics)} for topics in names]
    counts = np.zeros([len(topics) for topics in names], dtype=int)
    for pair, n in Counter(zip(a, b)).items():
        counts[place[0][pair[0]], place[1][pair[1]]] = n
    return Overlap(names, counts)


def show_runs(screen, runs, n_common):
    """Show what is compared."""
    for letter, run in zip("AB", runs):
        n_topics = len(set(run.topics.values()))
        screen.say(
            f"{letter}: {printable(run.folder)}, {len(run.topics):,} documents in "
            f"{n_topics:,} topics"
        )
    if n_common < max(len(run.topics) for run in runs):
        screen.say(f"The {n_common:,} documents that are in both are compared.")


def show_scores(screen, a, b):
    """Show how much two partitions agree."""
    screen.say(
        f"Agreement: NMI {agreement(a, b):.3f}, adjusted Rand index "
        f"{adjusted_rand_score(a, b):.3f} (1 is the same partition)."
    )


def show_overlap(screen, overlap):
    """Show which topics are the same, split, merged, or neither."""
    same, splits, merges = overlap.same(), overlap.splits(), overlap.T.splits()
    shown = {i for i, _ in same} | set(splits) | {i for p in merges.values() for i in p}
    others = [i for i in range(len(overlap.names[0])) if i not in shown]
    pairs = [
        f"{name_in(overlap, i)}  =  {name_in(overlap.T, j)}: "
        f"{overlap.counts[i, j]:,} in common"
        for i, j in same
    ]
    spread = {i: np.argsort(-overlap.counts[i], kind="stable") for i in others}
    spread = {i: js[overlap.counts[i, js] > 0] for i, js in spread.items()}
    _show_all(screen, "The same in both", pairs)
    _show_all(screen, "One topic of A, several of B", _lines(overlap, splits))
    _show_all(screen, "Several topics of A, one of B", _lines(overlap.T, merges))
    _show_all(screen, "Topics of A that B divides otherwise", _lines(overlap, spread))


def name_in(overlap, i):
    """Name and size of a topic of the first run."""
    return f"{printable(overlap.names[0][i])} ({overlap.counts[i].sum():,})"


def _lines(overlap, parts_of):
    """A line for each topic: what it is made of, the largest part first."""
    lines = []
    for i, parts in parts_of.items():
        shown = [
            f"{printable(overlap.names[1][j])} ({overlap.counts[i, j]:,})"
            for j in parts[:N_PARTS]
        ]
        more = f" and {len(parts) - N_PARTS} more" if len(parts) > N_PARTS else ""
        lines.append(f"{name_in(overlap, i)}: {'; '.join(shown)}{more}")
    return lines


def _show_all(screen, title, lines):
    if not lines:
        return
    screen.line("")
    screen.say(f"{title}:")
    for line in lines:
        screen.say(line, indent=2, hang=4)


def overlap_table(overlap):
    """The pairs of topics that share documents, as a CSV file."""
    sizes = overlap.counts.sum(axis=1), overlap.counts.sum(axis=0)
    rows = []
    for i, j in np.argwhere(overlap.counts).tolist():
        n = int(overlap.counts[i, j])
        shares = [round(n / int(sizes[0][i]), 4), round(n / int(sizes[1][j]), 4)]
        rows.append([overlap.names[0][i], overlap.names[1][j], n, *shares])
    header = ["topic_of_a", "topic_of_b", "documents", "share_of_a", "share_of_b"]
    return table(header, rows)

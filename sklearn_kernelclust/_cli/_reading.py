"""Read everything that the paths on the command line lead to."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import os
from dataclasses import dataclass, field

from sklearn_kernelclust._cli import _tables
from sklearn_kernelclust._cli._arrays import read_array
from sklearn_kernelclust._cli._files import (
    STANDARD_INPUT,
    Skipped,
    decode,
    files_below,
    read_bytes,
)
from sklearn_kernelclust._cli._words import snippet
from sklearn_kernelclust.datasets import load_docstrings

ARRAYS = (".npy", ".npz")
TABLES = {
    ".csv": _tables.delimited,
    ".tsv": _tables.tab_separated,
    ".jsonl": _tables.json_lines,
    ".ndjson": _tables.json_lines,
    ".json": _tables.json_array,
    ".html": _tables.html,
    ".htm": _tables.html,
}


class BadInputError(Exception):
    """The input cannot be clustered. The message is the reason."""


@dataclass
class Corpus:
    """What was read, in the order of reading.

    Attributes
    ----------
    names : list of str
        Path of each document; for a row of a file, ``path:row``.
    texts : list of str
        The documents; empty if there are features.
    features : array, sparse array or None
        Features or a kernel matrix, if the path is an array.
    labels : list of (str or None)
        Known class of each document.
    titles : list of (str or None)
        Title or first line of each document, None to call it by its path.
    skipped : list of (str, str)
        Path and reason of everything that was not read.
    source : str
        What was read, for people.
    prefix : str
        Beginning of all names, which people need not read.
    """

    names: list = field(default_factory=list)
    texts: list = field(default_factory=list)
    features: object = None
    labels: list = field(default_factory=list)
    titles: list = field(default_factory=list)
    skipped: list = field(default_factory=list)
    source: str = ""
    prefix: str = ""

    def __len__(self):
        return len(self.names)

    def skip(self, name, reason):
        """Remember what was not read."""
        self.skipped.append((name, reason))

    def add(self, name, row):
        """Append a document."""
        self.names.append(name if row.number is None else f"{name}:{row.number}")
        self.texts.append(row.text)
        self.labels.append(row.label)
        is_row = row.title is None and row.number is not None
        self.titles.append(row.text.strip().split("\n")[0] if is_row else row.title)

    def short_name(self, i):
        """Title of a document; its path, relative to the command line, if none."""
        title = self.titles[i] if self.titles else None
        return snippet(title) if title else self.names[i].removeprefix(self.prefix)

    def labelled(self):
        """Indices of the documents with a known class."""
        return [i for i, label in enumerate(self.labels) if label is not None]


def read(options, on_file=lambda: None):
    """Read the corpus. `on_file` is called after each file."""
    columns = _tables.Columns(options.text_column, options.label_column)
    paths = [os.fspath(path) for path in options.paths]
    if not paths:
        corpus = docstring_corpus()
    elif any(path.lower().endswith(ARRAYS) for path in paths):
        corpus = _read_features(paths)
    else:
        corpus = _read_documents(paths, options, columns, on_file)
    if len(corpus) and columns.label not in (None, *columns.names):
        raise BadInputError(
            f"--label-column {columns.label}: no such column; there are "
            f"{_tables.listed(list(columns.names)) or 'none'}."
        )
    return corpus


def docstring_corpus():
    """The documents that come with scikit-learn."""
    data = load_docstrings()
    labels = [data.target_names[i] for i in data.target]
    source = "the docstrings of scikit-learn"
    return Corpus(data.names, data.data, labels=labels, source=source)


def _read_features(paths):
    """Read one array."""
    path, *others = paths
    if others:
        raise BadInputError(f"An array must be the only PATH; there are {len(paths)}.")
    corpus = _new_corpus(paths)
    try:
        corpus.features = read_array(path)
    except Skipped as skipped:
        corpus.skip(path, str(skipped))
        return corpus
    corpus.names = [f"{path}:{i + 1}" for i in range(corpus.features.shape[0])]
    corpus.labels = [None] * len(corpus)
    return corpus


def _read_documents(paths, options, columns, on_file):
    """Read the files that the paths lead to, each file once."""
    corpus, files = _new_corpus(paths), set()
    output = os.path.realpath(options.out) if options.out else None
    for path in paths:
        if path != STANDARD_INPUT and not os.path.lexists(path):
            raise BadInputError(f"There is no {path}.")
        is_folder = os.path.isdir(path)
        for file in files_below(path, output, corpus.skip) if is_folder else [path]:
            real = os.path.realpath(file)
            if real in files:
                corpus.skip(file, "given twice")
                continue
            files.add(real)
            _read_file(file, corpus, options, columns)
            on_file()
    return corpus


def _read_file(path, corpus, options, columns):
    """Read one file. A problem skips this file only."""
    stem = path[:-3] if path.lower().endswith(".gz") else path
    suffix = os.path.splitext(stem)[1].lower()
    is_lines = options.lines or path == STANDARD_INPUT
    split = TABLES.get(suffix, _tables.lines if is_lines else _tables.whole)

    def skip(row, reason):
        corpus.skip(f"{path}:{row}", reason)

    try:
        if suffix in ARRAYS:
            raise Skipped("an array: name it on the command line")
        content = read_bytes(path, options.max_size)
        text = decode(content, options.encoding, options.decode_errors)
        for row in split(text, columns, skip):
            corpus.add(path, row)
    except Skipped as skipped:
        corpus.skip(path, str(skipped))


def _new_corpus(paths):
    """An empty corpus; the names of one path are shown relative to its folder."""
    if len(paths) > 1:
        return Corpus(source=f"{len(paths)} paths")
    folder = paths[0] if os.path.isdir(paths[0]) else os.path.dirname(paths[0])
    return Corpus(source=paths[0], prefix=os.path.join(folder, "") if folder else "")

"""All that the paths on the command line lead to."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import os
from dataclasses import dataclass, field

from sklearn_kernelclust._cli import _tables
from sklearn_kernelclust._cli._arrays import read_array
from sklearn_kernelclust._cli._decoding import decode
from sklearn_kernelclust._cli._files import Skipped, files_below, read_bytes
from sklearn_kernelclust.datasets import load_docstrings

ARRAYS = (".npy", ".npz")
TABLES = {
    ".csv": _tables.delimited,
    ".tsv": _tables.tab_separated,
    ".jsonl": _tables.json_lines,
    ".ndjson": _tables.json_lines,
}


class BadInputError(Exception):
    """Nothing can be done with the input; the message says why."""


@dataclass
class Corpus:
    """What was read, in the order read.

    Attributes
    ----------
    names : list of str
        Of the documents: the path, and the row in it after a colon.
    texts : list of str
        The documents, none if there are features.
    features : array, sparse array or None
        A matrix, if that is what the path leads to.
    labels : list of (str or None)
        Known classes of the documents.
    skipped : list of (str, str)
        What was not read, and why.
    source : str
        Where it comes from, in words.
    prefix : str
        What all names begin with and people need not read.
    """

    names: list = field(default_factory=list)
    texts: list = field(default_factory=list)
    features: object = None
    labels: list = field(default_factory=list)
    skipped: list = field(default_factory=list)
    source: str = ""
    prefix: str = ""

    def __len__(self):
        return len(self.names)

    def skip(self, name, reason):
        """Remember what was not read."""
        self.skipped.append((name, reason))

    def add(self, name, row):
        """Take in a document."""
        self.names.append(name if row.number is None else f"{name}:{row.number}")
        self.texts.append(row.text)
        self.labels.append(row.label)

    def short_name(self, i):
        """Name of a document below what was named on the command line."""
        return self.names[i].removeprefix(self.prefix)

    def labelled(self):
        """Indices of the documents with a known class."""
        return [i for i, label in enumerate(self.labels) if label is not None]


def read(options, on_file=lambda: None):
    """The corpus of the command line; `on_file` is called after each file."""
    columns = _tables.Columns(options.text_column, options.label_column)
    corpus = _read_paths(options, columns, on_file) if options.paths else embedded()
    if len(corpus) and columns.label not in (None, *columns.found):
        raise BadInputError(
            f"--label-column {columns.label}: no such column; there are "
            f"{_tables.listed(list(columns.found)) or 'none'}."
        )
    return corpus


def embedded():
    """The documents that come with scikit-learn."""
    found = load_docstrings()
    labels = [found.target_names[i] for i in found.target]
    return Corpus(
        found.names, found.data, labels=labels, source="the docstrings of scikit-learn"
    )


def _read_paths(options, columns, on_file):
    paths = [os.fspath(path) for path in options.paths]
    corpus = Corpus(source=f"{len(paths)} paths")
    if len(paths) == 1:
        folder = paths[0] if os.path.isdir(paths[0]) else os.path.dirname(paths[0])
        corpus.source = paths[0]
        corpus.prefix = os.path.join(folder, "") if folder else ""
    arrays = [path for path in paths if path.lower().endswith(ARRAYS)]
    if arrays:
        return _read_features(corpus, arrays, paths)
    for file, named in _each_once(paths, _identity(options.out), corpus.skip):
        _read_texts(corpus, file, options, columns, follow=named)
        on_file()
    return corpus


def _each_once(paths, left_out, skip):
    """The files that paths lead to, and whether each is itself one of the paths."""
    seen = set()
    for path in paths:
        if not os.path.lexists(path):
            raise BadInputError(f"There is no {path}.")
        named = not os.path.isdir(path)
        for file in [path] if named else files_below(path, left_out, skip):
            real = os.path.realpath(file)
            if real in seen:
                skip(file, "given twice")
            else:
                seen.add(real)
                yield file, named


def _read_features(corpus, arrays, paths):
    if len(paths) > 1:
        raise BadInputError(
            f"{arrays[0]} is a matrix, and a matrix must be the only PATH; there are "
            f"{len(paths)}."
        )
    try:
        corpus.features = read_array(arrays[0])
    except Skipped as skipped:
        corpus.skip(arrays[0], str(skipped))
        return corpus
    n_objects = corpus.features.shape[0]
    corpus.names = [f"{arrays[0]}:{i}" for i in range(1, n_objects + 1)]
    corpus.labels = [None] * n_objects
    return corpus


def _read_texts(corpus, path, options, columns, *, follow):
    """Documents of one file; what is wrong with it is its own affair."""
    plain = path[:-3] if path.lower().endswith(".gz") else path
    suffix = os.path.splitext(plain)[1].lower()
    rows_of = TABLES.get(suffix, _tables.lines if options.lines else _tables.whole)
    try:
        if suffix in ARRAYS:
            raise Skipped("a matrix: name it on the command line")
        content = read_bytes(path, options.max_size, follow=follow)
        text = decode(content, options.encoding, options.decode_errors)
        for row in rows_of(
            text, columns, lambda i, reason: corpus.skip(f"{path}:{i}", reason)
        ):
            corpus.add(path, row)
    except Skipped as skipped:
        corpus.skip(path, str(skipped))


def _identity(folder):
    """What a folder is, whatever its path; None if there is none."""
    try:
        status = os.stat(folder)
    except (TypeError, OSError):
        return None
    return status.st_dev, status.st_ino

"""Read everything that the paths on the command line lead to."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import csv
import os
from dataclasses import dataclass, field

from sklearn_kernelclust._cli._arrays import read_array
from sklearn_kernelclust._cli._files import STDIN, Skipped, files_below, read_text
from sklearn_kernelclust._cli._html import page
from sklearn_kernelclust._cli._numbers import number_table
from sklearn_kernelclust._cli._office import OFFICE, office_text
from sklearn_kernelclust._cli._tables import (
    DELIMITERS,
    TABLES,
    documents,
    lines,
    not_blank,
)
from sklearn_kernelclust._cli._words import snippet
from sklearn_kernelclust.datasets import load_docstrings

ARRAYS = (".npy", ".npz")


class BadInputError(Exception):
    """The input cannot be clustered. The message is the reason."""


@dataclass
class Corpus:
    """What was read, in the order of reading. There are texts or features."""

    names: list = field(default_factory=list)  # path, or path:row
    texts: list = field(default_factory=list)
    features: object = None  # or a kernel matrix
    labels: list = field(default_factory=list)  # known class, or None
    titles: list = field(default_factory=list)  # title, first line of a row, or None
    skipped: list = field(default_factory=list)  # (path, reason)
    source: str = ""  # for people
    columns: dict = field(default_factory=dict)  # names of the columns of all tables
    places: list = field(default_factory=list)  # (path, row or None)
    records: list = field(default_factory=list)  # cells of a row by column
    kept: list = field(default_factory=list)  # positions among all that was read
    n_read: int = 0  # with the documents without text
    feature_names: list = field(default_factory=list)  # of a table of numbers
    left_out: list = field(default_factory=list)  # its columns that are no features

    def __len__(self):
        return len(self.names)

    def add(self, path, number, text, label=None, title=None, record=None):
        """Append a document, or skip it if it has no text."""
        name = f"{path}:{number}" if number else path
        self.n_read += 1
        if not isinstance(text, str) or not text.strip():
            return self.skipped.append((name, "no text"))
        self.names.append(name)
        self.texts.append(text)
        self.labels.append(label)
        self.titles.append(title or (text.strip().split("\n")[0] if number else None))
        self.places.append((path, number))
        self.records.append(record or {})
        self.kept.append(self.n_read - 1)

    def short_name(self, i):
        """Title of a document; its path, relative to the command line, if none."""
        path = self.names[i].removeprefix(os.path.join(self.source, ""))
        return snippet(self.titles[i]) if self.titles and self.titles[i] else path

    def title(self, i):
        """Title of a document, or its beginning."""
        if self.titles and self.titles[i]:
            return snippet(self.titles[i])
        return snippet(self.texts[i]) if self.texts else ""

    def labelled(self):
        """Indices of the documents with a known class."""
        return [i for i, label in enumerate(self.labels) if label is not None]


def read(options, on_file=lambda: None):
    """Read the corpus. `on_file` is called after each file."""
    paths, label = [os.fspath(path) for path in options.paths], options.label_column
    if not paths:
        corpus = docstring_corpus()
    elif len(paths) == 1 and paths[0].lower().endswith(ARRAYS):
        corpus = _read_features(*paths)
    else:
        corpus = _read_numbers(paths, options)
        if corpus is None:
            corpus = _read_documents(paths, options, on_file)
    for option, column in (("label", label), ("id", options.id_column)):
        if len(corpus) and column not in (None, *corpus.columns):
            names = ", ".join(corpus.columns) or "(there are no columns)"
            raise BadInputError(f"--{option}-column {column}: must be one of {names}.")
    if options.embeddings is not None:
        corpus.features = read_embeddings(os.fspath(options.embeddings), corpus)
    return corpus


def read_embeddings(path, corpus):
    """Vectors of the texts, in the order of reading.

    There may be vectors of the documents without text, too.
    """
    if corpus.features is not None:
        raise BadInputError(f"--embeddings needs texts; {corpus.source} holds numbers.")
    vectors = _matrix(path)
    if vectors.shape[0] == len(corpus):
        return vectors
    if vectors.shape[0] == corpus.n_read:
        return vectors[corpus.kept]
    raise BadInputError(
        f"--embeddings {path} has {vectors.shape[0]:,} rows for {len(corpus):,} "
        "documents: there must be one for each, in the order of reading."
    )


def docstring_corpus():
    """The documents that come with scikit-learn."""
    data = load_docstrings()
    labels = [data.target_names[i] for i in data.target]
    source = "the docstrings of scikit-learn"
    return Corpus(data.names, data.data, labels=labels, source=source)


def _matrix(path):
    try:
        return read_array(path)
    except Skipped as skipped:
        raise BadInputError(f"{path}: {skipped}.") from None


def _read_features(path):
    features = _matrix(path)
    names = [f"{path}:{i + 1}" for i in range(features.shape[0])]
    titles = [os.path.basename(name) for name in names]
    places = [(path, i + 1) for i in range(features.shape[0])]
    return Corpus(names, features=features, titles=titles, source=path, places=places)


def _read_numbers(paths, options):
    """The rows of a table of numbers that is the only path, None if it is not one."""
    path, known = paths[0], (options.label_column, options.id_column)
    delimiters = DELIMITERS.get(suffix_of(path))
    if len(paths) > 1 or delimiters is None or options.text_column is not None:
        return None
    try:
        table = number_table(read_text(path, options), delimiters, known)
    except (Skipped, csv.Error):
        return None
    return None if table is None else _corpus_of_numbers(table, path, options)


def _corpus_of_numbers(table, path, options):
    corpus = Corpus(features=table.numbers, source=path, left_out=table.left_out)
    corpus.columns = dict.fromkeys(table.columns)
    corpus.feature_names = table.names
    corpus.skipped = [(f"{path}:{row}", reason) for row, reason in table.skipped]
    for row, record in table.records:
        corpus.names.append(f"{path}:{row}")
        corpus.places.append((path, row))
        corpus.records.append(record)
        corpus.labels.append(not_blank(record.get(options.label_column)))
        title = not_blank(record.get(options.id_column))
        corpus.titles.append(title or f"{os.path.basename(path)}:{row}")
    return corpus


def _read_documents(paths, options, on_file):
    corpus = Corpus(source=paths[0] if len(paths) == 1 else f"{len(paths)} paths")
    for file in _files(paths, options.out, corpus.skipped):
        try:
            for document in _documents(file, options, corpus.columns):
                corpus.add(file, *document)
        except Skipped as skipped:
            corpus.skipped.append((file, str(skipped)))
        on_file()
    return corpus


def _files(paths, out, skipped):
    """The files that the paths lead to, each file once."""
    files, output = {}, os.path.realpath(out) if out else None
    for path in paths:
        if path != STDIN and not os.path.lexists(path):
            raise BadInputError(f"There is no {path}.")
        is_folder = os.path.isdir(path)
        for file in files_below(path, output, skipped) if is_folder else [path]:
            files.setdefault(os.path.realpath(file), file)
    return files.values()


def suffix_of(path):
    """Suffix of a path, without that of compression."""
    return os.path.splitext(path.lower().removesuffix(".gz"))[1]


def _documents(path, options, columns):
    """The documents of a file: number, text, class and title."""
    suffix = suffix_of(path)
    if suffix in ARRAYS:
        raise Skipped("an array must be the only PATH")
    if suffix in OFFICE:
        return [(None, office_text(path, suffix, options))]
    text = read_text(path, options)
    if suffix in TABLES:
        return documents(text, suffix, options, columns)
    if suffix in (".html", ".htm"):
        return [(None, *page(text))]
    return lines(text) if options.lines or path == STDIN else [(None, text)]

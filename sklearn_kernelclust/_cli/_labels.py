"""The user's table with the topic of each row: ``labels.csv``."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import json
from dataclasses import dataclass, field

import numpy as np

from sklearn_kernelclust._cli._output import table
from sklearn_kernelclust._cli._words import squared_distances


@dataclass
class Legend:
    """What the labels of a model mean, as cells of a table.

    Attributes
    ----------
    header : list of str
        Names of the columns.
    cells : dict of int to list
        For each label the cells of its row.
    takes_texts : bool
        Whether the model takes texts, not numbers.
    columns : list of str
        Columns of the table of numbers that the model takes, empty if none.
    """

    header: list
    cells: dict
    takes_texts: bool = True
    columns: list = field(default_factory=list)


def legend(result):
    """The topic of each level and its words, or the cluster and its words."""
    kind = result.corpus.features is None, result.corpus.feature_names
    if result.root is None:
        cells = {c.label: [c.label, ", ".join(c.terms)] for c in result.clusters}
        return Legend(["cluster", "words"], cells, *kind)
    leaves = result.clusters
    n_levels = max(1, *(topic.depth for topic in leaves))
    cells = {}
    for leaf in leaves:
        # With words, because 1.10 alone would be read as the number 1.1.
        levels = [f"{topic.number} {topic.name}" for topic in leaf.path]
        levels += [""] * (n_levels - len(levels))
        cells[leaf.label] = [*levels, ", ".join(leaf.terms)]
    header = [f"topic_{level}" for level in range(1, n_levels + 1)]
    return Legend([*header, "words"], cells, *kind)


def labels_table(result, id_column):
    """The contents of ``labels.csv``."""
    squared = squared_distances(result.kernels.plain, result.labels)
    distances = [[round(d, 6)] for d in np.sqrt(squared).tolist()]
    meaning = legend(result)
    return merged(result.corpus, id_column, meaning, result.labels, distances)


def merged(corpus, id_column, meaning, labels, distances=None):
    """The documents, with every column of the input, and their topics.

    Parameters
    ----------
    corpus : Corpus
        The documents.
    id_column : str or None
        Column that identifies the rows, instead of path and row.
    meaning : Legend
        What the labels mean.
    labels : sequence of int
        Of each document; negative for none.
    distances : list of list of float or None
        A cell for each document, if distances are known.
    """
    columns = [name for name in corpus.columns if name != id_column]
    places = ["path", "row"] if id_column is None else []
    ours = ["title", *meaning.header, *(["distance"] if distances else [])]
    names = unlike([*places, *ours], columns)
    header = names[: len(places)] + ([] if id_column is None else [id_column])
    unknown = [""] * len(meaning.header)
    rows = []
    for i, label in enumerate(labels):
        record = corpus.records[i] if corpus.records else {}
        row = place(corpus, i) if id_column is None else [cell(record.get(id_column))]
        row += [cell(record.get(name)) for name in columns]
        row += [corpus.title(i), *meaning.cells.get(int(label), unknown)]
        rows.append(row + (distances[i] if distances else []))
    return table([*header, *columns, *names[len(places) :]], rows)


def place(corpus, i):
    """Path and number of the row; a file that is one document has no row."""
    path, row = corpus.places[i] if corpus.places else (corpus.names[i], None)
    return [path, "" if row is None else row]


def cell(value):
    """A value of a table, or a field of JSON, as text."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


def unlike(names, others):
    """Names of our columns, with underscores where the input has such a column."""
    unique = []
    for name in names:
        while name in others:
            name += "_"
        unique.append(name)
    return unique

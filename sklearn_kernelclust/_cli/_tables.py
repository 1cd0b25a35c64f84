"""Split a text into documents: the whole text, its lines, or the rows of a table."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import csv
import io
import json
import sys
from dataclasses import dataclass, field
from typing import NamedTuple

from sklearn_kernelclust._cli._files import Skipped
from sklearn_kernelclust._cli._html import PageText

# Names of the text column that need no --text-column.
TEXT_COLUMNS = ("text", "document", "body", "content")


@dataclass
class Columns:
    """Columns asked for (None if not), and the names of all columns read so far."""

    text: str | None
    label: str | None
    names: dict = field(default_factory=dict)


class Row(NamedTuple):
    """A document of a file. The number counts from 1; None means the whole file."""

    number: int | None
    text: str
    label: str | None = None
    title: str | None = None


def whole(text, columns, skip):
    """Yield the text as one document."""
    yield Row(None, text)


def html(text, columns, skip):
    """Yield the text of a page as one document."""
    page = PageText(text)
    content = " ".join(page.text)
    if not content.strip():
        raise Skipped("no text in the page")
    yield Row(None, content, title="".join(page.title).strip() or None)


def lines(text, columns, skip):
    """Yield every line that is not blank."""
    for i, line in _numbered_lines(text):
        yield Row(i, line.rstrip("\n"))


def delimited(text, columns, skip, delimiters=",;\t|"):
    """Yield the rows of a table. Its first row has the names of the columns."""
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
    first_line = text.lstrip("\r\n").split("\n", 1)[0]
    delimiter = max(delimiters, key=first_line.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        names = [name.strip() for name in next(filter(None, reader), [])]
        records = ((i, dict(zip(names, row)), None) for i, row in enumerate(reader, 1))
        yield from _documents(names, records, columns, skip, "row")
    except csv.Error as error:
        raise Skipped(f"not a table: {error} in line {reader.line_num}") from None


def tab_separated(text, columns, skip):
    """Yield the rows of a table separated by tabs."""
    return delimited(text, columns, skip, delimiters="\t")


def json_lines(text, columns, skip):
    """Yield the JSON objects of a text, one on each line."""
    records = [(i, *_parse(line)) for i, line in _numbered_lines(text)]
    return _objects(records, columns, skip)


def json_array(text, columns, skip):
    """Yield the objects of a JSON array, or of JSON lines if it is none."""
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        return json_lines(text, columns, skip)
    values = values if isinstance(values, list) else [values]
    records = [(i, *_as_object(value)) for i, value in enumerate(values, 1)]
    return _objects(records, columns, skip)


def _objects(records, columns, skip):
    # Any object may lack a field, so the names come from all of them.
    names = dict.fromkeys(name for _, record, _ in records for name in record)
    return _documents(list(names), records, columns, skip, "object")


def _documents(names, records, columns, skip, noun):
    """Yield the records that have a text; skip the others."""
    column = text_column(names, columns.text) if names else "text"
    columns.names.update(dict.fromkeys(names))
    for i, record, problem in records:
        text = record.get(column)
        if isinstance(text, str) and text.strip():
            label, title = record.get(columns.label), record.get("title")
            yield Row(i, text, _not_blank(label), _not_blank(title))
        else:
            skip(i, problem or f"no {column!r} in the {noun}")


def _not_blank(value):
    return str(value) if value is not None and str(value).strip() else None


def text_column(names, wanted):
    """The column asked for, the only one, or the one with a usual name."""
    usual = [name for name in names if name.lower() in TEXT_COLUMNS]
    for candidates in ([wanted],) if wanted is not None else (names, usual):
        if len(candidates) == 1 and candidates[0] in names:
            return candidates[0]
    if wanted is not None:
        raise Skipped(f"no column {wanted!r}; there are {listed(names)}")
    raise Skipped(f"which column is the text? --text-column {listed(names, '|')}")


def listed(names, separator=", "):
    """The first names of a list, joined for a message."""
    return separator.join([*names[:12], *(["..."] if len(names) > 12 else [])])


def _numbered_lines(text):
    # splitlines would also split at form feeds.
    numbered = enumerate(io.StringIO(text, newline=None), 1)
    return ((i, line) for i, line in numbered if line.strip())


def _parse(line):
    """The JSON object of a line, and the problem if there is none."""
    try:
        return _as_object(json.loads(line))
    except (ValueError, RecursionError):
        return {}, "not JSON"


def _as_object(value):
    """A JSON value as an object, and the problem if it is none."""
    if isinstance(value, str):
        return {"text": value}, None
    if isinstance(value, dict):
        return value, None
    return {}, f"a {type(value).__name__}, not an object"

"""Documents of a text: all of it, its lines, or a column of a table."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import csv
import io
import json
import sys
from dataclasses import dataclass, field
from typing import NamedTuple

from sklearn_kernelclust._cli._files import Skipped

# Columns that are taken for the text if none is named.
TEXT_COLUMNS = ("text", "document", "body", "content")


@dataclass
class Columns:
    """Names of columns: those asked for, None if not, and all of the tables read."""

    text: str | None
    label: str | None
    found: dict = field(default_factory=dict)


class Row(NamedTuple):
    """One document of a file: its number from 1 on, None if it is all of it."""

    number: int | None
    text: str
    label: str | None = None


def whole(text, columns, skip):
    """The text as one document."""
    yield Row(None, text)


def lines(text, columns, skip):
    """A document a line, without the empty ones."""
    # Not splitlines: a form feed ends no line.
    for i, line in enumerate(io.StringIO(text, newline=None), 1):
        if line.strip():
            yield Row(i, line.rstrip("\n"))


def delimited(text, columns, skip, delimiters=",;\t|"):
    """A column of a table whose first row has the names of the columns."""
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
    first = text.lstrip("\r\n").split("\n", 1)[0]
    delimiter = max(delimiters, key=first.count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        header = [name.strip() for name in next(filter(None, rows), [])]
        column = text_column(header, columns.text)
        columns.found.update(dict.fromkeys(header))
        at = header.index(column)
        label = header.index(columns.label) if columns.label in header else None
        for i, row in enumerate(rows, 1):
            if at >= len(row) or not row[at].strip():
                skip(i, f"no {column!r} in the row")
            else:
                yield Row(i, row[at], _class(_get(row, label)))
    except csv.Error as error:
        raise Skipped(f"not a table: {error} in line {rows.line_num}") from None


def tab_separated(text, columns, skip):
    """As `delimited`, by tabs."""
    return delimited(text, columns, skip, delimiters="\t")


def json_lines(text, columns, skip):
    """A JSON object a line, the text in one of its fields."""
    numbered = enumerate(io.StringIO(text, newline=None), 1)
    records = [(i, *_record(line)) for i, line in numbered if line.strip()]
    # Any object may lack a field: all of them say which there are.
    names = dict.fromkeys(name for _, record, _ in records for name in record)
    column = text_column(list(names), columns.text) if names else None
    columns.found.update(names)
    for i, record, wrong in records:
        found = record.get(column)
        if wrong or not isinstance(found, str) or not found.strip():
            skip(i, wrong or f"no {column!r} in the object")
        else:
            yield Row(i, found, _class(record.get(columns.label)))


def text_column(names, wanted):
    """The column of the text: the one asked for, a usual name, or the only one."""
    if wanted is not None:
        if wanted not in names:
            raise Skipped(f"no column {wanted!r}; there are {listed(names)}")
        return wanted
    if len(names) == 1:
        return names[0]
    usual = [name for name in names if name.lower() in TEXT_COLUMNS]
    if len(usual) == 1:
        return usual[0]
    raise Skipped(f"which column is the text? --text-column {listed(names, '|')}")


def listed(names, separator=", "):
    """Names for people, the first of many."""
    more = separator + "..." if len(names) > 12 else ""
    return separator.join(map(str, names[:12])) + more


def _record(line):
    """The object of a line, and what is wrong where there is none."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return {}, "not JSON"
    if isinstance(record, str):
        return {"text": record}, None
    if not isinstance(record, dict):
        return {}, f"a {type(record).__name__}, not an object"
    return record, None if record else "an empty object"


def _get(row, at):
    return row[at] if at is not None and at < len(row) else None


def _class(value):
    """A class is what is written there; where nothing is, there is none."""
    return None if value is None or not str(value).strip() else str(value)

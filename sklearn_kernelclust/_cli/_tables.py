"""Split a text into its lines, or into the rows of a table."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import csv
import io
import json
from contextlib import suppress

from sklearn_kernelclust._cli._files import Skipped

DELIMITERS = {".csv": ",;\t|", ".tsv": "\t"}
TABLES = (*DELIMITERS, ".json", ".jsonl", ".ndjson")

# Names of the text column that need no --text-column.
TEXT_COLUMNS = ("text", "document", "body", "content")


def lines(text):
    """Number and text of the lines that are not blank. Form feeds end no line."""
    numbered = enumerate(io.StringIO(text, newline=None), 1)
    return [(i, line.rstrip("\n")) for i, line in numbered if line.strip()]


def cells(text, delimiters):
    """The delimiter, and the rows of a table; the first is not empty."""
    csv.field_size_limit(2**31 - 1)
    delimiter = max(delimiters, key=text.lstrip("\r\n").partition("\n")[0].count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    first = [name.strip() for name in next(filter(None, reader), [])]
    return delimiter, [first, *reader]


def delimited(text, delimiters):
    """Number and cells of the rows of a table. Its first row has the names."""
    names, *rows = cells(text, delimiters)[1]
    return [(i, dict(zip(names, row))) for i, row in enumerate(rows, 1)]


def json_objects(text):
    """Number and fields of the objects of a JSON array, or of JSON lines."""
    value = _parse(text)
    values = enumerate(value if isinstance(value, list) else [value], 1)
    if value is None:
        values = [(i, _parse(line)) for i, line in lines(text)]
    values = [(i, {"text": v} if isinstance(v, str) else v) for i, v in values]
    return [(i, v if isinstance(v, dict) else {}) for i, v in values]


def _parse(text):
    """The value of a JSON text, None if it is not JSON."""
    with suppress(ValueError, RecursionError):
        return json.loads(text)


def documents(text, suffix, options, columns):
    """Yield number, text, class, title and the row itself, as a dict.

    The names of all columns are added to the dict `columns`.
    """
    is_json = suffix not in DELIMITERS
    records = json_objects(text) if is_json else delimited(text, DELIMITERS[suffix])
    # An object may lack a field, so the names come from all of them.
    names = list(dict.fromkeys(name for _, record in records for name in record))
    columns.update(dict.fromkeys(names))
    if not names:
        raise Skipped("no rows, or not JSON" if is_json else "no rows")
    column = text_column(names, options.text_column)
    for i, record in records:
        label, title = record.get(options.label_column), record.get("title")
        yield i, record.get(column), not_blank(label), not_blank(title), record


def not_blank(value):
    """A value as text, None if it is blank."""
    return str(value) if value is not None and str(value).strip() else None


def text_column(names, wanted):
    """The column asked for, the only one, or the one with a usual name."""
    usual = [name for name in names if name.lower() in TEXT_COLUMNS]
    candidates = [wanted] if wanted is not None else names if len(names) == 1 else usual
    if len(candidates) == 1 and candidates[0] in names:
        return candidates[0]
    one_of = f"--text-column: must be one of {', '.join(names)}"
    raise Skipped(one_of)

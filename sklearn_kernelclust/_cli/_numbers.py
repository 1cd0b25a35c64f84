"""Read a table of numbers: columns are features, rows are objects."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np

from sklearn_kernelclust._cli._tables import TEXT_COLUMNS, cells

# Squares of larger numbers overflow, and with them the spread of a column.
LARGEST = 1e150


@dataclass
class NumberTable:
    """A table of numbers.

    Attributes
    ----------
    names : list of str
        Names of the columns with numbers.
    numbers : ndarray of shape (n_rows, n_columns)
        The rows in which all these columns have a number of at most `LARGEST`.
    records : list of (int, dict)
        Number, from 1 on, and all cells of these rows.
    columns : list of str
        Names of all columns.
    skipped : list of (int, str)
        Number of each other row that is not blank, and why it is skipped.
    left_out : list of str
        Columns that are neither features, nor classes, nor identifiers.
    """

    names: list
    numbers: object
    records: list
    columns: list
    skipped: list
    left_out: list


def number_table(text, delimiters, known=()):
    """Parse a table of numbers; None if it has no numbers, or a column of texts.

    Parameters
    ----------
    text : str
        The table.
    delimiters : str
        Characters that may separate the cells of a row.
    known : iterable of str
        Columns that are no features, such as classes.
    """
    delimiter, rows = cells(text, delimiters)
    columns, rows = named_columns(rows, delimiter)
    rows = [(i, row) for i, row in enumerate(rows, 1) if any(map(str.strip, row))]
    if not rows or any(name.lower() in TEXT_COLUMNS for name in columns):
        return None
    values, left_out = {}, []
    for j, name in enumerate(columns):
        column = [row[j].strip() if j < len(row) else "" for _, row in rows]
        numbers = [number(cell, delimiter) for cell in column]
        if name in known:
            continue
        if None in numbers and may_be_text(column):
            return None
        if None in numbers or is_counter(numbers) or not any(column):
            left_out.append(name)
        else:
            values[name] = numbers
    return _complete_rows(values, columns, rows, left_out) if values else None


def named_columns(rows, delimiter):
    """Names and rows. A first row of numbers only has no names."""
    first, *rest = rows
    if first and all(name and number(name, delimiter) is not None for name in first):
        return [f"column {j + 1}" for j in range(len(first))], rows
    names = []
    for name in first:
        n_before = sum(before.split(" (#")[0] == name for before in names)
        names.append(f"{name} (#{n_before + 1})" if n_before else name)
    return names, rest


def number(cell, delimiter):
    """The number in a cell, NaN if it is blank, None if it is something else.

    In a table with semicolons, a comma may be the decimal point.
    """
    try:
        return float((cell.replace(",", ".") if delimiter == ";" else cell) or "nan")
    except ValueError:
        return None


def may_be_text(column):
    """Whether most values differ; a category has few values."""
    values = [cell for cell in column if cell]
    return len(set(values)) > len(values) / 2


def is_counter(numbers):
    """Whether numbers count the rows."""
    return len(numbers) > 2 and bool(np.all(np.diff(numbers) == 1))


def _complete_rows(values, columns, rows, left_out):
    """The table of the rows that have all numbers."""
    names = list(values)
    matrix = np.array([values[name] for name in names]).T
    usable = np.abs(matrix) <= LARGEST
    skipped = [
        (rows[i][0], _reason(matrix[i], usable[i], names))
        for i in np.flatnonzero(~usable.all(axis=1))
    ]
    kept = np.flatnonzero(usable.all(axis=1))
    records = [(rows[i][0], dict(zip(columns, rows[i][1]))) for i in kept]
    return NumberTable(names, matrix[kept], records, columns, skipped, left_out)


def _reason(numbers, usable, names):
    """Why a row is skipped."""
    j = usable.argmin()
    if np.isfinite(numbers[j]):
        return f"{numbers[j]:.3g} in the column {names[j]} is beyond {LARGEST:g}"
    return f"no finite number in the column {names[j]}"

"""The numbers of the papers."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import csv
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("published.csv")


@cache
def _all():
    with open(FILE, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def published(table):
    """Values of a table by (row, column); numbers are floats."""
    values = {
        (line["row"], line["column"]): float(line["value"])
        for line in _all()
        if line["table"] == table
    }
    if not values:
        raise KeyError(f"{FILE.name} has nothing of table {table!r}.")
    return values

"""Lines of a text and rows of a table."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import json

import pytest

from sklearn_kernelclust._cli._arguments import parse
from sklearn_kernelclust._cli._files import Skipped
from sklearn_kernelclust._cli._tables import documents, lines


def rows(suffix, text, *argv):
    return [row[:4] for row in documents(text, suffix, parse(argv), {})]


def json_lines(records):
    return "\n".join(map(json.dumps, records))


def test_lines():
    text = "one\n\n  \r\ntwo\fhalf\r\nthree"
    assert lines(text) == [(1, "one"), (4, "two\fhalf"), (5, "three")]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimited(delimiter):
    text = 'id,Text ,kind\n1,"a ""b""\nc",x\n\n2,d,y\n3,,z\n4\n5,e\n'
    assert rows(".csv", text.replace(",", delimiter), "--label-column", "kind") == [
        (1, 'a "b"\nc', "x", None),
        (2, None, None, None),
        (3, "d", "y", None),
        (4, "", "z", None),
        (5, None, None, None),
        (6, "e", None, None),
    ]


def test_tab_separated_text_may_have_commas():
    assert rows(".tsv", "text\na,b\n") == [(1, "a,b", None, None)]


def test_long_fields():
    assert rows(".csv", "text\n" + "x" * 500_000)[0][1] == "x" * 500_000


def test_json_lines():
    """What is not an object has no text."""
    records = [{"text": "a", "kind": 3}, "b", {"id": 2}, [1], {"text": "c"}]
    text = json_lines(records) + "\n\n{broken\n" + "[" * 100_000
    texts = [(1, "a"), (2, "b"), (3, None), (4, None), (5, "c"), (7, None), (8, None)]
    found = rows(".jsonl", text, "--label-column", "kind")
    assert [row[:2] for row in found] == texts
    assert [row[2] for row in found] == ["3", *[None] * 6]


def test_json_arrays():
    records = [{"text": "a", "title": "A", "kind": 3}, "b", [1], {"text": " "}]
    text = json.dumps(records, indent=1)
    assert rows(".json", text, "--label-column", "kind") == [
        (1, "a", "3", "A"),
        (2, "b", None, None),
        (3, None, None, None),
        (4, " ", None, None),
    ]


def test_json_that_is_no_array():
    """One object is one document, and JSON lines may have any name."""
    records = [{"text": "a"}, {"text": "b"}]
    assert rows(".json", json.dumps(records[0])) == [(1, "a", None, None)]
    text = json_lines(records)
    assert rows(".json", text) == rows(".ndjson", text)


def test_a_blank_cell_is_no_class():
    argv = ["--text-column", "text", "--label-column", "kind"]
    cells = ["x", "", "  ", "0"]
    table = "text,kind\n" + "".join(f"a,{cell}\n" for cell in cells)
    records = [{"text": "a", "kind": cell} for cell in [*cells, None, 0]]
    labels = ["x", None, None, "0"]
    assert [row[2] for row in rows(".csv", table, *argv)] == labels
    found = rows(".jsonl", json_lines(records), *argv)
    assert [row[2] for row in found] == [*labels, None, "0"]


@pytest.mark.parametrize("first", [0, 1, 2])
def test_which_field_does_not_depend_on_the_first_object(first):
    records = [{"note": "draft"}, {"note": "x", "text": "a"}, {"text": "b"}]
    found = rows(".jsonl", json_lines(records[first:] + records[:first]))
    assert {row[1] for row in found} == {"a", "b", None}


@pytest.mark.parametrize(
    ("text", "argv", "expected"),
    [
        ("only\nx\n", [], "x"),
        ("id,body\n1,x\n", [], "x"),
        ("text,body\n1,x\n", ["--text-column", "body"], "x"),
    ],
)
def test_which_column(text, argv, expected):
    assert rows(".csv", text, *argv)[0][1] == expected


@pytest.mark.parametrize(
    ("text", "argv"),
    [
        ("a,b\n1,2\n", []),
        ("text,body\n1,2\n", []),
        ("a,b\n1,2\n", ["--text-column", "c"]),
        ("only\n1\n", ["--text-column", "c"]),
    ],
)
def test_no_column(text, argv):
    names = text.split("\n")[0].replace(",", ", ")
    with pytest.raises(Skipped, match=f"--text-column: must be one of {names}$"):
        rows(".csv", text, *argv)


@pytest.mark.parametrize(
    "suffix, reason", [(".csv", "no rows$"), (".json", "no rows, or not JSON$")]
)
@pytest.mark.parametrize("text", ["", "\n", "text\n", "{\n"])
def test_a_table_of_nothing(suffix, reason, text):
    with pytest.raises(Skipped, match=reason):
        rows(suffix, text)

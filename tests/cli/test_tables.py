"""Documents of a file."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import json

import pytest

from sklearn_kernelclust._cli._files import Skipped
from sklearn_kernelclust._cli._tables import (
    Columns,
    Row,
    delimited,
    html,
    json_array,
    json_lines,
    lines,
    tab_separated,
    whole,
)


def rows(reader, text, columns=None):
    skipped, columns = [], columns or Columns(None, None)
    found = list(reader(text, columns, lambda *told: skipped.append(told)))
    return found, skipped


def test_whole_and_lines():
    text = "one\n\n  \r\ntwo\fhalf\r\nthree"
    assert rows(whole, text) == ([Row(None, text)], [])
    assert rows(lines, text)[0] == [Row(1, "one"), Row(4, "two\fhalf"), Row(5, "three")]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimited(delimiter):
    text = 'id,Text ,kind\n1,"a ""b""\nc",x\n\n2,d,y\n3,,z\n4\n5,e\n'
    text = text.replace(",", delimiter)
    found, skipped = rows(delimited, text, Columns(None, "kind"))
    assert found == [Row(1, 'a "b"\nc', "x"), Row(3, "d", "y"), Row(6, "e", None)]
    assert [i for i, _ in skipped] == [2, 4, 5]
    assert skipped[1][1] == "no 'Text' in the row"


def test_tab_separated_text_may_have_commas():
    assert rows(tab_separated, "text\na,b\n")[0] == [Row(1, "a,b")]


def test_long_fields():
    assert rows(delimited, "text\n" + "x" * 500_000)[0][0].text == "x" * 500_000


def test_json_lines():
    records = [
        {"id": 1, "text": "a", "kind": 3},
        "b",
        {"id": 2},
        {"text": None},
        {"text": 5},
        [1],
        {"text": "c"},
    ]
    text = "\n".join(map(json.dumps, records)) + "\n\n{broken\n" + "[" * 100_000
    found, skipped = rows(json_lines, text, Columns(None, "kind"))
    assert found == [Row(1, "a", "3"), Row(2, "b"), Row(7, "c")]
    assert [i for i, _ in skipped] == [3, 4, 5, 6, 9, 10]
    assert skipped[0][1] == "no 'text' in the object"
    assert skipped[3][1] == "a list, not an object"
    assert skipped[5][1] == "not JSON"


def test_json_arrays():
    records = [{"text": "a", "title": "A", "kind": 3}, "b", [1], {"text": " "}]
    columns = Columns(None, "kind")
    found, skipped = rows(json_array, json.dumps(records, indent=1), columns)
    assert found == [Row(1, "a", "3", "A"), Row(2, "b")]
    assert skipped == [(3, "a list, not an object"), (4, "no 'text' in the object")]


def test_json_that_is_no_array():
    """One object is one document, and JSON lines may have any name."""
    records = [{"text": "a"}, {"text": "b"}]
    assert rows(json_array, json.dumps(records[0]))[0] == [Row(1, "a")]
    text = "\n".join(map(json.dumps, records))
    assert rows(json_array, text) == rows(json_lines, text)
    assert rows(json_array, "{broken")[1] == [(1, "not JSON")]


def test_pages():
    page = "<title> A </title><p>one <b>two</b></p>"
    assert rows(html, page)[0] == [Row(None, "one  two", title="A")]
    assert rows(html, "one")[0] == [Row(None, "one")]
    with pytest.raises(Skipped, match="no text in the page"):
        rows(html, "<title>A</title>")


def test_a_blank_cell_is_no_class():
    columns = Columns("text", "kind")
    cells = ["x", "", "  ", "0"]
    table = "text,kind\n" + "".join(f"a,{cell}\n" for cell in cells)
    records = [{"text": "a", "kind": cell} for cell in [*cells, None, 0]]
    found, _ = rows(delimited, table, columns)
    assert [row.label for row in found] == ["x", None, None, "0"]
    found, _ = rows(json_lines, "\n".join(map(json.dumps, records)), columns)
    assert [row.label for row in found] == ["x", None, None, "0", None, "0"]


@pytest.mark.parametrize("first", [0, 1, 2])
def test_which_field_does_not_depend_on_the_first_object(first):
    records = [{"note": "draft"}, {"note": "x", "text": "a"}, {"text": "b"}]
    records = records[first:] + records[:first]
    found, skipped = rows(json_lines, "\n".join(map(json.dumps, records)))
    assert {row.text for row in found} == {"a", "b"}
    assert [reason for _, reason in skipped] == ["no 'text' in the object"]


def test_objects_of_nothing():
    assert rows(json_lines, "{}\n")[1] == [(1, "no 'text' in the object")]


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("only\nx\n", None, "x"),
        ("id,body\n1,x\n", None, "x"),
        ("text,body\n1,x\n", "body", "x"),
    ],
)
def test_which_column(text, column, expected):
    assert rows(delimited, text, Columns(column, None))[0][0].text == expected


@pytest.mark.parametrize(
    ("text", "column", "reason"),
    [
        ("a,b\n1,2\n", None, r"which column is the text\? --text-column a\|b"),
        ("text,body\n1,2\n", None, "which column"),
        ("a,b\n1,2\n", "c", "no column 'c'; there are a, b"),
        (",".join("x" * 20) + "\n", "c", r"x, x, \.\.\."),
    ],
)
def test_no_column(text, column, reason):
    with pytest.raises(Skipped, match=reason):
        rows(delimited, text, Columns(column, None))


def test_a_table_of_nothing():
    assert rows(delimited, "text\n") == ([], [])
    assert rows(json_lines, "\n") == ([], [])

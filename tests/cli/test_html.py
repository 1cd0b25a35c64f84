"""Text and title of a page."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import pytest

from sklearn_kernelclust._cli._html import PageText, page


def words(pieces):
    return " ".join("".join(pieces).split())


def test_text_and_title():
    parts = PageText(
        "<!doctype html><title>A &amp; B</title><style>p { color: red }</style>"
        "<script>let x = '<p>no</p>';</script><p>one <b>two</b></p>"
        "<!-- no -->\n&eacute;"
    )
    assert words(parts.text) == "one two \xe9"
    assert words(parts.title) == "A & B"


@pytest.mark.parametrize("text", ["plain", "<p>plain", "plain</p></div>", "plain<a"])
def test_pages_that_are_broken(text):
    assert words(PageText(text).text).startswith("plain")


def test_pages():
    text = "<title> A </title><p>one <b>two</b></p>"
    assert page(text) == ("one  two", None, "A")
    assert page("one") == ("one", None, None)
    assert page("<title>A</title>") == ("", None, "A")

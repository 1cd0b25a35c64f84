"""Text and title of a page."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import pytest

from sklearn_kernelclust._cli._html import PageText


def words(pieces):
    return " ".join("".join(pieces).split())


def test_text_and_title():
    page = PageText(
        "<!doctype html><title>A &amp; B</title><style>p { color: red }</style>"
        "<script>let x = '<p>no</p>';</script><p>one <b>two</b></p>"
        "<!-- no -->\n&eacute;"
    )
    assert words(page.text) == "one two \xe9"
    assert words(page.title) == "A & B"


@pytest.mark.parametrize("page", ["plain", "<p>plain", "plain</p></div>", "plain<a"])
def test_pages_that_are_broken(page):
    assert words(PageText(page).text).startswith("plain")

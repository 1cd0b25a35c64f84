"""Text and title of an HTML page."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

from html.parser import HTMLParser

HIDDEN = {"script", "style", "template", "noscript"}


def page(text):
    """Text, class (always None) and title of a page."""
    parts = PageText(text)
    return " ".join(parts.text), None, "".join(parts.title).strip() or None


class PageText(HTMLParser):
    """Collects the text and the title of a page.

    Attributes
    ----------
    text, title : list of str
        Pieces of text, in the order of the page.
    """

    def __init__(self, page):
        super().__init__()
        self.text, self.title, self._inside = [], [], None
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        """Enter a title, or a part that is not shown."""
        if self._inside is None and (tag in HIDDEN or tag == "title"):
            self._inside = tag

    def handle_endtag(self, tag):
        """Leave what was entered."""
        if tag == self._inside:
            self._inside = None

    def handle_data(self, data):
        """Collect text."""
        if self._inside not in HIDDEN:
            (self.title if self._inside == "title" else self.text).append(data)

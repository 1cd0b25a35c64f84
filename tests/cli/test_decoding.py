"""Bytes to text."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import pytest

from sklearn_kernelclust._cli._decoding import decode
from sklearn_kernelclust._cli._files import Skipped

TEXT = "caf\xe9 \u20ac \U0001f600\n"


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-16-be", "utf-32-be"]
)
def test_marks_and_utf8(encoding):
    mark = "\ufeff" if encoding.endswith("-be") else ""
    assert decode((mark + TEXT).encode(encoding)) == TEXT


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "shift-jis", "utf-16-le"])
def test_the_encoding_of_the_user(encoding):
    text = "日本" if encoding == "shift-jis" else "caf\xe9"
    assert decode(text.encode(encoding), encoding) == text


def test_utf8_comes_before_the_encoding_of_the_user():
    assert decode("caf\xe9".encode(), "latin-1") == "caf\xe9"


@pytest.mark.parametrize(
    ("content", "encoding", "reason"),
    [
        (b"", None, "^empty$"),
        (b" \r\n", None, "white space only"),
        (b"\xef\xbb\xbf", None, "white space only"),
        (b"ab\0c", None, "binary: a NUL byte at 2"),
        (b"ab\0c", "latin-1", "binary: a NUL byte at 2"),
        (b"\x01\x02" * 9, None, "control characters"),
        (b"caf\xe9", None, "not UTF-8: byte 0xe9 at 3; see --encoding"),
        (b"caf\xe9", "ascii", "not ASCII: cannot be decoded at 3"),
        (b"\xff\xfea", None, "not UTF-16-LE"),
        (b"odd", "utf-16-le", "not UTF-16-LE"),
    ],
)
def test_what_is_no_text(content, encoding, reason):
    with pytest.raises(Skipped, match=reason):
        decode(content, encoding)


@pytest.mark.parametrize("encoding", [None, "utf-8", "ascii"])
def test_replaced_on_demand(encoding):
    text = decode(b"caf\xe9 noir", encoding, "replace")
    assert text == "caf\ufffd noir"


def test_a_few_control_characters_are_no_harm():
    text = "page one\fpage two \x1b[1mbold\x1b[0m\a"
    assert decode(text.encode()) == text

"""Bytes to text."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import codecs
import re

from sklearn_kernelclust._cli._files import Skipped

# The longer ones first: one mark of UTF-32 begins with one of UTF-16.
MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

# No text has more of these than one in that many characters.
CONTROLS = re.compile("[\x00-\x06\x0e-\x1a\x1c-\x1f\x7f]")
RARE = 20


def decode(content, encoding=None, errors="skip"):
    """Text of a file: by its byte order mark, as UTF-8, or as the user says.

    Parameters
    ----------
    content : bytes
        The file.
    encoding : str or None
        Of what is not UTF-8 and has no mark.
    errors : {"skip", "replace"}
        Whether what cannot be decoded is skipped, or has its bytes replaced.
    """
    text = _decode(content, encoding, errors)
    if not text.strip():
        raise Skipped("empty" if not content else "empty: white space only")
    if RARE * len(CONTROLS.findall(text)) > len(text):
        raise Skipped("binary: full of control characters")
    return text


def _decode(content, encoding, errors):
    for mark, marked in MARKS:
        if content.startswith(mark):
            return _as(content[len(mark) :], marked, errors)
    wide = encoding is not None and "\0".encode(encoding, "replace") != b"\0"
    if b"\0" in content and not wide:
        raise Skipped(f"binary: a NUL byte at {content.index(0)}")
    try:
        if not wide:
            return content.decode("utf-8")
    except UnicodeDecodeError as error:
        if encoding is None and errors == "skip":
            raise Skipped(
                f"not UTF-8: byte 0x{content[error.start]:02x} at {error.start}; "
                "see --encoding"
            ) from None
    return _as(content, encoding or "utf-8", errors)


def _as(content, encoding, errors):
    if errors == "replace":
        return content.decode(encoding, "replace")
    try:
        return content.decode(encoding)
    except UnicodeError as error:
        at = f" at {error.start}" if isinstance(error, UnicodeDecodeError) else ""
        raise Skipped(f"not {encoding.upper()}: cannot be decoded{at}") from None

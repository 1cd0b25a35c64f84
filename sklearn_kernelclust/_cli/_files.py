"""Find files, read their bytes, decode their text; what cannot be read is skipped."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import codecs
import gzip
import os
import re
import stat
import sys
import zlib
from contextlib import contextmanager

STANDARD_INPUT = "-"

# Files that this program writes. A folder with all of them holds a result.
RESULTS = {"labels.csv", "model.joblib", "report.html", "skipped.csv"}

# Byte order marks. UTF-32 comes first: its mark begins with that of UTF-16.
MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}

# Text with more than one control character in 20 is taken for binary data.
CONTROLS = re.compile("[\x00-\x06\x0e-\x1a\x1c-\x1f\x7f]")
SPECIAL = "not a regular file: a FIFO, a socket or a device"


class Skipped(Exception):
    """A file or row is not read. The message is the reason."""


def files_below(folder, output, skip):
    """Yield the files below a folder by name, those of a folder before its folders.

    Parameters
    ----------
    folder : str
        Where to look.
    output : str or None
        Real path of the folder to write to, which is not read.
    skip : callable
        Called as ``skip(path, reason)`` for everything that is not read.
    """

    def refused(error):
        skip(error.filename, reason(error))

    def is_wanted(path, *results):
        why_not = _why_not(path, output, results)
        if why_not:
            skip(path, why_not)
        return not why_not

    for parent, folders, names in os.walk(folder, onerror=refused):
        results = RESULTS if set(names) >= RESULTS else ()
        for name in sorted(names):
            path = os.path.join(parent, name)
            if is_wanted(path, *results):
                yield path
        folders.sort()
        folders[:] = [f for f in folders if is_wanted(os.path.join(parent, f))]


def _why_not(path, output, results):
    """Reason to skip a file or folder found in a folder, None if there is none."""
    name = os.path.basename(path)
    try:
        mode = os.lstat(path).st_mode
    except OSError as error:
        return reason(error)
    if name.startswith("."):
        return "hidden"
    if stat.S_ISLNK(mode):
        return "a symbolic link"
    if stat.S_ISDIR(mode):
        return "the folder to write to" if os.path.realpath(path) == output else None
    if not stat.S_ISREG(mode):
        return SPECIAL
    return "the result of an earlier run" if name in results else None


@contextmanager
def open_regular(path):
    """Open a regular file for reading. Errors of the system skip it."""
    try:
        with open(path, "rb", opener=_open_at_once) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise Skipped(SPECIAL)
            yield file
    except OSError as error:
        raise Skipped(reason(error)) from None


def _open_at_once(path, flags):
    """Open a file without waiting: a FIFO may have no writer."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def read_bytes(path, limit):
    """Read a file, or standard input. Decompress it if its name ends in ``.gz``."""
    if path == STANDARD_INPUT:
        content = sys.stdin.buffer.read(limit + 1)
    else:
        with open_regular(path) as file:
            size = os.fstat(file.fileno()).st_size
            if size > limit:
                raise Skipped(f"{_mib(size)}, more than --max-size ({_mib(limit)})")
            content = _read(file, limit + 1, is_gzip=path.lower().endswith(".gz"))
    if len(content) > limit:
        raise Skipped(f"more than --max-size ({_mib(limit)})")
    return content


def _read(file, n_bytes, is_gzip):
    try:
        return (gzip.GzipFile(fileobj=file) if is_gzip else file).read(n_bytes)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise Skipped(f"damaged gzip: {error}") from None


def decode(content, encoding=None, errors="skip"):
    """Decode text by its byte order mark, as UTF-8, or as `encoding`, in this order.

    Parameters
    ----------
    content : bytes
        Content of a file.
    encoding : str or None
        Encoding of text that has no mark and is not UTF-8.
    errors : {"skip", "replace"}
        What to do with bytes that cannot be decoded.
    """
    text = _decode(content, _encodings(content, encoding), errors)
    if not text.strip():
        raise Skipped("empty: white space only" if content else "empty")
    if 20 * len(CONTROLS.findall(text)) > len(text):
        raise Skipped("binary: full of control characters")
    return text


def _encodings(content, encoding):
    """Encodings to try, in this order."""
    for mark, marked in MARKS.items():
        if content.startswith(mark):
            return [marked]
    if encoding and "\0".encode(encoding, "replace") != b"\0":
        return [encoding]  # of 2 or 4 bytes a character: never valid UTF-8 as well
    if b"\0" in content:
        raise Skipped(f"binary: a NUL byte at {content.index(0)}")
    return ["utf-8", encoding] if encoding else ["utf-8"]


def _decode(content, encodings, errors):
    for encoding in encodings:
        try:
            return content.decode(encoding)
        except UnicodeError as error:
            at = getattr(error, "start", 0)
    if errors == "replace":
        return content.decode(encoding, "replace")
    raise Skipped(
        f"not {encoding.upper()}: byte 0x{content[at]:02x} at {at}; see --encoding"
    )


def reason(error):
    """Short form of an error of the system."""
    return (error.strerror or str(error)).lower()


def _mib(size):
    return f"{size / 2**20:.1f} MiB"

"""Find files and read their text. What cannot be read is skipped, with a reason."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import gzip
import os
import sys
import zlib
from codecs import BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE
from contextlib import contextmanager, nullcontext, suppress

STDIN = "-"

# Files that this program writes. A folder with all of them holds a result.
RESULTS = {"labels.csv", "model.joblib", "report.html", "skipped.csv"}


class Skipped(Exception):
    """A file is not read. The message is the reason."""


def files_below(folder, output, skipped):
    """Yield the files below a folder by name; the list `skipped` gets the others."""
    walk = os.walk(folder, onerror=lambda e: skipped.append((e.filename, e.strerror)))
    for parent, folders, names in walk:
        results = RESULTS if RESULTS <= set(names) else ()
        paths = {name: os.path.join(parent, name) for name in sorted(names + folders)}
        reasons = {name: _why_not(paths[name], output, results) for name in paths}
        skipped += [(paths[name], reasons[name]) for name in paths if reasons[name]]
        folders[:] = [name for name in sorted(folders) if not reasons[name]]
        yield from (paths[name] for name in sorted(names) if not reasons[name])


def _why_not(path, output, results):
    """Reason to leave out a file or folder found in a folder, None to read it."""
    name = os.path.basename(path)
    if name.startswith("."):
        return "hidden"
    if os.path.islink(path):
        return "a symbolic link"
    if os.path.realpath(path) == output:
        return "the folder to write to"
    return "the result of an earlier run" if name in results else None


@contextmanager
def open_file(path):
    """Open a regular file, decompressed if its name ends in ``.gz``."""
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            raise Skipped("not a regular file")  # to open a FIFO may wait for ever
        with (gzip.open if path.lower().endswith(".gz") else open)(path, "rb") as file:
            yield file
    except (OSError, EOFError, zlib.error) as error:
        raise Skipped(getattr(error, "strerror", None) or str(error)) from None


def read_text(path, options):
    """Read the text of a file, or of standard input."""
    content = read_bytes(path, options.max_size)
    return decode(content, options.encoding, options.decode_errors == "replace")


def read_bytes(path, limit):
    """Read a file, or standard input, of at most `limit` bytes."""
    with open_file(path) if path != STDIN else nullcontext(sys.stdin.buffer) as file:
        is_large = os.fstat(file.fileno()).st_size > limit
        content = b"" if is_large else file.read(limit + 1)
    if is_large or len(content) > limit:
        raise Skipped(f"larger than --max-size ({limit / 2**20:.1f} MiB)")
    return content


def decode(content, encoding=None, replace=False):
    """Decode text by its byte order mark, as UTF-8, or as `encoding`, in this order."""
    first, second = "utf-8-sig", encoding or "utf-8"
    if content.startswith((BOM_UTF16_LE, BOM_UTF16_BE, BOM_UTF32_BE)):
        first, second = "utf-32", "utf-16"  # UTF-16 is never valid UTF-32
    last = (second, "replace" if replace else "strict")
    for name, errors in ((first, "strict"), (second, "strict"), last):
        with suppress(UnicodeError):
            text = content.decode(name, errors)
            if "\0" not in text:
                return text
    unknown = f"not {second.upper()}; see --encoding and --decode-errors"
    raise Skipped("binary" if b"\0" in content else unknown)

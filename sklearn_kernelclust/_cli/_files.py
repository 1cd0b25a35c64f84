"""Files of folders, and their bytes: nothing that hangs, loops or fills memory."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import gzip
import os
import stat
import zlib

# Special files: a name each, for the reason why they are not read.
SPECIAL = (
    (stat.S_ISFIFO, "a FIFO"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISLNK, "a symbolic link"),
    (stat.S_ISDIR, "a folder"),
)

# A FIFO without a writer must not make us wait, nor a link lead us elsewhere.
NO_WAITING = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
NO_LINKS = getattr(os, "O_NOFOLLOW", 0)

PIECE = 2**20

# What this program writes: where all are, they are no documents.
RESULTS = {"labels.csv", "model.joblib", "report.html", "skipped.csv"}


class Skipped(Exception):
    """Something is not read; the message is the reason."""


def files_below(folder, left_out, skip):
    """Paths of the regular files in a folder and in its folders, sorted by name.

    Parameters
    ----------
    folder : str
        Where to look.
    left_out : tuple of int or None
        Device and inode of a folder that is not to be read.
    skip : callable
        ``skip(path, reason)`` is told of all that is not read.
    """
    waiting = [folder]
    while waiting:
        path = waiting.pop()
        try:
            with os.scandir(path) as entries:
                found = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            skip(path, _reason(error))
            continue
        folders = []
        results = RESULTS if {entry.name for entry in found} >= RESULTS else ()
        for entry in found:
            kind = _kind(entry, left_out, skip)
            if kind == "folder":
                folders.append(entry.path)
            elif kind == "file" and entry.name in results:
                skip(entry.path, "the result of an earlier run")
            elif kind == "file":
                yield entry.path
        waiting += reversed(folders)


def _kind(entry, left_out, skip):
    """``"file"``, ``"folder"``, or None for what is skipped."""
    try:
        # A link is what it is, wherever it leads: that ends all loops.
        status = entry.stat(follow_symlinks=False)
    except OSError as error:
        skip(entry.path, _reason(error))
        return None
    if entry.name.startswith("."):
        hidden = "folder" if stat.S_ISDIR(status.st_mode) else "file"
        skip(entry.path, f"a hidden {hidden}")
    elif stat.S_ISDIR(status.st_mode):
        if (status.st_dev, status.st_ino) != left_out:
            return "folder"
        skip(entry.path, "the folder to write to")
    elif stat.S_ISREG(status.st_mode):
        return "file"
    else:
        skip(entry.path, _special(status.st_mode))
    return None


def read_bytes(path, limit, *, follow=False):
    """All bytes of a regular file, decompressed if its name ends in ``.gz``.

    Parameters
    ----------
    path : str
        The file.
    limit : int
        Most bytes, as they are and decompressed.
    follow : bool
        Whether the path may be a symbolic link.
    """
    try:
        with open_regular(path, follow=follow) as file:
            size = os.fstat(file.fileno()).st_size
            if size > limit:
                raise Skipped(f"{_mib(size)}, more than --max-size ({_mib(limit)})")
            if not path.lower().endswith(".gz"):
                return _at_most(file, limit)
            with gzip.GzipFile(fileobj=file) as content:
                return _at_most(content, limit)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise Skipped(f"damaged gzip: {error}") from None
    except OSError as error:
        raise Skipped(_reason(error)) from None


def open_regular(path, *, follow):
    """A regular file, open for reading; anything else is skipped."""
    status = os.stat(path, follow_symlinks=follow)
    # Opening alone may do something to a device.
    if not stat.S_ISREG(status.st_mode):
        raise Skipped(_special(status.st_mode))
    descriptor = os.open(path, os.O_RDONLY | NO_WAITING | (0 if follow else NO_LINKS))
    try:
        # It may be another file by now.
        mode = os.fstat(descriptor).st_mode
        if not stat.S_ISREG(mode):
            raise Skipped(_special(mode))
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def _at_most(file, limit):
    """All bytes; a file that grows, or unfolds, beyond the limit is skipped."""
    pieces, left = [], limit
    while piece := file.read(min(left + 1, PIECE)):
        pieces.append(piece)
        left -= len(piece)
        if left < 0:
            raise Skipped(f"more than --max-size ({_mib(limit)})")
    return b"".join(pieces)


def _special(mode):
    for is_kind, name in SPECIAL:
        if is_kind(mode):
            return name
    return "not a regular file"


def _reason(error):
    if isinstance(error, FileNotFoundError):
        return "not there (any more)"
    return (error.strerror or str(error)).lower()


def _mib(size):
    return f"{size / 2**20:.1f} MiB"

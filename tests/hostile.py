"""A folder with all that may be wrong with a folder."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import gzip
import os
import socket

import pytest

SPORT = "the striker scored a late goal and the team won the cup match again"
MONEY = "shares fell as the bank raised its interest rate and profit was lower"


def good_text(i):
    """A text of one of two kinds."""
    return f"{(SPORT, MONEY)[i % 2]} {i % 7} times this season number{i % 5}"


def make_hostile_folder(root):
    """Fill a folder; names of all that must be skipped, with a word of the reason."""
    if not hasattr(os, "mkfifo"):
        pytest.skip("no FIFOs on this system")
    for i in range(40):
        (root / f"good{i:02d}.txt").write_text(good_text(i))
    (root / "deep" / "er").mkdir(parents=True)
    (root / "deep" / "er" / "good.txt").write_text(good_text(0))
    (root / "utf8-mark.txt").write_bytes(b"\xef\xbb\xbf" + good_text(1).encode())
    (root / "utf16.txt").write_bytes(good_text(1).encode("utf-16"))
    (root / "utf32.txt").write_bytes(good_text(1).encode("utf-32"))
    (root / "new\nline.txt").write_text(good_text(2))
    (root / '=1+1,"x".txt').write_text(good_text(2))
    with open(os.fsencode(root) + b"/b\xff\xfe.txt", "wb") as file:
        file.write(good_text(3).encode())
    return {
        "empty.txt": _write(root / "empty.txt", b"", "no text"),
        "blank.txt": _write(root / "blank.txt", b" \n\t\n", "no text"),
        "latin1.txt": _write(root / "latin1.txt", "caf\xe9".encode("latin-1"), "UTF-8"),
        "half.txt": _write(root / "half.txt", b"\xff\xfeabc", "UTF-16"),
        "image.png": _write(root / "image.png", b"\x89PNG\r\n\x00\x00", "binary"),
        "bad.txt.gz": _write(root / "bad.txt.gz", b"\x1f\x8b\x08broken", "Compressed"),
        "cut.txt.gz": _write(
            root / "cut.txt.gz", gzip.compress(b"x" * 5000)[:-9], "Compressed"
        ),
        "columns.csv": _write(root / "columns.csv", b"a,b\n1,2\n", "--text-column"),
        "matrix.npy": _write(root / "matrix.npy", b"\x93NUMPY", "only PATH"),
        ".hidden": _write(root / ".hidden", b"secret", "hidden"),
        ".git": _folder(root / ".git", "hidden"),
        "pipe": _fifo(root / "pipe"),
        "socket": _socket(root),
        "huge.txt": _sparse(root / "huge.txt", 2 * 2**30),
        "loop": _link(root / "loop", root),
        "dangling": _link(root / "dangling", root / "nothing"),
        "device": _link(root / "device", "/dev/zero"),
        "self": _link(root / "self", root / "self"),
    }


def _write(path, content, reason):
    path.write_bytes(content)
    return reason


def _folder(path, reason):
    path.mkdir()
    (path / "config").write_text("not to be read")
    return reason


def _fifo(path):
    os.mkfifo(path)
    return "not a regular file"


def _socket(root):
    # Its path may be longer than a socket's may be.
    here = os.open(".", os.O_RDONLY)
    try:
        os.chdir(root)
        with socket.socket(socket.AF_UNIX) as end:
            end.bind("socket")
    finally:
        os.fchdir(here)
        os.close(here)
    return "not a regular file"


def _sparse(path, size):
    with open(path, "wb") as file:
        file.truncate(size)
    return "max-size"


def _link(path, target):
    path.symlink_to(target)
    return "symbolic link"

"""Finding files, reading their bytes, decoding their text."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import gzip
import os

import pytest
from hostile import make_hostile_folder

from sklearn_kernelclust._cli import _files
from sklearn_kernelclust._cli._arguments import parse
from sklearn_kernelclust._cli._files import Skipped, decode, files_below, read_text

LIMIT = 2**20
TEXT = "caf\xe9 \u20ac \U0001f600\n"


def read(path):
    return read_text(str(path), parse(["--max-size", "1M"]))


def walk(folder, output=None):
    skipped = []
    return list(files_below(str(folder), output, skipped)), skipped


def test_files_come_by_name_those_of_a_folder_before_its_folders(tmp_path):
    for name in ("b.txt", "a/2.txt", "a/1.txt", "a.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    found, skipped = walk(tmp_path)
    names = [os.path.relpath(path, tmp_path) for path in found]
    assert names == ["a.txt", "b.txt", "a/1.txt", "a/2.txt"]
    assert skipped == []


def test_links_and_hidden_files_are_skipped_with_their_reason(tmp_path):
    wrong = make_hostile_folder(tmp_path)
    found, skipped = walk(tmp_path)
    reasons = {os.path.basename(path): reason for path, reason in skipped}
    special = ("loop", "dangling", "device", "self", ".git", ".hidden")
    assert set(reasons) == set(special)
    assert all(wrong[name] in reasons[name] for name in special)
    assert len(found) == len(set(found))


def test_a_folder_can_be_left_out(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "labels.csv").write_text("x")
    found, skipped = walk(tmp_path, os.path.realpath(tmp_path / "out"))
    assert found == []
    assert skipped == [(str(tmp_path / "out"), "the folder to write to")]


def test_results_of_an_earlier_run_are_no_documents(tmp_path):
    for name in (*_files.RESULTS, "notes.txt"):
        (tmp_path / name).write_text("x")
    found, skipped = walk(tmp_path)
    assert found == [str(tmp_path / "notes.txt")]
    assert {reason for _, reason in skipped} == {"the result of an earlier run"}
    (tmp_path / "model.joblib").unlink()
    assert len(walk(tmp_path)[0]) == 4


def test_a_folder_that_cannot_be_listed(tmp_path, monkeypatch):
    def refuse(path):
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(os, "scandir", refuse)
    assert walk(tmp_path) == ([], [(str(tmp_path), "Permission denied")])


def test_a_very_deep_folder_ends(tmp_path):
    """Deeper than a path may be long, and than Python would recurse."""
    here = os.open(".", os.O_RDONLY)
    try:
        os.chdir(tmp_path)
        for _ in range(40):
            os.mkdir("d" * 200)
            os.chdir("d" * 200)
    finally:
        os.fchdir(here)
        os.close(here)
    found, skipped = walk(tmp_path)
    assert found == []
    assert [reason for _, reason in skipped] == ["File name too long"]


def test_plain_and_compressed(tmp_path):
    (tmp_path / "a").write_bytes(b"abc" * 1000)
    (tmp_path / "a.GZ").write_bytes(gzip.compress(b"abc" * 1000))
    for name in ("a", "a.GZ"):
        assert read(tmp_path / name) == "abc" * 1000


@pytest.mark.parametrize("name", ["long", "bomb.gz"])
def test_no_more_than_the_limit_is_read(tmp_path, name):
    content = b"x" * (LIMIT + 1)
    path = tmp_path / name
    path.write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    with pytest.raises(Skipped, match=r"larger than --max-size \(1.0 MiB\)"):
        read(path)
    path.write_bytes(gzip.compress(content[1:]) if name.endswith("gz") else content[1:])
    assert len(read(path)) == LIMIT


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"plain", "Not a gzipped file"),
        (b"\x1f\x8b\x08" + bytes(7) + b"broken data", "while decompressing"),
        (gzip.compress(b"a" * 99, mtime=0)[:-9], "Compressed file ended"),
    ],
    ids=["plain", "broken", "cut"],
)
def test_damaged_gzip(tmp_path, content, reason):
    (tmp_path / "a.gz").write_bytes(content)
    with pytest.raises(Skipped, match=reason):
        read(tmp_path / "a.gz")


def test_a_fifo_does_not_make_us_wait(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", "/dev/zero", tmp_path):
        with pytest.raises(Skipped, match="not a regular file"):
            read(path)


def test_not_there(tmp_path):
    with pytest.raises(Skipped, match="No such file"):
        read(tmp_path / "a")


def test_unreadable(tmp_path, monkeypatch):
    """Root may read all, so the refusal is simulated."""
    (tmp_path / "a").write_bytes(b"abc")

    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(_files, "open", refuse, raising=False)
    with pytest.raises(Skipped, match="Permission denied"):
        read(tmp_path / "a")


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
        (b"ab\0c", None, "^binary$"),
        (b"ab\0c", "latin-1", "^binary$"),
        (b"\x89PNG\r\n\0", None, "^binary$"),
        (b"caf\xe9", None, "not UTF-8; see --encoding and --decode-errors"),
        (b"caf\xe9", "ascii", "not ASCII"),
        (b"\xff\xfea", None, "not UTF-16;"),
        (b"odd\xff", "utf-32-le", "not UTF-32-LE"),
    ],
)
def test_what_is_no_text(content, encoding, reason):
    with pytest.raises(Skipped, match=reason):
        decode(content, encoding)


@pytest.mark.parametrize("encoding", [None, "utf-8", "ascii"])
def test_replaced_on_demand(encoding):
    text = decode(b"caf\xe9 noir", encoding, replace=True)
    assert text == "caf\ufffd noir"
    with pytest.raises(Skipped, match=r"^binary$"):
        decode(b"caf\xe9\0", encoding, replace=True)

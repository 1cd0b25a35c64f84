"""Finding files, reading their bytes, decoding their text."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import gzip
import os
import threading

import pytest
from hostile import make_hostile_folder

from sklearn_kernelclust._cli import _files
from sklearn_kernelclust._cli._files import Skipped, decode, files_below, read_bytes

LIMIT = 2**20
TEXT = "caf\xe9 \u20ac \U0001f600\n"


def walk(folder, output=None):
    skipped = []
    found = files_below(str(folder), output, lambda *told: skipped.append(told))
    return list(found), skipped


def test_files_come_by_name_those_of_a_folder_before_its_folders(tmp_path):
    for name in ("b.txt", "a/2.txt", "a/1.txt", "a.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    found, skipped = walk(tmp_path)
    names = [os.path.relpath(path, tmp_path) for path in found]
    assert names == ["a.txt", "b.txt", "a/1.txt", "a/2.txt"]
    assert skipped == []


def test_what_is_no_file_is_skipped_with_its_reason(tmp_path):
    wrong = make_hostile_folder(tmp_path)
    found, skipped = walk(tmp_path)
    reasons = {os.path.basename(path): reason for path, reason in skipped}
    special = (
        "pipe",
        "socket",
        "loop",
        "dangling",
        "device",
        "self",
        ".git",
        ".hidden",
    )
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
    assert walk(tmp_path) == ([], [(str(tmp_path), "permission denied")])


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
    assert [reason for _, reason in skipped] == ["file name too long"]


def test_bytes_plain_and_compressed(tmp_path):
    (tmp_path / "a").write_bytes(b"abc" * 1000)
    (tmp_path / "a.GZ").write_bytes(gzip.compress(b"abc" * 1000))
    for name in ("a", "a.GZ"):
        assert read_bytes(str(tmp_path / name), LIMIT) == b"abc" * 1000


@pytest.mark.parametrize("name", ["long", "bomb.gz"])
def test_no_more_than_the_limit_is_read(tmp_path, name):
    content = b"\0" * (LIMIT + 1)
    path = tmp_path / name
    path.write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    with pytest.raises(Skipped, match=r"more than --max-size \(1.0 MiB\)"):
        read_bytes(str(path), LIMIT)


def test_a_file_that_grows_while_it_is_read(tmp_path, monkeypatch):
    path = tmp_path / "log"
    path.write_bytes(b"x" * (LIMIT + 1))
    small = os.stat_result((0o100644, *[0] * 9))
    monkeypatch.setattr(os, "fstat", lambda descriptor: small)
    with pytest.raises(Skipped, match="more than --max-size"):
        read_bytes(str(path), LIMIT)


def test_a_sparse_file_is_not_read(tmp_path):
    path = tmp_path / "huge"
    with open(path, "wb") as file:
        file.truncate(2 * 2**30)
    with pytest.raises(Skipped, match=r"2048.0 MiB, more than --max-size"):
        read_bytes(str(path), LIMIT)


@pytest.mark.parametrize(
    "content",
    [b"plain", b"\x1f\x8b\x08broken", gzip.compress(b"a" * 99, mtime=0)[:-9]],
    ids=["plain", "broken", "cut"],
)
def test_damaged_gzip(tmp_path, content):
    path = tmp_path / "a.gz"
    path.write_bytes(content)
    with pytest.raises(Skipped, match="damaged gzip"):
        read_bytes(str(path), LIMIT)


def test_a_fifo_does_not_make_us_wait(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Skipped, match="a FIFO"):
        read_bytes(str(tmp_path / "pipe"), LIMIT)


def test_devices_and_folders_are_no_documents(tmp_path):
    with pytest.raises(Skipped, match="a device"):
        read_bytes("/dev/zero", LIMIT)
    with pytest.raises(Skipped, match="is a directory"):
        read_bytes(str(tmp_path), LIMIT)


def test_deleted_between_listing_and_reading(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"abc")
    found, _ = walk(tmp_path)
    path.unlink()
    with pytest.raises(Skipped, match="no such file"):
        read_bytes(*found, LIMIT)


def test_deleted_and_cut_short_while_reading(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"abc" * LIMIT)
    over = threading.Event()

    def meddle():
        while not over.wait(0.0001):
            path.write_bytes(b"x" * 7)
            path.unlink(missing_ok=True)
            path.write_bytes(b"abc" * 2000)

    thread = threading.Thread(target=meddle)
    thread.start()
    try:
        for _ in range(200):
            try:
                assert len(read_bytes(str(path), 4 * LIMIT)) <= 3 * LIMIT
            except Skipped as skipped:
                assert "no such file" in str(skipped)
    finally:
        over.set()
        thread.join()


def test_errors_of_the_disk(tmp_path, monkeypatch):
    class Broken:
        def __init__(self, file):
            self.fileno, self.close = file.fileno, file.close

        def __enter__(self):
            return self

        def __exit__(self, *error):
            self.close()

        def read(self, n):
            raise OSError(5, "Input/output error")

    (tmp_path / "a").write_bytes(b"abc")

    def broken_open(*args, **kwargs):
        return Broken(open(*args, **kwargs))

    monkeypatch.setattr(_files, "open", broken_open, raising=False)
    with pytest.raises(Skipped, match="input/output error"):
        read_bytes(str(tmp_path / "a"), LIMIT)


def test_unreadable(tmp_path, monkeypatch):
    """Root may read all; then the refusal is simulated."""
    path = tmp_path / "a"
    path.write_bytes(b"abc")
    path.chmod(0)
    if os.access(path, os.R_OK):

        def refuse(*_):
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(Skipped, match="permission denied"):
        read_bytes(str(path), LIMIT)


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
        (b"caf\xe9", "ascii", "not ASCII: byte 0xe9 at 3"),
        (b"\xff\xfea", None, "not UTF-16: byte 0x61 at 2"),
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

"""Files that are there whole or not at all."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import csv
import errno
import io
import os
import re

import joblib
import numpy as np
import pytest
from hostile import good_text

from sklearn_kernelclust._cli import _output, main
from sklearn_kernelclust._cli._output import model_writer, prepare, table, write_all
from sklearn_kernelclust._cli._reading import BadInputError


def test_write_and_overwrite(tmp_path):
    for content in (b"one", b"two"):
        write_all(tmp_path, {"a": content, "b": lambda file: file.write(b"b")})
        assert (tmp_path / "a").read_bytes() == content
    assert sorted(os.listdir(tmp_path)) == ["a", "b"]


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError, RuntimeError])
def test_interrupted_writing_leaves_what_was_there(tmp_path, error):
    (tmp_path / "a").write_bytes(b"old")

    def fail(file):
        file.write(b"half")
        raise error

    with pytest.raises(error):
        write_all(tmp_path, {"a": b"new", "b": fail})
    assert os.listdir(tmp_path) == ["a"]
    assert (tmp_path / "a").read_bytes() == b"old"


def test_each_step_may_fail(tmp_path, monkeypatch):
    """Whichever call to the system fails, no half-written file has a name."""
    (tmp_path / "a").write_bytes(b"old")
    for name in ("fsync", "replace"):
        real = getattr(os, name)
        for n in (1, 2):
            calls = []

            def fail(*args, real=real, calls=calls, n=n):
                calls.append(args)
                if len(calls) == n:
                    raise OSError(28, "No space left on device")
                return real(*args)

            monkeypatch.setattr(os, name, fail)
            with pytest.raises(BadInputError, match=r"Cannot write .*No space left"):
                write_all(tmp_path, {"a": b"new", "b": b"new"})
            monkeypatch.undo()
            assert set(os.listdir(tmp_path)) <= {"a", "b"}
            assert (tmp_path / "a").read_bytes() in (b"old", b"new")


class FullDisk:
    """A file whose disk is full at the n-th write of all such files."""

    def __init__(self, file, writes, n):
        self.file, self.writes, self.n = file, writes, n

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.file.close()

    def __getattr__(self, name):
        return getattr(self.file, name)

    def write(self, content):
        self.writes.append(len(content))
        if len(self.writes) == self.n:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return self.file.write(content)


def fill_disk(monkeypatch, n):
    """Let the n-th write fail; the list of the writes."""
    writes = []

    def open_full(*args, **kwargs):
        return FullDisk(open(*args, **kwargs), writes, n)

    monkeypatch.setattr(_output, "open", open_full, raising=False)
    return writes


def test_a_disk_that_is_full_at_any_write_leaves_the_old_files(tmp_path, monkeypatch):
    def contents(text):
        noise = np.random.RandomState(0).bytes(20_000)
        model = model_writer({"noise": noise, "text": text})
        return {"labels.csv": text, "model.joblib": model, "report.html": text}

    write_all(tmp_path, contents(b"old"))
    old = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    n_writes = 0
    while True:
        writes = fill_disk(monkeypatch, n_writes + 1)
        try:
            write_all(tmp_path, contents(b"new"))
            break
        except BadInputError as error:
            assert "No space left on device" in str(error)
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == old
        n_writes += 1
    assert n_writes == len(writes) > 3
    assert (tmp_path / "labels.csv").read_bytes() == b"new"


@pytest.mark.parametrize("n", [1, 3])
def test_a_full_disk_ends_the_program_and_leaves_the_old_files(
    n, tmp_path, monkeypatch, capsys
):
    text, out = tmp_path / "a.txt", tmp_path / "out"
    text.write_text("\n".join(good_text(i) for i in range(40)))
    argv = [str(text), "--lines", "--quiet", "--out", str(out), "--k"]
    assert main([*argv, "2"]) == 0
    old = {path.name: path.read_bytes() for path in out.iterdir()}
    fill_disk(monkeypatch, n)
    assert main([*argv, "3"]) == 1
    assert re.match("kernelclust: Cannot write .*: No space", capsys.readouterr().err)
    assert {path.name: path.read_bytes() for path in out.iterdir()} == old


def test_a_full_device(tmp_path):
    def full(file):
        with open("/dev/full", "wb") as disk:
            disk.write(b"x")

    with pytest.raises(BadInputError, match=r"Cannot write .*a: No space left"):
        write_all(tmp_path, {"a": full})
    assert os.listdir(tmp_path) == []


def test_names_come_back_from_a_table(tmp_path):
    names = [
        "plain",
        'a,"b"',
        "new\nline",
        "carriage\rreturn",
        "b\udcff\udcfe",
        "=1+1",
        "",
    ]
    content = table(["document", "cluster"], zip(names, range(9)))
    text = io.TextIOWrapper(
        io.BytesIO(content), encoding="utf-8", errors="surrogateescape", newline=""
    )
    rows = list(csv.DictReader(text))
    assert [row["document"] for row in rows] == names
    assert [row["cluster"] for row in rows] == list("0123456")
    assert os.fsencode(rows[4]["document"]) == b"b\xff\xfe"


def test_a_model_comes_back(tmp_path):
    write_all(tmp_path, {"model.joblib": model_writer({"a": 1})})
    assert joblib.load(tmp_path / "model.joblib") == {"a": 1}


def test_the_folder_is_made(tmp_path):
    prepare(tmp_path / "a" / "b")
    assert os.listdir(tmp_path / "a" / "b") == []
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(BadInputError, match=r"Cannot write to --out .*file"):
        prepare(tmp_path / "file")

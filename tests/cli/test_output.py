"""Files that are there whole or not at all."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import csv
import io
import os

import joblib
import pytest

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


def test_a_full_disk(tmp_path):
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

"""The program as a whole."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import csv
import os
import re
import signal
import subprocess
import sys
from time import sleep

import joblib
import numpy as np
import pytest
from hostile import good_text, make_hostile_folder
from numpy.testing import assert_array_equal

import sklearn_kernelclust
from sklearn_kernelclust._cli import _main, main

FILES = ["labels.csv", "model.joblib", "report.html", "skipped.csv"]


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    for i in range(40):
        (folder / f"{i:02d}.txt").write_text(good_text(i))
    return folder


def start(*argv, program=("-m", "sklearn_kernelclust")):
    root = os.path.dirname(sklearn_kernelclust.__path__[0])
    return subprocess.Popen(
        [sys.executable, "-u", *program, *map(str, argv)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": root},
    )


def labels_in(path):
    with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
        return [(row["path"], int(row["cluster"])) for row in csv.DictReader(file)]


def test_from_a_folder_to_files(folder, tmp_path, capsys):
    out = tmp_path / "out"
    assert main([str(folder), "--k", "2", "--out", str(out)]) == 0
    assert sorted(os.listdir(out)) == FILES
    shown = capsys.readouterr().out
    for text in ("Read 40 documents", "Dominance ratio", "Cluster 0: 20 documents"):
        assert text in shown
    rows = labels_in(out / "labels.csv")
    assert [name for name, _ in rows] == [
        str(folder / f"{i:02d}.txt") for i in range(40)
    ]
    labels = np.array([label for _, label in rows])
    assert set(labels[::2]).isdisjoint(labels[1::2])
    model = joblib.load(out / "model.joblib")
    assert_array_equal(model.predict([good_text(0), good_text(1)]), labels[:2])


def test_k_is_chosen(folder, capsys):
    assert main([str(folder), "--k", "auto", "--k-range", "2-4"]) == 0
    shown = capsys.readouterr().out
    assert "Number of clusters: k = 2, with prediction strength" in shown
    assert "then k = " in shown


def test_the_same_seed_the_same_files(folder, tmp_path):
    for out in ("a", "b"):
        argv = [str(folder), "--quiet", "--out", str(tmp_path / out), "--seed", "7"]
        assert main([*argv, "--k-range", "2-3"]) == 0
    for name in ("labels.csv", "skipped.csv"):
        pair = [(tmp_path / out / name).read_bytes() for out in ("a", "b")]
        assert pair[0] == pair[1]
    pair = [(tmp_path / out / "report.html").read_bytes() for out in ("a", "b")]
    name = [os.fsencode(tmp_path / out) for out in ("a", "b")]
    assert pair[0].replace(name[0], name[1]) == pair[1]


def test_quiet(folder, capsys):
    assert main([str(folder), "--k", "2", "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")


def test_a_hostile_folder(tmp_path, capsys):
    folder, out = tmp_path / "in", tmp_path / "in" / "out"
    folder.mkdir()
    wrong = make_hostile_folder(folder)
    argv = [str(folder), "--k", "2", "--out", str(out)]
    assert main(argv) == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    assert "Skipped 19:" in shown.out
    assert "  and 16 more (-v shows them; --out lists them)" in shown.out
    assert main([*argv, "-v"]) == 0
    shown = capsys.readouterr()
    assert "Clustering: " in shown.err
    for name, reason in wrong.items():
        (line,) = (x for x in shown.out.splitlines() if f"/{name}: " in x)
        assert reason in line
    with open(out / "skipped.csv", newline="") as file:
        skipped = {os.path.basename(r["document"]) for r in csv.DictReader(file)}
    assert skipped == {*wrong, "out"}
    rows = labels_in(out / "labels.csv")
    names = {os.path.basename(os.fsencode(name)) for name, _ in rows}
    assert {b"b\xff\xfe.txt", b"new\nline.txt", b'=1+1,"x".txt'} <= names
    assert len(names) == 47


def test_strict(folder):
    argv = [str(folder), "--k", "2", "--quiet", "--strict"]
    assert main(argv) == 0
    (folder / "empty").write_bytes(b"")
    assert main(argv) == 1
    assert main(argv[:-1]) == 0


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["nowhere"], "There is no nowhere."),
        (["empty.txt", "--k", "2"], "empty.txt: no text."),
        (
            ["one.txt", "--k", "2"],
            "needed for 2 clusters, got 1. With --lines, each line is a document.",
        ),
        (["few.txt", "--lines", "--k", "auto"], "too few to choose from 2 to 10"),
        (["bad.npy", "--k", "2"], "bad.npy: damaged, or not an array of numbers"),
        (["nan.npy", "--k", "2"], "contains NaN"),
        (["--out", "one.txt"], "Cannot write to --out one.txt"),
    ],
)
def test_bad_input(argv, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "one.txt").write_text("just one text of a few words")
    (tmp_path / "few.txt").write_text("just one text of a few words\n" * 3)
    (tmp_path / "bad.npy").write_bytes(b"rubbish")
    np.save(tmp_path / "nan.npy", np.full((5, 2), np.nan))
    before = set(os.listdir(tmp_path))
    assert main(argv) == 1
    error = capsys.readouterr().err
    assert error.startswith("kernelclust: ")
    assert message in error
    assert "Traceback" not in error
    assert set(os.listdir(tmp_path)) == before


def test_an_error_is_one_line(tmp_path, monkeypatch, capsys):
    """The first of a long one; a name of a file is told in full."""
    monkeypatch.chdir(tmp_path)
    np.save(tmp_path / "nan.npy", np.full((5, 2), np.nan))
    assert main(["nan.npy", "--k", "2"]) == 1
    assert capsys.readouterr().err == "kernelclust: Input X contains NaN.\n"
    assert main(["new\nline"]) == 1
    assert capsys.readouterr().err == "kernelclust: There is no new\\nline.\n"


def test_not_enough_memory(folder, monkeypatch, capsys):
    def refuse(*_):
        raise MemoryError

    monkeypatch.setattr(_main, "make_kernels", refuse)
    assert main([str(folder), "--k", "2"]) == 1
    assert capsys.readouterr().err == "kernelclust: MemoryError\n"


def test_known_classes(tmp_path, capsys):
    with open(tmp_path / "a.csv", "w", newline="") as file:
        rows = [[good_text(i), i % 2] for i in range(40)]
        csv.writer(file).writerows([["text", "kind"], *rows])
    argv = [str(tmp_path / "a.csv"), "--k", "2", "--label-column", "kind"]
    assert main(argv) == 0
    assert "NMI with the 2 known classes: 1.000." in capsys.readouterr().out


@pytest.mark.parametrize("n_blank", [3, 40])
def test_known_classes_of_some(n_blank, tmp_path, capsys):
    """What has no class takes no part in the comparison, which says so."""
    with open(tmp_path / "a.csv", "w", newline="") as file:
        rows = [[good_text(i), "" if i < n_blank else i % 2] for i in range(40)]
        csv.writer(file).writerows([["text", "kind"], *rows])
    argv = [str(tmp_path / "a.csv"), "--k", "2", "--label-column", "kind"]
    assert main(argv) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert ("NMI with the 2 known classes: 1.000." in shown) == (n_blank < 40)
    assert f"Note: {n_blank} of 40 documents have no class" in shown


@pytest.mark.slow
def test_without_arguments(capsys):
    """A tree of topics that are those of the classes."""
    assert main([]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert float(re.search(r"known classes: (\S+)\.", shown)[1]) >= 0.6


@pytest.mark.slow
def test_the_shift_helps(capsys):
    assert main(["--k", "17", "--compare"]) == 0
    shown = capsys.readouterr().out
    line = " ".join(shown.split()).partition("mean of 20 random starts: ")[2]
    shifted, plain = (float(word) for word in line.split() if word.startswith("0."))
    assert shifted > plain


@pytest.mark.slow
@pytest.mark.parametrize(("name", "first"), [("bbc", 1), ("bbcsport", 3)])
def test_news_of_five_kinds(name, first, capsys):
    """k = 5 is among the first, and the clusters are the classes."""
    folder = os.environ.get("SKLEARN_KERNELCLUST_DATA")
    if folder is None:
        pytest.skip("SKLEARN_KERNELCLUST_DATA names no folder with bbc.jsonl.gz")
    path = os.path.join(folder, f"{name}.jsonl.gz")
    assert main([path, "--label-column", "label", "--k", "auto"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "5" in re.findall(r"k = (\d+)", shown)[:first]
    assert float(re.search(r"known classes: (\S+)\.", shown)[1]) >= 0.8


def test_the_reader_goes_away(folder, tmp_path):
    """As in ``kernelclust ... | head -1``: no complaint, and the files are there."""
    process = start(folder, "--k", "2", "--out", tmp_path / "out")
    with process:
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0
    assert sorted(os.listdir(tmp_path / "out")) == FILES


# The choice of k over and over, so that the interrupt cannot come too late.
# Ctrl-C may be ignored here, if the tests run in the background, or blocked, as old
# versions of joblib leave it: a new process inherits both.
ENDLESS_CHOICE = """
import signal, sys
from sklearn_kernelclust._cli import _main

def choose_forever(*args, choose=_main.choose):
    while True:
        choose(*args)

signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "pthread_sigmask"):
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
_main.choose = choose_forever
sys.exit(_main.main())
"""


def test_interrupted(folder, tmp_path):
    """Ctrl-C ends it soon, with its own exit code and no half-written file."""
    out = tmp_path / "out"
    program = ("-c", ENDLESS_CHOICE)
    process = start(folder, "--k", "auto", "--out", out, program=program)
    for line in process.stdout:
        if line.startswith(b"Dominance"):
            break
    sleep(0.1)
    process.send_signal(signal.SIGINT)
    with process:
        try:
            _, error = process.communicate(timeout=60)
        finally:
            process.kill()
    assert error.endswith(b"kernelclust: interrupted\n")
    assert process.returncode == 130
    assert os.listdir(out) == []

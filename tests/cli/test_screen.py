"""Lines for people."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import io
import os
import sys

import pytest

from sklearn_kernelclust._cli._reading import Corpus
from sklearn_kernelclust._cli._screen import (
    Screen,
    printable,
    show_clusters,
    show_dominance,
    show_reading,
)
from sklearn_kernelclust._cli._words import Cluster


def test_nothing_moves_the_cursor():
    text = "a\x1b[2Jb\nc\td\u202ee\udcff\ud800 caf\xe9"
    assert printable(text) == r"a\x1b[2Jb\nc\td\u202ee\xff\ud800 caf\xe9".replace(
        r"\xe9", "\xe9"
    )


def test_what_is_shown(capsys):
    corpus = Corpus(["a\nb", "c"], ["first text", "second"], source="folder")
    corpus.skipped.append(("bad\x1b", "a FIFO"))
    screen = Screen(quiet=False, keep_on=True)
    show_reading(screen, corpus, 12)
    show_dominance(screen, "cosine", 3.25, 0.001)
    show_clusters(screen, [Cluster(1, ["x", "y"], [0])], corpus)
    shown = capsys.readouterr().out
    assert "Read 2 documents from folder, 12 words.\n" in shown
    assert "Skipped 1:\n  bad\\x1b: a FIFO\n" in shown
    assert "Dominance ratio: 3.25; 0.00 after the shift.\n" in shown
    assert "Cluster 1: 1 document\n  x, y\n  - a\\nb: first text\n" in shown


def test_a_document_that_is_called_by_its_first_line(capsys):
    long = "word " * 40
    corpus = Corpus(
        ["a:1", "a:2", "a:3"],
        ["Title\ntext", long, "text"],
        titles=["Title", long, "Other"],
    )
    screen = Screen(quiet=False, keep_on=True)
    show_clusters(screen, [Cluster(0, [], [0, 1, 2])], corpus)
    shown = capsys.readouterr().out.splitlines()[2:]
    assert shown[0] == "  - Title text"
    assert shown[1].startswith("  - word word")
    assert len(shown[1]) <= 88
    assert shown[2] == "  - Other: text"


def test_only_some_of_what_was_skipped_is_shown(capsys):
    corpus = Corpus(skipped=[(str(i), "empty") for i in range(1234)], source="x")
    show_reading(Screen(quiet=False, keep_on=True), corpus, None)
    shown = capsys.readouterr().out
    assert shown.count(": empty\n") == 3
    assert shown.endswith("  and 1,231 more (-v shows them; --out lists them)\n")
    show_reading(Screen(quiet=False, keep_on=True, verbose=True), corpus, None)
    assert capsys.readouterr().out.count(": empty\n") == 1234


def test_objects_without_words(capsys):
    corpus = Corpus(["k.npy:1"], features=[[1.0]], source="k.npy")
    screen = Screen(quiet=False, keep_on=True)
    show_reading(screen, corpus, None)
    show_dominance(screen, "precomputed", 2.0, None)
    show_clusters(screen, [Cluster(0, [], [0])], corpus)
    shown = capsys.readouterr().out
    assert shown.startswith("Read 1 object from k.npy.\nKernel: precomputed.\n")
    assert "Dominance ratio: 2.00; not shifted.\n" in shown
    assert shown.endswith("Cluster 0: 1 object\n  - k.npy:1\n")


def test_quiet(capsys):
    screen = Screen(quiet=True, keep_on=True)
    screen.say("text")
    screen.line("text")
    assert capsys.readouterr().out == ""


def test_a_terminal_of_ascii(monkeypatch):
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", stream)
    Screen(quiet=False, keep_on=True).line("caf\xe9")
    assert stream.buffer.getvalue() == b"caf\\xe9\n"


@pytest.mark.parametrize("keep_on", [True, False])
def test_the_reader_goes_away(monkeypatch, keep_on):
    reader, writer = os.pipe()
    with open(writer, "w") as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        screen = Screen(quiet=False, keep_on=keep_on)
        screen.line("is read")
        os.close(reader)
        if keep_on:
            screen.line("is lost")
        else:
            with pytest.raises(SystemExit) as stop:
                screen.line("is lost")
            assert stop.value.code == 0
        screen.line("is not even tried")
        monkeypatch.undo()

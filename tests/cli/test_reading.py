"""Paths to documents."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import csv
import gzip
import json
import os
import sys
from functools import partial
from tempfile import TemporaryDirectory
from time import monotonic

import numpy as np
import pytest
from hostile import good_text, make_hostile_folder
from hypothesis import given, settings
from hypothesis import strategies as st

from sklearn_kernelclust._cli._arguments import parse
from sklearn_kernelclust._cli._reading import BadInputError, read
from sklearn_kernelclust.datasets import load_docstrings


def corpus_of(*argv):
    return read(parse([str(a) for a in argv]))


def test_the_embedded_corpus():
    corpus, docstrings = corpus_of(), load_docstrings()
    assert corpus.texts == docstrings.data
    assert corpus.names == docstrings.names
    assert set(corpus.labels) == set(docstrings.target_names)


def test_a_hostile_folder(tmp_path):
    wrong = make_hostile_folder(tmp_path)
    start = monotonic()
    corpus = corpus_of(tmp_path)
    assert monotonic() - start < 60  # on a busy machine; a FIFO would wait forever
    reasons = {os.path.basename(name): why for name, why in corpus.skipped}
    assert set(reasons) == set(wrong)
    for name, word in wrong.items():
        assert word in reasons[name], name
    assert len(corpus) == 47
    names = {os.path.basename(os.fsencode(name)) for name in corpus.names}
    assert {b"b\xff\xfe.txt", b"new\nline.txt", b'=1+1,"x".txt'} <= names
    for name in ("utf8-mark.txt", "utf16.txt", "utf32.txt"):
        i = corpus.names.index(str(tmp_path / name))
        assert corpus.texts[i] == good_text(1)


SUFFIXES = [
    "",
    ".txt",
    ".json",
    ".html",
    ".csv",
    ".tsv",
    ".jsonl",
    ".npy",
    ".npz",
    ".txt.gz",
    ".csv.gz",
]


@given(
    content=st.one_of(
        st.binary(max_size=200),
        st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace")),
        st.text('ab,;"\n\r\t{}[]:1\\\\').map(str.encode),
        st.binary(max_size=60).map(lambda tail: b"\x93NUMPY\x01\x00" + tail),
        st.binary(max_size=200).map(partial(gzip.compress, mtime=0)),
    ),
    suffix=st.sampled_from(SUFFIXES),
    option=st.sampled_from([[], ["--lines"], ["--encoding", "utf-16"]]),
)
@settings(max_examples=100)
def test_whatever_is_in_a_file_is_read_or_skipped(content, suffix, option):
    with TemporaryDirectory() as folder:
        path = os.path.join(folder, "file" + suffix)
        with open(path, "wb") as file:
            file.write(content)
        for target in (path, folder):
            try:
                corpus = corpus_of(target, *option)
            except BadInputError as error:
                assert target == path
                assert suffix in (".npy", ".npz")
                assert str(error).startswith(f"{path}: ")
                continue
            assert all(text.strip() for text in corpus.texts)
            assert all(reason for _, reason in corpus.skipped)


def test_other_encodings_on_demand(tmp_path):
    (tmp_path / "a.txt").write_bytes("caf\xe9".encode("latin-1"))
    assert corpus_of(tmp_path).texts == []
    assert corpus_of(tmp_path, "--encoding", "latin-1").texts == ["caf\xe9"]
    replaced = corpus_of(tmp_path, "--decode-errors", "replace").texts
    assert replaced == ["caf\ufffd"]


def test_ten_thousand_tiny_files(tmp_path):
    for i in range(10_000):
        with open(tmp_path / f"{i:05d}", "wb") as file:
            file.write(b"tiny")
    start = monotonic()
    corpus = corpus_of(tmp_path)
    assert len(corpus) == 10_000
    assert corpus.names == sorted(corpus.names)
    assert monotonic() - start < 60  # on a busy machine


def test_a_file_is_read_by_its_suffix(tmp_path):
    with open(tmp_path / "a.csv", "w", newline="") as file:
        csv.writer(file).writerows([["text", "kind"], ["one", "x"], ["two", "y"]])
    records = [{"text": "three", "kind": "x"}, {"text": "four", "kind": "y"}]
    content = "\n".join(map(json.dumps, records)).encode()
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(content))
    (tmp_path / "c.tsv").write_text("text\tkind\nfive\tx\n")
    corpus = corpus_of(tmp_path, "--label-column", "kind")
    assert corpus.texts == ["one", "two", "three", "four", "five"]
    assert corpus.labels == ["x", "y", "x", "y", "x"]
    assert corpus.names[2] == f"{tmp_path / 'b.jsonl.gz'}:1"
    (tmp_path / "d.log").write_text("six\nseven\n")
    corpus = corpus_of(tmp_path, "--lines", "--label-column", "kind")
    assert corpus.texts[-2:] == ["six", "seven"]
    assert corpus.names[-1].endswith("d.log:2")
    assert corpus.labelled() == [0, 1, 2, 3, 4]


def test_a_label_column_that_no_table_has(tmp_path):
    """A misspelt name is refused; a column that some tables have is used."""
    (tmp_path / "a.csv").write_text("text,team\none,x\n")
    (tmp_path / "b.jsonl").write_text('{"text": "two", "kind": 3}\n')
    for wrong in ("Team", ""):
        reason = f"--label-column {wrong}: must be one of text, team, kind."
        with pytest.raises(BadInputError) as refused:
            corpus_of(tmp_path, "--label-column", wrong)
        assert str(refused.value) == reason
    assert corpus_of(tmp_path, "--label-column", "team").labels == ["x", None]


def test_a_label_column_where_there_are_no_columns(tmp_path):
    (tmp_path / "a.txt").write_text("text")
    np.save(tmp_path / "a.npy", np.eye(3))
    for paths in ([tmp_path / "a.txt"], [tmp_path / "a.npy"], []):
        with pytest.raises(BadInputError, match="there are no columns"):
            corpus_of(*paths, "--label-column", "team")


def test_rows_of_a_table_are_skipped_one_by_one(tmp_path):
    (tmp_path / "a.csv").write_text("id,text\n1,one\n2,\n3,three\n")
    corpus = corpus_of(tmp_path / "a.csv")
    assert corpus.texts == ["one", "three"]
    assert corpus.skipped == [(f"{tmp_path / 'a.csv'}:2", "no text")]


def test_only_strings_are_texts(tmp_path):
    """Not numbers, lists, pages of tags, nor lines that are not JSON."""
    records = [{"text": value} for value in ("one", 5, None, ["two"], " ")]
    content = "\n".join(map(json.dumps, records)) + '\n{"text": "cut'
    (tmp_path / "a.jsonl").write_text(content)
    (tmp_path / "b.html").write_text("<title>Title</title><p>")
    corpus = corpus_of(tmp_path)
    assert corpus.texts == ["one"]
    names = [*(f"a.jsonl:{i}" for i in range(2, 7)), "b.html"]
    assert corpus.skipped == [(str(tmp_path / name), "no text") for name in names]


def test_standard_input_has_a_document_a_line(tmp_path, monkeypatch):
    (tmp_path / "in").write_bytes(b"one\n\ntwo\n")
    with open(tmp_path / "in") as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        corpus = corpus_of("-")
        assert corpus.texts == ["one", "two"]
        assert corpus.names == ["-:1", "-:3"]
        stdin.seek(0)
        large = [("-", "larger than --max-size (0.0 MiB)")]
        assert corpus_of("-", "--max-size", "2").skipped == large


def test_what_a_document_is_called(tmp_path):
    """By its title, by its first line if it is a row, or by its path."""
    (tmp_path / "a.jsonl").write_text(
        '{"text": "\\n one \\ntwo"}\n{"text": "three", "title": "Four"}\n'
    )
    (tmp_path / "b.html").write_text("<title>Five</title>six")
    (tmp_path / "c.html").write_text("seven")
    (tmp_path / "d.txt").write_text("eight\nnine")
    corpus = corpus_of(tmp_path)
    names = [corpus.short_name(i) for i in range(len(corpus))]
    assert names == ["one", "Four", "Five", "c.html", "d.txt"]
    assert corpus.names[0] == f"{tmp_path}/a.jsonl:1"


def test_several_paths_in_the_order_given(tmp_path):
    for name in ("b", "a"):
        (tmp_path / name).write_text(name)
    corpus = corpus_of(tmp_path / "b", tmp_path / "a")
    assert corpus.texts == ["b", "a"]
    assert corpus.source == "2 paths"


def test_each_file_is_read_once(tmp_path, monkeypatch):
    """By whatever ways the paths lead to it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").mkdir()
    for name in ("a", "b"):
        (tmp_path / "in" / name).write_text("the same text")
    (tmp_path / "link").symlink_to("in/a")
    corpus = corpus_of("link", "in", "in/../in/b", tmp_path / "in")
    assert corpus.names == ["link", "in/b"]
    assert corpus.skipped == []


def test_a_link_that_is_named_is_followed(tmp_path):
    (tmp_path / "a").write_text("text")
    (tmp_path / "link").symlink_to("a")
    assert corpus_of(tmp_path / "link").texts == ["text"]


def test_the_folder_to_write_to_is_not_read(tmp_path):
    (tmp_path / "a").write_text("text")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "report.html").write_text("clusters")
    assert corpus_of(tmp_path, "--out", tmp_path / "out").texts == ["text"]


def test_a_path_that_is_not_there(tmp_path):
    with pytest.raises(BadInputError, match=r"There is no .*nothing\."):
        corpus_of(tmp_path / "nothing")


def test_features(tmp_path):
    np.save(tmp_path / "a.npy", np.eye(3))
    corpus = corpus_of(tmp_path / "a.npy")
    assert corpus.features.shape == (3, 3)
    assert corpus.names[2] == f"{tmp_path / 'a.npy'}:3"
    assert corpus.labelled() == []
    corpus = corpus_of(tmp_path / "a.npy", tmp_path)
    reason = "an array must be the only PATH"
    assert corpus.skipped == [(str(tmp_path / "a.npy"), reason)]


def test_damaged_features(tmp_path):
    (tmp_path / "a.npy").write_bytes(b"rubbish")
    with pytest.raises(BadInputError, match=r"a.npy: damaged, or not an array"):
        corpus_of(tmp_path / "a.npy")


def test_names_are_shown_relative_to_the_path(tmp_path):
    for name in ("in/sub/a", "in/sub/b", "in/c"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("text")
    corpus = corpus_of(tmp_path / "in")
    names = [corpus.short_name(i) for i in range(3)]
    assert names == ["c", "sub/a", "sub/b"]
    np.save(tmp_path / "a.npy", np.eye(3))
    assert corpus_of(tmp_path / "a.npy").short_name(2) == "a.npy:3"

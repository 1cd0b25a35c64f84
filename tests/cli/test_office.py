"""PDF and Word files, with stand-ins for the packages that read them."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import sys
from types import ModuleType, SimpleNamespace

import pytest

from sklearn_kernelclust._cli._arguments import parse
from sklearn_kernelclust._cli._reading import read


def corpus_of(*argv):
    return read(parse([str(a) for a in argv]))


def broken(file):
    raise RuntimeError("EOF marker not found\nand more")


def pdf_of(file):
    pages = file.read().decode().split("\f")
    texts = [SimpleNamespace(extract_text=lambda text=text: text) for text in pages]
    return SimpleNamespace(pages=[*texts, SimpleNamespace(extract_text=lambda: None)])


def word_of(file):
    lines = [SimpleNamespace(text=text) for text in file.read().decode().split("\n")]
    cells = [SimpleNamespace(text=text) for text in ("left", "right")]
    table = SimpleNamespace(rows=[SimpleNamespace(cells=cells)])
    return SimpleNamespace(paragraphs=lines, tables=[table])


@pytest.fixture
def install(monkeypatch):
    def install_(name, **contents):
        module = ModuleType(name)
        vars(module).update(contents)
        monkeypatch.setitem(sys.modules, name, module)

    return install_


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "a.pdf").write_bytes(b"one\ftwo")
    (tmp_path / "b.docx").write_bytes(b"three\nfour")
    return tmp_path


def test_what_to_install(folder, monkeypatch):
    for name in ("pypdf", "docx"):
        monkeypatch.setitem(sys.modules, name, None)
    corpus = corpus_of(folder)
    assert corpus.texts == []
    assert corpus.skipped == [
        (str(folder / "a.pdf"), "to read .pdf files, python -m pip install pypdf"),
        (
            str(folder / "b.docx"),
            "to read .docx files, python -m pip install python-docx",
        ),
    ]


def test_files_are_read(folder, install):
    install("pypdf", PdfReader=pdf_of)
    install("docx", Document=word_of)
    corpus = corpus_of(folder)
    assert corpus.texts == ["one\ntwo\n", "three\nfour\nleft\tright"]
    assert [corpus.short_name(i) for i in range(2)] == ["a.pdf", "b.docx"]


def test_damaged_files(folder, install):
    install("pypdf", PdfReader=broken)
    reason = "damaged, or not a .pdf file (EOF marker not found)"
    assert corpus_of(folder / "a.pdf").skipped == [(str(folder / "a.pdf"), reason)]


def test_scanned_and_large_files(folder, install):
    install("pypdf", PdfReader=lambda file: SimpleNamespace(pages=[]))
    path = folder / "a.pdf"
    assert corpus_of(path).skipped == [(str(path), "no text")]
    large = [(str(path), "larger than --max-size (0.0 MiB)")]
    assert corpus_of(path, "--max-size", "2").skipped == large


@pytest.mark.parametrize(
    ("name", "other"), [("a.doc", ".docx or .txt"), ("b.xlsx", ".csv")]
)
def test_files_of_other_programs(name, other, tmp_path):
    (tmp_path / name).write_bytes(b"text")
    ((_, reason),) = corpus_of(tmp_path / name).skipped
    assert reason.endswith(f" files are not read; save it as {other}")

"""The page, as text and in a browser."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import builtins
import json
import re
import shutil
import subprocess
from html.parser import HTMLParser

import pytest
from hostile import good_text

from sklearn_kernelclust._cli import main
from sklearn_kernelclust._cli._pictures import can_draw
from sklearn_kernelclust._cli._reading import Corpus
from sklearn_kernelclust._cli._report import MOST_NAMES, _members, render, skipped_part
from sklearn_kernelclust._cli._words import Cluster

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
N_PICTURES = 2 if can_draw() else 0
EVIL = (
    '<script>document.title = "broken in"</script>'
    '<img src="http://example.invalid/x.png" onerror="alert(1)">" \' & </title>'
)


class Page(HTMLParser):
    """Tags and addresses of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.addresses = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.addresses += [v for k, v in attrs if k in ("src", "href", "srcset")]
        assert not any(name.startswith("on") for name, _ in attrs)


@pytest.fixture(scope="module")
def evil_report(tmp_path_factory):
    """A page on documents that would like to be part of it."""
    folder = tmp_path_factory.mktemp("evil")
    for i in range(40):
        (folder / f"<i>{i}&amp;.txt").write_text(EVIL + good_text(i))
    (folder / "<script>alert(1)<").write_text("")
    argv = ["--k", "auto", "--k-range", "2-3", "--quiet", "--out", str(folder / "out")]
    assert main([str(folder), *argv]) == 0
    return folder / "out" / "report.html"


@pytest.fixture(scope="module")
def tree_report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tree")
    with open(folder / "a.jsonl", "w") as file:
        for i in range(40):
            file.write(json.dumps({"text": good_text(i), "kind": i % 2}) + "\n")
    argv = ["--k", "3", "--method", "kpddp", "--label-column", "kind", "--quiet"]
    assert main([str(folder / "a.jsonl"), *argv, "--out", str(folder / "out")]) == 0
    return folder / "out" / "report.html"


def test_what_is_in_it(evil_report):
    text = evil_report.read_text("utf-8")
    page = Page(text)
    assert page.tags.count("img") == N_PICTURES
    assert page.tags.count("section") in (2, 3)
    for words in ("Dominance ratio", "prediction strength", "labels.csv", "trust"):
        assert words in text
    assert "goal" in text


def test_a_tree_where_there_is_one(tree_report):
    text = tree_report.read_text("utf-8")
    assert Page(text).tags.count("img") == N_PICTURES
    assert ("How the documents were divided" in text) == can_draw()
    assert "NMI with the known classes" in text


def test_nothing_from_elsewhere_and_nothing_that_runs(evil_report):
    text = evil_report.read_text("utf-8")
    page = Page(text)
    assert all(address.startswith("data:image/") for address in page.addresses)
    assert not {"script", "link", "iframe", "object", "base", "form"} & set(page.tags)
    assert "@import" not in text
    assert not re.search(r"url\(", text)
    assert "default-src 'none'" in text
    assert "&lt;script&gt;document.title" in text


def test_whatever_is_filled_in_is_escaped_once():
    item = render("item", text='<b> & "$text" \x1b')
    assert item == "<li>&lt;b&gt; &amp; &quot;$text&quot; \\x1b</li>"
    assert render("members", names=item, rest="").count("&lt;b&gt;") == 1
    with pytest.raises(KeyError):
        render("item")


def test_long_lists_end():
    corpus = Corpus([f"name{i}" for i in range(500)], source="x")
    listed = _members(Cluster(0, [], list(range(500))), corpus)
    assert listed.count("<li>") == MOST_NAMES
    assert "And 300 more, in labels.csv." in listed
    assert "And 500 more, in skipped.csv." in skipped_part([("a", "b")] * 1500)


def test_without_matplotlib(tmp_path, monkeypatch):
    really_import = builtins.__import__

    def refuse(name, *args, **kwargs):
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return really_import(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", refuse)
    (tmp_path / "a.txt").write_text("\n".join(good_text(i) for i in range(40)))
    argv = [str(tmp_path / "a.txt"), "--lines", "--k", "2", "--quiet", "--out"]
    assert main([*argv, str(tmp_path / "out")]) == 0
    text = (tmp_path / "out" / "report.html").read_text()
    assert "matplotlib is not installed" in text
    assert Page(text).tags.count("section") == 2


def browse(page, folder, *argv):
    command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", *argv]
    command += ["--disable-background-networking", "--disable-component-update"]
    command += ["--window-size=1200,1500", f"--user-data-dir={folder}", page.as_uri()]
    return subprocess.run(command, capture_output=True, timeout=120, check=True).stdout


@pytest.mark.skipif(not BROWSER, reason="no Chromium")
def test_in_a_browser(evil_report, tmp_path):
    """It stays what it is, asks nobody for anything, and shows its pictures."""
    log, shot = tmp_path / "net.json", tmp_path / "shot.png"
    dom = browse(
        evil_report, tmp_path / "profile", "--dump-dom", f"--log-net-log={log}"
    ).decode()
    title = re.search("<title>(.*?)</title>", dom)[1]
    assert title == f"Clusters of {evil_report.parent.parent}"
    assert "<script" not in dom
    assert "report.html" in log.read_text()
    assert "example.invalid" not in log.read_text()
    browse(evil_report, tmp_path / "profile", f"--screenshot={shot}")
    image = pytest.importorskip("matplotlib.image").imread(shot)
    # The kernel by cluster has the bright and the dark colours of its map.
    pictures = (image[250:900] * 255).astype(int)
    colours = {tuple(c) for c in pictures[::4, ::4, :3].reshape(-1, 3).tolist()}
    assert len(colours) > 100

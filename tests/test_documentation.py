"""The documentation builds without a warning, and its code is run."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import csv
import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics.pairwise import rbf_kernel

from sklearn_kernelclust._cli import main
from sklearn_kernelclust.datasets import load_docstrings

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.rst", *sorted((ROOT / "doc").glob("*.rst"))]
PYTHON = re.compile(r"^\.\. code-block:: python\n\n((?:    .*\n|\n)+)", re.MULTILINE)

pytestmark = pytest.mark.skipif(
    not (ROOT / "doc").exists(), reason="not a checkout of the repository"
)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_python_is_written_as_doctests(page):
    # Which pytest runs: see testpaths and --doctest-glob in pyproject.toml.
    for block in PYTHON.findall(page.read_text()):
        assert block.lstrip().startswith(">>> "), block


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the files that the page on the command line speaks of."""
    corpus = load_docstrings(min_documents=27)
    for name, texts in (("papers", corpus.data[::4]), ("articles", corpus.data[::30])):
        (tmp_path / name).mkdir()
        for i, text in enumerate(texts):
            (tmp_path / name / f"{i}.txt").write_text(text)
    rng = np.random.RandomState(0)
    np.save(tmp_path / "vectors.npy", rng.randn(len(corpus.data[::4]), 5))
    rows = zip(corpus.data[::6], corpus.target[::6])
    with (tmp_path / "tickets.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("body", "team"), *rows])
    names = ["meyer", "meier", "maier", "mayer", "smith", "smyth", "smithe", "smits"]
    (tmp_path / "names.txt").write_text("\n".join(names))
    X = np.vstack([np.eye(10, 2), 9 + np.eye(10, 2)])
    np.save(tmp_path / "features.npy", X)
    flowers = [[*x, "ab"[i // 10]] for i, x in enumerate(X)]
    with (tmp_path / "flowers.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("length", "width", "kind"), *flowers])
    for name, labels in (("result", "0011"), ("flat", "0123")):
        rows = [f"{i},,title,{label},words,0" for i, label in enumerate(labels)]
        lines = ["path,row,title,cluster,words,distance", *rows]
        (tmp_path / name).mkdir()
        (tmp_path / name / "labels.csv").write_text("\n".join(lines))
    np.save(tmp_path / "kernel.npy", rbf_kernel(X, gamma=0.01))
    monkeypatch.chdir(tmp_path)


COMMANDS = [
    command
    for page in PAGES
    if page.stem == "command_line"
    for command in re.findall(r"^    kernelclust (.+)$", page.read_text(), re.MULTILINE)
]


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_run(command, folder, capsys):
    assert main(shlex.split(command)) == 0
    assert "skipped" not in capsys.readouterr().out


def test_names_of_scikit_learn_are_links():
    extension = runpy.run_path(str(ROOT / "doc" / "extension.py"))
    *header, content = extension["inventory"]().split(b"\n", 4)
    assert header[0] == b"# Sphinx inventory version 2"
    lines = zlib.decompress(content).decode().splitlines()
    names = ("set_config", "metrics.pairwise.pairwise_kernels", "base.clone")
    for role, name in [("class", "cluster.KMeans"), *(("function", n) for n in names)]:
        page = f"modules/generated/sklearn.{name}.html#$"
        assert f"sklearn.{name} py:{role} 1 {page} -" in lines


# Pages of the guide that there is nothing to draw for.
WITHOUT_PICTURE = {"distributed"}


def test_every_page_of_the_guide_has_a_picture():
    guide = (ROOT / "doc" / "guide.rst").read_text()
    names = re.findall(r"^   (\w+)$", guide.split(".. toctree::")[1], re.MULTILINE)
    assert "text" in names
    for name in set(names) - WITHOUT_PICTURE:
        page = (ROOT / "doc" / f"{name}.rst").read_text()
        assert re.search(r"^\.\. (plot|figure)::", page, re.MULTILINE), name


def test_pictures_are_functions():
    """Without running them: Sphinx does."""
    source = (ROOT / "doc" / "plots.py").read_text()
    for page in PAGES:
        for name in re.findall(r"^\.\. plot:: plots.py (\w+)", page.read_text(), re.M):
            assert f"def {name}():" in source


def test_tables_of_times_are_those_of_the_last_run():
    script = ROOT / "benchmarks" / "tables.py"
    if not script.exists():
        pytest.skip("no benchmarks")
    how = runpy.run_path(str(script))
    for page, table in how["tables"]().items():
        assert page.read_text() == how["written"](page.read_text(), table), page.name


def test_the_summary_of_methods_is_of_the_results(monkeypatch):
    pytest.importorskip("resource")
    script = ROOT / "benchmarks" / "bench_methods.py"
    if not script.exists():
        pytest.skip("no benchmarks")
    monkeypatch.syspath_prepend(str(script.parent))
    summary = runpy.run_path(str(script))["summary"]
    rows, shown = (
        list(csv.DictReader((ROOT / "doc" / name).read_text().splitlines()))
        for name in ("methods_results.csv", "methods_summary.csv")
    )
    assert len({row["set"] for row in rows}) == 21
    assert list(summary(rows)) == shown


@pytest.mark.slow
def test_documentation_builds_without_a_warning(tmp_path):
    extensions = ("sphinx_copybutton", "sphinx_gallery", "pydata_sphinx_theme")
    for package in ("sphinx", "numpydoc", *extensions):
        pytest.importorskip(package)
    for folder in ("doc", "examples"):
        ignore = shutil.ignore_patterns("_build", "build", "generated")
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=ignore)
    for file in ROOT.glob("*.rst"):
        shutil.copy(file, tmp_path)
    html = tmp_path / "html"
    subprocess.run(
        [sys.executable, "-m", "sphinx", "-W", "-q", "-b", "html"]
        + [str(tmp_path / "doc"), str(html)],
        check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert (html / "build" / "examples" / "index.html").exists()
    for page in html.rglob("*.html"):
        loaded = re.findall(r'<(?:script|img)[^>]* src="(\S*?)"', page.read_text())
        assert not [address for address in loaded if "//" in address], page

"""The documentation builds without a warning, and its code is run."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

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


@pytest.mark.slow
def test_documentation_builds_without_a_warning(tmp_path):
    for package in ("sphinx", "numpydoc", "sphinx_gallery", "pydata_sphinx_theme"):
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

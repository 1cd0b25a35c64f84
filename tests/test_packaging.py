"""What is released: one version, one list of dependencies, the files that belong in."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import re
import tomllib
from pathlib import Path

import pytest

import sklearn_kernelclust

ROOT = Path(__file__).parents[1]
RECIPE = ROOT / "conda" / "meta.yaml"

pytestmark = pytest.mark.skipif(
    not RECIPE.exists(), reason="not a checkout of the repository"
)


@pytest.fixture(scope="module")
def project():
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


def test_the_version_is_in_one_place(project):
    assert "version" in project["project"]["dynamic"]
    path = project["tool"]["hatch"]["version"]["path"]
    assert (
        f'__version__ = "{sklearn_kernelclust.__version__}"'
        in (ROOT / path).read_text()
    )
    texts = [p for p in ROOT.iterdir() if p.is_file() and not p.name.startswith(".")]
    for other in [*texts, RECIPE, ROOT / "doc" / "conf.py"]:
        if other.name != "CHANGES.rst":
            assert sklearn_kernelclust.__version__ not in other.read_text(), other


def test_the_recipe_has_the_dependencies_of_the_project(project):
    recipe = RECIPE.read_text()
    run = recipe[recipe.index("  run:") : recipe.index("test:")]
    required = set(re.findall(r"- ([\w-]+ >=[\d.]+)", run))
    declared = {
        spec.replace(">=", " >=") for spec in project["project"]["dependencies"]
    }
    python = project["project"]["requires-python"]
    assert required == declared | {f"python {python}"}
    assert f"hatchling {project['build-system']['requires'][0][9:]}" in recipe


def test_the_wheel_holds_the_package_and_no_tests(project):
    assert project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"] == [
        "sklearn_kernelclust"
    ]
    package = ROOT / "sklearn_kernelclust"
    assert not list(package.rglob("test_*.py"))


@pytest.mark.parametrize("name", ["LICENSE", "CODE_OF_CONDUCT.rst", "SECURITY.rst"])
def test_files_that_users_look_for(name):
    assert (ROOT / name).read_text().strip()

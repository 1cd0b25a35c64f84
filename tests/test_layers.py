"""The structure of the package, written down."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import ast
import re
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import sklearn_kernelclust

PACKAGE = Path(sklearn_kernelclust.__path__[0])
MODULES = sorted(PACKAGE.rglob("*.py"))
DOC = Path(__file__).parent.parent / "doc" / "api.rst"

# A folder imports only from folders in earlier sets.
ORDER = [
    {"_utils"},
    {"_gram", "_linalg", "datasets"},
    {"_kernels", "metrics"},
    {"_kmeans", "_spectral", "_strings"},
    {"_divisive", "_model_selection"},
    {"_displays"},
    {"gram"},
    {"__init__"},
    {"_cli"},
    {"__main__"},
]
LEVEL = {folder: level for level, folders in enumerate(ORDER) for folder in folders}


def folder_of(path):
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else path.stem


def module_name(path):
    name = ".".join(["sklearn_kernelclust", *path.relative_to(PACKAGE).parts])
    return name.removesuffix(".py").removesuffix(".__init__")


NAMES = {module_name(path) for path in MODULES}


def imports(path):
    """Every form of import, as a module and the names taken from it."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            yield node.module, [alias.name for alias in node.names]
        elif isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, []


def own_imports(path):
    """Modules of this package that a module imports."""
    for module, names in imports(path):
        if module.split(".")[0] == "sklearn_kernelclust":
            submodules = {f"{module}.{name}" for name in names} & NAMES
            yield from submodules
            if len(submodules) < len(names) or not names:
                yield module


def folder_of_name(module):
    return (module.split(".") + ["__init__"])[1]


@pytest.mark.parametrize("path", MODULES, ids=module_name)
def test_imports_come_from_folders_below(path):
    own = folder_of(path)
    for module in own_imports(path):
        folder = folder_of_name(module)
        assert folder == own or LEVEL[folder] < LEVEL[own], module


def test_folders_do_not_import_each_other_in_a_circle():
    graph = {}
    for path in MODULES:
        if path.parent != PACKAGE:  # the index and the entry point are no folders
            folders = set(map(folder_of_name, own_imports(path)))
            graph.setdefault(folder_of(path), set()).update(folders - {folder_of(path)})
    TopologicalSorter(graph).prepare()
    assert sum(map(len, graph.values())) <= 45, graph


def test_modules_do_not_import_each_other_in_a_circle():
    TopologicalSorter(
        {module_name(path): set(own_imports(path)) for path in MODULES}
    ).prepare()


@pytest.mark.parametrize("path", MODULES, ids=module_name)
def test_private_names_of_scikit_learn_have_one_home(path):
    if path.stem == "_sklearn":
        return
    for module, names in imports(path):
        if module.split(".")[0] == "sklearn":
            private = [n for n in [*module.split("."), *names] if n.startswith("_")]
            assert not private, f"{module} {private}"


@pytest.mark.parametrize("path", MODULES, ids=module_name)
def test_warnings_have_one_home(path):
    """It knows where the user's line is."""
    assert path.stem == "_warnings" or not re.search(r"\bwarn\(", path.read_text())


def test_public_names():
    names = sklearn_kernelclust.__all__
    # Names in capitals first, as ruff sorts them.
    assert names == sorted(names, key=lambda name: (not name.isupper(), name))
    for name in names:
        assert getattr(sklearn_kernelclust, name).__doc__
    for name in sklearn_kernelclust.metrics.__all__:
        assert ">>>" in getattr(sklearn_kernelclust.metrics, name).__doc__


@pytest.mark.skipif(not DOC.exists(), reason="not a checkout of the repository")
@pytest.mark.parametrize(
    "name", [*sklearn_kernelclust.__all__, *sklearn_kernelclust.metrics.__all__]
)
def test_public_names_are_in_the_reference(name):
    assert name in DOC.read_text()

"""The structure of the package, written down."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import ast
import inspect
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
    {"_divisive"},
    {"_model_selection"},
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


PUBLIC_MODULES = [
    module
    for name in ("datasets", "gram", "metrics")
    if (module := getattr(sklearn_kernelclust, name, None)) is not None
]


def public_objects():
    """Public classes and functions, by the name that the reference has."""
    for name in sklearn_kernelclust.__all__:
        if not inspect.ismodule(getattr(sklearn_kernelclust, name)):
            yield name, getattr(sklearn_kernelclust, name)
    for module in PUBLIC_MODULES:
        prefix = module.__name__.removeprefix("sklearn_kernelclust.")
        for name in module.__all__:
            yield f"{prefix}.{name}", getattr(module, name)


PUBLIC = dict(public_objects())


def test_public_names_are_sorted():
    names = sklearn_kernelclust.__all__
    # Names in capitals first, as ruff sorts them.
    assert names == sorted(names, key=lambda name: (not name.isupper(), name))
    for module in PUBLIC_MODULES:
        assert module.__name__.split(".")[1] in names


@pytest.mark.parametrize("name", PUBLIC)
def test_public_names_have_a_doctest(name):
    assert ">>> " in PUBLIC[name].__doc__


@pytest.mark.skipif(not DOC.exists(), reason="not a checkout of the repository")
@pytest.mark.parametrize("name", PUBLIC)
def test_public_names_are_in_the_reference(name):
    # A whole line, because PDDP is a part of KPDDP.
    assert name in map(str.strip, DOC.read_text().splitlines())


MAX_LINES = 400
MAX_BODY = 30


def body_lines(function):
    """Lines of a function without its signature and docstring."""
    body = function.body
    if ast.get_docstring(function) is not None:
        body = body[1:]
    return function.end_lineno - body[0].lineno + 1 if body else 0


def long_functions(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if (
            isinstance(node, ast.FunctionDef)
            and node.name != "__init__"
            and body_lines(node) >= MAX_BODY
        ):
            yield f"{path.relative_to(PACKAGE).as_posix()}:{node.name}"


def test_files_are_short():
    lengths = {
        path.relative_to(PACKAGE).as_posix(): len(path.read_text().splitlines())
        for path in MODULES
    }
    assert not {name for name, lines in lengths.items() if lines >= MAX_LINES}


def test_functions_are_short():
    too_long = {name for path in MODULES for name in long_functions(path)}
    assert not too_long

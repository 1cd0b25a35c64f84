"""No module outside ``_gram`` knows how a Gram is stored."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import ast
from pathlib import Path

import pytest

import sklearn_kernelclust

PACKAGE = Path(sklearn_kernelclust.__path__[0])
INSIDE = sorted((PACKAGE / "_gram").glob("*.py"))
OUTSIDE = [path for path in sorted(PACKAGE.rglob("*.py")) if path not in INSIDE]


def nodes(path, kind):
    return [n for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, kind)]


def name_of(node):
    """The last part of a dotted name, None of anything else."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else None


def is_private(name):
    return name.startswith("_") and not name.startswith("__")


GRAMS = {
    node.name
    for path in INSIDE
    for node in nodes(path, ast.ClassDef)
    if node.name.endswith("Gram")
}
KINDS = GRAMS - {"Gram"}
PRIVATE = {
    name
    for path in INSIDE
    for cls in nodes(path, ast.ClassDef)
    if cls.name in GRAMS
    for node in ast.walk(cls)
    for name in [
        getattr(node, "name", None)
        if isinstance(node, ast.FunctionDef)
        else node.attr
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
        else None
    ]
    if name and is_private(name)
}


def test_the_kinds_of_grams_are_known():
    assert {"DenseGram", "SparseGram", "FactoredGram", "ChunkedGram"} < KINDS
    assert {"ShiftedGram", "ScaledGram", "CenteredGram", "ProductGram"} < KINDS
    assert {"_tile", "_part", "_product", "_self_similarity"} < PRIVATE


def asks_for_a_kind(node):
    """Whether a node asks which kind of Gram something is."""
    called = name_of(node.func) if isinstance(node, ast.Call) else None
    if called in {"isinstance", "issubclass"}:
        return bool(KINDS & {name_of(n) for n in ast.walk(node.args[1])})
    if isinstance(node, ast.Compare):
        return bool(KINDS & {name_of(n) for n in [node.left, *node.comparators]})
    if isinstance(node, ast.FunctionDef):  # singledispatch by annotation
        hints = [argument.annotation for argument in node.args.args]
        return bool(KINDS & {name_of(hint) for hint in hints})
    return called == "register" and bool(KINDS & set(map(name_of, node.args)))


@pytest.mark.parametrize("path", OUTSIDE, ids=str)
def test_nobody_asks_which_kind_of_gram_it_is(path):
    """To name a kind in order to make one is fine."""
    asking = [node.lineno for node in nodes(path, ast.AST) if asks_for_a_kind(node)]
    assert not asking, f"{path}: lines {asking}"


@pytest.mark.parametrize("path", OUTSIDE, ids=str)
def test_nobody_reads_private_attributes_of_a_gram(path):
    read = [
        f"line {node.lineno}: {node.attr}"
        for node in nodes(path, ast.Attribute)
        if node.attr in PRIVATE and name_of(node.value) not in {"self", "cls"}
    ]
    by_name = [
        f"line {call.lineno}: {call.args[1].value}"
        for call in nodes(path, ast.Call)
        if name_of(call.func) in {"getattr", "hasattr"}
        and isinstance(call.args[1], ast.Constant)
        and call.args[1].value in PRIVATE | {"strips", "K"}
    ]
    assert not read + by_name, f"{path}: {read + by_name}"


@pytest.mark.parametrize(
    "line, asked",
    [
        ("isinstance(gram, DenseGram)", True),
        ("isinstance(gram, (Gram, _stored.SparseGram))", True),
        ("type(gram) is FactoredGram", True),
        ("components.register(SparseGram)", True),
        ("def _(gram: SparseGram): pass", True),
        ("DenseGram(K)", False),
        ("isinstance(X, Gram)", False),
    ],
)
def test_the_test_sees_such_questions(line, asked):
    assert any(map(asks_for_a_kind, ast.walk(ast.parse(line)))) is asked

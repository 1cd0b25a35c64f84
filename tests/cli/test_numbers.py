"""Tables of numbers."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import csv
import gzip

import joblib
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris

from sklearn_kernelclust._cli import main
from sklearn_kernelclust._cli._arguments import parse
from sklearn_kernelclust._cli._numbers import number_table
from sklearn_kernelclust._cli._reading import read


@pytest.fixture(scope="module")
def iris(tmp_path_factory):
    """A table of flowers: four columns of numbers, and their kind."""
    path = tmp_path_factory.mktemp("numbers") / "iris.csv"
    data = load_iris()
    with open(path, "w", newline="") as file:
        rows = [[*x, data.target_names[y]] for x, y in zip(data.data, data.target)]
        csv.writer(file).writerows([[*"abcd", "kind"], *rows])
    return path


def corpus_of(*argv):
    return read(parse([str(a) for a in argv]))


def test_a_table(iris):
    corpus = corpus_of(iris, "--label-column", "kind")
    assert_array_equal(corpus.features, load_iris().data)
    assert corpus.feature_names == list("abcd")
    assert len(set(corpus.labels)) == 3
    assert corpus.left_out == []
    assert corpus.short_name(7) == "iris.csv:8"
    assert corpus_of(iris).left_out == ["kind"]
    assert corpus_of(iris, "--text-column", "kind").features is None


def test_columns_are_standardized(iris, tmp_path, capsys):
    """Other units change nothing; names of columns describe the clusters."""
    data = load_iris().data
    with open(tmp_path / "units.csv", "w", newline="") as file:
        csv.writer(file).writerows([[*"abcd"], *(data * [1, 1000, 0.01, 1])])
    labels = []
    for path in (iris, tmp_path / "units.csv"):
        argv = [str(path), "--k", "3", "--out", str(tmp_path / "out")]
        assert main(argv) == 0
        shown = capsys.readouterr().out
        assert "Read 150 objects" in shown
        assert ("Note: Left out kind:" in shown) == (path == iris)
        assert "c (+" in shown
        with open(tmp_path / "out" / "labels.csv", newline="") as file:
            labels.append([row["cluster"] for row in csv.DictReader(file)])
    assert labels[0] == labels[1]
    model = joblib.load(tmp_path / "out" / "model.joblib")
    assert_allclose(model[0].mean_, data.mean(axis=0) * [1, 1000, 0.01, 1])


def test_new_rows_go_by_the_names_of_their_columns(iris, tmp_path, capfdbinary):
    argv = [str(iris), "--depth", "1", "--quiet", "--out", str(tmp_path / "out")]
    assert main(argv) == 0
    with open(tmp_path / "out" / "labels.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    model, new = str(tmp_path / "out" / "model.joblib"), tmp_path / "new.csv"
    with open(new, "w", newline="") as file:
        cells = [[row[name] for name in ("d", "c", "b", "a")] for row in rows[::10]]
        csv.writer(file).writerows([["d", "c", "b", "a"], *cells])
    assert main(["predict", model, str(new)]) == 0
    shown = capfdbinary.readouterr().out.decode().splitlines()
    found = [row["topic_1"] for row in csv.DictReader(shown)]
    assert found == [row["topic_1"] for row in rows[::10]]
    new.write_text("a,b\n1,2\n3,5\n")
    assert main(["predict", model, str(new)]) == 1
    error = capfdbinary.readouterr().err.decode()
    assert f"The model needs the columns c, d, which {new} does not have" in error


def test_what_is_skipped(tmp_path):
    (tmp_path / "a.csv").write_text("x,y\n1,2\n\n,3\n4,nan\n5,inf\n6,7\n8,-2e300\n")
    corpus = corpus_of(tmp_path / "a.csv")
    assert_array_equal(corpus.features, [[1, 2], [6, 7]])
    path = tmp_path / "a.csv"
    column = "no finite number in the column"
    assert corpus.skipped == [
        (f"{path}:3", f"{column} x"),
        (f"{path}:4", f"{column} y"),
        (f"{path}:5", f"{column} y"),
        (f"{path}:7", "-2e+300 in the column y is beyond 1e+150"),
    ]
    assert corpus.places == [(str(path), 1), (str(path), 6)]


def test_a_table_without_a_usable_row(tmp_path, capsys):
    (tmp_path / "a.csv").write_text("x,y\n1e300,2\n2e300,5\n7e300,3\n")
    assert main([str(tmp_path / "a.csv")]) == 1
    shown = capsys.readouterr()
    assert "1e+300 in the column x is beyond 1e+150" in shown.out
    assert "got 0" in shown.err


def test_identifiers(tmp_path):
    (tmp_path / "a.tsv").write_text("key\tx\nA\t1\nB\t3\nC\t9\n")
    corpus = corpus_of(tmp_path / "a.tsv", "--id-column", "key")
    assert corpus.feature_names == ["x"]
    assert [corpus.short_name(i) for i in range(3)] == ["A", "B", "C"]


def test_compressed(tmp_path):
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(b"x,y\n1,2\n3,5\n"))
    assert corpus_of(tmp_path / "a.csv.gz").features.shape == (2, 2)


@pytest.mark.parametrize(
    ("text", "names", "numbers"),
    [
        ("1,2\n3,5\n", ["column 1", "column 2"], [[1, 2], [3, 5]]),
        ("x;y\n1,5;2\n3;-5e3\n", ["x", "y"], [[1.5, 2], [3, -5000]]),
        ("x,x\n1,2\n3,5\n", ["x", "x (#2)"], [[1, 2], [3, 5]]),
        ("n,x\n1,2\n2,4\n3,0\n", ["x"], [[2], [4], [0]]),
        ("x,none\n1,\n3,\n", ["x"], [[1], [3]]),
    ],
)
def test_kinds_of_tables(text, names, numbers):
    table = number_table(text, ",;")
    assert table.names == names
    assert_array_equal(table.numbers, numbers)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x,y\n",
        "text,x\n1,2\n",
        "x,note\n1,a note\n2,another\n",
        "kind\na\na\n",
    ],
)
def test_other_tables(text):
    assert number_table(text, ",") is None


def test_a_kernel_matrix_is_no_table(tmp_path, capsys):
    np.savetxt(tmp_path / "k.csv", np.eye(3), delimiter=",")
    argv = [str(tmp_path / "k.csv"), "--kernel", "precomputed", "--k", "2"]
    assert main(argv) == 1
    assert "needs an .npy or .npz file, not" in capsys.readouterr().err

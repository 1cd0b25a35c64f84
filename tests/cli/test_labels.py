"""The user's table, with topics."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import csv
import io

import numpy as np
from hostile import good_text
from nested_topics import nested_texts

from sklearn_kernelclust._cli import main
from sklearn_kernelclust._cli._labels import Legend, cell, merged, unlike
from sklearn_kernelclust._cli._reading import Corpus

TEXTS, KINDS, PARTS = nested_texts()


def rows_of(content):
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))


def test_the_table_comes_back(table_of_topics):
    """With every column as it was, and ours beside them."""
    rows = rows_of((table_of_topics / "out" / "labels.csv").read_bytes())
    given = rows_of((table_of_topics / "in.csv").read_bytes())
    names = ["key", "text", "topic_1", "title", "topic_1_", "topic_2", "words"]
    assert list(rows[0]) == [*names, "distance"]
    assert [{name: row[name] for name in given[0]} for row in rows] == given
    for level, truth in (("topic_1_", KINDS), ("topic_2", PARTS)):
        pairs = {(row[level], kind) for row, kind in zip(rows, truth)}
        assert len(pairs) == len(set(truth))
    assert rows[0]["topic_2"].split()[0].startswith("1.")
    assert rows[0]["words"].startswith("cats")
    assert all(0 < float(row["distance"]) < 1 for row in rows)


def test_flat_clusters(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("\n".join(good_text(i) for i in range(40)))
    argv = [str(path), "--lines", "--k", "2", "--quiet", "--out", str(tmp_path / "out")]
    assert main(argv) == 0
    rows = rows_of((tmp_path / "out" / "labels.csv").read_bytes())
    names = ["path", "row", "title", "cluster", "words", "distance"]
    assert list(rows[0]) == names
    assert {row["cluster"] for row in rows} == {"0", "1"}
    assert [row["row"] for row in rows] == [str(i + 1) for i in range(40)]


def test_fields_of_json():
    corpus = Corpus(columns={"a": None, "b": None})
    corpus.add("x.json", 1, "text", record={"a": [1, "é"], "b": None})
    (row,) = rows_of(merged(corpus, None, Legend(["cluster"], {0: [0]}), [0]))
    assert (row["a"], row["b"], row["cluster"]) == ('[1, "é"]', "", "0")
    assert (cell("x"), cell(True), cell(2)) == ("x", "true", "2")


def test_our_columns_are_called_otherwise_than_the_input():
    assert unlike(["path", "title"], ["title", "title_"]) == ["path", "title__"]


def test_a_column_that_is_not_there(tmp_path, capsys):
    (tmp_path / "a.csv").write_text("text,kind\nx,1\ny,2\n")
    assert main([str(tmp_path / "a.csv"), "--id-column", "no"]) == 1
    assert "--id-column no: must be one of text, kind." in capsys.readouterr().err


def vectors_of(parts):
    rng = np.random.RandomState(0)
    centers = {part: rng.randn(6) * 5 for part in sorted(set(parts))}
    return np.array([centers[part] + rng.randn(6) * 0.3 for part in parts])


def test_words_of_the_texts_and_the_kernel_of_vectors(tmp_path, capsys):
    """A document without text is left out, with its vector."""
    texts, parts = [*TEXTS[:90], ""], [*PARTS[:90], "none"]
    with open(tmp_path / "in.csv", "w", newline="") as file:
        csv.writer(file).writerows([["text", "part"], *zip(texts, parts)])
    for name, n in (("all", 91), ("texts", 90), ("few", 89)):
        np.save(tmp_path / f"{name}.npy", vectors_of(parts)[:n])
    argv = [str(tmp_path / "in.csv"), "--label-column", "part", "--embeddings"]
    out = ["--out", str(tmp_path / "out")]
    for name in ("all", "texts"):
        assert main([*argv, str(tmp_path / f"{name}.npy"), *out]) == 0
        shown = " ".join(capsys.readouterr().out.split())
        assert "Read 90 documents" in shown
        assert "NMI with the 3 known classes: 1.000." in shown
        for part in set(PARTS[:90]):
            assert f" {part}" in shown
    assert main([*argv, str(tmp_path / "few.npy")]) == 1
    assert "few.npy has 89 rows for 90 documents" in capsys.readouterr().err
    model = str(tmp_path / "out" / "model.joblib")
    assert main(["predict", model, *argv, str(tmp_path / "all.npy"), "--quiet"]) == 0
    assert main(["predict", model, argv[0]]) == 1
    assert "those of the texts by --embeddings FILE" in capsys.readouterr().err


def test_embeddings_of_numbers(tmp_path, capsys):
    np.save(tmp_path / "x.npy", np.eye(5))
    argv = [str(tmp_path / "x.npy"), "--embeddings", str(tmp_path / "x.npy")]
    assert main(argv) == 1
    assert "--embeddings needs texts" in capsys.readouterr().err

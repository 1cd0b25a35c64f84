"""Topics of new documents, by a model that was written before."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import csv
import io
import json

import joblib
import numpy as np
import pytest
from nested_topics import nested_texts

from sklearn_kernelclust._cli import main

TEXTS, _, _ = nested_texts()


def rows_of(content):
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))


def test_new_documents_go_down_the_tree(table_of_topics, capfdbinary):
    model, out = (
        str(table_of_topics / "out" / "model.joblib"),
        table_of_topics / "new.csv",
    )
    new = table_of_topics / "new.jsonl"
    records = [{"text": text, "n": 1} for text in TEXTS[::30]] + [{"text": "zz qq"}]
    new.write_text("\n".join(map(json.dumps, records)))
    assert main(["predict", model, str(new), "--out", str(out)]) == 0
    shown = capfdbinary.readouterr()
    assert shown.out == b""
    assert b"Note: 1 of 6 documents have no word that the model knows" in shown.err
    rows = rows_of(out.read_bytes())
    trained = rows_of((table_of_topics / "out" / "labels.csv").read_bytes())
    expected = [
        (row["topic_1_"], row["topic_2"], row["words"]) for row in trained[::30]
    ]
    found = [(row["topic_1"], row["topic_2"], row["words"]) for row in rows]
    assert found == [*expected, ("", "", "")]
    assert [row["n"] for row in rows] == ["1"] * 5 + [""]
    assert main(["predict", model, str(new), "--quiet"]) == 0
    shown = capfdbinary.readouterr()
    assert (shown.out, shown.err) == (out.read_bytes(), b"")


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["nowhere.joblib", "new.txt"], "There is no model nowhere.joblib."),
        (["new.txt", "new.txt"], "new.txt is no model.joblib"),
        (["MODEL", "x.npy"], "The model compares words, not numbers"),
        (["MODEL", "empty.txt"], "No documents in empty.txt."),
    ],
)
def test_what_cannot_be_predicted(argv, message, table_of_topics, monkeypatch, capsys):
    monkeypatch.chdir(table_of_topics)
    np.save("x.npy", np.eye(3))
    (table_of_topics / "new.txt").write_text("a text")
    (table_of_topics / "empty.txt").write_text("")
    model = str(table_of_topics / "out" / "model.joblib")
    assert main(["predict", *(model if a == "MODEL" else a for a in argv)]) == 1
    assert message in capsys.readouterr().err


def test_models_of_other_versions(table_of_topics, capsys):
    model = joblib.load(table_of_topics / "out" / "model.joblib")
    (table_of_topics / "new.txt").write_text("cats1")
    argv = [
        "predict",
        str(table_of_topics / "old.joblib"),
        str(table_of_topics / "new.txt"),
    ]
    model[-1].tree_ = None
    joblib.dump(model, table_of_topics / "old.joblib")
    assert main(argv) == 1
    assert "does not fit the versions of the packages here" in capsys.readouterr().err
    del model.legend_
    joblib.dump(model, table_of_topics / "old.joblib")
    assert main(argv) == 1
    assert "was not written by this version of kernelclust" in capsys.readouterr().err

"""Topics of two runs side by side."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import csv

import numpy as np
import pytest

from sklearn_kernelclust._cli import main
from sklearn_kernelclust._cli._compare import load_run, overlap_of
from sklearn_kernelclust._cli._output import table

HEADER = ["path", "row", "title", "topic_1", "topic_2", "words", "distance"]


def write_run(folder, topics, header=HEADER):
    folder.mkdir()
    rows = [[f"d{i}", "", "t", *topic, "w", 0.5] for i, topic in enumerate(topics)]
    (folder / "labels.csv").write_bytes(table(header, rows))
    return str(folder)


def test_a_run_agrees_with_itself(table_of_topics, capsys):
    out = str(table_of_topics / "out")
    assert main(["compare", out, out]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "NMI 1.000, adjusted Rand index 1.000" in shown
    assert "150 documents in" in shown
    assert "One topic of A" not in shown
    assert "divides otherwise" not in shown


def test_split_merged_and_the_same(tmp_path, capsys):
    """A: cats and dogs, apart; B: both merged, cars split."""
    a = ["cats"] * 10 + ["dogs"] * 10 + ["cars"] * 20 + ["sky"] * 5
    b = ["pets"] * 20 + ["trucks"] * 12 + ["vans"] * 8 + ["air"] * 5
    a = write_run(tmp_path / "a", [("1 all", topic) for topic in a])
    b = write_run(tmp_path / "b", [("1 all", topic) for topic in b])
    out = tmp_path / "new" / "overlap.csv"
    assert main(["compare", a, b, "--out", str(out)]) == 0
    shown = capsys.readouterr().out
    assert "sky (5)  =  air (5): 5 in common" in shown
    assert "cars (20): trucks (12); vans (8)" in shown
    assert "pets (20): cats (10); dogs (10)" in shown
    with open(out, newline="") as file:
        rows = list(csv.DictReader(file))
    assert sum(int(row["documents"]) for row in rows) == 45
    (vans,) = (row for row in rows if row["topic_of_b"] == "vans")
    assert (vans["topic_of_a"], vans["share_of_a"]) == ("cars", "0.4")
    assert main(["compare", a, b, "--level", "1"]) == 0
    assert "1 all (45)  =  1 all (45): 45 in common" in capsys.readouterr().out


def test_topics_that_are_divided_otherwise(tmp_path, capsys):
    a = write_run(tmp_path / "a", [("1", f"a{i // 8}") for i in range(64)])
    b = write_run(tmp_path / "b", [("1", f"b{i % 8}") for i in range(64)])
    assert main(["compare", a, b]) == 0
    shown = capsys.readouterr().out
    assert "Topics of A that B divides otherwise:" in shown
    assert "a0 (8): b0 (1); b1 (1); b2 (1); b3 (1); b4 (1); b5 (1) and 2 more" in (
        " ".join(shown.split())
    )


def test_documents_of_one_run_only(tmp_path, capsys):
    a = write_run(tmp_path / "a", [("1", "x"), ("1", "y"), ("1", "y")])
    b = write_run(tmp_path / "b", [("1", "x"), ("1", "y")])
    assert main(["compare", a, b]) == 0
    assert "The 2 documents that are in both are compared." in capsys.readouterr().out


def test_every_document_is_counted_once(seed):
    rng = np.random.RandomState(seed)
    a, b = (rng.randint(5, size=60).astype(str).tolist() for _ in range(2))
    overlap = overlap_of(a, b)
    for i, name in enumerate(overlap.names[0]):
        for j, other in enumerate(overlap.names[1]):
            pairs = sum(x == name and y == other for x, y in zip(a, b))
            assert overlap.counts[i, j] == pairs
    parts = [j for i in range(len(overlap.names[0])) for j in overlap.parts(i)]
    assert len(parts) == len(set(parts))


def test_documents_with_the_same_identifier(tmp_path):
    (tmp_path / "labels.csv").write_text(
        "key,topic_1,title,topic_1_,words,distance\n"
        "7,mine,t,1 x,w,0\n7,mine,t,2 y,w,0\n"
    )
    run = load_run(str(tmp_path / "labels.csv"))
    assert run.topics == {("7", 1): "1 x", ("7", 2): "2 y"}


def test_flat_clusters_are_named_by_their_words(tmp_path):
    (tmp_path / "labels.csv").write_text(
        'path,row,title,cluster,words,distance\n"a","",t,3,"x, y, z, u",0\n'
    )
    assert load_run(str(tmp_path)).topics == {("a", "", 1): "3 x, y, z"}


def test_what_is_no_result(tmp_path, capsys):
    a = write_run(tmp_path / "a", [("1", "x")])
    other = ["other", *HEADER[1:]]
    b = write_run(tmp_path / "b", [("1", "x")], other)
    assert main(["compare", a, b]) == 1
    assert "No document is in both" in capsys.readouterr().err
    (tmp_path / "c.csv").write_text("path,row,words\n")
    (tmp_path / "d").mkdir()
    for wrong in ("c.csv", "d", "nowhere"):
        assert main(["compare", a, str(tmp_path / wrong)]) == 1
        message = f"{tmp_path / wrong} is no result of kernelclust"
        assert message in capsys.readouterr().err


@pytest.mark.parametrize("argv", [["a"], ["a", "b", "c"], ["a", "b", "--level", "0"]])
def test_wrong_usage(argv):
    with pytest.raises(SystemExit) as stop:
        main(["compare", *argv])
    assert stop.value.code == 2

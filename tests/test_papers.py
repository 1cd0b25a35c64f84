"""The command that redoes the papers, on a made-up data folder."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import csv
import gzip
import importlib
import json
import os
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_matrix, save_npz

pytest.importorskip("matplotlib")
pytest.importorskip("snowballstemmer")
pytest.importorskip("benchmarks.papers", reason="runs in a checkout only")

from benchmarks.papers import dd, kp
from benchmarks.papers.__main__ import TABLES, known_tables, main
from benchmarks.papers.data import (
    DD_WEIGHTING,
    NEWSGROUPS,
    WEIGHTINGS,
    count_terms,
    load,
    read_lines,
    stem,
    terms_of,
    weighted,
)
from benchmarks.papers.published import published
from benchmarks.papers.report import Result, Table, agreement, markdown, write
from sklearn_kernelclust import PDDP, KernelKMeans, PairwiseKernel
from sklearn_kernelclust.metrics import conditional_entropy_score

# A folder with the real data, if there is one.
REAL = Path(os.environ.get("SKLEARN_KERNELCLUST_DATA", "no such folder"))


def corpus(rng, classes, n_each=12):
    """Counts of 60 terms, a third of which belong to one class."""
    labels = np.repeat(np.arange(len(classes)), n_each)
    rates = np.full((len(classes), 60), 0.15)
    for c in range(len(classes)):
        rates[c, 12 * c : 12 * c + 12] = 1.2
    return rng.poisson(rates[labels]), [classes[i] for i in labels]


def as_text(row):
    return " ".join(
        f"word{chr(97 + j // 8)}{chr(97 + j % 8)} " * n for j, n in enumerate(row)
    )


def write_lines(path, counts, labels):
    with gzip.open(path, "wt", encoding="utf-8") as file:
        for i, (row, label) in enumerate(zip(counts, labels)):
            text = f"From: me\nLines: 3\n\n{as_text(row)}"
            file.write(json.dumps({"id": i, "text": text, "label": label}) + "\n")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    rng = np.random.RandomState(0)
    path = tmp_path_factory.mktemp("data")
    for name, k in {"bbc": 5, "bbcsport": 5, "cstr": 4, "reviews": 5}.items():
        counts, labels = corpus(rng, [f"class{c}" for c in range(k)])
        save_npz(path / f"{name}.npz", csr_matrix(counts))
        (path / f"{name}.labels.txt").write_text("\n".join(labels) + "\n")
    groups = sorted({g for own in NEWSGROUPS.values() for g in own})
    write_lines(path / "ng20_bydate.jsonl.gz", *corpus(rng, groups))
    smart = ["cacm", "cisi", "cran", "med"]
    write_lines(path / "classic4.jsonl.gz", *corpus(rng, smart))
    return path


@pytest.fixture
def one_process(monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 1)


def run(folder, out, *tables):
    arguments = ["--data", str(folder), "--quick", "--out", str(out)]
    return main([*arguments, "--table", *tables])


def test_tables_of_dd(folder, tmp_path, one_process, monkeypatch):
    for name in ("dd2", "dd3", "ddf3"):
        monkeypatch.setattr(f"benchmarks.papers.{name}.n_trials", lambda quick: 3)
    names = ["dd1", "dd2", "dd3", "ddf1", "ddf2", "ddf3"]
    assert run(folder, tmp_path, *names) == 0
    for name in names:
        assert (tmp_path / f"{name}.csv").exists()
        assert f"--table {name}" in (tmp_path / f"{name}.md").read_text()
    for name in names[3:]:
        assert (tmp_path / f"{name}.png").read_bytes()[1:4] == b"PNG"
    with open(tmp_path / "dd2.csv", newline="") as file:
        lines = list(csv.DictReader(file))
    assert len(lines) == len(dd.SETS) * len(dd.METHODS)
    line = next(r for r in lines if (r["data"], r["method"]) == ("bbc", "DS"))
    assert line["published"] == "0.8300"
    assert 0.5 < float(line["ours"]) <= 1
    summary = (tmp_path / "summary.md").read_text()
    assert all(f"({name}.md)" in summary for name in names)


def test_running_one_table_keeps_the_others_in_the_summary(folder, tmp_path):
    assert run(folder, tmp_path, "ddf1", "ddf2") == 0
    before = (tmp_path / "summary.md").read_text()
    assert run(folder, tmp_path, "ddf2") == 0
    after = (tmp_path / "summary.md").read_text()
    assert before.count("ddf1.md") == after.count("ddf1.md") == 1


def test_missing_data_are_named_and_the_rest_is_run(folder, tmp_path, capsys):
    assert run(folder, tmp_path, "kp4", "ddf2") == 1
    assert "classic3" in capsys.readouterr().err
    assert (tmp_path / "ddf2.md").exists()
    with pytest.raises(SystemExit, match="no such folder"):
        run(folder / "nowhere", tmp_path, "ddf2")


@pytest.mark.parametrize("name", known_tables())
def test_each_table_is_a_module_with_a_title(name):
    module = importlib.import_module(f"benchmarks.papers.{name}")
    assert module.TITLE[:2].isupper()
    assert callable(module.run)
    assert name in TABLES


def test_published_numbers():
    assert len(published("dd2")) == len(published("dd3")) == 80
    assert published("dd1")["cstr", "ratio"] == 16.54
    with pytest.raises(KeyError, match="nothing of table 'dd9'"):
        published("dd9")


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("method", dd.METHODS)
def test_trials_are_those_of_the_estimator(folder, method):
    data = load(folder, "bbc")
    X = weighted(data.counts, DD_WEIGHTING)
    gram, starts = dd.kernel_of(X, method), dd.starts_of(X.shape[0], 5, 4)
    leave_one_out = method in dd.SPLIT_MERGE
    trials = dd.run_trials(gram, 5, starts, leave_one_out)
    algorithm = "split-merge" if leave_one_out else "lloyd"
    for start, labels in zip(starts, trials.labels):
        model = KernelKMeans(5, kernel="precomputed", init=start, algorithm=algorithm)
        consecutive = np.unique(labels, return_inverse=True)[1]
        np.testing.assert_array_equal(model.fit(gram).labels_, consecutive)


@pytest.mark.parametrize("weighting", WEIGHTINGS)
def test_weighted_rows_have_unit_length(folder, weighting):
    X = weighted(load(folder, "bbc").counts, weighting)
    np.testing.assert_allclose((X**2).sum(axis=1), 1)
    assert X.nnz <= load(folder, "bbc").counts.nnz


def test_unknown_data_set(folder):
    with pytest.raises(ValueError, match="known: bbc, bbcsport"):
        load(folder, "bbd")


def test_terms():
    text = "The high-speed trains, 300 of them, were late: £75m/year for technologies."
    assert terms_of(text) == ["highspe", "train", "300", "£75m", "year", "technolog"]
    assert count_terms(["a cat", "the cats", "one cat sat"]).shape == (3, 1)


@pytest.mark.parametrize(
    "word, expected",
    [
        ("caresses", "caress"),
        ("ponies", "poni"),
        ("agreed", "agre"),
        ("plastered", "plaster"),
        ("motoring", "motor"),
        ("sing", "sing"),
        ("hopping", "hop"),
        ("filing", "file"),
        ("happy", "happi"),
        ("relational", "relat"),
        ("hopefulness", "hope"),
        ("adjustment", "adjust"),
        ("adoption", "adopt"),
        ("rate", "rate"),
        ("controll", "control"),
        ("us", "us"),
        ("technology", "technolog"),
        ("possibly", "possibl"),
        ("trilogy", "trilogi"),
    ],
)
def test_stems(word, expected):
    assert stem(word) == expected


def test_a_tree_has_the_partitions_of_all_numbers_of_clusters(folder):
    data = load(folder, "bbc")
    X, ks = weighted(data.counts, DD_WEIGHTING), (2, 4, 7)
    rows = kp.tree_curve(PDDP(7).fit(X).tree_, data.labels, ks)
    assert [k for k, _, _ in rows] == list(ks)
    for k, objective, entropy in rows:
        model = PDDP(k).fit(X)
        assert objective == pytest.approx(model.inertia_)
        assert entropy == pytest.approx(
            conditional_entropy_score(data.labels, model.labels_)
        )


def test_kmeans_from_random_documents(folder):
    data = load(folder, "bbc")
    X = weighted(data.counts, DD_WEIGHTING)
    gram = PairwiseKernel(lazy=True).fit_transform(X)
    curves = kp.kmeans_curves(gram, data.labels, (2, 5))
    assert len(curves) == kp.N_RUNS
    for (_, at_2, _), (_, at_5, _) in curves:
        assert at_5 < at_2


def test_drawn_documents_are_of_the_largest_classes():
    y = np.repeat(["a", "b", "c"], [9, 2, 5])
    kept = kp.drawn(y, 2, 6)
    assert list(np.unique(y[kept], return_counts=True)[1]) == [6, 5]


def test_a_page(tmp_path):
    records = [
        {"data": "x", "published": 0.5, "ours": 0.52},
        {"data": "y", "published": 0.5, "ours": 0.4},
        {"data": "z", "ours": 0.4},
    ]
    assert agreement(records).startswith("2 numbers: 1 within 0.03 (50 %)")
    assert agreement([]) == "no published numbers"
    findings = [("It holds", True, "1"), ("It does not", False, ""), ("Who?", None, "")]
    result = Result(records, ["Text.", Table(["a"], [[0.12345]])], findings, ["Tried."])
    write(tmp_path, "t", "A table", result, quick=False, seconds=1.0)
    text = (tmp_path / "t.md").read_text()
    for expected in ("# A table", "| 0.123 |", "**no**", "cannot be said", "- Tried."):
        assert expected in text
    assert (
        markdown(Table(["a", "b"], [[True]]))
        == "| a | b |\n| --- | --- |\n| yes |  |\n"
    )


@pytest.mark.slow
@pytest.mark.skipif(not REAL.is_dir(), reason="SKLEARN_KERNELCLUST_DATA is not set")
@pytest.mark.parametrize("name", ["bbc", "bbcsport"])
def test_raw_text_gives_the_published_vocabulary(name):
    texts = [r["text"] for r in read_lines(REAL, name)]
    own = count_terms(texts).shape[1]
    assert own == pytest.approx(published("dd1")[name, "terms"], rel=0.002)
    assert load(REAL, name).counts.shape[1] == published("dd1")[name, "terms"]

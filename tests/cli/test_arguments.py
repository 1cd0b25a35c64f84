"""The command line."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import sklearn_kernelclust
from sklearn_kernelclust._cli._arguments import make_parser, parse


def test_defaults():
    options = parse([])
    assert options.paths == []
    assert options.k is options.depth is None
    assert options.k_range == range(2, 11)
    assert options.max_size == 100 * 2**20
    assert options.method == "kernel-kmeans"
    assert options.seed == 0


def test_other_methods_make_no_tree():
    assert parse(["--method", "kpddp"]).k == "auto"
    assert parse(["--method", "kpddp", "--k", "3"]).k == 3


def test_values():
    argv = "a b --k 7 --k-range 3-5 --t inf --p 1 --shift none --jobs -1 --max-size 2k"
    options = parse(argv.split())
    assert options.paths == [Path("a"), Path("b")]
    assert (options.k, options.k_range) == (7, range(3, 6))
    assert (options.t, options.p, options.shift) == (float("inf"), 1.0, 0.0)
    assert (options.jobs, options.max_size) == (-1, 2048)
    assert parse(["--shift", "-0.5"]).shift == -0.5
    assert parse(["--shift", "zero-trace"]).shift == "zero-trace"


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        ("--k 1", "auto or a whole number from 2 on, got '1'"),
        ("--k many", "got 'many'"),
        ("--k-range 5", "such as 2-10"),
        ("--k-range 5-3", "got '5-3'"),
        ("--k-range 1-3", "got '1-3'"),
        ("--t -1", "0 or more"),
        ("--t nan", "got 'nan'"),
        ("--p 0", "above 0, at most 1, got '0'"),
        ("--p 1.5", "got '1.5'"),
        ("--shift inf", "finite"),
        ("--shift much", "a finite number, zero-trace or none"),
        ("--seed -1", "from 0 to 4294967295"),
        ("--jobs 0", "other than 0"),
        ("--min-df 0", "from 1 on"),
        ("--max-size 0", "such as 500K"),
        ("--max-size big", "got 'big'"),
        ("--encoding klingon", "an encoding that Python knows, got 'klingon'"),
        ("--encoding rot13", "got 'rot13'"),
        ("--kernel nothing", "no kernel 'nothing'"),
        ("--method nothing", "invalid choice"),
        ("--kernel precomputed", "needs a PATH"),
        ("--method pddp --t 0", "--t does not apply"),
        ("--method pddp --p 0.5", "--p does not apply"),
        ("--method pddp --shift zero-trace", "--shift does not apply"),
        ("--method pddp --kernel rbf", "takes no --kernel rbf"),
        ("--depth 2 --k 3", "leave out --k 3"),
        ("--depth 2 --method kpddp", "which --method kernel-kmeans makes"),
        ("--depth 0", "from 1 on"),
        ("--embeddings x.npy", "--embeddings needs a PATH"),
        ("a --embeddings x.npy --kernel precomputed", "does not apply"),
        ("predict", "the following arguments are required: MODEL, PATH"),
        ("--no-such-option", "unrecognized arguments"),
    ],
)
def test_wrong_usage(argv, message, capsys):
    with pytest.raises(SystemExit) as stop:
        parse(argv.split())
    assert stop.value.code == 2
    error = capsys.readouterr().err
    assert "usage: kernelclust" in error
    assert message in error


@pytest.mark.parametrize("shift", ["none", "0"])
def test_no_shift_goes_with_any_method(shift):
    assert parse(["--method", "pddp", "--shift", shift]).shift == 0


@pytest.mark.parametrize("argv", [[""], ["--out", ""]])
def test_an_empty_path_is_not_the_working_directory(argv, capsys):
    with pytest.raises(SystemExit):
        parse(argv)
    assert "an empty path" in capsys.readouterr().err


def test_help_names_all_that_matters(capsys):
    with pytest.raises(SystemExit) as stop:
        parse(["--help"])
    assert stop.value.code == 0
    text = capsys.readouterr().out
    for word in ("exit codes", "labels.csv", "model.joblib", "report.html", "trust"):
        assert word in text
    assert max(map(len, text.splitlines())) <= 88


def test_help_fits_a_terminal_and_mentions_every_option():
    root = Path(sklearn_kernelclust.__path__[0]).parent
    text = subprocess.run(
        [sys.executable, "-m", "sklearn_kernelclust", "--help"],
        capture_output=True,
        check=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(root), "COLUMNS": "100"},
    ).stdout
    assert max(map(len, text.splitlines())) <= 100
    for action in make_parser()._actions:
        for option in action.option_strings:
            assert re.search(rf"^  .*{option}\b", text, re.MULTILINE), option


def test_version(capsys):
    with pytest.raises(SystemExit) as stop:
        parse(["--version"])
    assert stop.value.code == 0
    version = sklearn_kernelclust.__version__
    assert capsys.readouterr().out == f"kernelclust {version}\n"


def test_each_option_says_what_it_is_for():
    for action in make_parser()._actions:
        assert action.help, action.option_strings

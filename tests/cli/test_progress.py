"""How far the work is."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import io
import re
import sys

import numpy as np
import pytest

from sklearn_kernelclust import KernelKMeans
from sklearn_kernelclust._cli import _progress
from sklearn_kernelclust._cli._arguments import parse
from sklearn_kernelclust._cli._progress import progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def terminal(monkeypatch):
    """A terminal that shows every step."""
    terminal = Terminal()
    monkeypatch.setattr(_progress, "terminal", lambda: terminal)
    monkeypatch.setattr(_progress, "INTERVAL", 0.0)
    return terminal


def test_a_line_that_is_wiped(terminal):
    with progress("Reading") as meter:
        assert terminal.getvalue().endswith("\r\x1b[KReading ...")
        for _ in range(1234):
            meter.step()
        assert terminal.getvalue().endswith("\r\x1b[KReading ... 1,234")
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_a_bar_where_the_end_is_known(terminal):
    with progress("Clustering") as meter:
        meter.total = 4
        meter.step()
        assert "[######                  ]  25%" in terminal.getvalue()


def test_it_is_not_drawn_more_often_than_people_can_see(terminal, monkeypatch):
    monkeypatch.setattr(_progress, "INTERVAL", 3600.0)
    with progress("Reading") as meter:
        for _ in range(1000):
            meter.step()
    assert terminal.getvalue() == "\r\x1b[KReading ...\r\x1b[K"


@pytest.mark.parametrize("stream", [io.StringIO(), None])
def test_nothing_where_there_is_no_terminal(monkeypatch, stream):
    monkeypatch.setattr(sys, "stderr", stream)
    with progress("Reading") as meter:
        meter.step()
    assert stream is None or stream.getvalue() == ""


def test_nothing_if_quiet(terminal):
    with progress("Reading", options=parse(["--quiet"])):
        pass
    assert terminal.getvalue() == ""


def test_the_time_if_verbose(capsys):
    with progress("Reading", options=parse(["-v"])):
        pass
    assert re.fullmatch(r"Reading: \d+\.\d s\n", capsys.readouterr().err)


def test_it_hears_of_the_steps_of_a_fit(terminal):
    model = KernelKMeans(2, kernel="linear", random_state=0)
    if not hasattr(model, "set_callbacks"):
        pytest.skip("scikit-learn before 1.9 has no callbacks")
    with progress("Clustering", model) as meter:
        model.fit(np.random.RandomState(0).randn(50, 2))
    assert meter.total == model.max_iter
    assert model.n_iter_ <= meter.done <= model.max_iter
    assert "_skl_callbacks" not in vars(model)


def test_the_line_is_wiped_after_an_error(terminal):
    with pytest.raises(KeyboardInterrupt), progress("Reading"):
        assert "Reading" in terminal.getvalue()
        raise KeyboardInterrupt
    assert terminal.getvalue().endswith("\r\x1b[K")

"""How far the work is."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import io
import sys
from time import sleep

import numpy as np
import pytest

from sklearn_kernelclust import KernelKMeans
from sklearn_kernelclust._cli import _progress
from sklearn_kernelclust._cli._progress import Meter, progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def terminal(monkeypatch):
    """A terminal, and no patience."""
    terminal = Terminal()
    monkeypatch.setattr(_progress, "terminal", lambda: terminal)
    monkeypatch.setattr(_progress, "PATIENCE", 0.01)
    monkeypatch.setattr(_progress, "INTERVAL", 0.01)
    return terminal


def wait_for(terminal, text):
    for _ in range(500):
        if text in terminal.getvalue():
            return
        sleep(0.01)
    pytest.fail(f"{text!r} did not come: {terminal.getvalue()!r}")


def test_a_line_that_is_wiped(terminal):
    with progress("Reading") as meter:
        wait_for(terminal, "Reading ...  0 s")
        for _ in range(1234):
            meter.step()
        wait_for(terminal, "Reading ...  1,234  0 s")
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_a_bar_where_the_end_is_known(terminal):
    with progress("Clustering") as meter:
        meter.total = 4
        meter.step()
        wait_for(terminal, "[######                  ]  25%")


def test_nothing_within_a_second(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(_progress, "terminal", lambda: terminal)
    with progress("Reading"):
        pass
    assert terminal.getvalue() == ""


@pytest.mark.parametrize("stream", [io.StringIO(), None])
def test_nothing_where_there_is_no_terminal(monkeypatch, stream):
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(_progress, "PATIENCE", 0.0)
    with progress("Reading") as meter:
        meter.step()
        sleep(0.02)
    assert stream is None or stream.getvalue() == ""


def test_nothing_if_quiet(terminal):
    with progress("Reading", quiet=True):
        sleep(0.05)
    assert terminal.getvalue() == ""


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
        wait_for(terminal, "Reading")
        raise KeyboardInterrupt
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_a_terminal_that_is_gone():
    terminal = Terminal()
    terminal.close()
    with Meter("Reading", terminal) as meter:
        meter._put("text")
    assert meter._over.is_set()

"""How far the work is, on a terminal, once it has taken more than a second."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import sys
import threading
from contextlib import contextmanager
from time import monotonic

PATIENCE = 1.0
INTERVAL = 0.2
BAR = 24


class Meter:
    """One line on a terminal that is drawn over again and wiped at the end.

    It is a callback of scikit-learn, too: set on an estimator, it counts the
    pieces of work that the fit tells of. scikit-learn before 1.9 has no
    callbacks; then the line has the seconds only.

    Parameters
    ----------
    title : str
        What is being done.
    stream : file
        A terminal.
    """

    def __init__(self, title, stream):
        self.title, self.stream = title, stream
        self.done, self.total = 0, None
        self._start, self._drawn = monotonic(), False
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._draw_until_over, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *error):
        self._over.set()
        self._thread.join()
        if self._drawn:
            self._put("\r\x1b[K")

    def step(self):
        """One more piece of work is done."""
        self.done += 1

    def setup(self, estimator, context):
        """A fit begins."""
        self.done, self.total = 0, context.max_subtasks or None

    def on_fit_task_begin(self, estimator, context):
        """A piece of work begins."""

    def on_fit_task_end(self, estimator, context):
        """A piece of work is done; those of pieces are not counted."""
        if context.parent is not None and context.parent.parent is None:
            self.step()

    def teardown(self, estimator, context):
        """A fit is over."""

    def line(self):
        """What to show now."""
        seconds = f"{monotonic() - self._start:.0f} s"
        if self.total:
            share = min(self.done / self.total, 1)
            bar = "#" * round(BAR * share)
            return f"{self.title} [{bar:{BAR}}] {share:4.0%}  {seconds}"
        count = f"  {self.done:,}" if self.done else ""
        return f"{self.title} ...{count}  {seconds}"

    def _draw_until_over(self):
        wait = PATIENCE
        while not self._over.wait(wait):
            self._put("\r\x1b[K" + self.line())
            self._drawn, wait = True, INTERVAL

    def _put(self, text):
        try:
            self.stream.write(text)
            self.stream.flush()
        except (OSError, ValueError):
            self._over.set()


class Silence:
    """A meter that shows nothing."""

    def step(self):
        """One more piece of work is done."""


def terminal():
    """Where people would see it, None if they would not."""
    stream = sys.stderr
    return stream if stream is not None and stream.isatty() else None


@contextmanager
def progress(title, *estimators, quiet=False):
    """A meter for a piece of work, silent where nobody would see it.

    Parameters
    ----------
    title : str
        What is being done.
    *estimators : estimators
        Whose fits tell how far they are.
    quiet : bool
        Show nothing.
    """
    stream = None if quiet else terminal()
    if stream is None:
        yield Silence()
        return
    meter = Meter(title, stream)
    told = [e for e in estimators if hasattr(e, "set_callbacks")]
    try:
        with meter:
            for estimator in told:
                estimator.set_callbacks(meter)
            yield meter
    finally:
        # A fitted model must not drag a thread and a terminal along.
        for estimator in told:
            estimator.set_callbacks()

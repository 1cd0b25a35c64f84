"""Show on a terminal what the program is doing, and how far it is."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import sys
from contextlib import contextmanager
from threading import Event, Lock, Thread
from time import monotonic

INTERVAL = 0.2
BAR = 24
WIPE = "\r\x1b[K"


class Meter:
    """A line on a terminal, and a callback of scikit-learn that redraws it.

    scikit-learn before 1.9 has no callbacks; there the line has no bar.

    Parameters
    ----------
    title : str
        What is being done.
    stream : file or None
        A terminal. None shows nothing.
    """

    def __init__(self, title, stream=None):
        self.title, self.stream = title, stream
        self.done, self.total = 0, None
        self._began_at, self._lock, self._ended = monotonic(), Lock(), Event()
        self._write(self.line())
        if stream is not None:
            Thread(target=self._tick, daemon=True).start()

    def step(self):
        """Count one more piece of work."""
        self.done += 1
        if monotonic() - self._drawn_at >= INTERVAL:
            self._write(self.line())

    def wipe(self):
        """Clear the line."""
        self._ended.set()
        self._write("")

    def line(self):
        """What to show now."""
        seconds = int(monotonic() - self._began_at)
        elapsed = f"  {seconds} s" if seconds else ""
        if self.total:
            share = min(self.done / self.total, 1)
            bar = f"[{'#' * round(BAR * share):{BAR}}] {share:4.0%}"
            return f"{self.title} {bar}{elapsed}"
        done = f" {self.done:,}" if self.done else ""
        return f"{self.title} ...{done}{elapsed}"

    def setup(self, estimator, context):
        """Begin a fit."""
        self.done, self.total = 0, context.max_subtasks or None

    def on_fit_task_begin(self, estimator, context):
        """Begin a piece of work: nothing to show."""

    def on_fit_task_end(self, estimator, context):
        """Count the pieces of a fit, but not their own pieces."""
        if context.parent is not None and context.parent.parent is None:
            self.step()

    def teardown(self, estimator, context):
        """End a fit: nothing to show."""

    def _tick(self):
        """Redraw the line every second, however long a step takes."""
        while not self._ended.wait(1.0):
            self._write(self.line(), unless_ended=True)

    def _write(self, text, unless_ended=False):
        with self._lock:
            self._drawn_at = monotonic()
            if self.stream is None or (unless_ended and self._ended.is_set()):
                return
            print(WIPE + text, end="", file=self.stream, flush=True)


def terminal():
    """The terminal that shows errors, None if there is none."""
    stream = sys.stderr
    return stream if stream is not None and stream.isatty() else None


@contextmanager
def progress(title, *estimators, options=None):
    """Show a meter while the block runs.

    Parameters
    ----------
    title : str
        What is being done.
    *estimators : estimators
        Estimators that are fitted in the block; their fits move the meter.
    options : Namespace or None
        With `quiet`, nothing is shown. With `verbose`, the time is printed.
    """
    stream = None if options and options.quiet else terminal()
    meter, start = Meter(title, stream), monotonic()
    listening = [e for e in estimators if stream and hasattr(e, "set_callbacks")]
    try:
        for estimator in listening:
            estimator.set_callbacks(meter)
        yield meter
    finally:
        # A fitted model must not hold on to a terminal.
        for estimator in listening:
            estimator.set_callbacks()
        meter.wipe()
    if options and options.verbose:
        print(f"{title}: {monotonic() - start:.1f} s", file=sys.stderr)

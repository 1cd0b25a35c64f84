"""Faults in the middle of a fit: nothing half-fitted, nothing left behind."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import os
import signal
import sys
import time
from contextlib import contextmanager
from functools import partial
from itertools import count
from multiprocessing import active_children

import numpy as np
import pytest
from joblib.externals.loky.process_executor import TerminatedWorkerError
from sklearn import clone
from sklearn.datasets import make_blobs
from sklearn.exceptions import NotFittedError

from sklearn_kernelclust import (
    KPDDP,
    PDDP,
    BisectingKernelKMeans,
    DiagonalShift,
    EmpiricalKernelMap,
    KernelKMeans,
    KernelPCAKMeans,
    LocalScalingKernel,
    PairwiseKernel,
    PowerMeanNormalizer,
    PredictionStrengthK,
    PrototypeReducer,
    SpectralClustering,
    StringKernel,
    SubpolynomialKernel,
)

pytestmark = pytest.mark.filterwarnings("ignore")

SEED = {"random_state": 0}
CLUSTERERS = {
    "lloyd": KernelKMeans(3, **SEED),
    "split-merge": KernelKMeans(3, algorithm="split-merge", **SEED),
    "hartigan": KernelKMeans(3, algorithm="hartigan", **SEED),
    "bisecting": BisectingKernelKMeans(3, **SEED),
    "PDDP": PDDP(3),
    "KPDDP": KPDDP(3, split="optimal-cut"),
    "spectral": SpectralClustering(3, **SEED),
    "kernel PCA": KernelPCAKMeans(3, **SEED),
    "choice": PredictionStrengthK(
        KernelKMeans(n_init=2), n_clusters=(2, 3), n_splits=2, **SEED
    ),
}
ON_FEATURES = CLUSTERERS | {
    "rbf": PairwiseKernel("rbf"),
    "local scaling": LocalScalingKernel(),
    "power mean": PowerMeanNormalizer(),
}
ON_KERNELS = {
    "shift": DiagonalShift(),
    "power": SubpolynomialKernel(),
    "map": EmpiricalKernelMap(),
    "prototypes": PrototypeReducer(),
}
EVERY = [*ON_FEATURES, *ON_KERNELS, "strings"]


def model_and_data(name, n):
    """An estimator, and data for it that are different for each `n`."""
    X = make_blobs(n, 4, centers=5, cluster_std=3, random_state=n)[0]
    if name in ON_KERNELS:
        return clone(ON_KERNELS[name]), X @ X.T
    if name == "strings":
        codes = np.random.default_rng(n).integers(4, size=(n, 9))
        return StringKernel(2), ["".join(row) for row in np.array(list("abcd"))[codes]]
    return clone(ON_FEATURES[name]), X


# Functions that take memory, as the package and what it builds on call them.
ALLOCATIONS = [
    *("arange", "array", "asarray", "ascontiguousarray", "bincount", "concatenate"),
    *("copy", "empty", "empty_like", "full", "ones", "outer", "repeat", "tile"),
    *("unique", "where", "zeros", "zeros_like"),
]


class Allocations:
    """Counts allocations, and fails at one of them."""

    def __init__(self, fail_at):
        self.n, self.fail_at = 0, fail_at

    def wrap(self, allocate):
        def allocate_or_fail(*args, **kwargs):
            self.n += 1
            if self.n == self.fail_at:
                raise MemoryError(f"allocation {self.n}")
            return allocate(*args, **kwargs)

        return allocate_or_fail


@contextmanager
def failing_at(number):
    allocations = Allocations(number)
    with pytest.MonkeyPatch.context() as patch:
        for name in ALLOCATIONS:
            patch.setattr(np, name, allocations.wrap(getattr(np, name)))
        yield allocations


def moments(name, n_moments):
    """Numbers of allocations at which a fit is to fail: all, or some of them."""
    model, data = model_and_data(name, 20)
    with failing_at(0) as allocations:
        model.fit(data)
    if n_moments is None:
        return range(1, allocations.n + 1)
    return np.unique(np.linspace(1, allocations.n, n_moments).astype(int))


def check_memory_errors(name, n_moments):
    for number in moments(name, n_moments):
        unfitted, data = model_and_data(name, 20)
        fitted = clone(unfitted).fit(model_and_data(name, 21)[1])
        for model in (unfitted, fitted):
            before = dict(vars(model))
            try:
                with failing_at(number):
                    model.fit(data)
            except Exception as error:
                assert comes_from_memory(error)
                assert_same_state(model, before)


def comes_from_memory(error):
    """Others may raise an error of their own while they handle ours."""
    while error is not None and not isinstance(error, MemoryError):
        error = error.__cause__ or error.__context__
    return error is not None


def assert_same_state(model, before):
    """Every attribute is the same object as before."""
    assert is_as_before(model, before)


@pytest.mark.parametrize("name", EVERY)
def test_out_of_memory(name):
    check_memory_errors(name, 8)


@pytest.mark.slow
@pytest.mark.parametrize("name", EVERY)
def test_out_of_memory_at_each_allocation(name):
    check_memory_errors(name, None)


@pytest.mark.parametrize("name", EVERY)
def test_a_clean_fit_after_a_failed_one(name):
    model, data = model_and_data(name, 20)
    expected = clone(model).fit(data)
    with pytest.raises(MemoryError), failing_at(3):
        model.fit(data)
    model.fit(data)
    for key, value in vars(expected).items():
        if key.endswith("_") and isinstance(value, np.ndarray):
            np.testing.assert_array_equal(vars(model)[key], value)


@contextmanager
def interrupt_after(seconds, times):
    """Ctrl-C, after some time; when it was is added to `times`."""

    def handle(signum, frame):
        times.append(time.perf_counter())
        raise KeyboardInterrupt

    previous = signal.signal(signal.SIGALRM, handle)
    try:
        signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-6))
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


@contextmanager
def interrupt_at_call(number, calls):
    """Ctrl-C at a call of a function of the package; all are added to `calls`."""

    def count_calls(frame, event, argument):
        if event == "call" and "sklearn_kernelclust" in frame.f_code.co_filename:
            calls.append(time.perf_counter())
            if len(calls) == number:
                sys.setprofile(None)
                raise KeyboardInterrupt

    sys.setprofile(count_calls)
    try:
        yield
    finally:
        sys.setprofile(None)


def check_interrupts_at_calls(name, n, n_moments):
    model, data = model_and_data(name, n)
    calls = []
    with interrupt_at_call(0, calls):
        fitted = clone(model).fit(data)
    rng = np.random.default_rng(0)
    numbers = rng.integers(1, len(calls) + 1, n_moments)
    for number, victim in zip(numbers, both(model, fitted)):
        # The machine may be busy: how soon it ends, the slow test says.
        check_interrupt(victim, data, partial(interrupt_at_call, number), seconds=60)


def check_interrupts(name, n, n_moments):
    model, data = model_and_data(name, n)
    start = time.perf_counter()
    clone(model).fit(data)
    duration = time.perf_counter() - start
    fitted = clone(model).fit(model_and_data(name, 21)[1])
    rng = np.random.default_rng(0)
    for moment, victim in zip(rng.uniform(0, duration, n_moments), both(model, fitted)):
        check_interrupt(victim, data, partial(interrupt_after, moment))


def both(model, fitted):
    return (clone(model) if i % 2 else fitted for i in count())


def check_interrupt(model, data, interrupt, seconds=2):
    """Soon the fit ends, and the model is what it was.

    Or it is fitted, if all was done when the interrupt came.
    """
    before, processes, times = dict(vars(model)), active_children(), []
    try:
        with interrupt(times):
            model.fit(data)
    except KeyboardInterrupt:
        assert time.perf_counter() - times[-1] < seconds
        if not is_as_before(model, before):
            assert_fitted(model, data)
    vars(model).clear()
    vars(model).update(before)
    # Those of earlier tests may be waiting for more work.
    assert set(active_children()) <= set(processes)


def is_as_before(model, before):
    same = vars(model).keys() == before.keys()
    return same and all(vars(model)[key] is value for key, value in before.items())


def assert_fitted(model, data):
    """All that a fit without interrupts would have remembered."""
    expected = vars(clone(model).fit(data))
    assert vars(model).keys() == expected.keys()
    for key, value in expected.items():
        if isinstance(value, np.ndarray):
            np.testing.assert_array_equal(vars(model)[key], value)


needs_alarm = pytest.mark.skipif(
    not hasattr(signal, "setitimer"), reason="no timers on this system"
)


@pytest.mark.parametrize("name", EVERY)
def test_interrupts(name):
    """At calls that are drawn once: the same on every machine, however busy."""
    check_interrupts_at_calls(name, 80, 6)


@needs_alarm
@pytest.mark.slow
@pytest.mark.parametrize("name", EVERY)
def test_interrupts_of_long_fits(name):
    check_interrupts(name, 1500, 50)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL on this system")
def test_a_killed_worker_is_named():
    def kill(labels, predicted):
        os.kill(os.getpid(), signal.SIGKILL)

    model, X = model_and_data("choice", 40)
    model.set_params(n_jobs=2, criterion=kill)
    before = dict(vars(model))
    with pytest.raises(TerminatedWorkerError, match=r"worker process.*terminated"):
        model.fit(X)
    assert_same_state(model, before)
    with pytest.raises(NotFittedError):
        model.predict(X)
    assert model.set_params(criterion="prediction-strength").fit(X).best_k_ in (2, 3)

"""Exceptions of a user's estimator, and the backends that carry them."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import sys
import threading
from contextlib import nullcontext
from multiprocessing.dummy import DummyProcess
from traceback import format_exception

import numpy as np
import pytest
from joblib import parallel_config
from joblib.externals.loky import get_reusable_executor
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs
from sklearn.exceptions import FitFailedWarning
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_kernelclust import (
    PDDP,
    KernelKMeans,
    PairwiseKernel,
    PredictionStrengthK,
)
from sklearn_kernelclust._model_selection import _prediction_strength
from sklearn_kernelclust._model_selection._splits import Score

FEW = {"n_clusters": range(2, 6), "n_splits": 4, "random_state": 0}
BACKENDS = ["loky", "threading", "multiprocessing", "dask"]


class OddError(ValueError):
    """An exception that cannot be unpickled."""

    def __init__(self, first, second):
        super().__init__(f"{first} {second}")


class Failing(KMeans):
    """Fails with as many clusters as `fails_from`, or more."""

    def __init__(self, n_clusters=8, n_init=1, fails_from=0, error=None):
        super().__init__(n_clusters, n_init=n_init)
        self.fails_from = fails_from
        self.error = error

    def fit(self, X, y=None, sample_weight=None):
        if self.n_clusters >= self.fails_from:
            raise (self.error or OddError)("a mistake", "of mine")
        return super().fit(X)


class FailingStep(StandardScaler):
    def fit(self, X, y=None, sample_weight=None):
        raise OddError("a mistake", "of mine")


@pytest.fixture(scope="module")
def blobs():
    return make_blobs(80, 3, centers=3, cluster_std=0.4, random_state=1)[0]


def shown(error):
    """What a user sees of an exception."""
    return "".join(format_exception(error))


def test_an_estimator_that_always_fails(blobs):
    with pytest.raises(ValueError, match=r"\[2, 3, 4, 5\] .* 40 .*: a mistake") as info:
        PredictionStrengthK(Failing(), **FEW).fit(blobs)
    assert isinstance(info.value.__cause__, OddError)
    assert 'raise (self.error or OddError)("a mistake"' in shown(info.value)


@pytest.mark.parametrize(
    "estimator",
    [
        make_pipeline(FailingStep(), KMeans(n_init=1)),
        make_pipeline(
            FailingStep(), PairwiseKernel(), KernelKMeans(kernel="precomputed")
        ),
    ],
)
def test_a_step_that_always_fails(blobs, estimator):
    with pytest.raises(ValueError, match=r"could not be scored .* a mistake") as info:
        PredictionStrengthK(estimator, **FEW).fit(blobs)
    assert 'raise OddError("a mistake", "of mine")' in shown(info.value)
    with pytest.raises(OddError):
        PredictionStrengthK(estimator, error_score="raise", **FEW).fit(blobs)


@pytest.mark.parametrize(
    "backend",
    ["threading", pytest.param("loky", marks=pytest.mark.slow), "multiprocessing"],
)
def test_its_traceback_comes_from_any_worker(blobs, backend):
    choice = PredictionStrengthK(Failing(), n_jobs=2, **FEW)
    expected = pytest.raises(ValueError, match="could not")
    with client_of(backend), parallel_config(backend), expected as info:
        choice.fit(blobs)
    assert 'raise (self.error or OddError)("a mistake"' in shown(info.value)


def test_raise(blobs):
    choice = PredictionStrengthK(Failing(), error_score="raise", **FEW)
    with pytest.raises(OddError) as info:
        choice.fit(blobs)
    assert info.traceback[-1].frame.f_locals["self"].n_clusters == 2


def test_an_estimator_that_fails_now_and_then(blobs):
    choice = PredictionStrengthK(Failing(fails_from=4), **FEW)
    with pytest.warns(FitFailedWarning, match=r"\[4, 5\] clusters .* a mistake of"):
        choice.fit(blobs)
    assert choice.best_k_ == 3
    assert np.isnan(choice.scores_[2:]).all()
    with pytest.raises(OddError):
        clone(choice).set_params(error_score="raise").fit(blobs)


@pytest.mark.parametrize("error_score", [np.nan, "raise"])
def test_other_exceptions_are_raised(blobs, error_score):
    choice = PredictionStrengthK(
        Failing(error=RuntimeError), error_score=error_score, **FEW
    )
    with pytest.raises(RuntimeError, match="a mistake"):
        choice.fit(blobs)


@pytest.mark.parametrize("error_score", [0.0, "nan", None])
def test_bad_error_score(blobs, error_score):
    with pytest.raises(ValueError, match="'error_score' parameter"):
        PredictionStrengthK(KMeans(), error_score=error_score).fit(blobs)


def test_no_data_is_kept_of_a_failure():
    def fails(data):
        raise ValueError

    try:
        fails(np.ones(1000))
    except ValueError as error:
        score = Score.failed(error)
    assert score.error.__traceback__.tb_frame.f_code is fails.__code__
    assert not score.error.__traceback__.tb_frame.f_locals


@pytest.mark.parametrize("error_score", [np.nan, "raise"])
def test_a_short_way_to_a_failure(blobs, error_score):
    """A user who looks for the cause meets five files of this package."""
    files = set()

    def note(frame, event, arg):
        if event == "call" and "sklearn_kernelclust/" in frame.f_code.co_filename:
            files.add(frame.f_code.co_filename)

    choice = PredictionStrengthK(Failing(), error_score=error_score, **FEW)
    with pytest.raises(ValueError, match="a mistake"):
        sys.setprofile(note)
        try:
            choice.fit(blobs)
        finally:
            sys.setprofile(None)
    assert 1 < len(files) <= 5


def test_an_iterator_is_refused_at_once():
    texts = (text for text in ["a b", "b c"] * 10)
    choice = PredictionStrengthK(KernelKMeans(), reduction_rate=2)
    with pytest.raises(TypeError, match=r"X is a generator, .* pass list\(X\)"):
        choice.fit(texts)
    assert next(texts) == "a b"


def client_of(backend):
    """What a backend needs beside itself; skips tests where it is missing."""
    if backend == "multiprocessing":
        # A process that forks amid the work of loky's threads, or of those that an
        # interrupt has left to finish their task, may wait forever.
        get_reusable_executor().shutdown(wait=True)
        for thread in threading.enumerate():
            if isinstance(thread, DummyProcess):
                thread.join(timeout=60)
    if backend != "dask":
        return nullcontext()
    distributed = pytest.importorskip("distributed")
    return distributed.Client(processes=False, dashboard_address=None)


@pytest.mark.parametrize("backend", BACKENDS)
# Not scikit-learn's KMeans: OpenMP waits forever in a forked process.
@pytest.mark.parametrize(
    "estimator",
    [KernelKMeans(n_init=2), pytest.param(PDDP(), marks=pytest.mark.slow)],
)
def test_backends_do_not_matter(blobs, estimator, backend):
    choice = PredictionStrengthK(estimator, **FEW)
    expected = clone(choice).fit(blobs)
    with client_of(backend), parallel_config(backend, n_jobs=2):
        choice.fit(blobs)
    assert_allclose(choice.scores_, expected.scores_)
    assert_array_equal(choice.labels_, expected.labels_)


@pytest.mark.parametrize("backend", BACKENDS[1:3])
def test_an_interrupt_under_any_backend(blobs, backend, monkeypatch):
    """Control-C after the second split leaves the estimator as it was."""

    class Interrupt:
        n_steps = 0

        def __init__(self, *args): ...

        def step(self, name):
            Interrupt.n_steps += 1
            if Interrupt.n_steps == 2:
                raise KeyboardInterrupt

    monkeypatch.setattr(_prediction_strength, "Progress", Interrupt)
    choice = PredictionStrengthK(PDDP(), **FEW)
    expected = pytest.raises(KeyboardInterrupt)
    with client_of(backend), parallel_config(backend, n_jobs=2), expected:
        choice.fit(blobs)
    assert not hasattr(choice, "scores_")
    assert Interrupt.n_steps == 2

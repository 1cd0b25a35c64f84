"""Warnings point at the line that asked for what they tell."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings
from _thread import start_new_thread
from inspect import currentframe
from queue import SimpleQueue

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from sklearn_kernelclust import (
    PDDP,
    BisectingKernelKMeans,
    KernelKMeans,
    KernelPCAKMeans,
    PairwiseKernel,
    PowerMeanNormalizer,
    PredictionStrengthK,
    SpectralClustering,
    StringKernel,
)
from sklearn_kernelclust._utils import _warnings
from sklearn_kernelclust._utils._warnings import warn_user

X = np.random.default_rng(0).normal(size=(40, 3))
THREE = np.repeat([[0.0], [1.0], [5.0]], 10, axis=0)
FOUR_PARTS = np.kron(np.eye(4), np.ones((5, 5)))
GIVEN = {"kernel": "precomputed"}

hurried = KernelKMeans(5, max_iter=1, n_init=1, random_state=0)
KS = {"n_clusters": [3, 4], "n_splits": 3, "random_state": 0}
choice = PredictionStrengthK(KMeans(n_init=1), **KS)
strict = PredictionStrengthK(KMeans(n_init=1), select="threshold", **KS)


def line_of_the_only_warning(message, record):
    assert [w for w in record if message in str(w.message)] == list(record)
    assert {w.filename for w in record} == {__file__}
    return {w.lineno for w in record}


@pytest.mark.parametrize(
    "message, work",
    [
        ("did not converge", lambda: hurried.fit(X)),
        ("did not converge", lambda: hurried.fit_predict(X)),
        ("did not converge", lambda: hurried.fit_transform(X)),
        ("did not converge", lambda: make_pipeline(hurried).fit(X)),
        ("did not converge", lambda: GridSearchCV(hurried, {}, cv=2).fit(X)),
        ("looks like a kernel", lambda: KernelKMeans(2).fit(np.eye(5))),
        ("looks like a kernel", lambda: PairwiseKernel().fit_transform(np.eye(5))),
        ("the identity", lambda: KernelKMeans(1, kernel="precomputed").fit(np.eye(20))),
        ("clusters empty", lambda: KernelKMeans(2, init=np.zeros(40, int)).fit(X)),
        ("distinct clusters", lambda: BisectingKernelKMeans(5).fit(THREE)),
        ("distinct clusters", lambda: PDDP(5).fit_predict(THREE)),
        ("components", lambda: SpectralClustering(2, **GIVEN).fit(FOUR_PARTS)),
        ("No eigengap", lambda: SpectralClustering(2, **GIVEN).fit(np.ones((8, 8)))),
        ("positive eigenvalues", lambda: KernelPCAKMeans(2, n_components=9).fit(THREE)),
        ("self-similarity 0", lambda: PowerMeanNormalizer().fit_transform([[0], [1]])),
        ("no substring", lambda: StringKernel(3).fit(["abcd", "", "abce"])),
        ("could not be scored", lambda: choice.fit(THREE)),
        ("could not be scored", lambda: choice.fit_predict(THREE)),
        ("above threshold", lambda: strict.fit(X)),
    ],
)
def test_at_the_line_of_the_user(message, work):
    with warnings.catch_warnings(record=True) as record:
        warnings.simplefilter("always")
        work()
    found = line_of_the_only_warning(message, record)
    assert found == {work.__code__.co_firstlineno}


def test_a_subclass_is_the_user():
    class Mine(KernelKMeans):
        def fit(self, X, y=None):
            return super().fit(X)

    with pytest.warns(UserWarning) as record:
        Mine(5, max_iter=1, n_init=1, random_state=0).fit(X)
    line = Mine.fit.__code__.co_firstlineno + 1
    assert line_of_the_only_warning("did not converge", record) == {line}


def test_category():
    with pytest.warns(UserWarning, match="plain") as record:
        warn_user("plain")
        line = currentframe().f_lineno - 1
    assert line_of_the_only_warning("plain", record) == {line}
    with pytest.warns(DeprecationWarning, match="other"):
        warn_user("other", DeprecationWarning)


def test_without_a_line_outside(monkeypatch):
    """A bare thread may run nothing but these packages: the outermost line."""
    levels = SimpleQueue()
    monkeypatch.setattr(
        _warnings, "warn", lambda *args, stacklevel: levels.put(stacklevel)
    )
    start_new_thread(warn_user, ("alone",))
    assert levels.get(timeout=60) == 1

"""Sums over clusters on workers are those of the host."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from contract import features
from numpy.testing import assert_allclose, assert_array_equal

workers = pytest.importorskip("workers")

from sklearn_kernelclust._gram import _distributed_sums  # noqa: E402
from sklearn_kernelclust._gram._distributed_leaves import (  # noqa: E402
    DistributedFactoredGram,
    gram_of_rows,
)
from sklearn_kernelclust._gram._factored import FactoredGram  # noqa: E402

X = features(50)
RUNS = np.arange(2)
KS = [3, 5]


def labels(seed):
    rng = np.random.RandomState(seed)
    return np.array([rng.randint(k, size=50) for k in KS])


def mass_and_norms(sums, rows, weight):
    mass = np.zeros((2, 5))
    for run, row in enumerate(rows):
        mass[run] = np.bincount(row, weight, minlength=5)
    totals = sums.totals(RUNS, rows)
    filled = mass > 0
    norms = np.where(filled, totals / np.where(filled, mass, 1) ** 2, np.inf)
    return mass, norms


@pytest.fixture(params=workers.CONTAINERS)
def both(request, monkeypatch):
    """Sums on workers and on the host, with few rows of S at a time."""
    monkeypatch.setattr(_distributed_sums, "SUMS_BYTES", 8 * 8 * 6)
    weight = np.random.RandomState(0).uniform(0.5, 1, size=50)
    grams = (
        gram_of_rows(workers.on_workers(X, request.param)),
        FactoredGram(X, X, symmetric=True),
    )
    sums = [gram.cluster_sums(KS, weight) for gram in grams]
    for each in sums:
        each.set(RUNS, labels(0))
    return *sums, weight


def test_verbs(both):
    ours, theirs, weight = both
    old = labels(0)
    assert_allclose(ours.own(RUNS, old), theirs.own(RUNS, old))
    assert_allclose(ours.totals(RUNS, old), theirs.totals(RUNS, old))
    assert_allclose(ours.columns(1, [3, 40, 3]), theirs.columns(1, [3, 40, 3]))
    mass, norms = mass_and_norms(theirs, old, weight)
    for rule in ("mean", "leave-one-out", "single-move"):
        expected = theirs.nearest(RUNS, mass, norms, old, rule)
        assert_array_equal(ours.nearest(RUNS, mass, norms, old, rule), expected)
    expected = theirs.nearest(RUNS, mass, norms)
    assert_array_equal(ours.nearest(RUNS, mass, norms), expected)
    shift = theirs.holding_shift(0, old[0], mass[0], norms[0])
    assert ours.holding_shift(0, old[0], mass[0], norms[0]) == pytest.approx(shift)


@pytest.mark.parametrize("n_changed", [0, 3, 40])
def test_updates_after_a_pass(both, n_changed):
    ours, theirs, weight = both
    old = labels(0)
    mass, norms = mass_and_norms(theirs, old, weight)
    new = ours.nearest(RUNS, mass, norms, old)
    new[:, :n_changed] = labels(1)[:, :n_changed]  # as where clusters were empty
    for sums in (ours, theirs):
        sums.update(RUNS, old, new)
    assert_allclose(ours.own(RUNS, new), theirs.own(RUNS, new))


def test_a_pass_from_other_labels_is_not_used(both):
    ours, theirs, weight = both
    mass, norms = mass_and_norms(theirs, labels(0), weight)
    ours.nearest(RUNS, mass, norms, labels(2))
    for sums in (ours, theirs):
        sums.update(RUNS, labels(0), labels(1))
    assert_allclose(ours.own(RUNS, labels(1)), theirs.own(RUNS, labels(1)))


def test_only_some_runs(both):
    ours, theirs, weight = both
    mass, norms = mass_and_norms(theirs, labels(0), weight)
    one = np.array([1])
    expected = theirs.nearest(one, mass[1:], norms[1:], labels(0)[1:])
    assert_array_equal(ours.nearest(one, mass[1:], norms[1:], labels(0)[1:]), expected)
    for sums in (ours, theirs):
        sums.update(one, labels(0)[1:], expected)
    now = np.array([labels(0)[0], expected[0]])
    assert_allclose(ours.own(RUNS, now), theirs.own(RUNS, now))


def test_new_objects():
    Y, norms = features(30, seed=1), np.square(X).sum(axis=1)
    sides = workers.on_workers(Y), workers.on_workers(X)
    ours = DistributedFactoredGram(*sides, np.square(Y).sum(axis=1), norms)
    sums = [gram.cluster_sums(KS) for gram in (ours, FactoredGram(Y, X))]
    for each in sums:
        each.set(RUNS, labels(0))
    mass = np.array([np.bincount(row, minlength=5) for row in labels(0)])
    norms = np.where(mass > 0, 1.0, np.inf)
    expected = sums[1].nearest(RUNS, mass, norms)
    assert_array_equal(sums[0].nearest(RUNS, mass, norms), expected)

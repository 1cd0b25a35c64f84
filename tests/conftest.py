"""Fixtures that all tests share."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import os

# Before scipy is imported: without it, scikit-learn skips its array API checks.
os.environ.setdefault("SCIPY_ARRAY_API", "1")

# Before numpy is imported: processes of pytest-xdist that share the cores would wait
# for each other's threads. Tests about threads set their number themselves.
if "PYTEST_XDIST_WORKER" in os.environ:
    for library in ("OPENBLAS", "OMP", "MKL"):
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")

import pytest
from hypothesis import settings

# The same examples in each run. Others: --hypothesis-profile=default
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")


@pytest.fixture(params=[0, 1, pytest.param(2, marks=pytest.mark.slow)])
def seed(request):
    """What is true for one seed must be true for all."""
    return request.param


@pytest.fixture(params=[0, *(pytest.param(s, marks=pytest.mark.slow) for s in (1, 2))])
def first_seed(request):
    """One seed, where a test takes long; the others are left to the slow tests."""
    return request.param


def pytest_addoption(parser):
    """``--hostile-lapack``: what is true on this machine must be true on others."""
    parser.addoption(
        "--hostile-lapack",
        action="store_true",
        help="emulate a machine with other solvers and rounding",
    )


@pytest.fixture(autouse=True)
def another_machine(request, monkeypatch):
    """Work as another machine would, if the option says so."""
    same_machine = request.node.get_closest_marker("same_machine")
    if request.config.getoption("--hostile-lapack") and not same_machine:
        from another_machine import work_on_another_machine

        work_on_another_machine(monkeypatch)

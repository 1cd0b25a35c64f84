"""The guard before large allocations."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest

from sklearn_kernelclust._utils import _memory
from sklearn_kernelclust._utils._memory import (
    GramTooLargeError,
    available_memory,
    require_memory,
)


def test_refusal_has_all_numbers(monkeypatch):
    monkeypatch.setattr(_memory, "available_memory", lambda: 3 * 2**30)
    with pytest.raises(
        GramTooLargeError,
        match=r"shape \(20000, 30000\) and type float64 needs 4.47 GiB, and 3.00 GiB "
        r"are available. Use less.",
    ):
        require_memory((20_000, 30_000), np.float64, "Use less.")
    require_memory((20_000, 15_000), np.float32, "fits")


def test_refusal_is_both_kinds_of_error():
    assert issubclass(GramTooLargeError, MemoryError)
    assert issubclass(GramTooLargeError, ValueError)


def test_small_matrices_do_not_ask(monkeypatch):
    def never():
        raise AssertionError

    monkeypatch.setattr(_memory, "available_memory", never)
    require_memory((1000, 1000), np.float64, "")


def test_sizes_do_not_overflow():
    with pytest.raises(GramTooLargeError):
        require_memory((2**40, 2**40), np.float64, "")


def test_where_nobody_can_tell(monkeypatch):
    monkeypatch.setattr(_memory, "_free_memory", lambda: None)
    monkeypatch.setattr(_memory, "_control_group_memory", list)
    monkeypatch.setattr(_memory, "_address_space", lambda: None)
    assert available_memory() is None
    require_memory((2**40, 2**40), np.float64, "")


def test_the_smallest_limit_counts(monkeypatch):
    monkeypatch.setattr(_memory, "_free_memory", lambda: 100)
    monkeypatch.setattr(_memory, "_control_group_memory", lambda: [30])
    monkeypatch.setattr(_memory, "_address_space", lambda: 50)
    assert available_memory() == 30
    monkeypatch.setattr(_memory, "_control_group_memory", lambda: [-5])
    assert available_memory() == 0


def test_missing_files_are_no_limit(monkeypatch, tmp_path):
    assert _memory._read_number(tmp_path / "none") is None
    (tmp_path / "max").write_text("max\n")
    assert _memory._read_number(tmp_path / "max") is None
    (tmp_path / "number").write_text("12 34\n")
    assert _memory._read_number(tmp_path / "number", field=1) == 34


def test_address_space_limit():
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    try:
        resource.setrlimit(resource.RLIMIT_AS, (2**40, hard))
        assert 0 < _memory._address_space() < 2**40
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))

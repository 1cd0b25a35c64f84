"""Matrices from files."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import os
import zipfile

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse

from sklearn_kernelclust._cli._arrays import read_array
from sklearn_kernelclust._cli._files import Skipped
from sklearn_kernelclust._utils import _memory
from sklearn_kernelclust._utils._memory import GramTooLargeError

X = np.arange(6.0).reshape(3, 2)


@pytest.mark.parametrize("dtype", ["float64", "float32", "int8", "bool"])
def test_dense(tmp_path, dtype):
    np.save(tmp_path / "a.npy", X.astype(dtype))
    np.savez_compressed(tmp_path / "a.npz", anything=X.astype(dtype))
    for name in ("a.npy", "a.npz"):
        assert_array_equal(read_array(str(tmp_path / name)), X.astype(dtype))


@pytest.mark.parametrize(
    "make", [sparse.csr_array, sparse.csc_matrix, sparse.coo_array]
)
def test_sparse(tmp_path, make):
    path = str(tmp_path / "a.npz")
    sparse.save_npz(path, make(X))
    found = read_array(path)
    assert sparse.issparse(found)
    assert_array_equal(found.toarray(), X)


class Canary:
    """Touches a file when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (self.path, "w")


@pytest.mark.parametrize("save", [np.save, np.savez])
def test_no_pickle_is_loaded(tmp_path, save):
    canary = tmp_path / "canary"
    objects = np.array([[Canary(str(canary))]], dtype=object)
    name = "a.npy" if save is np.save else "a.npz"
    save(tmp_path / name, objects)
    with pytest.raises(Skipped, match="damaged, or not an array of numbers"):
        read_array(str(tmp_path / name))
    assert not canary.exists()


def test_bare_pickles_and_rubbish(tmp_path):
    for content in (b"", b"\x80\x04N.", b"rubbish" * 99, b"\x93NUMPY\x01\0\xff\xff{"):
        for name in ("a.npy", "a.npz"):
            (tmp_path / name).write_bytes(content)
            with pytest.raises(Skipped):
                read_array(str(tmp_path / name))


def test_cut_short(tmp_path):
    for save, name in ((np.save, "a.npy"), (np.savez, "a.npz")):
        save(tmp_path / name, X)
        content = (tmp_path / name).read_bytes()
        (tmp_path / name).write_bytes(content[: len(content) // 2])
        with pytest.raises(Skipped, match="damaged, or not an array"):
            read_array(str(tmp_path / name))


@pytest.mark.parametrize(
    "array", [np.arange(3.0), np.zeros((2, 2, 2)), X * 1j, np.array([["a", "b"]])]
)
def test_only_matrices_of_numbers(tmp_path, array):
    np.save(tmp_path / "a.npy", array)
    with pytest.raises(Skipped, match=r"one matrix of numbers, got .* of \("):
        read_array(str(tmp_path / "a.npy"))


def test_one_array_in_an_archive(tmp_path):
    np.savez(tmp_path / "a.npz", a=X, b=X)
    with pytest.raises(Skipped, match=r"got float64 of \(3, 2\), float64 of \(3, 2\)"):
        read_array(str(tmp_path / "a.npz"))
    zipfile.ZipFile(tmp_path / "b.npz", "w").close()
    with pytest.raises(Skipped, match="got nothing"):
        read_array(str(tmp_path / "b.npz"))


def test_fifos_and_what_is_not_there(tmp_path):
    os.mkfifo(tmp_path / "a.npy")
    with pytest.raises(Skipped, match="not a regular file"):
        read_array(str(tmp_path / "a.npy"))
    with pytest.raises(Skipped, match="No such file"):
        read_array(str(tmp_path / "b.npy"))


@pytest.mark.parametrize("save", [np.save, np.savez_compressed])
def test_an_array_that_does_not_fit_is_refused_before_it_is_read(
    save, tmp_path, monkeypatch
):
    path = tmp_path / ("x.npy" if save is np.save else "x.npz")
    save(path, np.zeros((3000, 3000)))
    monkeypatch.setattr(_memory, "available_memory", lambda: 2**20)
    with pytest.raises(GramTooLargeError, match=r"needs 0.07 GiB, .*Save a sample"):
        read_array(str(path))

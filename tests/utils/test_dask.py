"""Tasks for dask's workers."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import subprocess
import sys

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from sklearn_kernelclust._utils._dask import added, is_dask


def test_nobody_imports_dask_without_a_dask_array():
    code = (
        "import sys, sklearn_kernelclust as s; "
        "s.KernelKMeans(2, n_init=1).fit([[0.0], [1.0], [5.0]]).predict([[1.0]]); "
        "sys.exit('dask' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_other_arrays_are_no_dask_arrays():
    assert not is_dask(np.ones(3)) and not is_dask([1])


def test_added():
    a, b = np.ones(2), np.array([1.0, 2.0])
    assert added(a) is a
    assert_array_equal(added(a, b, b), [3, 5])
    assert_array_equal(a, 1)
    names, total = added((["a"], a), (["b", "c"], b))
    assert names == ["a", "b", "c"]
    assert_array_equal(total, [2, 3])


@pytest.mark.parametrize("n", [1, 2, 8, 9, 70])
def test_tree_sum(n):
    dask = pytest.importorskip("dask")
    from sklearn_kernelclust._utils._dask import compute, constant, later, tree_sum

    with dask.config.set(scheduler="synchronous"):
        tasks = [later(np.multiply, i, constant(np.ones(2))) for i in range(n)]
        assert_array_equal(compute([tree_sum(tasks)], 16)[0], n * (n - 1) / 2)
        assert compute(tasks)[-1][0] == n - 1
